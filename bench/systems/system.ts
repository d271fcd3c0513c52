// What is measured: one small interface over Weft and its peers. A driver uses its system as its documentation says.
import type { Awareness } from 'y-protocols/awareness';
import type * as Y from 'yjs';
import type { Border } from '../client-network.ts';

export interface System {
  /** One more person at a document, on a border of their own. Resolves when they have it and are connected. */
  open(document: string, border: Border): Promise<Opened>;
  close(): Promise<void>;
}

export interface Opened {
  readonly doc: Y.Doc;
  readonly awareness: Awareness;
  /** Tells how many of the edits made here are not acknowledged, whatever that means there. Null: it never says. */
  readonly receipts: { unsent(): number; subscribe(run: () => void): void } | null;
  /** The network goes, and the page is told so. */
  goOffline(): void;
  goOnline(): void;
  close(): Promise<void>;
}
