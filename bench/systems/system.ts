// One small interface over Weft and the systems it is compared with. A driver uses its system as the documentation says.
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
  /** Calls back with the number of unacknowledged local edits, as the system defines it. Null: it reports none. */
  readonly receipts: { unsent(): number; subscribe(run: () => void): void } | null;
  /** Cuts the network and fires the page's offline event. */
  goOffline(): void;
  goOnline(): void;
  close(): Promise<void>;
}
