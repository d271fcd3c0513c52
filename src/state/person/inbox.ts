// A person's notifications: the newest ones, the number of unread ones, answers in place. The list is cached on this device,
// and loaded again at each change on the person's own stream that may concern it.
import { type Atom, atom } from 'jotai/vanilla';
import type { WeftError } from 'weft-sync/protocol/errors.ts';
import type { DocumentRole } from 'weft-sync/protocol/roles.ts';
import { coalesced } from '../../lib/async/coalesced.ts';
import type { Cancel } from '../../lib/cancel.ts';
import { type Result, followedBy, ok } from '../../lib/result.ts';
import type { ListCache } from '../../ports/device.ts';
import type { Inbox, Membership, PageAccess } from '../../ports/workspace.ts';
import type { WorkspaceChange } from '../../protocol/answers.ts';
import type { Notification } from '../../protocol/home-answers.ts';
import type { InviteId, NotificationId, RequestId } from '../../protocol/ids.ts';
import type { AcceptedInvite } from '../../protocol/people-answers.ts';
import type { Timing } from '../offline/cached-list.ts';
import type { AtomStore } from '../store.ts';
import { parseStoredInbox } from './stored-inbox.ts';

export type InboxList = {
  /** The newest first. Null before there is a list. */
  readonly notifications: readonly Notification[] | null;
  readonly unread: number;
  /** Older ones can be loaded. */
  readonly hasOlder: boolean;
  readonly error: WeftError | null;
};

export interface PersonInbox {
  readonly atom: Atom<InboxList>;
  readonly unreadAtom: Atom<number>;
  /** Loads the list, and again at each change, until it is cancelled. */
  readonly follow: () => Cancel;
  readonly load: () => Promise<void>;
  readonly loadOlder: () => Promise<void>;
  /** Null: all. */
  readonly mark: (ids: readonly NotificationId[] | null, isRead: boolean) => Promise<Result<void, WeftError>>;
  /** Null denies. */
  readonly answerRequest: (
    request: RequestId,
    role: DocumentRole | null,
  ) => Promise<Result<DocumentRole | null, WeftError>>;
  readonly join: (invite: InviteId) => Promise<Result<AcceptedInvite, WeftError>>;
  readonly decline: (invite: InviteId) => Promise<Result<void, WeftError>>;
}

const CACHE_KEY = 'inbox';
const PAGE = 30;
/** The server returns at most this many at once. */
const MAX_AT_ONCE = 100;
const KINDS: readonly WorkspaceChange['kind'][] = ['notification', 'request', 'invite', 'access'];

type InboxOptions = {
  readonly store: AtomStore;
  readonly inbox: Inbox;
  readonly access: Pick<PageAccess, 'answerRequest'>;
  readonly membership: Pick<Membership, 'acceptMyInvite' | 'declineInvite'>;
  readonly listCache: Pick<ListCache, 'load' | 'save'>;
  readonly timing: Pick<Timing, 'now'>;
  /** Null: changes may have been missed. */
  readonly onChange: (run: (change: WorkspaceChange | null) => void) => Cancel;
};

export function personInbox(options: InboxOptions): PersonInbox {
  const { store, inbox, listCache } = options;
  const listAtom = atom<InboxList>({ notifications: null, unread: 0, hasOlder: false, error: null });
  /** Counts the answers that had the number of unread notifications. */
  let counts = 0;

  const amend = (change: Partial<InboxList>) => store.set(listAtom, { ...store.get(listAtom), ...change });

  const load = coalesced(async () => {
    const before = store.get(listAtom).notifications ?? [];
    const limit = Math.min(Math.max(before.length, PAGE), MAX_AT_ONCE);
    const answer = await inbox.list(null, limit);
    if (!answer.ok) return amend({ error: answer.error });
    const { unread, notifications, received } = answer.value;
    counts += 1;
    const last = notifications.at(-1);
    const isWhole = received < limit;
    const known = new Set(notifications.map(({ id }) => id));
    const older = isWhole || last === undefined ? [] : before.filter(({ id, at }) => at <= last.at && !known.has(id));
    const hasOlder = older.length > 0 ? store.get(listAtom).hasOlder : !isWhole;
    amend({ notifications: [...notifications, ...older], unread, hasOlder, error: null });
    void listCache.save(CACHE_KEY, { unread, notifications: notifications.slice(0, PAGE) });
  });
  const showCached = async () => {
    const cached = parseStoredInbox(await listCache.load(CACHE_KEY));
    if (cached !== null && store.get(listAtom).notifications === null) amend(cached);
  };
  const loaded = <T>(write: Promise<Result<T, WeftError>>) => followedBy(write, load);

  return {
    atom: listAtom,
    unreadAtom: atom((get) => get(listAtom).unread),
    load,
    follow() {
      void showCached();
      void load();
      return options.onChange((change) => void ((change === null || KINDS.includes(change.kind)) && load()));
    },
    async loadOlder() {
      const { notifications, hasOlder } = store.get(listAtom);
      const last = notifications?.at(-1);
      if (!hasOlder || last === undefined) return;
      const answer = await inbox.list(last.id, PAGE);
      const now = store.get(listAtom).notifications ?? [];
      // The same page may have been asked for twice.
      if (now.at(-1)?.id !== last.id) return;
      if (!answer.ok) return amend({ error: answer.error });
      const { notifications: older, received } = answer.value;
      amend({ notifications: [...now, ...older], hasOlder: received === PAGE, error: null });
    },
    async mark(ids, isRead) {
      const before = store.get(listAtom);
      const { notifications, unread, originals } = marked(before, ids, isRead ? options.timing.now() : null);
      amend({ notifications, unread });
      const countsBefore = counts;
      const answer = await inbox.markRead(ids, isRead);
      if (answer.ok) {
        counts += 1;
        amend({ unread: answer.value });
        return ok(undefined);
      }
      // Meanwhile others may have arrived or been marked, and the server may have said how many are unread.
      const now = store.get(listAtom);
      amend({
        notifications: now.notifications?.map((one) => originals.get(one) ?? one) ?? null,
        unread: counts === countsBefore ? now.unread + before.unread - unread : now.unread,
      });
      return answer;
    },
    answerRequest: (request, role) => loaded(options.access.answerRequest(request, role)),
    join: (invite) => loaded(options.membership.acceptMyInvite(invite)),
    decline: (invite) => loaded(options.membership.declineInvite(invite)),
  };
}

/** `originals`: what each marked notification was before. */
function marked(list: InboxList, ids: readonly NotificationId[] | null, readAt: number | null) {
  const isRead = readAt !== null;
  const originals = new Map<Notification, Notification>();
  const mark = (one: Notification): Notification => {
    const isMeant = (ids === null || ids.includes(one.id)) && (one.readAt === null) === isRead;
    if (!isMeant) return one;
    const changed = { ...one, readAt };
    originals.set(changed, one);
    return changed;
  };
  const notifications = list.notifications?.map(mark) ?? null;
  const { size } = originals;
  const unread = ids === null ? (isRead ? 0 : list.unread) : Math.max(0, list.unread + (isRead ? -size : size));
  return { notifications, unread, originals };
}
