// One open workspace as atoms: its pages, and the people on each of them. Its change stream keeps it up to date.
import { type Atom, atom } from 'jotai/vanilla';
import type { Cancel } from '../../lib/cancel.ts';
import { type Result, err, ok } from '../../lib/result.ts';
import type { WorkspaceChange, DocumentSummary, Workspace } from '../../protocol/answers.ts';
import { type WeftError, weftError } from '../../protocol/errors.ts';
import type { DocumentId, UserId } from '../../protocol/ids.ts';
import { type ListState, type Timing, cachedList } from '../offline/cached-list.ts';
import { type DocumentList, withChanges } from '../offline/document-list.ts';
import { type ClosedRows, closedRows } from './closed-rows.ts';
import { type PageActions, pageActions } from './page-actions.ts';
import { type PageEntryChanges, withPageChanges } from './page-changes.ts';
import { type GonePage, gonePage } from './lost-pages.ts';
import { type PageIndex, isOpenToWorkspace } from './page-index.ts';
import { type PageAtoms, pageAtoms } from './page-atoms.ts';
import { type TreePlace, lastPlace, rankAt } from './places.ts';
import { type PendingPages, pendingPagesIn, summaryOf } from './pending-pages.ts';
import { UndoSteps } from './undo-steps.ts';
import type { People, PeopleById } from '../people/people.ts';
import { presentPeople } from '../people/present-people.ts';
import type { Directory } from '../../ports/workspace.ts';
import type { ListCache } from '../../ports/device.ts';
import type { MemberLocation, WorkspaceStream } from '../../ports/streams.ts';
import type { AtomStore } from '../store.ts';
import { parseStoredDocuments } from '../offline/stored-lists.ts';
import { type Unread, unreadOf } from './unread.ts';

export interface OpenWorkspace extends PageAtoms, PageActions {
  /** The workspace as it was when it was opened. Its current name is in `listAtom`. */
  readonly workspace: Workspace;
  readonly listAtom: Atom<ListState<DocumentList>>;
  /** The page of each present member, including this person's other tabs. Null while not connected. */
  readonly locationsAtom: Atom<readonly MemberLocation[] | null>;
  /** This person and the present members, in the colors in which the workspace's screens show them. */
  readonly presentAtom: Atom<PeopleById>;
  /** Pages that do not open now: the server does not answer, and this device has no copy. */
  readonly unavailableAtom: Atom<ReadonlySet<DocumentId>>;
  /** The pages that others changed since this person visited them, without the one on the screen. */
  readonly unreadAtom: Atom<Unread>;
  readonly refresh: () => Promise<void>;
  readonly noteOffline: () => void;
  readonly setCurrentPage: (document: DocumentId | null) => void;
  /** This person just edited the current page: for some minutes the others see them as someone who edits. */
  readonly noteEditing: () => void;
  /**
   * Creates an empty page at a place, or after its last sibling: on the server, or on this device while the server does
   * not answer.
   */
  readonly createPage: (
    place: TreePlace | { readonly parent: DocumentId | null },
    id: DocumentId,
  ) => Promise<Result<DocumentSummary, WeftError>>;
  /** Moves a page of this device to the end of the workspace, after the server rejected its place. */
  readonly moveToTop: (id: DocumentId) => Promise<void>;
  /** Takes a change that the person's own stream reported. */
  readonly receive: (change: WorkspaceChange) => void;
  /** Runs at each change of this workspace, until it is cancelled. */
  readonly onChange: (run: (change: WorkspaceChange) => void) => Cancel;
  /** The rows of the page tree that this person closed. */
  readonly closedRows: ClosedRows;
  readonly renamePage: (page: DocumentId, title: string) => Promise<Result<void, WeftError>>;
  /** The server knows that this person has seen a page up to this moment. */
  readonly noteVisit: (page: DocumentId, seenAt: number) => void;
  /** Adds the page that a write just returned. */
  readonly put: (page: DocumentSummary) => void;
  readonly close: () => void;
}

/** How long to wait for the server to create a page before showing it anyway. */
const CREATED_WITHIN_MS = 1_500;

/**
 * The server publishes a new time of change at most every 30 seconds for each page. Edits soon after such a message get none of
 * their own; looking once more after this time finds them.
 */
const TRAILING_MS = 31_000;
const TRAILING_JITTER_MS = 5_000;

/** The list is requested within this time after the topic is lost. */
const LOST_JITTER_MS = 2_000;

/** The home counts people as editing for the same time (hour-chart.ts). */
const EDITING_MS = 3 * 60_000;

const NO_STREAM: ReturnType<WorkspaceStream['open']> = { setCurrentPage: () => undefined, close: () => undefined };

/** The name under which the device caches the list of a workspace's pages. */
export const pageListKey = (workspace: Workspace['id']): string => `${PAGE_LISTS}${workspace}`;
export const PAGE_LISTS = 'documents:';

export function openWorkspace(options: {
  readonly workspace: Workspace;
  readonly me: UserId;
  readonly store: AtomStore;
  readonly directory: Directory;
  readonly stream: WorkspaceStream;
  readonly listCache: ListCache;
  readonly people: People;
  readonly timing: Timing;
  readonly pendingPages: Pick<PendingPages, 'atom' | 'add' | 'create' | 'moveTo' | 'drop'>;
  readonly changes: Pick<PageEntryChanges, 'atom' | 'add' | 'takeBack' | 'settled'>;
  readonly renamePage: OpenWorkspace['renamePage'];
  /** Pages that this person saw here without the server knowing it yet. */
  readonly waitingVisitsAtom: Atom<ReadonlySet<DocumentId>>;
  /** The pages cached on this device. Null while the browser cannot tell. */
  readonly cachedPagesAtom: Atom<ReadonlySet<DocumentId> | null>;
  /** Runs with the pages that the person saw and that a newer list lacks. */
  readonly onPagesGone: (pages: readonly GonePage[]) => void;
}): OpenWorkspace {
  const { workspace, store, directory, people, pendingPages, me } = options;
  /** The locations that presence on the topic reports. Its socket looks open for a while after it is dead. */
  const topicLocationsAtom = atom<readonly MemberLocation[] | null>(null);
  const currentPageAtom = atom<DocumentId | null>(null);
  const undoSteps = new UndoSteps();
  let closed = false;
  let stopTrailing: Cancel | null = null;

  const list = cachedList({
    store,
    listCache: options.listCache,
    key: pageListKey(workspace.id),
    async fetch(known) {
      const answer = await directory.documents(workspace.id, known()?.stamp ?? null);
      return answer.ok ? ok(withChanges(known(), answer.value)) : answer;
    },
    parse: parseStoredDocuments,
    timing: options.timing,
  });

  const queuedListAtom = atom((get) => withQueued(get(list.atom), get(pendingPages.atom), workspace, me));
  const listAtom = atom((get) => {
    const [queued, waiting] = [get(queuedListAtom), get(options.changes.atom)];
    if (queued.value === null || waiting.length === 0) return queued;
    return { ...queued, value: { ...queued.value, documents: withPageChanges(queued.value.documents, waiting) } };
  });
  const atoms = pageAtoms(listAtom);
  const put = (page: DocumentSummary) =>
    list.amend((before) => ({ ...before, documents: [...before.documents.filter(({ id }) => id !== page.id), page] }));
  const rankIn = (id: DocumentId, place: Parameters<OpenWorkspace['createPage']>[0]) => {
    const index = store.get(atoms.indexAtom);
    return rankAt(index, id, 'after' in place ? place : lastPlace(index, place.parent, id));
  };

  const listeners = new Set<(change: WorkspaceChange) => void>();
  const onChange = (change: WorkspaceChange) => {
    for (const run of listeners) run(change);
    if (change.kind === 'member' || change.kind === 'profile') people.refresh();
    void list.refresh();
    if (change.kind !== 'document') return;
    stopTrailing?.();
    stopTrailing = options.timing.after(TRAILING_MS + options.timing.random() * TRAILING_JITTER_MS, () => {
      void list.refresh();
    });
  };
  const showLocations = (locations: readonly MemberLocation[] | null) => {
    people.ensureLoaded((locations ?? []).map(({ user }) => user));
    const wasConnected = store.get(topicLocationsAtom) !== null;
    store.set(topicLocationsAtom, locations);
    // Whether the server is away, or only the topic. Not all people at once, if it restarts.
    if (locations === null && wasConnected)
      options.timing.after(options.timing.random() * LOST_JITTER_MS, () => void list.refresh());
  };
  // The topic's name contains the workspace's epoch. A change of rights changes the epoch, and the list contains the
  // new one.
  let epoch = workspace.epoch;
  // A person who only sees single pages may not join the topic: guests and people by link hear of changes on their own
  // topic. Not trying spares them a refusal that takes five seconds.
  const join = (at: Workspace) =>
    !mayJoin(at)
      ? NO_STREAM
      : options.stream.open(at, { change: onChange, locations: showLocations, caughtUp: () => void list.refresh() });
  let stream = join(workspace);
  /** The page that this person has open, if all who are on the workspace's topic may know of it. */
  const announcedPage = () => {
    const documents = store.get(list.atom).value?.documents;
    const currentPage = store.get(currentPageAtom);
    if (currentPage === null || documents === undefined) return null;
    // The server's version counts: a move that waits on this device opens nothing yet.
    const pages = new Map(documents.map((page) => [page.id, page]));
    return isOpenToWorkspace({ pages }, currentPage) ? currentPage : null;
  };
  let announced: { readonly page: DocumentId | null; readonly isReading: boolean } = { page: null, isReading: true };
  let editedAt = Number.NEGATIVE_INFINITY;
  let stopEditing: Cancel | null = null;
  const announce = () => {
    const page = announcedPage();
    const isReading = stopEditing === null;
    if (page === announced.page && (page === null || isReading === announced.isReading)) return;
    announced = { page, isReading };
    stream.setCurrentPage(page, isReading);
  };
  /** One timer, however many keys. */
  const becomeReader = () => {
    const left = editedAt + EDITING_MS - options.timing.now();
    stopEditing = left > 0 ? options.timing.after(left, becomeReader) : null;
    announce();
  };
  let listed: PageIndex['pages'] = new Map();
  const noteGone = (seen: PageIndex['pages']) => {
    const gone = Array.from(listed.values()).filter(({ id }) => !seen.has(id));
    if (gone.length > 0) options.onPagesGone(gone.map((page) => gonePage({ pages: listed }, page)));
  };
  const stopWatching = store.sub(list.atom, () => {
    const { value: now, isFresh, error } = store.get(list.atom);
    if (closed) return;
    const seen: PageIndex['pages'] = new Map(now?.documents.map((page) => [page.id, page]));
    if (isFresh || error?.code === 'WF001') noteGone(seen);
    if (now === null) {
      if (error?.code === 'WF001') listed = seen;
      return;
    }
    listed = seen;
    people.ensureLoaded(now.documents.flatMap(({ updatedBy }) => updatedBy ?? []));
    // It is lower after a restore from an earlier state.
    if (now.workspace.epoch !== epoch || mayJoin(now.workspace) !== (stream !== NO_STREAM)) {
      epoch = now.workspace.epoch;
      stream.close();
      stream = join(now.workspace);
      announced = { page: null, isReading: true };
    }
    announce();
  });

  return {
    workspace,
    listAtom,
    ...atoms,
    ...pageActions({
      store,
      indexAtom: atoms.indexAtom,
      changes: options.changes,
      directory,
      undoSteps,
      refresh: list.refresh,
      timing: options.timing,
    }),
    receive: onChange,
    onChange(run) {
      listeners.add(run);
      return () => listeners.delete(run);
    },
    closedRows: closedRows(store, options.listCache, workspace.id),
    renamePage: options.renamePage,
    unavailableAtom: atom((get) => unavailableIn(get(listAtom), get(options.cachedPagesAtom))),
    unreadAtom: atom((get) => {
      const [current, waiting] = [get(currentPageAtom), get(options.waitingVisitsAtom)];
      return unreadOf(get(atoms.indexAtom), me, (page) => page === current || waiting.has(page));
    }),
    noteVisit(id, seenAt) {
      const page = store.get(list.atom).value?.documents.find((one) => one.id === id);
      if (page !== undefined && seenAt > (page.visitedAt ?? 0)) put({ ...page, visitedAt: seenAt });
    },
    put,
    locationsAtom: atom((get) => (get(listAtom).error?.code === 'WF011' ? null : get(topicLocationsAtom))),
    presentAtom: presentPeople(topicLocationsAtom, people.atom, me),
    refresh: list.refresh,
    noteOffline: list.noteOffline,
    setCurrentPage(document) {
      store.set(currentPageAtom, document);
      // Editing one page does not count as editing the next.
      stopEditing?.();
      stopEditing = null;
      announce();
    },
    noteEditing() {
      editedAt = options.timing.now();
      if (stopEditing === null) becomeReader();
    },
    async createPage(place, id) {
      // The list has not arrived yet, but the new page's rank depends on its siblings.
      if (store.get(list.atom).value === null) await list.refresh();
      const now = store.get(list.atom).value;
      if (now === null) return err(weftError('WF011', 'the list of pages is not known yet'));
      const { parent } = place;
      const page = { id, workspace: workspace.id, parent, rank: rankIn(id, place) };
      const role = roleIn(now.workspace);
      const madeAt = options.timing.now();
      if (!(await pendingPages.add({ ...page, madeAt }, role))) {
        // The device stores nothing, so the page is created on the server or not at all.
        const answer = await directory.createDocument(page);
        if (answer.ok) put(answer.value);
        return answer;
      }
      const timeout = new Promise<null>((resolve) => options.timing.after(CREATED_WITHIN_MS, () => resolve(null)));
      const created = await Promise.race([pendingPages.create(id), timeout]);
      const queued = store.get(pendingPages.atom).get(id);
      if (created?.ok === true && created.value !== null) return ok(created.value);
      // No one has written in the page yet, so a place that is rejected at once leaves nothing behind.
      if (created?.ok === false && queued?.refused !== null && queued !== undefined) {
        await pendingPages.drop(id);
        return err(weftError(queued.refused, created.error.detail));
      }
      return ok(summaryOf(queued ?? { ...page, madeAt, title: '', refused: null }, role, me));
    },
    moveToTop: (id) => pendingPages.moveTo(id, null, rankIn(id, { parent: null })),
    close() {
      closed = true;
      stopTrailing?.();
      stopEditing?.();
      stopWatching();
      stream.close();
      list.close();
    },
  };
}

/** The server's pages plus those of this device that it does not have yet. */
function withQueued(
  list: ListState<DocumentList>,
  queued: Parameters<typeof pendingPagesIn>[0],
  workspace: Workspace,
  me: UserId,
): ListState<DocumentList> {
  if (list.value === null) return list;
  const { documents } = list.value;
  const role = roleIn(list.value.workspace);
  const pages = pendingPagesIn(queued, workspace.id, documents).map((page) => summaryOf(page, role, me));
  return pages.length === 0 ? list : { ...list, value: { ...list.value, documents: [...documents, ...pages] } };
}

const NONE: ReadonlySet<DocumentId> = new Set();

function unavailableIn(list: ListState<DocumentList>, cached: ReadonlySet<DocumentId> | null): ReadonlySet<DocumentId> {
  if (list.error?.code !== 'WF011' || cached === null || list.value === null) return NONE;
  return new Set(list.value.documents.map(({ id }) => id).filter((id) => !cached.has(id)));
}

/** Guests of a workspace see single pages, so its topic is not for them. */
const mayJoin = ({ role }: Workspace) => role !== null && role !== 'guest';

/** People may at least edit the pages that they create. */
const roleIn = ({ role }: Workspace) => (role === 'owner' || role === 'admin' ? 'manager' : 'editor');

/** The page that someone has open, null if none or unknown. */
export const pageOf = (present: readonly MemberLocation[] | null, person: UserId): DocumentId | null =>
  present?.find(({ user, document }) => user === person && document !== null)?.document ?? null;

/** The people on a page who have not edited it lately, in any of their tabs. */
export function readersOn(present: readonly MemberLocation[] | null, document: DocumentId): ReadonlySet<UserId> {
  const here = (present ?? []).filter((one) => one.document === document);
  const editing = new Set(here.filter(({ isReading }) => isReading !== true).map(({ user }) => user));
  return new Set(here.map(({ user }) => user).filter((user) => !editing.has(user)));
}

/** Everyone on a page except one person, in order of arrival. Someone with two tabs counts once. */
export function othersOn(
  present: readonly MemberLocation[] | null,
  document: DocumentId,
  me: UserId,
): readonly UserId[] {
  const users = (present ?? []).filter((one) => one.document === document && one.user !== me).map(({ user }) => user);
  return Array.from(new Set(users));
}
