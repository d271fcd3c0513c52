// Applies remote edits at most once per animation frame. Edits that arrive in between wait for the next frame, which is
// when they would be visible anyway, and are drawn and laid out together. However many people write, this takes only a
// share of the time. While this user types, remote edits are applied right after a key is painted, not when the next
// key is due.
import type { Cancel } from '../../lib/cancel.ts';
import type { Session } from '../../sync/session/session-api.ts';
import { inOneFrame } from './frame.ts';

/** The longest time edits wait in a window that draws no frames (hidden, minimized), or while key follows key. */
const MAX_MS = 200;
/** The same for a very long page, where drawing one change takes more than that. */
const LONGEST_MS = 1000;
/** A key pressed less than this ago is not painted yet. */
const FRAME_MS = 17;
/**
 * While typing, the next key comes within this range after the last one. It would have to wait for remote edits to
 * finish.
 */
const NEXT_KEY_MS = { from: 60, to: 160 };
/** Remote edits may take a quarter of the time, including the browser's own work on the frame. */
const SHARE = 1 / 4;

export function letInOnceAFrame(session: Session): Cancel {
  let release: Cancel | null = null;
  let frame = 0;
  let pause: ReturnType<typeof setTimeout> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isLettingIn = false;
  let hasCome = false;
  /** How long the last batch took in ms until it was painted. The next one waits in proportion. */
  let took = 0;
  let begun = 0;
  let typedAt = -Infinity;
  /** A batch is waiting for the next key. */
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
    // A key may come between the timer and its frame. Two checks would apply twice, and the second, empty one would be
    // measured.
    callOff();
    // A timer, because asking for one frame after another makes the browser produce all of them.
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
      // A message sent in a frame callback arrives when the frame is painted.
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
    // The current edit is already on its way; the pause is for those behind it.
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
