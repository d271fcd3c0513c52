// Pages that this person could open and now cannot. Most were closed to them or deleted, and leave the device. Those that a server
// lost, because it was restored from an earlier state, are queued to be made again, or wait on the device for the person to decide.
import { isTemporary } from 'weft-sync/protocol/errors.ts';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { mayEdit } from 'weft-sync/protocol/roles.ts';
import { RetryTimer } from '../../lib/async/retry-timer.ts';
import type { CachedDocuments, HeldDocument } from '../../ports/device.ts';
import type { Directory } from '../../ports/workspace.ts';
import type { DocumentSummary } from '../../protocol/answers.ts';
import type { Timing } from '../offline/cached-list.ts';
import { parseStoredDocuments } from '../offline/stored-lists.ts';
import type { PendingPages } from './pending/pending-pages.ts';
import { type PageIndex, isOpenToWorkspace } from './tree/page-index.ts';

/** A page as the last list had it. */
export type GonePage = { readonly page: DocumentSummary; readonly isOpenToWorkspace: boolean };

/** The pages of an earlier list that a newer one lacks. */
export function gonePages(before: PageIndex['pages'], now: PageIndex['pages']): readonly GonePage[] {
  return Array.from(before.values())
    .filter(({ id }) => !now.has(id))
    .map((page) => ({ page, isOpenToWorkspace: isOpenToWorkspace({ pages: before }, page.id) }));
}

/** All pages of a list that was stored on this device. */
export const pagesStoredIn = (list: unknown): readonly GonePage[] =>
  gonePages(new Map(parseStoredDocuments(list)?.documents.map((page) => [page.id, page])), new Map());

export interface LostPages {
  /** A list lacks these pages now. */
  readonly listsLack: (pages: readonly GonePage[]) => void;
  /** The server refuses to open the page. Resolves to true if its copy must leave the device. */
  readonly mayForget: (document: DocumentId) => Promise<boolean>;
  readonly retry: () => void;
  readonly close: () => void;
}

export function lostPages(options: {
  readonly directory: Pick<Directory, 'lostDocuments'>;
  readonly cachedDocuments: Pick<CachedDocuments, 'held' | 'canBeMadeAgain'>;
  readonly pendingPages: Pick<PendingPages, 'addLost' | 'createAll'>;
  readonly timing: Timing;
  /** The page is queued. A tab that has it open may open it again. */
  readonly onQueued: (document: DocumentId) => void;
  /** The server has the page, in the trash, and less of it than this device. */
  readonly onAhead: (document: DocumentId) => void;
  /** Removes the page from this device. */
  readonly forget: (document: DocumentId) => void;
}): LostPages {
  const { cachedDocuments, directory, timing } = options;
  const waiting = new Map<DocumentId, GonePage>();
  let isAsking = false;
  const retries = new RetryTimer(timing, () => void ask());
  let closed = false;

  const heldOf = (document: DocumentId) => cachedDocuments.held(document).catch(() => null);

  const queue = async (gone: GonePage, held: HeldDocument): Promise<void> => {
    const { id } = gone.page;
    // A page that is closed to most belongs to its managers.
    const mayMake = gone.isOpenToWorkspace ? mayEdit(held.role) : held.role === 'manager';
    const refused = !mayMake ? 'WF002' : (await canBeMadeAgain(id)) ? null : 'WF004';
    await options.pendingPages.addLost({ ...lostPage(gone, held), refused, madeAt: timing.now() });
    options.onQueued(id);
  };
  const canBeMadeAgain = (id: DocumentId) => cachedDocuments.canBeMadeAgain(id).catch(() => false);

  const ask = async (): Promise<void> => {
    retries.cancel();
    if (isAsking || closed || waiting.size === 0) return;
    isAsking = true;
    const asked = new Map(waiting);
    const held = new Map<DocumentId, HeldDocument>();
    for (const id of asked.keys()) {
      const one = await heldOf(id);
      if (one !== null) held.set(id, one);
    }
    const times = new Map(Array.from(held, ([id, { at }]) => [id, at]));
    const answer = times.size === 0 ? null : await directory.lostDocuments(times);
    isAsking = false;
    if (closed) return;
    if (answer?.ok === false && isTemporary(answer.error)) return retries.failed();
    retries.succeeded();
    for (const id of asked.keys()) waiting.delete(id);
    const { lost, ahead } = answer?.ok === true ? answer.value : { lost: [], ahead: [] };
    const kept = new Set([...lost, ...ahead]);
    for (const id of asked.keys()) if (!kept.has(id)) options.forget(id);
    for (const id of ahead) options.onAhead(id);
    for (const id of lost) {
      const [gone, one] = [asked.get(id), held.get(id)];
      if (gone !== undefined && one !== undefined) await queue(gone, one);
    }
    if (lost.length > 0) options.pendingPages.createAll();
    await ask();
  };

  return {
    listsLack(pages) {
      for (const gone of pages) waiting.set(gone.page.id, gone);
      // A list brings all of its pages in one task.
      void Promise.resolve().then(ask);
    },
    async mayForget(document) {
      const answer = await directory.lostDocuments(new Map([[document, (await heldOf(document))?.at ?? null]]));
      if (!answer.ok) return !isTemporary(answer.error);
      return answer.value.lost.length === 0 && answer.value.ahead.length === 0;
    },
    retry: () => void ask(),
    close() {
      closed = true;
      retries.cancel();
    },
  };
}

function lostPage({ page, isOpenToWorkspace: isOpen }: GonePage, held: HeldDocument) {
  const { id, workspaceId: workspace, parentId: parent, rank, title, access } = page;
  return { id, workspace, parent, rank, title, lost: { access, isOpenToWorkspace: isOpen, heldAt: held.at } };
}
