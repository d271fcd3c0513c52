// Moves, icons, templates, trashings and favourites of pages. Each is shown at once and waits on this device until the server
// has it, also over a reload. If the server rejects one, it is taken back, and the person learns why.
import { type Atom, atom } from 'jotai/vanilla';
import { type WeftError, isTemporary } from 'weft-sync/protocol/errors.ts';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { RetryTimer } from '../../../lib/async/retry-timer.ts';
import { type Result, ok } from '../../../lib/result.ts';
import type { PageChangeQueue, PageEntryChange } from '../../../ports/device.ts';
import type { Directory, Home } from '../../../ports/workspace.ts';
import type { DocumentSummary } from '../../../protocol/answers.ts';
import type { Timing } from '../../offline/cached-list.ts';
import type { AtomStore } from '../../store.ts';
import { waitingChanges } from './waiting-changes.ts';

/** Gives the tab that made a change the time to send it. */
const OTHERS_WAIT_MS = 3_000;

export type RefusedChange = { readonly change: PageEntryChange; readonly error: WeftError };

export interface PageEntryChanges {
  /** Oldest first. A change stays until the lists have it. */
  readonly atom: Atom<readonly PageEntryChange[]>;
  /** The newest change that the server rejected. */
  readonly refusedAtom: Atom<RefusedChange | null>;
  /** Shows the change, stores it and sends it. A newer change of the same kind replaces one that was not sent. */
  readonly add: (change: PageEntryChange) => void;
  /** Takes a change back that the server does not have yet. Returns false if it does, or might. */
  readonly takeBack: (change: PageEntryChange) => boolean;
  /** Resolves when the server has answered a change and the lists have the answer, or it was replaced. */
  readonly settled: (change: PageEntryChange) => Promise<void>;
  /** Sends what waits. */
  readonly sendAll: () => void;
  /** Reads the queue again, because another tab may have changed it. */
  readonly refresh: () => Promise<void>;
  readonly close: () => void;
}

type SendingPorts = {
  readonly directory: Pick<Directory, 'moveDocument' | 'setDocumentIcon' | 'setDocumentTemplate' | 'trashDocument'>;
  readonly home: Pick<Home, 'setFavourite'>;
  /** Resolves when the server has the page, which may have been created offline. */
  readonly ensureCreated: (page: DocumentId) => Promise<Result<unknown, WeftError>>;
  /** Resolves once a page that is open here has sent its edits, or after a few seconds. */
  readonly editsSent: (page: DocumentId) => Promise<void>;
};

export function pageChanges(
  options: SendingPorts & {
    readonly store: AtomStore;
    readonly queue: PageChangeQueue;
    readonly timing: Timing;
    /** Resolves when the lists have the server's answer. Null: it answered without the page. */
    readonly onSent: (change: PageEntryChange, page: DocumentSummary | null) => Promise<void>;
    /** This tab changed the queue. Other tabs should know. */
    readonly onChanged: () => void;
  },
): PageEntryChanges {
  const waiting = waitingChanges(options.store, options.queue, options.onChanged);
  const refusedAtom = atom<RefusedChange | null>(null);
  const retries = new RetryTimer(options.timing, () => void sendAll());
  let isSending = false;
  let closed = false;

  /** Returns false if it has to be sent again. */
  const send = async (change: PageEntryChange): Promise<boolean> => {
    const answer = await callServer(options, change);
    if (closed) return true;
    // Any other error is an answer: the server does not want this change, and trying again would hold up those behind it.
    if (!answer.ok && isTemporary(answer.error)) {
      waiting.putBack(change);
      return false;
    }
    await waiting.removeStored(change);
    if (answer.ok) await options.onSent(change, answer.value);
    else options.store.set(refusedAtom, { change, error: answer.error });
    waiting.hide(change);
    return true;
  };

  const sendAll = async () => {
    if (isSending || closed) return;
    isSending = true;
    retries.cancel();
    try {
      for (;;) {
        const next = closed ? undefined : waiting.takeNext();
        if (next === undefined) return;
        if (!(await send(next))) return retries.failed();
        retries.succeeded();
      }
    } finally {
      isSending = false;
    }
  };

  const refresh = async () => {
    if ((await waiting.refresh()) && !closed) retries.runLater(OTHERS_WAIT_MS);
  };
  void refresh().then(sendAll);

  return {
    atom: waiting.atom,
    refusedAtom,
    add(change) {
      waiting.add(change);
      void sendAll();
    },
    takeBack: (change) => waiting.takeBack(change),
    settled: waiting.settled,
    sendAll: () => void sendAll(),
    refresh,
    close() {
      closed = true;
      retries.cancel();
    },
  };
}

/** The page as the server has it now. Null: it answered without the page. */
async function callServer(
  { directory, home, ensureCreated, editsSent }: SendingPorts,
  change: PageEntryChange,
): Promise<Result<DocumentSummary | null, WeftError>> {
  const created = await ensureCreated(change.page);
  if (!created.ok) return created;
  switch (change.kind) {
    case 'move': {
      const parent = change.parent === null ? null : await ensureCreated(change.parent);
      return parent?.ok === false ? parent : directory.moveDocument(change.page, change.parent, change.rank);
    }
    case 'icon':
      return directory.setDocumentIcon(change.page, change.icon);
    case 'template':
      return directory.setDocumentTemplate(change.page, change.isTemplate);
    case 'trash': {
      // Edits of a page in the trash wait until it is restored: a new title that is on its way would not be listed there.
      await editsSent(change.page);
      const answer = await directory.trashDocument(change.page);
      return answer.ok ? ok(null) : answer;
    }
    case 'favourite': {
      const answer = await home.setFavourite(change.page, change.rank);
      return answer.ok ? ok(null) : answer;
    }
  }
}

/** The pages as they are once the server has these changes. */
export function withPageChanges(
  documents: readonly DocumentSummary[],
  changes: readonly PageEntryChange[],
): readonly DocumentSummary[] {
  if (changes.length === 0) return documents;
  const pages = new Map(documents.map((page) => [page.id, page]));
  for (const change of changes) {
    const page = pages.get(change.page);
    if (page === undefined) continue;
    if (change.kind === 'move') pages.set(page.id, { ...page, parentId: change.parent, rank: change.rank });
    else if (change.kind === 'icon') pages.set(page.id, { ...page, icon: change.icon });
    else if (change.kind === 'template') pages.set(page.id, { ...page, kind: change.isTemplate ? 'template' : 'page' });
    else if (change.kind === 'favourite') pages.set(page.id, { ...page, favouriteRank: change.rank });
    else deleteSubtree(pages, page.id);
  }
  return Array.from(pages.values());
}

function deleteSubtree(pages: Map<DocumentId, DocumentSummary>, top: DocumentId): void {
  const below = Map.groupBy(pages.values(), ({ parentId }) => parentId);
  const remove = (id: DocumentId) => {
    if (!pages.delete(id)) return;
    for (const child of below.get(id) ?? []) remove(child.id);
  };
  remove(top);
}
