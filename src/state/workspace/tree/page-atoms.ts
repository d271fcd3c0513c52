// Atoms of the pages of one workspace. A view that reads one page renders only when that page changes.
import { selectAtom } from 'jotai/utils';
import { type Atom, atom } from 'jotai/vanilla';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { isSameList } from '../../../lib/lists/is-same-list.ts';
import type { DocumentSummary } from '../../../protocol/answers.ts';
import type { ListState } from '../../offline/cached-list.ts';
import type { DocumentList } from '../../offline/document-list.ts';
import { NO_PAGES, type PageIndex, favouritesOf, indexOf, pathTo } from './page-index.ts';

export interface PageAtoms {
  readonly indexAtom: Atom<PageIndex>;
  /** Null while the list has not loaded, or does not contain the page. The same atom for each call with one id. */
  readonly pageAtom: (id: DocumentId) => Atom<DocumentSummary | null>;
  /** This person's favourites, in their order. */
  readonly favouritesAtom: Atom<readonly DocumentSummary[]>;
  /** The ancestors of a page, topmost first. The same atom for each call with one id. */
  readonly pathAtom: (id: DocumentId) => Atom<readonly DocumentSummary[]>;
}

const NO_DOCUMENTS: readonly DocumentSummary[] = [];

export function pageAtoms(listAtom: Atom<ListState<DocumentList>>): PageAtoms {
  let before = { documents: NO_DOCUMENTS, index: NO_PAGES };
  const indexAtom = atom((get) => {
    const documents = get(listAtom).value?.documents ?? NO_DOCUMENTS;
    if (documents !== before.documents) before = { documents, index: indexOf(documents, before.index) };
    return before.index;
  });
  return {
    indexAtom,
    pageAtom: perPage((id) => atom((get) => get(indexAtom).pages.get(id) ?? null)),
    favouritesAtom: selectAtom(indexAtom, favouritesOf, isSameList),
    pathAtom: perPage((id) => selectAtom(indexAtom, (index) => pathTo(index, id), isSameList)),
  };
}

function perPage<T>(make: (id: DocumentId) => Atom<T>): (id: DocumentId) => Atom<T> {
  const atoms = new Map<DocumentId, Atom<T>>();
  return (id) => {
    const made = atoms.get(id) ?? make(id);
    atoms.set(id, made);
    return made;
  };
}
