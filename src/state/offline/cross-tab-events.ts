// What this device holds has changed, here or in another tab: it is looked at again within a second. The other tabs are
// told of what changed here.
import type { Cancel } from '../../lib/cancel.ts';
import type { DeviceNews } from '../ports.ts';

const SOON_MS = 1_000;

export function watchDevice(options: {
  readonly port: DeviceNews;
  readonly after: (ms: number, run: () => void) => Cancel;
  readonly look: () => void;
}): { readonly changed: () => void; readonly close: Cancel } {
  let soon: Cancel | null = null;
  let isOurs = false;
  const lookSoon = () => {
    soon ??= options.after(SOON_MS, () => {
      soon = null;
      if (isOurs) channel.tell();
      isOurs = false;
      options.look();
    });
  };
  const channel = options.port.join(lookSoon);
  return {
    /** Open pages say themselves what waits, ahead of the device's stores, and it changes twice with each key. */
    changed() {
      isOurs = true;
      lookSoon();
    },
    close() {
      soon?.();
      channel.leave();
    },
  };
}
