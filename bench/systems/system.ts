// What is measured: one small interface over Weft and its peers. A driver uses its system as its documentation says.
import type { Awareness } from 'y-protocols/awareness';
import type * as Y from 'yjs';
import type { ClientNetwork } from '../client-network.ts';

export interface System {
  /** Opens the document as one more person, over `network`. Resolves once they have loaded it and are connected. */
  open(document: string, network: ClientNetwork): Promise<Opened>;
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
