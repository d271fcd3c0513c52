// What this device holds has changed, here or in another tab: it is looked at again within a second. The other tabs are
// told of what changed here.
import type { Cancel } from '../../lib/cancel.ts';
import type { CrossTabEvents } from '../ports.ts';

const SOON_MS = 1_000;

export function watchOtherTabs(options: {
  readonly port: CrossTabEvents;
  readonly after: (ms: number, run: () => void) => Cancel;
  readonly refresh: () => void;
}): { readonly changed: () => void; readonly close: Cancel } {
  let soon: Cancel | null = null;
  let isOurs = false;
  const refreshSoon = () => {
    soon ??= options.after(SOON_MS, () => {
      soon = null;
      if (isOurs) channel.notify();
      isOurs = false;
      options.refresh();
    });
  };
  const channel = options.port.join(refreshSoon);
  return {
    /** Open pages say themselves what waits, ahead of the device's stores, and it changes twice with each key. */
    changed() {
      isOurs = true;
      refreshSoon();
    },
    close() {
      soon?.();
      channel.leave();
    },
  };
}
