// One open workspace as atoms: its pages, and the people on each of them. Its change stream keeps it up to date.
import { type Atom, atom } from 'jotai/vanilla';
import type { WeftError } from 'weft-sync/protocol/errors.ts';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { onceWithin } from '../../lib/async/once-within.ts';
import type { Cancel } from '../../lib/cancel.ts';
import type { Result } from '../../lib/result.ts';
import type { MemberLocation } from '../../ports/streams.ts';
import type { DocumentSummary, Workspace, WorkspaceChange } from '../../protocol/answers.ts';
import type { ListState } from '../offline/cached-list.ts';
import type { DocumentList } from '../offline/document-list.ts';
import type { PeopleById } from '../people/people.ts';
import { presentPeople } from '../people/present-people.ts';
import { joinWorkspaceTopic } from './join-workspace-topic.ts';
import { gonePages } from './lost-pages.ts';
import { type NewPlace, newPages } from './new-pages.ts';
import { type PageActions, pageActions } from './page-actions.ts';
import { pageList } from './page-list.ts';
import { type ClosedRows, closedRows } from './tree/closed-rows.ts';
import { type PageAtoms, pageAtoms } from './tree/page-atoms.ts';
import { type PageIndex, isOpenToWorkspace } from './tree/page-index.ts';
import { type UnreadAtoms, unreadAtoms } from './tree/unread.ts';
import type { WorkspaceOptions } from './workspace-options.ts';

export interface OpenWorkspace extends PageAtoms, PageActions, UnreadAtoms {
  /** The workspace as it was when it was opened. Its current name is in `listAtom`. */
  readonly workspace: Workspace;
  readonly listAtom: Atom<ListState<DocumentList>>;
  /** The page of each present member, once for each of their tabs, this person's too. Null while not connected. */
  readonly locationsAtom: Atom<readonly MemberLocation[] | null>;
  /** This person and the present members, in the colors in which the workspace's screens show them. */
  readonly presentAtom: Atom<PeopleById>;
  /** Pages that do not open now: the server does not answer, and this device has no copy. */
  readonly unavailableAtom: Atom<ReadonlySet<DocumentId>>;
  readonly refresh: () => Promise<void>;
  readonly noteOffline: () => void;
  readonly setCurrentPage: (document: DocumentId | null) => void;
  /** This person just edited the current page: for some minutes the others see them as someone who edits. */
  readonly noteEditing: () => void;
  /**
   * Creates an empty page at a place, or after its last sibling: on the server, or on this device while the server does
   * not answer.
   */
  readonly createPage: (place: NewPlace, id: DocumentId) => Promise<Result<DocumentSummary, WeftError>>;
  /** Moves a page of this device to the end of the workspace, after the server rejected its place. */
  readonly moveToTop: (id: DocumentId) => Promise<void>;
  /** Takes a change that the person's own stream reported. */
  readonly receive: (change: WorkspaceChange) => void;
  /** Runs at each change of this workspace, until it is cancelled. */
  readonly onChange: (run: (change: WorkspaceChange) => void) => Cancel;
  /** The rows of the page tree that this person closed. */
  readonly closedRows: ClosedRows;
  readonly renamePage: WorkspaceOptions['renamePage'];
  /** The server knows that this person has seen a page up to this moment. */
  readonly noteVisit: (page: DocumentId, seenAt: number) => void;
  /** Adds the page that a write just returned. */
  readonly put: (page: DocumentSummary) => void;
  readonly close: () => void;
}

/**
 * The server publishes a new time of change at most every 30 seconds for each page. Edits soon after such a message get none of
 * their own; looking once more after this time finds them.
 */
const TRAILING_MS = 31_000;
const TRAILING_JITTER_MS = 5_000;
/** Everyone who has the workspace open gets a message about each comment: they do not all ask at once. */
const COMMENTS_WITHIN_MS = 2_000;

export function openWorkspace(options: WorkspaceOptions): OpenWorkspace {
  const { workspace, store, people, timing, me } = options;
  const list = pageList(options);
  const atoms = pageAtoms(list.atom);
  const currentPageAtom = atom<DocumentId | null>(null);
  const listeners = new Set<(change: WorkspaceChange) => void>();
  let stopTrailing: Cancel | null = null;
  const commented = onceWithin(timing, () => void list.refresh());
  let listed: PageIndex['pages'] = new Map();

  const receive = (change: WorkspaceChange) => {
    for (const run of listeners) run(change);
    if (change.kind === 'comment' || change.kind === 'access') options.onCommented(change);
    if (change.kind === 'member' || change.kind === 'profile') people.refresh();
    if (change.kind === 'comment') return commented.call(COMMENTS_WITHIN_MS);
    void list.refresh();
    if (change.kind !== 'document') return;
    stopTrailing?.();
    stopTrailing = timing.after(TRAILING_MS + timing.random() * TRAILING_JITTER_MS, () => void list.refresh());
  };
  const topic = joinWorkspaceTopic({
    ...options,
    onChange: receive,
    refresh: list.refresh,
    announcedPage() {
      const currentPage = store.get(currentPageAtom);
      // The server's version counts: a move that waits on this device opens nothing yet.
      return currentPage !== null && isOpenToWorkspace({ pages: listed }, currentPage) ? currentPage : null;
    },
  });
  const stopWatching = store.sub(list.serverAtom, () => {
    const { value: now, isFresh, error } = store.get(list.serverAtom);
    const before = listed;
    const isClosed = error?.code === 'WF001';
    if (now !== null || isClosed) listed = new Map(now?.documents.map((page) => [page.id, page]));
    const gone = isFresh || isClosed ? gonePages(before, listed) : [];
    if (gone.length > 0) options.onPagesGone(gone);
    if (now === null) return;
    people.ensureLoaded(now.documents.flatMap(({ updatedBy }) => updatedBy ?? []));
    topic.listChanged(now.workspace);
  });

  return {
    workspace,
    listAtom: list.atom,
    ...atoms,
    ...pageActions({ ...options, indexAtom: atoms.indexAtom, refresh: list.refresh }),
    ...newPages({ ...options, list, indexAtom: atoms.indexAtom }),
    receive,
    onChange(run) {
      listeners.add(run);
      return () => listeners.delete(run);
    },
    closedRows: closedRows(store, options.listCache, workspace.id),
    renamePage: options.renamePage,
    unavailableAtom: atom((get) => unavailableIn(get(list.atom), get(options.cachedPagesAtom))),
    ...unreadAtoms({ ...options, indexAtom: atoms.indexAtom, currentPageAtom }),
    noteVisit(id, seenAt) {
      const page = listed.get(id);
      if (page !== undefined && seenAt > (page.visitedAt ?? 0)) list.put({ ...page, visitedAt: seenAt });
    },
    put: list.put,
    locationsAtom: atom((get) => (get(list.atom).error?.code === 'WF011' ? null : get(topic.locationsAtom))),
    presentAtom: presentPeople(topic.locationsAtom, people.atom, me),
    refresh: list.refresh,
    noteOffline: list.noteOffline,
    setCurrentPage(document) {
      store.set(currentPageAtom, document);
      topic.pageOpened();
    },
    noteEditing: () => topic.edited(),
    close() {
      stopTrailing?.();
      commented.cancel();
      stopWatching();
      topic.close();
      list.close();
    },
  };
}

const NONE: ReadonlySet<DocumentId> = new Set();

function unavailableIn(list: ListState<DocumentList>, cached: ReadonlySet<DocumentId> | null): ReadonlySet<DocumentId> {
  if (list.error?.code !== 'WF011' || cached === null || list.value === null) return NONE;
  return new Set(list.value.documents.map(({ id }) => id).filter((id) => !cached.has(id)));
}
