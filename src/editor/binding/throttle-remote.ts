// Applies remote edits at most once per animation frame. Edits that arrive in between wait for the next frame, which is
// when they would be visible anyway, and are drawn and laid out together. However many people write, this takes only a
// share of the time. While this user types, remote edits are applied right after a key is painted, not when the next
// key is due.
import type { Session } from 'weft-sync/session/session-api.ts';
import type { Cancel } from '../../lib/cancel.ts';
import { runFrame } from './frame-batch.ts';

/** The longest time edits wait after a pause, if the window draws no frame (it was just hidden) or key follows key. */
const MAX_WAIT_MS = 200;
/** The longest pause between two batches, on a very long page, where drawing one takes more than that. */
const MAX_PAUSE_MS = 1000;
/** A key pressed less than this ago is not painted yet. */
const FRAME_MS = 17;
/**
 * While typing, the next key mostly comes within this range after the last one. It would have to wait for remote edits
 * to finish.
 */
const NEXT_KEY_MS = { from: 60, to: 160 };
/** Remote edits may take a quarter of the time, including the browser's own work on the frame. */
const REMOTE_SHARE = 1 / 4;

export function throttleRemote(session: Session): Cancel {
  let release: Cancel | null = null;
  let frame = 0;
  let pause: ReturnType<typeof setTimeout> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isApplying = false;
  let hasArrived = false;
  /** How long the last batch took in ms until it was painted. The next one waits in proportion. */
  let tookMs = 0;
  let startedAt = 0;
  let typedAt = -Infinity;
  /** A batch is waiting for the next key. */
  let waitsForKey = false;
  const painted = new MessageChannel();
  const hold = () => {
    release = session.pauseRemote(MAX_PAUSE_MS + MAX_WAIT_MS);
    const rest = Math.max(0, startedAt + Math.min(MAX_PAUSE_MS, tookMs / REMOTE_SHARE) - performance.now());
    timer = setTimeout(applyWaiting, rest + MAX_WAIT_MS);
    checkAfter(rest);
  };
  const cancelCheck = () => {
    cancelAnimationFrame(frame);
    clearTimeout(pause);
  };
  const checkAfter = (ms: number) => {
    // A key may come between the timer and its frame. Two checks would apply twice, and the second, empty one would be
    // measured.
    cancelCheck();
    // A timer, because asking for one frame after another makes the browser produce all of them.
    if (ms > 0) pause = setTimeout(() => void (frame = requestAnimationFrame(check)), ms);
    else frame = requestAnimationFrame(check);
  };
  const check = () => {
    const sinceKey = performance.now() - typedAt;
    waitsForKey = sinceKey > NEXT_KEY_MS.from && sinceKey < NEXT_KEY_MS.to;
    if (waitsForKey) checkAfter(NEXT_KEY_MS.to - sinceKey);
    else if (sinceKey < FRAME_MS) checkAfter(0);
    else applyWaiting();
  };
  const applyWaiting = () => {
    cancelCheck();
    clearTimeout(timer);
    const open = release;
    release = null;
    waitsForKey = false;
    hasArrived = false;
    isApplying = true;
    startedAt = performance.now();
    try {
      runFrame(() => open?.());
    } finally {
      isApplying = false;
      // A message sent in a frame callback arrives when the frame is painted.
      painted.port2.postMessage(null);
      if (hasArrived) hold();
    }
  };
  painted.port1.onmessage = () => void (tookMs = performance.now() - startedAt);
  const typed = () => {
    typedAt = performance.now();
    if (!waitsForKey) return;
    waitsForKey = false;
    checkAfter(FRAME_MS);
  };
  const stop = session.onBeforeRemote(() => {
    hasArrived = true;
    // The current edit is already on its way; the pause is for those that follow.
    if (release === null && !isApplying && document.visibilityState === 'visible') hold();
  });
  window.addEventListener('keydown', typed, { capture: true });
  return () => {
    stop();
    window.removeEventListener('keydown', typed, { capture: true });
    cancelCheck();
    clearTimeout(timer);
    painted.port1.close();
    release?.();
  };
}
