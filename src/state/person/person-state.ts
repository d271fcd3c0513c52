// The state of one signed-in person: their workspaces, the people they meet, their open pages. Created at sign-in and
// closed when they leave, so two people on one device never share it.
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import type { Identity } from '../../ports/account.ts';
import type { UnsentCopy } from '../../ports/device.ts';
import type { PersonComments, WaitingComment } from '../comments/person-comments.ts';
import type { CachedPages } from '../offline/cached-pages.ts';
import { waitingComments } from '../page/page-view.ts';
import type { People } from '../people/people.ts';
import { type PersonPictures, personPictures } from '../people/person-pictures.ts';
import type { AtomStore } from '../store.ts';
import type { DeviceQueues } from './device-queues.ts';
import { type UnsentAtoms, unsentAtoms } from './device-receipt.ts';
import { type Former, formerAccounts } from './former-accounts.ts';
import type { PersonPages } from './person-pages.ts';
import { personParts } from './person-parts.ts';
import type { PersonPorts } from './person-ports.ts';
import type { PersonWorkspaces } from './person-workspaces.ts';
import { purgeFilesLater } from './purge-files.ts';
import type { Visits } from './visits.ts';

/** The ports that views call themselves. */
type CalledByViews = Pick<
  PersonPorts,
  | 'directory'
  | 'search'
  | 'inbox'
  | 'home'
  | 'membership'
  | 'access'
  | 'ownAccount'
  | 'makeAvatar'
  | 'pageReader'
  | 'changesSince'
  | 'histories'
  | 'listCache'
  | 'timing'
>;

export interface PersonState
  extends
    CalledByViews,
    UnsentAtoms,
    Pick<DeviceQueues, 'unsent' | 'pendingPages' | 'pageChanges' | 'uploads'>,
    Pick<PersonPages, 'pages' | 'openPagesAtom' | 'filesOf' | 'readLiveCounts'>,
    Omit<PersonWorkspaces, 'refreshOpen' | 'putPage' | 'noteVisit'> {
  readonly identity: Identity;
  readonly store: AtomStore;
  /** Other accounts that were signed in here before and did not sign out. */
  readonly former: Former;
  readonly people: People;
  readonly pictures: PersonPictures;
  /** Pages that open without network. */
  readonly cachedPages: CachedPages;
  /** The text of such a page, one line per block. Null if it is not on this device. */
  readonly textOnDevice: (document: DocumentId) => Promise<string | null>;
  /** Takes what this person sees of each page, and knows their last visit. */
  readonly visits: Pick<Visits, 'see' | 'leave' | 'lastVisit'>;
  /** The unsent edits page by page, for a file that the person can download. */
  readonly unsentCopies: () => Promise<readonly UnsentCopy[]>;
  /** Sends the edits of pages that are not open. */
  readonly sendUnsent: () => void;
  /** Retries everything that waits, because the sign-in was renewed or the network is back. */
  readonly retryAll: () => void;
  /** Call after `close`: deletes everything of this person on this device, unsent edits included. */
  readonly wipe: () => Promise<void>;
}

export function personState(identity: Identity, ports: PersonPorts): PersonState {
  const { listCache, timing, cachedDocuments } = ports;
  const { store, people, queues, cached, opened, lost, seen, workspaces } = personParts(identity, ports);
  const { pages, sender } = opened;
  const unsent = readWithComments(queues);
  const pictures = personPictures({
    fetch: (path) => ports.ownAccount.picture(path),
    objectUrls: ports.files.objectUrls,
  });
  const atoms = unsentAtoms(opened.openPagesAtom, queues);
  void queues.unsent.refresh();
  const former = formerAccounts({
    identity,
    store,
    port: ports.formerAccounts,
    async onMoved(gone) {
      queues.retryAll();
      await Promise.all([cached.refresh(), unsent.refresh()]);
      // No list of this account has these pages: they may be lost, or closed to it.
      lost.listsLack(gone);
    },
  });
  const stopPurging = purgeFilesLater({ storage: ports.files.storage, listCache, timing });

  return {
    ...ports,
    ...queues,
    ...opened,
    ...workspaces,
    ...atoms,
    identity,
    store,
    former,
    people,
    pictures,
    unsent,
    pendingPages: { ...queues.pendingPages, drop: queues.dropPage },
    cachedPages: { ...cached, discard: (document) => discardPage(document, cached, store.get(queues.comments.atom)) },
    textOnDevice: (document) => cachedDocuments.textOf(document).catch(() => null),
    visits: seen,
    async unsentCopies() {
      await unsent.refresh();
      const copies = store.get(atoms.lostOnSignOutAtom).map(async ({ document }) => {
        const page = pages.peek(document);
        // Edits that only this tab has are not on the device. Otherwise the device knows about all tabs.
        const stored = page?.getView().receipt === 'tab' ? null : cachedDocuments.copyOf(document);
        const copy = (await stored?.catch(() => null)) ?? page?.unsentCopy() ?? null;
        return withComments(copy, document, store.get(queues.comments.waitingAtom));
      });
      return (await Promise.all(copies)).filter((copy) => copy !== null);
    },
    // Each refresh also sends (`onUnsentRefreshed` in person-parts.ts).
    sendUnsent: () => void unsent.refresh(),
    retryAll() {
      sender.resume();
      queues.retryAll();
      lost.retry();
      seen.sendAll();
      pictures.retry();
      for (const page of pages.openValues()) page.retry();
      void workspaces.refreshOpen();
      void workspaces.refreshWorkspaces();
    },
    async close() {
      queues.close();
      lost.close();
      pictures.close();
      stopPurging();
      seen.close();
      cached.close();
      people.close();
      await Promise.all([pages.closeAll(), workspaces.close()]);
    },
    async wipe() {
      await Promise.all([cachedDocuments.forgetAll(), listCache.clear()]);
    },
  };
}

/** The lists of unsent edits also count comments, so those are read again too. */
const readWithComments = ({ unsent, comments }: DeviceQueues): DeviceQueues['unsent'] => ({
  ...unsent,
  async refresh() {
    await Promise.all([unsent.refresh(), comments.load().then((loaded) => loaded?.refresh())]);
  },
});

/** Discards a page's unsent edits and comments. Returns false if they stay. */
async function discardPage(
  document: DocumentId,
  cached: CachedPages,
  comments: PersonComments | null,
): Promise<boolean> {
  const isGone = await cached.discard(document);
  if (isGone) comments?.discardPage(document);
  return isGone;
}

/** Adds the texts of comments, which wait beside the page's edits. */
function withComments(
  copy: UnsentCopy | null,
  document: DocumentId,
  all: readonly WaitingComment[],
): UnsentCopy | null {
  const waiting = waitingComments(all, document);
  if (waiting === null || waiting.texts.length === 0) return copy;
  const { edits, ...page } = copy ?? { document, title: '', text: '', edits: 0, update: '' };
  return { ...page, edits: edits + waiting.texts.length, comments: waiting.texts };
}
