// The pages of a workspace that are in the trash: list, restore, delete for good.
import { type Atom, atom } from 'jotai/vanilla';
import type { Cancel } from '../../lib/cancel.ts';
import { coalesced } from '../../lib/async/coalesced.ts';
import { type Result, followedBy } from '../../lib/result.ts';
import type { DocumentSummary, TrashEntry, WorkspaceChange } from '../../protocol/answers.ts';
import type { WeftError } from '../../protocol/errors.ts';
import type { DocumentId, WorkspaceId } from '../../protocol/ids.ts';
import type { People } from '../people/people.ts';
import type { Directory } from '../ports/workspace.ts';
import type { Store } from '../store.ts';

export type TrashList = {
  /** Newest first. Null before the first answer. */
  readonly entries: readonly TrashEntry[] | null;
  readonly error: WeftError | null;
};

export interface Trash {
  readonly atom: Atom<TrashList>;
  readonly load: () => Promise<void>;
  /** Loads again whenever somebody moves pages into or out of the trash, until it is cancelled. */
  readonly follow: () => Cancel;
  readonly restore: (page: DocumentId) => Promise<Result<DocumentSummary, WeftError>>;
  readonly purge: (page: DocumentId) => Promise<Result<{ readonly pages: number }, WeftError>>;
}

const OPS: readonly WorkspaceChange['op'][] = ['trashed', 'restored', 'removed', 'created'];

export function trashOf(options: {
  readonly workspace: WorkspaceId;
  readonly store: Store;
  readonly directory: Pick<Directory, 'trash' | 'restoreDocument' | 'purgeDocument'>;
  readonly people: Pick<People, 'ensureLoaded'>;
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
  return {
    atom: listAtom,
    load,
    follow: () => options.onChange(({ kind, op }) => void (kind === 'document' && OPS.includes(op) && load())),
    restore: (page) => loaded(directory.restoreDocument(page)),
    purge: (page) => loaded(directory.purgeDocument(page)),
  };
}
