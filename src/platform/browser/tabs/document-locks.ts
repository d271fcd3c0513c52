// Tracks which documents are open in some tab of this device, with a shared Web Lock per document and person. These
// locks do not guard editing. They keep a cached page from being deleted under a tab that shows it, and leave its edits
// to that tab.
import { type DocumentId, parseDocumentId } from 'weft-sync/protocol/ids.ts';
import type { Cancel } from '../../../lib/cancel.ts';

/** Deletions are quick. A page does not wait for one that hangs. */
const WAITS_MS = 2_000;

export interface DocumentLocks {
  /** Marks the document as open here until the returned function is called. */
  hold(document: DocumentId): Promise<Cancel>;
  /** Runs while no tab has the document open. Returns null if a tab has it open, or if the browser cannot tell. */
  whileClosed<T>(document: DocumentId, run: () => Promise<T>): Promise<T | null>;
  /** Documents that are open in some tab, including this one. Empty if the browser cannot tell. */
  open(): Promise<ReadonlySet<DocumentId>>;
}

export function documentLocks(project: string, user: string): DocumentLocks {
  const prefix = `weft-document:${project}:${user}:`;
  const nameOf = (document: DocumentId) => prefix + document;
  // Undefined outside a secure context (plain http on a host name), whatever the types say.
  if (!('locks' in navigator)) {
    return { hold: async () => () => undefined, whileClosed: async () => null, open: async () => new Set() };
  }
  return {
    hold: (document) =>
      new Promise((resolve) => {
        const giveUp = new AbortController();
        const proceed = () => {
          giveUp.abort();
          resolve(() => undefined);
        };
        const timer = setTimeout(proceed, WAITS_MS);
        navigator.locks
          .request(nameOf(document), { mode: 'shared', signal: giveUp.signal }, () => {
            clearTimeout(timer);
            // The lock is held until this promise resolves or the tab is gone.
            return new Promise<void>((release) => resolve(() => release()));
          })
          .catch(proceed);
      }),
    whileClosed: (document, run) =>
      navigator.locks.request(nameOf(document), { ifAvailable: true }, (lock) => (lock === null ? null : run())),
    async open() {
      const { held = [] } = await navigator.locks.query();
      const ours = held.flatMap(({ name = '' }) => (name.startsWith(prefix) ? name.slice(prefix.length) : []));
      return new Set(ours.flatMap((id) => parseDocumentId(id) ?? []));
    },
  };
}
