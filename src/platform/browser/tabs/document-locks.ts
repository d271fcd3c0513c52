// Says which documents some tab of this device has open: a shared Web Lock per document and person. Not for editing:
// only so that the copy of a page is not deleted under a tab that shows it, and that its edits are left to that tab.
import type { Cancel } from '../../../lib/cancel.ts';
import { type DocumentId, parseDocumentId } from '../../../protocol/ids.ts';

/** Whoever deletes is quick; a page does not wait for somebody who is not. */
const WAITS_MS = 2_000;

export interface DocumentLocks {
  /** Says that it is open here, until let go. */
  hold(document: DocumentId): Promise<Cancel>;
  /** Runs while no tab has it open; null when one has, or nobody can tell. */
  whileClosed<T>(document: DocumentId, run: () => Promise<T>): Promise<T | null>;
  /** Those that some tab has open, this one included; none where nobody can tell. */
  open(): Promise<ReadonlySet<DocumentId>>;
}

export function documentLocks(project: string, user: string): DocumentLocks {
  const prefix = `weft-document:${project}:${user}:`;
  const nameOf = (document: DocumentId) => prefix + document;
  // Undefined without a secure context (plain http on a name), whatever the types say.
  if (!('locks' in navigator)) {
    return { hold: async () => () => undefined, whileClosed: async () => null, open: async () => new Set() };
  }
  return {
    hold: (document) =>
      new Promise((resolve) => {
        const waiting = new AbortController();
        const goOn = () => {
          waiting.abort();
          resolve(() => undefined);
        };
        const timer = setTimeout(goOn, WAITS_MS);
        navigator.locks
          .request(nameOf(document), { mode: 'shared', signal: waiting.signal }, () => {
            clearTimeout(timer);
            // Held until this promise resolves, or the tab is gone.
            return new Promise<void>((release) => resolve(() => release()));
          })
          .catch(goOn);
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
