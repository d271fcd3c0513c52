// A person's own account, and accounts that were signed in on this device before it.
import { lazyPort } from '../../platform/supabase/lazy-port.ts';
import type { PersonPorts } from '../../state/person/person-ports.ts';
import type { Device } from './device.ts';
import type { Project } from './project.ts';

const former = () => import('../../sessions/former-account.ts');

export const accountPorts = (
  { client, config, remembered }: Project,
  device: Device,
): Pick<PersonPorts, 'ownAccount' | 'makeAvatar' | 'formerAccounts'> => ({
  ownAccount: lazyPort(async () =>
    (await import('../../platform/supabase/own-account.ts')).supabaseOwnAccount(client, config, device.user),
  ),
  makeAvatar: async (file) => (await import('../../platform/browser/avatar-maker.ts')).makeAvatar(file),
  formerAccounts: {
    list: () => remembered.former(),
    move: async (account) => (await former()).moveFormer(account, device, remembered),
    discard: async (account) => (await former()).discardFormer(account, device.project, remembered),
  },
});
