// The actions of a person on pages in the tree of a workspace, at once and also offline.
import type { Atom } from 'jotai/vanilla';
import { rankAfter } from '../../lib/lists/ranks.ts';
import { randomUuid } from '../../lib/random-uuid.ts';
import type { DocumentId } from '../../protocol/ids.ts';
import type { Timing } from '../offline/cached-list.ts';
import type { Store } from '../store.ts';
import type { PageChanges } from './page-changes.ts';
import { type PageIndex, favouritesOf } from './page-index.ts';
import { type Place, rankAt } from './places.ts';

export interface PageActions {
  readonly movePage: (page: DocumentId, place: Place) => void;
  /** The name of a line icon; null for none. */
  readonly setIcon: (page: DocumentId, icon: string | null) => void;
  /** Whether the page is offered as the start of new pages. */
  readonly setTemplate: (page: DocumentId, isTemplate: boolean) => void;
  /** A new favourite is the last one. */
  readonly setFavourite: (page: DocumentId, isFavourite: boolean) => void;
  /** Moves the page with all pages below it to the trash. */
  readonly trashPage: (page: DocumentId) => void;
}

export function pageActions(options: {
  readonly store: Store;
  readonly indexAtom: Atom<PageIndex>;
  readonly changes: Pick<PageChanges, 'add'>;
  readonly timing: Pick<Timing, 'now'>;
}): PageActions {
  const { store, indexAtom, changes } = options;
  const about = (page: DocumentId) => ({ key: randomUuid(), page, madeAt: options.timing.now() });
  return {
    movePage(page, place) {
      const rank = rankAt(store.get(indexAtom), page, place);
      changes.add({ ...about(page), kind: 'move', parent: place.parent, rank });
    },
    setIcon: (page, icon) => changes.add({ ...about(page), kind: 'icon', icon }),
    setTemplate: (page, isTemplate) => changes.add({ ...about(page), kind: 'template', isTemplate }),
    setFavourite(page, isFavourite) {
      const ranks = favouritesOf(store.get(indexAtom)).flatMap(({ favouriteRank }) => favouriteRank ?? []);
      changes.add({ ...about(page), kind: 'favourite', rank: isFavourite ? rankAfter(ranks.at(-1) ?? null) : null });
    },
    trashPage: (page) => changes.add({ ...about(page), kind: 'trash' }),
  };
}
