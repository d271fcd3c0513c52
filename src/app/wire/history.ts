// The history of a page and what changed since a visit, for members and for visitors with a link.
import type { DocumentId, UserId } from 'weft-sync/protocol/ids.ts';
import { lazyPort } from '../../platform/supabase/lazy-port.ts';
import type { LinkVisits } from '../../ports/changes.ts';
import type { Histories, OpenLinkHistory } from '../../ports/history.ts';
import type { PersonPorts } from '../../state/person/person-ports.ts';
import { type Project, timing } from './project.ts';

const histories = () => import('../../sessions/history/open-history.ts');
const since = () => import('../../sessions/since/since-ports.ts');
const historyCalls = async ({ client, serverClock }: Project) =>
  (await import('../../platform/supabase/history.ts')).supabaseHistory(client, serverClock);

export function memberHistoryPorts(project: Project, me: UserId): Pick<PersonPorts, 'histories' | 'changesSince'> {
  const { client, serverClock, openLog } = project;
  const fromServer = serverClock.toDevice;
  const calls = () => historyCalls(project);
  const opened = async () => {
    const [{ memberHistories }, ports, log] = await Promise.all([histories(), calls(), openLog()]);
    return memberHistories({ ...ports, log, fromServer });
  };
  return {
    histories: lazyPort(calls, {
      open: async (document: DocumentId) => (await opened()).open(document),
      eraser: async (...args: Parameters<Histories['eraser']>) => (await opened()).eraser(...args),
    }),
    changesSince: async (document, visit) =>
      (await since()).memberChanges(document, visit, { client, log: await openLog(), me, fromServer }),
  };
}

export function linkHistoryPorts(project: Project): {
  readonly linkVisits: () => Promise<LinkVisits>;
  readonly openLinkHistory: OpenLinkHistory;
} {
  const { client, serverClock } = project;
  const fromServer = serverClock.toDevice;
  return {
    linkVisits: async () => (await since()).linkVisits(client, timing, fromServer),
    async openLinkHistory(secret) {
      const [{ openLinkHistory }, { linkRows }] = await Promise.all([histories(), historyCalls(project)]);
      return openLinkHistory(secret, { rows: linkRows, fromServer });
    },
  };
}
