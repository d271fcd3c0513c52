// The actions of a person on pages in the tree of a workspace. Each shows at once, also offline.
import type { Atom } from 'jotai/vanilla';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { rankAfter } from '../../lib/lists/ranks.ts';
import { randomUuid } from '../../lib/random-uuid.ts';
import { followedBy, ok } from '../../lib/result.ts';
import type { Directory } from '../../ports/workspace.ts';
import type { Timing } from '../offline/cached-list.ts';
import type { AtomStore } from '../store.ts';
import type { PageEntryChanges } from './pending/page-changes.ts';
import { type PageIndex, favouritesOf } from './tree/page-index.ts';
import { type TreePlace, rankAt } from './tree/places.ts';
import { type UndoStep, UndoSteps } from './tree/undo-steps.ts';

export interface PageActions {
  /** The steps that can be taken back: moves, trashings and names. */
  readonly undoSteps: UndoSteps;
  readonly movePage: (page: DocumentId, place: TreePlace) => UndoStep;
  /** The name of a line icon; null for none. */
  readonly setIcon: (page: DocumentId, icon: string | null) => void;
  /** Whether the page is offered as the start of new pages. */
  readonly setTemplate: (page: DocumentId, isTemplate: boolean) => void;
  /** A new favourite is the last one. */
  readonly setFavourite: (page: DocumentId, isFavourite: boolean) => void;
  /** Moves the page with all pages below it to the trash. */
  readonly trashPage: (page: DocumentId) => UndoStep;
}

export function pageActions(options: {
  readonly store: AtomStore;
  readonly indexAtom: Atom<PageIndex>;
  readonly changes: Pick<PageEntryChanges, 'add' | 'takeBack' | 'settled'>;
  readonly directory: Pick<Directory, 'restoreDocument'>;
  /** Loads the list of pages again. */
  readonly refresh: () => Promise<void>;
  readonly timing: Pick<Timing, 'now'>;
}): PageActions {
  const { store, indexAtom, changes, directory, refresh } = options;
  const undoSteps = new UndoSteps();
  const about = (page: DocumentId) => ({ key: randomUuid(), page, madeAt: options.timing.now() });
  const move = (page: DocumentId, parent: DocumentId | null, rank: string) =>
    changes.add({ ...about(page), kind: 'move', parent, rank });
  return {
    undoSteps,
    movePage(page, place) {
      const index = store.get(indexAtom);
      const before = index.pages.get(page);
      move(page, place.parent, rankAt(index, page, place));
      return undoSteps.add(async () => {
        if (before !== undefined) move(page, before.parentId, before.rank);
        return ok(null);
      });
    },
    setIcon: (page, icon) => changes.add({ ...about(page), kind: 'icon', icon }),
    setTemplate: (page, isTemplate) => changes.add({ ...about(page), kind: 'template', isTemplate }),
    setFavourite(page, isFavourite) {
      const ranks = favouritesOf(store.get(indexAtom)).flatMap(({ favouriteRank }) => favouriteRank ?? []);
      changes.add({ ...about(page), kind: 'favourite', rank: isFavourite ? rankAfter(ranks.at(-1) ?? null) : null });
    },
    trashPage(page) {
      const change = { ...about(page), kind: 'trash' } as const;
      changes.add(change);
      return undoSteps.add(async () => {
        if (changes.takeBack(change)) return ok(null);
        // It may be on its way.
        await changes.settled(change);
        return store.get(indexAtom).pages.has(page) ? ok(null) : followedBy(directory.restoreDocument(page), refresh);
      });
    },
  };
}
