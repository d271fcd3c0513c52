// What others write is let in once a frame: what comes in between waits for the next one, which is when it would be seen
// anyway, and it is drawn and laid out once for all of it. However many write, it takes a part of the time only, and a key
// of this person's is seen first.
import type { Cancel } from '../lib/cancel.ts';
import type { Session } from '../sync/session-api.ts';
import { inOneFrame } from './frame.ts';

/** A window that draws no frames (behind others, minimized) must not keep anything back for longer. */
const MAX_MS = 100;
/** Of the time, what others' edits may take: a quarter, with the browser's own work on the frame. */
const SHARE = 1 / 4;

export function letInOnceAFrame(session: Session): Cancel {
  let release: Cancel | null = null;
  let heldSince = 0;
  let frame = 0;
  let isLettingIn = false;
  let hasCome = false;
  /** Before this others have had their part of the time, as of `performance.now()`. */
  let notBefore = 0;
  let hasTyped = false;
  const hold = () => {
    release = session.holdOthers(MAX_MS);
    heldSince = performance.now();
    frame = requestAnimationFrame(look);
  };
  const look = () => {
    const now = performance.now();
    // At most once for each key: who types on and on sees what others do, too.
    const waits = (now < notBefore || hasTyped) && now - heldSince < MAX_MS / 2;
    hasTyped = false;
    if (waits) frame = requestAnimationFrame(look);
    else letIn(now);
  };
  const letIn = (start: number) => {
    const open = release;
    release = null;
    hasCome = false;
    isLettingIn = true;
    try {
      inOneFrame(() => open?.());
    } finally {
      isLettingIn = false;
      // Until it is known what the frame takes. A message that is sent in its callback arrives when it is painted.
      notBefore = start + MAX_MS;
      painted.port2.postMessage(start);
      if (hasCome) hold();
    }
  };
  const painted = new MessageChannel();
  painted.port1.onmessage = ({ data }: MessageEvent<number>) => {
    notBefore = data + (performance.now() - data) / SHARE;
  };
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
    painted.port1.close();
    release?.();
  };
}
