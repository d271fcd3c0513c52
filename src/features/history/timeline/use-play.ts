// Plays the page: each frame asks the clock which row is reached.
import { useEffect, useEffectEvent, useState } from 'react';
import { PlayClock } from './play-clock.ts';

export const SPEEDS = [1, 8, 60] as const;
export type Speed = (typeof SPEEDS)[number];

export type Play = {
  readonly isPlaying: boolean;
  readonly speed: Speed;
  readonly setSpeed: (speed: Speed) => void;
  readonly toggle: () => void;
  readonly stop: () => void;
};

type Played = {
  readonly seq: number;
  readonly head: number;
  readonly timeOf: (seq: number) => number | null;
  readonly onSeq: (seq: number) => void;
};

export function usePlay({ seq, head, timeOf, onSeq }: Played): Play {
  const [isPlaying, setPlaying] = useState(false);
  const [speed, setSpeed] = useState<Speed>(8);
  const start = useEffectEvent(() => {
    // At the end it begins again.
    const from = seq >= head ? 1 : seq;
    if (from !== seq) onSeq(from);
    return { clock: new PlayClock(from, head, timeOf), path: new PlayedPath(seq, from) };
  });
  const shownSeq = useEffectEvent(() => seq);
  const show = useEffectEvent((reached: number) => {
    if (reached !== seq) onSeq(reached);
  });
  useEffect(() => {
    if (!isPlaying) return undefined;
    const { clock, path } = start();
    let last = performance.now();
    let frame = requestAnimationFrame(function next(now) {
      // The reader chose a version, or went back to now.
      if (!path.leadsTo(shownSeq())) return setPlaying(false);
      const reached = clock.after((now - last) * speed);
      path.goTo(reached);
      show(reached);
      last = now;
      if (clock.isOver) setPlaying(false);
      else frame = requestAnimationFrame(next);
    });
    return () => cancelAnimationFrame(frame);
  }, [isPlaying, speed]);
  return {
    isPlaying,
    speed,
    setSpeed,
    toggle: () => setPlaying(!isPlaying),
    stop: () => setPlaying(false),
  };
}

/** Which rows the page can be at because it is played: React shows each of them some time after it is asked to. */
class PlayedPath {
  readonly #origin: number;
  #isAtOrigin: boolean;
  #lowest: number;
  #reached: number;

  /** `origin` is shown until the first row is. */
  constructor(origin: number, first: number) {
    this.#origin = origin;
    this.#isAtOrigin = origin !== first;
    this.#lowest = first;
    this.#reached = first;
  }

  goTo(seq: number): void {
    this.#reached = seq;
  }

  leadsTo(seq: number): boolean {
    if (this.#isAtOrigin && seq === this.#origin) return true;
    this.#isAtOrigin = false;
    if (seq < this.#lowest || seq > this.#reached) return false;
    this.#lowest = seq;
    return true;
  }
}
