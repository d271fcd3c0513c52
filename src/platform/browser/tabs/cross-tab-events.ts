// CrossTabEvents over BroadcastChannel, named after project and user like the database. Any script of this origin can
// post to it, so a message only means: look again.
import { suspendableChannel } from 'weft-sync/browser/tabs/suspendable-channel.ts';
import type { UserId } from 'weft-sync/protocol/ids.ts';
import type { CrossTabEvents } from '../../../ports/device.ts';

const CHANGED = 'changed';

export const eventsChannelName = (project: string, user: UserId): string => `weft-device:${project}:${user}`;

export function browserCrossTabEvents(project: string, user: UserId): CrossTabEvents {
  return {
    join(onChange) {
      const channel = suspendableChannel(eventsChannelName(project, user), {
        onMessage: onChange,
        onLeave: () => channel.post(CHANGED),
        onResume: onChange,
      });
      return { notify: () => channel.post(CHANGED), leave: channel.leave };
    },
  };
}
