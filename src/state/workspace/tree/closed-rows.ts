// The rows of the page tree that this person closed, remembered on this device.
import { type Atom, atom } from 'jotai/vanilla';
import * as v from 'valibot';
import { type DocumentId, parseDocumentId } from 'weft-sync/protocol/ids.ts';
import { branded } from 'weft-sync/protocol/shapes.ts';
import { parseOrNull } from '../../../lib/parse-or-null.ts';
import type { ListCache } from '../../../ports/device.ts';
import type { WorkspaceId } from '../../../protocol/ids.ts';
import type { AtomStore } from '../../store.ts';

export interface ClosedRows {
  readonly atom: Atom<ReadonlySet<DocumentId>>;
  readonly setOpen: (page: DocumentId, isOpen: boolean) => void;
}

const storedIds = v.array(branded(parseDocumentId));

export function closedRows(store: AtomStore, listCache: ListCache, workspace: WorkspaceId): ClosedRows {
  const key = `closed-rows:${workspace}`;
  const closedAtom = atom<ReadonlySet<DocumentId>>(new Set<DocumentId>());
  let isChanged = false;
  void listCache.load(key).then((stored) => {
    const ids = parseOrNull(storedIds, stored);
    if (ids !== null && !isChanged) store.set(closedAtom, new Set(ids));
  });
  return {
    atom: closedAtom,
    setOpen(page, isOpen) {
      const before = store.get(closedAtom);
      if (before.has(page) !== isOpen) return;
      const after = new Set(before);
      if (isOpen) after.delete(page);
      else after.add(page);
      isChanged = true;
      store.set(closedAtom, after);
      void listCache.save(key, Array.from(after));
    },
  };
}
