// Refreshes a second after this tab changed something on this device, or another tab said that it did, and notifies the other
// tabs of changes made here.
import type { Cancel } from '../../lib/cancel.ts';
import type { CrossTabEvents } from '../../ports/device.ts';

const SOON_MS = 1_000;

export function watchOtherTabs(options: {
  readonly port: CrossTabEvents;
  readonly after: (ms: number, run: () => void) => Cancel;
  readonly refresh: () => void;
}): { readonly changed: () => void; readonly close: Cancel } {
  let cancelRefresh: Cancel | null = null;
  let isOwnChange = false;
  const refreshSoon = () => {
    cancelRefresh ??= options.after(SOON_MS, () => {
      cancelRefresh = null;
      if (isOwnChange) channel.notify();
      isOwnChange = false;
      options.refresh();
    });
  };
  const channel = options.port.join(refreshSoon);
  return {
    /**
     * Reports a change made in this tab. The delay is fine: open pages show their unsent edits themselves, ahead of the
     * device's stores, and these change twice with each key.
     */
    changed() {
      isOwnChange = true;
      refreshSoon();
    },
    close() {
      cancelRefresh?.();
      channel.leave();
    },
  };
}
