// Plays the page: each frame asks the clock which row is reached.
import { useEffect, useEffectEvent, useState } from 'react';
import { PlayClock } from './play-clock.ts';

export const SPEEDS = [1, 8, 60] as const;
export type Speed = (typeof SPEEDS)[number];

type Play = {
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
    return new PlayClock(from, head, timeOf);
  });
  const show = useEffectEvent((reached: number) => {
    if (reached !== seq) onSeq(reached);
  });
  useEffect(() => {
    if (!isPlaying) return undefined;
    const clock = start();
    let last = performance.now();
    let frame = requestAnimationFrame(function next(now) {
      show(clock.after((now - last) * speed));
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
