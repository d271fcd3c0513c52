// Whether a page is in a set of pages. Renders only when the answer for this page changes.
import { selectAtom } from 'jotai/utils';
import type { Atom } from 'jotai/vanilla';
import { useMemo } from 'react';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { useValue } from '../../state/hooks.ts';

export function useOneOf(setAtom: Atom<ReadonlySet<DocumentId>>, id: DocumentId): boolean {
  const isInAtom = useMemo(() => selectAtom(setAtom, (all) => all.has(id)), [setAtom, id]);
  return useValue(isInAtom);
}
