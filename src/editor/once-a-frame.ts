// What others write is let in once a frame: what comes in between waits for the next one, which is when it would be seen
// anyway, and the browser lays the page out once for all of it.
import type { Cancel } from '../lib/cancel.ts';
import type { Session } from '../sync/session-api.ts';

/** A window that draws no frames (behind others, minimized) must not keep anything back for longer. */
const MAX_MS = 100;

export function letInOnceAFrame(session: Session): Cancel {
  let release: Cancel | null = null;
  let frame = 0;
  let isLettingIn = false;
  let hasCome = false;
  const hold = () => {
    release = session.holdOthers(MAX_MS);
    frame = requestAnimationFrame(letIn);
  };
  const letIn = () => {
    const open = release;
    release = null;
    hasCome = false;
    isLettingIn = true;
    try {
      open?.();
    } finally {
      isLettingIn = false;
      if (hasCome) hold();
    }
  };
  const stop = session.beforeOthers(() => {
    hasCome = true;
    // This one is on its way already: it is for those behind it.
    if (release === null && !isLettingIn && document.visibilityState === 'visible') hold();
  });
  return () => {
    stop();
    cancelAnimationFrame(frame);
    release?.();
  };
}
