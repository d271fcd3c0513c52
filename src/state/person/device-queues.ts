// The edits, new pages, changes of the tree, files and comments of one person that wait on this device for the server. All tabs
// share them: a change here is announced to the others, and theirs are read again.
import type { Atom } from 'jotai/vanilla';
import type { DocumentId, UserId } from 'weft-sync/protocol/ids.ts';
import type { DocumentSummary } from '../../protocol/answers.ts';
import { type Uploads, uploads } from '../files/uploads.ts';
import type { Timing } from '../offline/cached-list.ts';
import { watchOtherTabs } from '../offline/cross-tab-events.ts';
import type { OpenPage } from '../page/open-page.ts';
import type { People } from '../people/people.ts';
import type { AtomStore } from '../store.ts';
import { type PageEntryChanges, pageChanges } from '../workspace/pending/page-changes.ts';
import { type PendingPages, pendingPages } from '../workspace/pending/pending-pages.ts';
import { type LateComments, lateComments } from './late-comments.ts';
import type { PersonPorts } from './person-ports.ts';
import { type UnsentEdits, watchUnsent } from './unsent-edits.ts';

/** Longer than an append takes. Without the server the edits wait on this device. */
const SENT_WITHIN_MS = 3_000;

export interface DeviceQueues {
  readonly unsent: UnsentEdits;
  readonly pendingPages: PendingPages;
  /** Moves, icons, favourites and the like of pages that the server does not have yet. */
  readonly pageChanges: PageEntryChanges;
  /** Pictures and files that wait for their upload. */
  readonly uploads: Uploads;
  readonly comments: LateComments;
  /** Deletes a page that the server does not have, with its waiting files. */
  readonly dropPage: (id: DocumentId) => Promise<void>;
  /** Announces to the other tabs that something waits, or that it was sent. */
  readonly changed: () => void;
  /** Sends everything that waits, except the edits of open pages, after reading what other tabs left. */
  readonly retryAll: () => void;
  readonly close: () => void;
}

type DeviceQueuesOptions = {
  readonly me: UserId;
  readonly store: AtomStore;
  readonly ports: PersonPorts;
  readonly people: Pick<People, 'ensureLoaded'>;
  readonly openPagesAtom: Atom<readonly OpenPage[]>;
  /** Runs whenever the unsent edits were read again. */
  readonly onUnsentRefreshed: () => void;
  /** Runs when the server has created a page of this device. */
  readonly onPageCreated: (page: DocumentSummary, isMadeAgain: boolean) => void;
  /** Resolves when the lists have a change that the server has. Null: it answered without the page. */
  readonly onPageChanged: (page: DocumentSummary | null) => Promise<void>;
  /** Runs when other tabs removed these pages from the queue. Resolves when the lists know what became of them. */
  readonly onPagesSettled: (documents: readonly DocumentId[]) => Promise<void>;
};

export function deviceQueues(options: DeviceQueuesOptions): DeviceQueues {
  const { store, ports } = options;
  const { timing } = ports;
  const openPage = (document: DocumentId) =>
    store.get(options.openPagesAtom).find(({ documentId }) => documentId === document);
  const unsent = watchUnsent({
    store,
    timing,
    documents: ports.cachedDocuments,
    isOpenHere: (document) => openPage(document) !== undefined,
    onRefreshed: options.onUnsentRefreshed,
  });
  const otherTabs = watchOtherTabs({
    port: ports.crossTabEvents,
    after: timing.after,
    refresh() {
      for (const queue of [unsent, pending, changes, files, store.get(comments.atom)]) void queue?.refresh();
    },
  });
  const pending = pendingPages({
    ...ports,
    store,
    queue: ports.pendingPages,
    onCreated(page, isMadeAgain) {
      options.onPageCreated(page, isMadeAgain);
      void unsent.refresh();
    },
    onSettled: options.onPagesSettled,
    onChanged: otherTabs.changed,
  });
  const changes = pageChanges({
    ...ports,
    store,
    queue: ports.pageChanges,
    ensureCreated: (page) => pending.create(page),
    editsSent: (document) => editsSent(openPage(document), store, timing),
    onSent: (_change, page) => options.onPageChanged(page),
    onChanged: otherTabs.changed,
  });
  const files = uploads({
    ...ports.files,
    store,
    timing,
    ensurePageCreated: (document) => pending.create(document),
    onChanged: otherTabs.changed,
  });

  const comments = commentsOf(options, pending, files, otherTabs.changed);

  return {
    unsent,
    pendingPages: pending,
    pageChanges: changes,
    uploads: files,
    comments,
    async dropPage(id) {
      for (const { file } of store.get(files.atom).values()) if (file.document === id) files.cancel(file.id);
      store.get(comments.atom)?.discardPage(id);
      await pending.drop(id);
    },
    changed: otherTabs.changed,
    retryAll() {
      void unsent.refresh();
      void pending.refresh().then(pending.createAll);
      void changes.refresh().then(changes.sendAll);
      void files.refresh().then(files.sendAll);
      void comments.load().then((loaded) => loaded?.retry());
    },
    close() {
      for (const part of [otherTabs, unsent, pending, changes, files, comments]) part.close();
    },
  };
}

const commentsOf = (
  { me, store, ports, people }: DeviceQueuesOptions,
  pages: PendingPages,
  files: Uploads,
  onChanged: () => void,
) =>
  lateComments(store, ports.timing, async () =>
    (await ports.openComments())({
      ...ports,
      me,
      store,
      ensureCreated: (page) => pages.create(page),
      pendingPagesAtom: pages.atom,
      uploads: files,
      ensureLoaded: people.ensureLoaded,
      onChanged,
    }),
  );

/** Resolves once a page that is open here has sent its edits, or after a few seconds. */
const editsSent = (page: OpenPage | undefined, store: AtomStore, { after }: Pick<Timing, 'after'>) =>
  new Promise<void>((done) => {
    if (page === undefined || !store.get(page.hasUnsentAtom)) return done();
    const finish = () => {
      stop();
      stopTimer();
      done();
    };
    const stop = store.sub(page.hasUnsentAtom, () => store.get(page.hasUnsentAtom) || finish());
    const stopTimer = after(SENT_WITHIN_MS, finish);
  });
