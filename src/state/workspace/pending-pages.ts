// Pages created on this device. They open and can be edited at once. They are created on the server as soon as it
// answers, each after its parent and before its own edits. A page that the server rejects stays here until the person
// decides.
import { type Atom, atom } from 'jotai/vanilla';
import { backoffMs } from '../../lib/async/backoff.ts';
import type { Cancel } from '../../lib/cancel.ts';
import { type Result, err, ok } from '../../lib/result.ts';
import type { DocumentSummary } from '../../protocol/answers.ts';
import { type WeftError, weftError } from '../../protocol/errors.ts';
import type { DocumentId, UserId, WorkspaceId } from '../../protocol/ids.ts';
import type { DocumentRole } from '../../protocol/roles.ts';
import type { Timing } from '../offline/cached-list.ts';
import type { Directory } from '../../ports/workspace.ts';
import type { PendingPageQueue, PendingPage } from '../../ports/device.ts';
import type { AtomStore } from '../store.ts';

/** The server rejects the page, or its place in the tree, so a retry changes nothing. All other errors are retried. */
const REFUSALS: readonly WeftError['code'][] = ['WF001', 'WF002', 'WF010', 'WF016'];
/** A title is saved when typing pauses. */
const SAVE_TITLE_AFTER_MS = 500;

export interface PendingPages {
  /** Pages of this device that the server does not have, by id. */
  readonly atom: Atom<ReadonlyMap<DocumentId, PendingPage>>;
  /** Stores a new page on this device. False if the device stores nothing. */
  readonly add: (page: Omit<PendingPage, 'refused' | 'title'>, role: DocumentRole) => Promise<boolean>;
  /** Queues a page of this device that the server has lost. */
  readonly addLost: (page: PendingPage) => Promise<void>;
  /** Ensures that the server has this page and its ancestors. Resolves to ok(null) if there was nothing to do. */
  readonly create: (id: DocumentId) => Promise<Result<DocumentSummary | null, WeftError>>;
  /** Creates all of them, retrying until it is done. */
  readonly createAll: () => void;
  /** Reads the queue again, because another tab may have created pages. */
  readonly refresh: () => Promise<void>;
  /** Saves the title on this device, where lists show it. */
  readonly saveTitle: (id: DocumentId, title: string) => void;
  /** Chooses another place for a rejected page. */
  readonly moveTo: (id: DocumentId, parent: DocumentId | null, rank: string) => Promise<void>;
  /** Deletes the page from this device. */
  readonly drop: (id: DocumentId) => Promise<void>;
  readonly close: () => void;
}

export function pendingPages(options: {
  readonly store: AtomStore;
  readonly queue: PendingPageQueue;
  readonly directory: Pick<Directory, 'createDocument' | 'makeDocumentAgain'>;
  readonly timing: Timing;
  readonly onCreated: (page: DocumentSummary, isMadeAgain: boolean) => void;
  /** Runs when other tabs removed these pages from the queue. Resolves when the lists know what became of them. */
  readonly onSettled: (pages: readonly DocumentId[]) => Promise<void>;
  /** This tab changed the queue. Other tabs should know. */
  readonly onChanged: () => void;
}): PendingPages {
  const { store, queue, directory, timing } = options;
  const pagesAtom = atom<ReadonlyMap<DocumentId, PendingPage>>(new Map());
  const creating = new Map<DocumentId, Promise<Result<DocumentSummary | null, WeftError>>>();
  const savingTitles = new Map<DocumentId, Cancel>();
  const settling = new Set<DocumentId>();
  let failures = 0;
  let stopRetry: Cancel | null = null;
  let closed = false;
  /** A read that began before this tab's newest write is discarded. */
  let writes = 0;
  const write = async <T>(run: () => Promise<T>): Promise<T> => {
    writes += 1;
    const written = await run();
    options.onChanged();
    return written;
  };

  const show = (page: PendingPage) => store.set(pagesAtom, new Map(store.get(pagesAtom)).set(page.id, page));
  const hide = (id: DocumentId) => {
    if (!store.get(pagesAtom).has(id)) return;
    const rest = new Map(store.get(pagesAtom));
    rest.delete(id);
    store.set(pagesAtom, rest);
  };
  /** Another tab created or dropped these pages: keep them in the tree until the list has them. */
  const settle = async (ids: readonly DocumentId[]) => {
    const unsettled = ids.filter((id) => !settling.has(id));
    if (unsettled.length === 0) return;
    for (const id of unsettled) settling.add(id);
    await options.onSettled(unsettled);
    for (const id of unsettled) {
      settling.delete(id);
      hide(id);
    }
  };
  const change = async (id: DocumentId, part: Parameters<PendingPageQueue['change']>[1]) => {
    const page = store.get(pagesAtom).get(id);
    if (page !== undefined) show({ ...page, ...part });
    await write(() => queue.change(id, part)).catch(() => undefined);
  };

  const createOnce = async (id: DocumentId): Promise<Result<DocumentSummary | null, WeftError>> => {
    // Ask the device, not this tab's memory: another tab may have created the page on the server, or may have queued
    // it.
    const page = await queue.get(id).catch(() => store.get(pagesAtom).get(id) ?? null);
    if (page === null) {
      if (store.get(pagesAtom).has(id)) void settle([id]);
      return ok(null);
    }
    show({ ...page, title: store.get(pagesAtom).get(id)?.title ?? page.title });
    // WF002: a person who has the page open can still read it and keeps their words.
    if (page.refused !== null) return err(weftError('WF002', `this page was not created: ${page.refused}`));
    if (page.parent !== null) {
      const above = await create(page.parent);
      if (!above.ok) return above;
    }
    const { workspace, parent, rank, title, lost } = page;
    const answer =
      lost === undefined
        ? await directory.createDocument({ id, workspace, parent, rank, title })
        : await directory.makeDocumentAgain({ id, workspace, parent, rank, title, ...lost });
    if (answer.ok) {
      await write(() => queue.remove(id)).catch(() => undefined);
      const shown = { ...answer.value, title: store.get(pagesAtom).get(id)?.title ?? title };
      options.onCreated(shown, lost !== undefined);
      hide(id);
      return answer;
    }
    if (!REFUSALS.includes(answer.error.code)) return answer;
    await change(id, { refused: answer.error.code });
    return err(weftError('WF002', `this page was not created: ${answer.error.code} ${answer.error.detail}`));
  };

  const create = (id: DocumentId) => {
    const running = creating.get(id);
    if (running !== undefined) return running;
    const creation = createOnce(id).then((answer) => {
      creating.delete(id);
      if (!answer.ok && answer.error.code !== 'WF002' && !closed && stopRetry === null) {
        scheduleRetry(backoffMs(1, timing.random()));
      }
      return answer;
    });
    creating.set(id, creation);
    return creation;
  };

  const createAll = async () => {
    scheduleRetry(null);
    let isWaiting = false;
    for (const { id, refused } of store.get(pagesAtom).values()) {
      if (refused !== null) continue;
      const answer = await create(id);
      isWaiting ||= !answer.ok && answer.error.code !== 'WF002';
    }
    failures = isWaiting ? failures + 1 : 0;
    if (isWaiting && !closed) scheduleRetry(backoffMs(failures, timing.random()));
  };
  const scheduleRetry = (ms: number | null) => {
    stopRetry?.();
    stopRetry = ms === null ? null : timing.after(ms, () => void createAll());
  };

  /** While a title of this tab is not saved yet, it is newer than the stored one. */
  const withUnsavedTitle = (page: PendingPage): PendingPage =>
    savingTitles.has(page.id) ? { ...page, title: store.get(pagesAtom).get(page.id)?.title ?? page.title } : page;

  const refresh = async (): Promise<void> => {
    const before = writes;
    const queued = await queue.list().catch(() => null);
    if (closed || queued === null) return;
    if (before !== writes) {
      await refresh();
      return;
    }
    const known = store.get(pagesAtom);
    const pages = new Map(queued.map((page) => [page.id, withUnsavedTitle(page)]));
    const isNew = queued.some(({ id, refused }) => refused === null && !known.has(id));
    const gone = Array.from(known.keys()).filter((id) => !pages.has(id) && !creating.has(id));
    for (const [id, page] of known) if (!pages.has(id)) pages.set(id, page);
    if (Array.from(pages.values()).some((page) => !isSame(page, known.get(page.id)))) store.set(pagesAtom, pages);
    // Usually the tab that added them is already creating them.
    if (isNew && stopRetry === null) scheduleRetry(backoffMs(1, timing.random()));
    await settle(gone);
  };
  void refresh().then(createAll);

  return {
    atom: pagesAtom,
    async add(page, role) {
      const queued = { ...page, title: '', refused: null };
      try {
        await write(() => queue.add(queued, role));
      } catch {
        return false;
      }
      show(queued);
      return true;
    },
    async addLost(page) {
      // If the device stores nothing, there is nothing of the page either.
      await write(() => queue.addLost(page)).catch(() => undefined);
      await refresh();
    },
    create,
    createAll: () => void createAll(),
    refresh,
    saveTitle(id, title) {
      const page = store.get(pagesAtom).get(id);
      if (page === undefined || page.title === title) return;
      show({ ...page, title });
      savingTitles.get(id)?.();
      const save = () => {
        savingTitles.delete(id);
        void write(() => queue.change(id, { title })).catch(() => undefined);
      };
      savingTitles.set(id, timing.after(SAVE_TITLE_AFTER_MS, save));
    },
    async moveTo(id, parent, rank) {
      await change(id, { parent, rank, refused: null });
      await createAll();
    },
    async drop(id) {
      hide(id);
      await write(() => queue.drop(id)).catch(() => undefined);
    },
    close() {
      closed = true;
      stopRetry?.();
      for (const stop of savingTitles.values()) stop();
    },
  };
}

const isSame = (a: PendingPage, b: PendingPage | undefined): boolean =>
  a.parent === b?.parent && a.rank === b.rank && a.title === b.title && a.refused === b.refused;

/**
 * The page with the rejection that applies to it: its own, or that of an ancestor, without which it cannot be created.
 */
export function pendingPage(pages: ReadonlyMap<DocumentId, PendingPage>, id: DocumentId): PendingPage | null {
  const page = pages.get(id);
  if (page === undefined) return null;
  if (page.refused !== null || page.parent === null) return page;
  const refused = pendingPage(pages, page.parent)?.refused ?? null;
  return refused === null ? page : { ...page, refused };
}

/** The page as lists show it until the server returns it. */
export function summaryOf(page: PendingPage, role: DocumentRole, me: UserId): DocumentSummary {
  return {
    id: page.id,
    workspaceId: page.workspace,
    parentId: page.parent,
    kind: 'page',
    title: page.title,
    icon: null,
    rank: page.rank,
    access: page.lost?.access ?? (page.parent === null ? 'workspace' : 'inherit'),
    role,
    createdAt: page.madeAt,
    updatedAt: page.madeAt,
    updatedBy: me,
    visitedAt: null,
    favouriteRank: null,
    trashedAt: null,
    trashedBy: null,
  };
}

/** The pages of one workspace that its list does not have. A page that was just created is in both for a moment. */
export const pendingPagesIn = (
  pages: ReadonlyMap<DocumentId, PendingPage>,
  workspace: WorkspaceId,
  listed: readonly DocumentSummary[],
): readonly PendingPage[] =>
  Array.from(pages.values()).filter((page) => page.workspace === workspace && listed.every(({ id }) => id !== page.id));
