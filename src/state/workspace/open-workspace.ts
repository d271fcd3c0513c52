// One open workspace as atoms: its pages and who is on which, kept live by its change stream.
import { type Atom, atom } from 'jotai/vanilla';
import { compareRanks, rankAfter } from '../../lib/rank-after.ts';
import { type Result, err, ok } from '../../lib/result.ts';
import type { WorkspaceChange, DocumentList, DocumentSummary, Workspace } from '../../protocol/answers.ts';
import { type WeftError, weftError } from '../../protocol/errors.ts';
import type { DocumentId, UserId } from '../../protocol/ids.ts';
import { type ListState, type Timing, cachedList } from '../offline/cached-list.ts';
import { type PendingPages, pendingPagesIn, summaryOf } from './pending-pages.ts';
import type { People } from '../people/people.ts';
import type { Directory, ListCache, MemberLocation, WorkspaceStream } from '../ports.ts';
import type { Store } from '../store.ts';
import { parseStoredDocuments } from '../offline/stored-lists.ts';

export interface OpenWorkspace {
  /** As it was when it was opened; its name now is in `listAtom`. */
  readonly workspace: Workspace;
  readonly listAtom: Atom<ListState<DocumentList>>;
  /** Which member is on which page, this person's other tabs included; null while nobody knows. */
  readonly locationsAtom: Atom<readonly MemberLocation[] | null>;
  /** Pages that do not open now: the server does not answer, and this device does not hold them. */
  readonly unavailableAtom: Atom<ReadonlySet<DocumentId>>;
  readonly refresh: () => Promise<void>;
  readonly setCurrentPage: (document: DocumentId | null) => void;
  /** A blank page at the end of its siblings: on the server, or as long as that does not answer on this device. */
  readonly createPage: (parent: DocumentId | null, id: DocumentId) => Promise<Result<DocumentSummary, WeftError>>;
  /** Puts a page of this device, whose place the server refused, at the end of the workspace. */
  readonly moveToTop: (id: DocumentId) => Promise<void>;
  /** What a write just answered. */
  readonly put: (page: DocumentSummary) => void;
  readonly close: () => void;
}

/** A server that answers makes the page before it is shown; one that does not is not waited for. */
const MADE_WITHIN_MS = 1_500;

const NO_STREAM: ReturnType<WorkspaceStream['open']> = { setCurrentPage: () => undefined, close: () => undefined };

export function openWorkspace(options: {
  readonly workspace: Workspace;
  readonly me: UserId;
  readonly store: Store;
  readonly directory: Directory;
  readonly stream: WorkspaceStream;
  readonly listCache: ListCache;
  readonly people: People;
  readonly timing: Timing;
  readonly pendingPages: Pick<PendingPages, 'atom' | 'add' | 'create' | 'moveTo' | 'drop'>;
  /** What this device holds; null while nobody can tell. */
  readonly cachedPagesAtom: Atom<ReadonlySet<DocumentId> | null>;
  /** Told of pages that this person saw and that a newer list lacks. */
  readonly gone: (document: DocumentId) => void;
}): OpenWorkspace {
  const { workspace, store, directory, people, pendingPages, me } = options;
  const locationsAtom = atom<readonly MemberLocation[] | null>(null);
  let place: DocumentId | null = null;
  let closed = false;

  const list = cachedList({
    store,
    listCache: options.listCache,
    key: `documents:${workspace.id}`,
    fetch: () => directory.documents(workspace.id),
    parse: parseStoredDocuments,
    timing: options.timing,
  });

  const listAtom = atom((get) => withQueued(get(list.atom), get(pendingPages.atom), workspace, me));
  const put = (page: DocumentSummary) =>
    list.amend((before) => ({ ...before, documents: [...before.documents.filter(({ id }) => id !== page.id), page] }));
  const nextRank = (parent: DocumentId | null) =>
    rankAfter(lastRank(store.get(listAtom).value?.documents ?? [], parent));

  const change = (what: WorkspaceChange) => {
    if (what.kind === 'member') people.refresh();
    void list.refresh();
  };
  const present = (now: readonly MemberLocation[] | null) => {
    people.ensureLoaded((now ?? []).map(({ user }) => user));
    store.set(locationsAtom, now);
  };
  // The topic's name carries the workspace's epoch: a change of rights moves it, and the list says where to.
  let epoch = workspace.epoch;
  // Who sees single pages only is not let into the topic: not asking spares them a refusal that takes five seconds.
  const join = (at: Workspace) =>
    at.role === null
      ? NO_STREAM
      : options.stream.open(at, { change, locations: present, caughtUp: () => void list.refresh() });
  let stream = join(workspace);
  let listed: readonly DocumentId[] = [];
  const stopWatching = store.sub(list.atom, () => {
    const { value: now, isFresh } = store.get(list.atom);
    if (closed || now === null) return;
    const seen = new Set(now.documents.map(({ id }) => id));
    if (isFresh) for (const id of listed) if (!seen.has(id)) options.gone(id);
    listed = Array.from(seen);
    people.ensureLoaded(now.documents.flatMap(({ updatedBy }) => updatedBy ?? []));
    const isMember = now.workspace.role !== null;
    if (now.workspace.epoch <= epoch && isMember === (stream !== NO_STREAM)) return;
    epoch = now.workspace.epoch;
    stream.close();
    stream = join(now.workspace);
    stream.setCurrentPage(place);
  });

  return {
    workspace,
    listAtom,
    unavailableAtom: atom((get) => unavailableIn(get(listAtom), get(options.cachedPagesAtom))),
    put,
    locationsAtom,
    refresh: list.refresh,
    setCurrentPage(document) {
      place = document;
      stream.setCurrentPage(document);
    },
    async createPage(parent, id) {
      // Pressed before the list came: its rank needs the siblings.
      if (store.get(list.atom).value === null) await list.refresh();
      const now = store.get(list.atom).value;
      if (now === null) return err(weftError('WF011', 'the list of pages is not known yet'));
      const page = { id, workspace: workspace.id, parent, rank: nextRank(parent) };
      const role = roleIn(now.workspace);
      const madeAt = options.timing.now();
      if (!(await pendingPages.add({ ...page, madeAt }, role))) {
        // A device that stores nothing: made on the server or not at all.
        const answer = await directory.createDocument(page);
        if (answer.ok) put(answer.value);
        return answer;
      }
      const patience = new Promise<null>((resolve) => options.timing.after(MADE_WITHIN_MS, () => resolve(null)));
      const made = await Promise.race([pendingPages.create(id), patience]);
      const queued = store.get(pendingPages.atom).get(id);
      if (made?.ok === true && made.value !== null) return ok(made.value);
      // Nobody wrote in it yet: a place that is refused at once leaves nothing behind.
      if (made?.ok === false && queued?.refused !== null && queued !== undefined) {
        await pendingPages.drop(id);
        return err(weftError(queued.refused, made.error.detail));
      }
      return ok(summaryOf(queued ?? { ...page, madeAt, title: '', refused: null }, role, me));
    },
    moveToTop: (id) => pendingPages.moveTo(id, null, nextRank(null)),
    close() {
      closed = true;
      stopWatching();
      stream.close();
      list.close();
    },
  };
}

/** The server's pages, and those of this device that it has not made. */
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

function unavailableIn(list: ListState<DocumentList>, kept: ReadonlySet<DocumentId> | null): ReadonlySet<DocumentId> {
  if (list.error?.code !== 'WF011' || kept === null || list.value === null) return NONE;
  return new Set(list.value.documents.map(({ id }) => id).filter((id) => !kept.has(id)));
}

/** Who makes a page may write in it at least. */
const roleIn = ({ role }: Workspace) => (role === 'owner' || role === 'admin' ? 'manager' : 'editor');

function lastRank(documents: readonly DocumentSummary[], parent: DocumentId | null): string | null {
  const ranks = documents.filter((document) => document.parentId === parent).map(({ rank }) => rank);
  return ranks.sort(compareRanks).at(-1) ?? null;
}

/** Everybody on a page but one person, in the order they came; somebody in two tabs once. */
export function othersOn(
  present: readonly MemberLocation[] | null,
  document: DocumentId,
  me: UserId,
): readonly UserId[] {
  const users = (present ?? []).filter((one) => one.document === document && one.user !== me).map(({ user }) => user);
  return Array.from(new Set(users));
}
