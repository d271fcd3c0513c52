// Tells the rest of the person's state what happens to an open page, from the difference between two views of its session.
import type { SessionView } from 'weft-sync/session/views.ts';
import { isAccessLost } from './page-view.ts';

export type PageEvents = {
  /**
   * Runs when the first edit becomes unsent or the last one is sent, so that the state of the whole device is read
   * again.
   */
  readonly onUnsentChanged: () => void;
  /** Runs when the page has been compared with a server that was restored from an earlier state. */
  readonly onRestored: () => void;
  /** Runs once, when the page is shown. */
  readonly onShown: () => void;
  /** Runs once, at the first edit made here. */
  readonly onEdited: () => void;
  /** Runs when the server begins to deny reading the page and nothing here is unsent; again if access came back meanwhile. */
  readonly onAccessLost: () => void;
};

export function pageEvents(on: PageEvents): (view: SessionView, before: SessionView) => void {
  const reported = new Set<string>();
  const once = (event: 'onShown' | 'onEdited') => {
    if (reported.has(event)) return;
    reported.add(event);
    on[event]();
  };
  return (view, before) => {
    if (before.unsent.edits > 0 !== view.unsent.edits > 0) on.onUnsentChanged();
    if (before.isRestoring && !view.isRestoring && view.phase === 'ready') on.onRestored();
    if (view.phase === 'ready') once('onShown');
    if (view.lastN > 0) once('onEdited');
    if (isAccessLost(view) && !isAccessLost(before)) on.onAccessLost();
  };
}
