// Moves, icons, templates, trashings and favourites of pages. Each is shown at once and waits on this device until the server
// has it, also over a reload. If the server rejects one, it is taken back, and the person learns why.
import { type Atom, atom } from 'jotai/vanilla';
import { backoffMs } from '../../lib/async/backoff.ts';
import type { Cancel } from '../../lib/cancel.ts';
import { type Result, ok } from '../../lib/result.ts';
import type { DocumentSummary } from '../../protocol/answers.ts';
import { type WeftError, isTemporary } from '../../protocol/errors.ts';
import type { DocumentId } from '../../protocol/ids.ts';
import type { Timing } from '../offline/cached-list.ts';
import type { Directory, Home } from '../../ports/workspace.ts';
import type { PageEntryChange, PageChangeQueue } from '../../ports/device.ts';
import type { AtomStore } from '../store.ts';

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

export function pageChanges(options: {
  readonly store: AtomStore;
  readonly queue: PageChangeQueue;
  readonly directory: Pick<Directory, 'moveDocument' | 'setDocumentIcon' | 'setDocumentTemplate' | 'trashDocument'>;
  readonly home: Pick<Home, 'setFavourite'>;
  readonly timing: Timing;
  /** Resolves when the server has the page, which may have been created offline. */
  readonly ensureCreated: (page: DocumentId) => Promise<Result<unknown, WeftError>>;
  /** Resolves once a page that is open here has sent its edits, or after a few seconds. */
  readonly editsSent: (page: DocumentId) => Promise<void>;
  /** Resolves when the lists have the server's answer. Null: it answered without the page. */
  readonly onSent: (change: PageEntryChange, page: DocumentSummary | null) => Promise<void>;
  /** This tab changed the queue. Other tabs should know. */
  readonly onChanged: () => void;
}): PageEntryChanges {
  const { store, queue, directory, timing } = options;
  const changesAtom = atom<readonly PageEntryChange[]>([]);
  const refusedAtom = atom<RefusedChange | null>(null);
  /** On their way, or answered and not yet in the lists. */
  const sent = new Set<string>();
  /** Changes whose write to the device is not confirmed, or failed. */
  const unstored = new Set<string>();
  /** Changes that this tab removed: a read of the queue that began earlier still lists them. */
  const removed = new Set<string>();
  let sending: Promise<void> | null = null;
  let failures = 0;
  let stopRetry: Cancel | null = null;
  let closed = false;

  const write = (run: Promise<void>) => run.then(options.onChanged, () => undefined);
  const hide = (key: string) => {
    sent.delete(key);
    store.set(
      changesAtom,
      store.get(changesAtom).filter((change) => change.key !== key),
    );
  };

  const call = async (change: PageEntryChange): Promise<Result<DocumentSummary | null, WeftError>> => {
    const created = await options.ensureCreated(change.page);
    if (!created.ok) return created;
    switch (change.kind) {
      case 'move': {
        const parent = change.parent === null ? null : await options.ensureCreated(change.parent);
        return parent?.ok === false ? parent : directory.moveDocument(change.page, change.parent, change.rank);
      }
      case 'icon':
        return directory.setDocumentIcon(change.page, change.icon);
      case 'template':
        return directory.setDocumentTemplate(change.page, change.isTemplate);
      case 'trash': {
        // Edits of a page in the trash wait until it is restored: a new title that is on its way would not be listed there.
        await options.editsSent(change.page);
        const answer = await directory.trashDocument(change.page);
        return answer.ok ? ok(null) : answer;
      }
      case 'favourite': {
        const answer = await options.home.setFavourite(change.page, change.rank);
        return answer.ok ? ok(null) : answer;
      }
    }
  };

  /** Returns false if it has to be sent again. */
  const send = async (change: PageEntryChange): Promise<boolean> => {
    sent.add(change.key);
    const answer = await call(change);
    if (closed) return true;
    // Any other error is an answer: the server does not want this change, and trying again would hold up those behind it.
    if (!answer.ok && isTemporary(answer.error)) {
      sent.delete(change.key);
      return false;
    }
    await write(queue.remove(change.key));
    if (answer.ok) await options.onSent(change, answer.value);
    else store.set(refusedAtom, { change, error: answer.error });
    hide(change.key);
    return true;
  };

  const sendWaiting = async () => {
    stopRetry?.();
    stopRetry = null;
    for (;;) {
      const next = store.get(changesAtom).find(({ key }) => !sent.has(key));
      if (closed || next === undefined) break;
      if (!(await send(next))) {
        stopRetry = timing.after(backoffMs(++failures, timing.random()), sendAll);
        return;
      }
      failures = 0;
    }
  };
  const sendAll = () => {
    if (sending !== null || closed) return;
    sending = sendWaiting().finally(() => {
      sending = null;
    });
  };

  const refresh = async () => {
    const queued = await queue.list().catch(() => null);
    if (closed || queued === null) return;
    const shown = store.get(changesAtom);
    const stored = new Set(queued.map(({ key }) => key));
    // Changes that this tab sends or could not store stay.
    const kept = shown.filter(({ key }) => stored.has(key) || sent.has(key) || unstored.has(key));
    const added = queued.filter(({ key }) => shown.every((one) => one.key !== key) && !removed.has(key));
    if (kept.length === shown.length && added.length === 0) return;
    store.set(
      changesAtom,
      [...kept, ...added].toSorted((a, b) => a.madeAt - b.madeAt),
    );
    if (added.length > 0) stopRetry ??= timing.after(OTHERS_WAIT_MS, sendAll);
  };
  void refresh().then(sendAll);

  return {
    atom: changesAtom,
    refusedAtom,
    add(change) {
      const before = store.get(changesAtom);
      const replaced = before.filter(
        (one) => one.page === change.page && one.kind === change.kind && !sent.has(one.key),
      );
      store.set(changesAtom, [...before.filter((one) => !replaced.includes(one)), change]);
      unstored.add(change.key);
      for (const { key } of replaced) removed.add(key);
      const keys = replaced.map(({ key }) => key);
      // On a device that stores nothing the change waits in this tab.
      void write(queue.put(change, keys).then(() => void unstored.delete(change.key)));
      sendAll();
    },
    takeBack(change) {
      if (sent.has(change.key) || store.get(changesAtom).every(({ key }) => key !== change.key)) return false;
      removed.add(change.key);
      hide(change.key);
      void write(queue.remove(change.key));
      return true;
    },
    settled: ({ key }) =>
      new Promise((done) => {
        const isSettled = () => store.get(changesAtom).every((one) => one.key !== key);
        if (isSettled()) return done();
        const stop = store.sub(changesAtom, () => {
          if (!isSettled()) return;
          stop();
          done();
        });
      }),
    sendAll,
    refresh,
    close() {
      closed = true;
      stopRetry?.();
    },
  };
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
