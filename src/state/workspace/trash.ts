// The pages of a workspace that are in the trash: list, restore, delete for good.
import { type Atom, atom } from 'jotai/vanilla';
import type { WeftError } from 'weft-sync/protocol/errors.ts';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { coalesced } from '../../lib/async/coalesced.ts';
import type { Cancel } from '../../lib/cancel.ts';
import { type Result, followedBy, ok } from '../../lib/result.ts';
import type { Directory } from '../../ports/workspace.ts';
import type { DocumentSummary, TrashEntry, WorkspaceChange } from '../../protocol/answers.ts';
import type { WorkspaceId } from '../../protocol/ids.ts';
import type { People } from '../people/people.ts';
import type { AtomStore } from '../store.ts';

export type TrashList = {
  /** Newest first. Null before the first answer. */
  readonly entries: readonly TrashEntry[] | null;
  readonly error: WeftError | null;
};

export interface Trash {
  readonly atom: Atom<TrashList>;
  readonly load: () => Promise<void>;
  /**
   * Loads again, until it is cancelled, whenever someone moves pages into or out of the trash, a title in the list changes, or
   * the server is back.
   */
  readonly follow: () => Cancel;
  readonly restore: (page: DocumentId) => Promise<Result<DocumentSummary, WeftError>>;
  readonly purge: (page: DocumentId) => Promise<Result<{ readonly pages: number }, WeftError>>;
  /** Deletes what was listed at the moment of the question. */
  readonly empty: (entries: readonly TrashEntry[]) => Promise<Result<{ readonly pages: number }, WeftError>>;
}

/** The database takes a second for as many, and a hosted project ends calls after eight. */
const MAX_EMPTIED = 100;

const OPS: readonly WorkspaceChange['op'][] = ['trashed', 'restored', 'removed', 'created'];

export function trashOf(options: {
  readonly workspace: WorkspaceId;
  readonly store: AtomStore;
  readonly directory: Pick<Directory, 'trash' | 'restoreDocument' | 'purgeDocument' | 'emptyTrash'>;
  readonly people: Pick<People, 'ensureLoaded'>;
  /** The list of pages. When it is fetched again, the server is back. */
  readonly pagesAtom: Atom<{ readonly isFresh: boolean }>;
  readonly onChange: (run: (change: WorkspaceChange) => void) => Cancel;
}): Trash {
  const { workspace, store, directory } = options;
  const listAtom = atom<TrashList>({ entries: null, error: null });
  const load = coalesced(async () => {
    const answer = await directory.trash(workspace);
    if (!answer.ok) return store.set(listAtom, { ...store.get(listAtom), error: answer.error });
    options.people.ensureLoaded(answer.value.flatMap(({ trashedBy }) => trashedBy ?? []));
    store.set(listAtom, { entries: answer.value.toSorted((a, b) => b.trashedAt - a.trashedAt), error: null });
  });
  const loaded = <T>(write: Promise<Result<T, WeftError>>) => followedBy(write, load);
  const shows = (id: string) =>
    store.get(listAtom).entries?.some(({ document }) => document.id === id || document.parentId === id) === true;
  return {
    atom: listAtom,
    load,
    follow() {
      let wasFresh = store.get(options.pagesAtom).isFresh;
      const stops = [
        options.onChange(({ kind, op, id }) => {
          if (kind === 'document' && (OPS.includes(op) || (op === 'changed' && shows(id)))) void load();
        }),
        store.sub(options.pagesAtom, () => {
          const { isFresh } = store.get(options.pagesAtom);
          if (isFresh && (!wasFresh || store.get(listAtom).error?.code === 'WF011')) void load();
          wasFresh = isFresh;
        }),
      ];
      return () => stops.forEach((stop) => stop());
    },
    restore: (page) => loaded(directory.restoreDocument(page)),
    purge: (page) => loaded(directory.purgeDocument(page)),
    async empty(entries) {
      let pages = 0;
      for (let at = 0; at < entries.length; at += MAX_EMPTIED) {
        const some = entries.slice(at, at + MAX_EMPTIED).map(({ document }) => document.id);
        const answer = await directory.emptyTrash(workspace, some);
        if (!answer.ok) {
          // The calls before this one have deleted their part.
          await load();
          return answer;
        }
        pages += answer.value.pages;
      }
      await load();
      return ok({ pages });
    },
  };
}
