// One small interface for Weft and the systems it is compared with. Each implementation follows its system's documentation.
import type { Awareness } from 'y-protocols/awareness';
import type * as Y from 'yjs';
import type { ClientNetwork } from '../client-network.ts';

export interface System {
  /** Opens the document as one more person, over `network`. Resolves once they have loaded it and are connected. */
  open(document: string, network: ClientNetwork): Promise<OpenedDocument>;
  close(): Promise<void>;
}

export interface OpenedDocument {
  readonly doc: Y.Doc;
  readonly awareness: Awareness;
  /** `unsent` counts local edits without an acknowledgement, as the system defines one. Null: the system has none. */
  readonly receipts: { unsent(): number; subscribe(run: () => void): void } | null;
  /** How many edits of others a live update showed, and how many only their row. Left out: the system has no two ways. */
  readonly shownEdits?: () => { readonly live: number; readonly byRow: number };
  /** Cuts the network and fires the page's offline event. */
  goOffline(): void;
  goOnline(): void;
  close(): Promise<void>;
}
