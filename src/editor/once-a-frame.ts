// What others write is let in once a frame: what comes in between waits for the next one, which is when it would be seen
// anyway, and it is drawn and laid out once for all of it. However many write, it takes a part of the time only, and a key
// of this person's is seen first.
import type { Cancel } from '../lib/cancel.ts';
import type { Session } from '../sync/session-api.ts';
import { inOneFrame } from './frame.ts';

/** A window that draws no frames (behind others, minimized) must not keep anything back for longer. */
const MAX_MS = 100;
/** Nor the longest page, of which drawing a change takes more than that. */
const LONGEST_MS = 1000;
/** Of the time, what others' edits may take: a quarter, with the browser's own work on the frame. */
const SHARE = 1 / 4;

export function letInOnceAFrame(session: Session): Cancel {
  let release: Cancel | null = null;
  let heldSince = 0;
  let frame = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isLettingIn = false;
  let hasCome = false;
  /** What the last of it took, in ms, until it was painted; others have had their part of the time for so long. */
  let took = 0;
  let begun = 0;
  let hasTyped = false;
  const painted = new MessageChannel();
  const rest = () => Math.min(LONGEST_MS, took / SHARE);
  const hold = () => {
    release = session.holdOthers(LONGEST_MS + MAX_MS);
    heldSince = performance.now();
    frame = requestAnimationFrame(look);
    timer = setTimeout(letIn, rest() + MAX_MS);
  };
  const look = () => {
    const now = performance.now();
    const isTired = now - begun < rest();
    // At most once for each key: who types on and on sees what others do, too.
    const isAfterKey = hasTyped && now - heldSince < MAX_MS / 2;
    hasTyped = false;
    if (isTired || isAfterKey) frame = requestAnimationFrame(look);
    else letIn();
  };
  const letIn = () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    const open = release;
    release = null;
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
  const typed = () => void (hasTyped = true);
  const stop = session.beforeOthers(() => {
    hasCome = true;
    // This one is on its way already: it is for those behind it.
    if (release === null && !isLettingIn && document.visibilityState === 'visible') hold();
  });
  window.addEventListener('keydown', typed, { capture: true });
  return () => {
    stop();
    window.removeEventListener('keydown', typed, { capture: true });
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    painted.port1.close();
    release?.();
  };
}
