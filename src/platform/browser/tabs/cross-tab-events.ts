// The DeviceNews port of src/state over BroadcastChannel, named for project and user like the database. Any script of this origin may
// post into it: whatever it says means no more than to look again.
import type { UserId } from '../../../protocol/ids.ts';
import { restingChannel } from './suspendable-channel.ts';

const NEWS = 'changed';

export const newsChannelName = (project: string, user: UserId): string => `weft-device:${project}:${user}`;

export function browserDeviceNews(project: string, user: UserId) {
  return {
    join(heard: () => void) {
      const channel = restingChannel(newsChannelName(project, user), {
        heard,
        leaving: () => channel.post(NEWS),
        back: heard,
      });
      return { tell: () => channel.post(NEWS), leave: channel.leave };
    },
  };
}
