// Pages that this person could open and now cannot. Most were closed to them or deleted, and leave the device. Those that the
// server lost, because it was restored from an earlier state, are queued to be made again, or wait on the device for the person
// to decide.
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
    const held = await heldParts(cachedDocuments, asked.keys());
    const times = new Map(Array.from(held).flatMap(([id, one]) => (one === null ? [] : [[id, one.at]])));
    const answer = times.size === 0 ? null : await directory.lostDocuments(times);
    isAsking = false;
    if (closed) return;
    // No error says that a page is not lost, and the copies on this device may be the only ones.
    if (answer?.ok === false) return isTemporary(answer.error) ? retries.failed() : undefined;
    for (const id of held.keys()) waiting.delete(id);
    const { lost, ahead } = answer?.value ?? { lost: [], ahead: [] };
    const kept = new Set([...lost, ...ahead]);
    for (const id of held.keys()) if (!kept.has(id)) options.forget(id);
    for (const id of ahead) options.onAhead(id);
    for (const id of lost) {
      const [gone, one] = [asked.get(id), held.get(id)];
      if (gone !== undefined && one) await queue(gone, one);
    }
    if (lost.length > 0) options.pendingPages.createAll();
    if (held.size < asked.size) return retries.failed();
    retries.succeeded();
    await ask();
  };

  return {
    listsLack(pages) {
      for (const gone of pages) waiting.set(gone.page.id, gone);
      // A list brings all of its pages in one task.
      void Promise.resolve().then(ask);
    },
    async mayForget(document) {
      const held = (await heldParts(cachedDocuments, [document])).get(document);
      if (held === undefined) return false;
      const answer = await directory.lostDocuments(new Map([[document, held?.at ?? null]]));
      return answer.ok && answer.value.lost.length === 0 && answer.value.ahead.length === 0;
    },
    retry: () => void ask(),
    close() {
      closed = true;
      retries.cancel();
    },
  };
}

/** Reads what the device holds of these pages. Those about which its store does not answer are left out. */
async function heldParts(
  device: Pick<CachedDocuments, 'held'>,
  documents: Iterable<DocumentId>,
): Promise<ReadonlyMap<DocumentId, HeldDocument | null>> {
  const parts = new Map<DocumentId, HeldDocument | null>();
  for (const id of documents) {
    const held = await device.held(id).catch(() => undefined);
    if (held !== undefined) parts.set(id, held);
  }
  return parts;
}

function lostPage({ page, isOpenToWorkspace: isOpen }: GonePage, held: HeldDocument) {
  const { id, workspaceId: workspace, parentId: parent, rank, title, access } = page;
  return { id, workspace, parent, rank, title, lost: { access, isOpenToWorkspace: isOpen, heldAt: held.at } };
}
