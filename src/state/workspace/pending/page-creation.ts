// Creates pages of this device on the server, each after its parent. One that the server rejects waits for the person.
import { type WeftError, weftError } from 'weft-sync/protocol/errors.ts';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { type Result, err, ok } from '../../../lib/result.ts';
import type { PendingPage, PendingPageQueue } from '../../../ports/device.ts';
import type { Directory } from '../../../ports/workspace.ts';
import type { DocumentSummary } from '../../../protocol/answers.ts';
import type { WaitingPages } from './waiting-pages.ts';

/** The server rejects the page, or its place in the tree, so a retry changes nothing. All other errors are retried. */
const REFUSALS: readonly WeftError['code'][] = ['WF001', 'WF002', 'WF010', 'WF016'];

/** Null: there was nothing to do. WF002: the server rejected the page or an ancestor of it. */
export type CreationAnswer = Result<DocumentSummary | null, WeftError>;

export type CreationPorts = {
  readonly queue: Pick<PendingPageQueue, 'get' | 'remove'>;
  readonly directory: Pick<Directory, 'createDocument' | 'makeDocumentAgain'>;
  readonly onCreated: (page: DocumentSummary, isMadeAgain: boolean) => void;
};

export function pageCreation(waiting: WaitingPages, { queue, directory, onCreated }: CreationPorts) {
  const { pages } = waiting;
  const creating = new Map<DocumentId, Promise<CreationAnswer>>();

  const createOnce = async (id: DocumentId): Promise<CreationAnswer> => {
    // Ask the device, not this tab's memory: another tab may have created the page on the server, or may have queued
    // it.
    const page = await queue.get(id).catch(() => pages.all.get(id) ?? null);
    if (page === null) {
      if (pages.all.has(id)) void waiting.settle([id]);
      return ok(null);
    }
    pages.set(id, { ...page, title: pages.all.get(id)?.title ?? page.title });
    // WF002: a person who has the page open can still read it and keeps their words.
    if (page.refused !== null) return err(weftError('WF002', `this page was not created: ${page.refused}`));
    if (page.parent !== null) {
      const above = await create(page.parent);
      if (!above.ok) return above;
    }
    const answer = await callServer(directory, page);
    if (answer.ok) {
      await waiting.write(() => queue.remove(id));
      onCreated({ ...answer.value, title: pages.all.get(id)?.title ?? page.title }, page.lost !== undefined);
      pages.delete(id);
      return answer;
    }
    if (!REFUSALS.includes(answer.error.code)) return answer;
    await waiting.change(id, { refused: answer.error.code });
    return err(weftError('WF002', `this page was not created: ${answer.error.code} ${answer.error.detail}`));
  };

  const create = (id: DocumentId): Promise<CreationAnswer> => {
    const creation = creating.get(id) ?? createOnce(id).finally(() => creating.delete(id));
    creating.set(id, creation);
    return creation;
  };

  return { create, isCreating: (id: DocumentId) => creating.has(id) };
}

function callServer(directory: CreationPorts['directory'], page: PendingPage) {
  const { id, workspace, parent, rank, title, lost } = page;
  return lost === undefined
    ? directory.createDocument({ id, workspace, parent, rank, title })
    : directory.makeDocumentAgain({ id, workspace, parent, rank, title, ...lost });
}
