// Pages created on this device. They open and can be edited at once. They are created on the server as soon as it
// answers, each after its parent and before its own edits. A page that the server rejects stays here until the person
// decides.
import type { Atom } from 'jotai/vanilla';
import type { DocumentId, UserId } from 'weft-sync/protocol/ids.ts';
import type { DocumentRole } from 'weft-sync/protocol/roles.ts';
import { backoffMs } from '../../../lib/async/backoff.ts';
import { RetryTimer } from '../../../lib/async/retry-timer.ts';
import type { PendingPage } from '../../../ports/device.ts';
import type { DocumentSummary } from '../../../protocol/answers.ts';
import type { WorkspaceId } from '../../../protocol/ids.ts';
import type { Timing } from '../../offline/cached-list.ts';
import { type CreationAnswer, type CreationPorts, pageCreation } from './page-creation.ts';
import { type WaitingPagesOptions, waitingPages } from './waiting-pages.ts';

export interface PendingPages {
  /** Pages of this device that the server does not have, by id. */
  readonly atom: Atom<ReadonlyMap<DocumentId, PendingPage>>;
  /** Stores a new page on this device. False if the device cannot store it. */
  readonly add: (page: Omit<PendingPage, 'refused' | 'title'>, role: DocumentRole) => Promise<boolean>;
  /** Queues a page of this device that the server has lost. */
  readonly addLost: (page: PendingPage) => Promise<void>;
  /** Ensures that the server has this page and its ancestors. Resolves to ok(null) if there was nothing to do. */
  readonly create: (id: DocumentId) => Promise<CreationAnswer>;
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

export function pendingPages(options: WaitingPagesOptions & CreationPorts & { readonly timing: Timing }): PendingPages {
  const { queue, timing } = options;
  const waiting = waitingPages(options);
  const { pages, write } = waiting;
  const creation = pageCreation(waiting, options);
  const retries = new RetryTimer(timing, () => void createAll());
  let closed = false;
  const retrySoon = () => {
    if (!closed) retries.runLater(backoffMs(1, timing.random()));
  };

  const create = async (id: DocumentId): Promise<CreationAnswer> => {
    const answer = await creation.create(id);
    if (isRetried(answer)) retrySoon();
    return answer;
  };

  const createAll = async () => {
    retries.cancel();
    const answers: CreationAnswer[] = [];
    for (const { id, refused } of pages.all.values()) if (refused === null) answers.push(await create(id));
    if (!answers.some(isRetried)) retries.succeeded();
    else if (!closed) retries.failed();
  };

  const refresh = async (): Promise<void> => {
    const { hasNew, gone } = await waiting.refresh(creation.isCreating);
    if (closed) return;
    // Usually the tab that added them is already creating them.
    if (hasNew) retrySoon();
    await waiting.settle(gone);
  };
  void refresh().then(createAll);

  return {
    atom: pages.atom,
    async add(page, role) {
      const queued = { ...page, title: '', refused: null };
      const isStored = await write(() => queue.add(queued, role));
      if (isStored) pages.set(page.id, queued);
      return isStored;
    },
    async addLost(page) {
      // If the device stores nothing, there is nothing of the page either.
      await write(() => queue.addLost(page));
      await refresh();
    },
    create,
    createAll: () => void createAll(),
    refresh,
    saveTitle: (id, title) => waiting.saveTitle(id, title),
    async moveTo(id, parent, rank) {
      await waiting.change(id, { parent, rank, refused: null });
      await createAll();
    },
    async drop(id) {
      pages.delete(id);
      await write(() => queue.drop(id));
    },
    close() {
      closed = true;
      retries.cancel();
      waiting.close();
    },
  };
}

/** If the server rejects a page, or an ancestor of it, the page waits for the person. */
const isRetried = (answer: CreationAnswer): boolean => !answer.ok && answer.error.code !== 'WF002';

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
    openThreads: 0,
    unreadThreads: 0,
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
