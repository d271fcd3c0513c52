// What others write is let in once a frame: what comes in between waits for the next one, which is when it would be seen
// anyway, and it is drawn and laid out once for all of it. However many write, it takes a part of the time only, and while
// this person types it has its turn right after a key was seen, not when the next one is due.
import type { Cancel } from '../../lib/cancel.ts';
import type { Session } from '../../sync/session/session-api.ts';
import { inOneFrame } from './frame.ts';

/** Nothing is kept back for longer: by a window that draws no frames (behind others, minimized), or by key after key. */
const MAX_MS = 200;
/** Nor the longest page, of which drawing a change takes more than that. */
const LONGEST_MS = 1000;
/** A key pressed less long ago is not on the screen yet. */
const FRAME_MS = 17;
/** Between so and so long after a key the next one comes, of who types on: it would wait for the end of others' turn. */
const NEXT_KEY_MS = { from: 60, to: 160 };
/** Of the time, what others' edits may take: a quarter, with the browser's own work on the frame. */
const SHARE = 1 / 4;

export function letInOnceAFrame(session: Session): Cancel {
  let release: Cancel | null = null;
  let frame = 0;
  let pause: ReturnType<typeof setTimeout> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isLettingIn = false;
  let hasCome = false;
  /** What the last of it took, in ms, until it was painted; others have had their part of the time for so long. */
  let took = 0;
  let begun = 0;
  let typedAt = -Infinity;
  /** What has come waits for it. */
  let isKeyDue = false;
  const painted = new MessageChannel();
  const hold = () => {
    release = session.pauseRemote(LONGEST_MS + MAX_MS);
    const rest = Math.max(0, begun + Math.min(LONGEST_MS, took / SHARE) - performance.now());
    timer = setTimeout(letIn, rest + MAX_MS);
    lookAfter(rest);
  };
  const callOff = () => {
    cancelAnimationFrame(frame);
    clearTimeout(pause);
  };
  const lookAfter = (ms: number) => {
    // A key may come between the timer and its frame: two looks would let in twice, and the second, empty, be measured.
    callOff();
    // By a timer: who asks for frame after frame until then has the browser make all of them.
    if (ms > 0) pause = setTimeout(() => void (frame = requestAnimationFrame(look)), ms);
    else frame = requestAnimationFrame(look);
  };
  const look = () => {
    const sinceKey = performance.now() - typedAt;
    isKeyDue = sinceKey > NEXT_KEY_MS.from && sinceKey < NEXT_KEY_MS.to;
    if (isKeyDue) lookAfter(NEXT_KEY_MS.to - sinceKey);
    else if (sinceKey < FRAME_MS) lookAfter(0);
    else letIn();
  };
  const letIn = () => {
    callOff();
    clearTimeout(timer);
    const open = release;
    release = null;
    isKeyDue = false;
    hasCome = false;
    isLettingIn = true;
    begun = performance.now();
    try {
      inOneFrame(() => open?.());
    } finally {
      isLettingIn = false;
      // A message that is sent in a frame's callback arrives when the frame is painted.
      painted.port2.postMessage(null);
      if (hasCome) hold();
    }
  };
  painted.port1.onmessage = () => void (took = performance.now() - begun);
  const typed = () => {
    typedAt = performance.now();
    if (!isKeyDue) return;
    isKeyDue = false;
    lookAfter(FRAME_MS);
  };
  const stop = session.onBeforeRemote(() => {
    hasCome = true;
    // This one is on its way already: it is for those behind it.
    if (release === null && !isLettingIn && document.visibilityState === 'visible') hold();
  });
  window.addEventListener('keydown', typed, { capture: true });
  return () => {
    stop();
    window.removeEventListener('keydown', typed, { capture: true });
    callOff();
    clearTimeout(timer);
    painted.port1.close();
    release?.();
  };
}
