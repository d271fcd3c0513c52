// Which pages open on this device without network. Read again after what changes it; null where nobody can tell.
import { type Atom, atom } from 'jotai/vanilla';
import type { Cancel } from '../../lib/cancel.ts';
import type { DocumentId } from '../../protocol/ids.ts';
import { makeRoom } from './evict-documents.ts';
import type { KeptDocuments } from '../ports.ts';
import type { Store } from '../store.ts';

/** The page that was just opened comes first: its rows are being stored, its pictures drawn. */
const ROOM_AFTER_MS = 5_000;

export interface KeptPages {
  readonly atom: Atom<ReadonlySet<DocumentId> | null>;
  readonly look: () => Promise<void>;
  /** A page was opened: older ones may have to go, some time later. */
  readonly opened: () => void;
  /** This person may not read it any more: its copy goes, unless it holds edits that are nowhere else. */
  readonly lost: (document: DocumentId) => Promise<void>;
  readonly close: () => void;
}

export function keptPages(options: {
  readonly store: Store;
  readonly device: KeptDocuments;
  readonly capBytes: number;
  readonly after: (ms: number, run: () => void) => Cancel;
}): KeptPages {
  const { store, device } = options;
  const keptAtom = atom<ReadonlySet<DocumentId> | null>(null);
  let stopWaiting: Cancel | null = null;
  let isTidying = false;
  let looks = 0;

  const look = async () => {
    const at = ++looks;
    const kept = await device.list().catch(() => null);
    if (at === looks) store.set(keptAtom, kept && new Set(kept.map(({ document }) => document)));
  };
  const tidy = async () => {
    stopWaiting = null;
    if (isTidying) return;
    isTidying = true;
    await makeRoom(device, options.capBytes).catch(() => undefined);
    isTidying = false;
    await look();
  };

  void look();
  return {
    atom: keptAtom,
    look,
    opened() {
      void look();
      stopWaiting ??= options.after(ROOM_AFTER_MS, () => void tidy());
    },
    async lost(document) {
      await device.forgetSent(document).catch(() => false);
      await look();
    },
    close() {
      stopWaiting?.();
    },
  };
}
