// One search of a workspace's text: by the server, and without it in the pages of this device.
import { type Atom, atom } from 'jotai/vanilla';
import type { WeftError } from 'weft-sync/protocol/errors.ts';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import type { Cancel } from '../../../lib/cancel.ts';
import { wordsOf } from '../../../lib/text/fold-text.ts';
import type { PageSearch } from '../../../ports/workspace.ts';
import type { WorkspaceChange } from '../../../protocol/answers.ts';
import type { WorkspaceId } from '../../../protocol/ids.ts';
import type { SearchFilters, SearchResult } from '../../../protocol/search-answers.ts';
import type { AtomStore } from '../../store.ts';
import type { PageIndex } from '../tree/page-index.ts';
import { type DeviceText, deviceText, searchDevice } from './device-search.ts';

export type SearchState = {
  /** The query of `results`; empty before the first answer. */
  readonly query: string;
  /** The best first, or with the filter `newestFirst` the newest. */
  readonly results: readonly SearchResult[];
  readonly total: number;
  /** False if there may be more than `total`. */
  readonly isComplete: boolean;
  readonly isSearching: boolean;
  /** The server did not answer: titles, and the text of this many pages of this device, were searched. Null otherwise. */
  readonly searchedTexts: number | null;
  readonly error: WeftError | null;
};

export interface TextSearch {
  readonly atom: Atom<SearchState>;
  /** An empty query ends the search. */
  readonly run: (query: string, filters: SearchFilters) => Promise<void>;
  /** The next results of the same search. */
  readonly more: () => Promise<void>;
  /**
   * Searches again when pages are removed or moved, because results must not outlive the right to see them, and when the
   * server is back; until it is cancelled.
   */
  readonly follow: () => Cancel;
}

const NOTHING: SearchState = {
  query: '',
  results: [],
  total: 0,
  isComplete: true,
  isSearching: false,
  searchedTexts: null,
  error: null,
};
const MAX_TEXTS = 300;
const OPS: readonly WorkspaceChange['op'][] = ['trashed', 'removed', 'moved', 'restored'];

export function textSearch(options: {
  readonly workspace: WorkspaceId;
  readonly store: AtomStore;
  readonly server: PageSearch;
  readonly indexAtom: Atom<PageIndex>;
  /** The list of pages. When it is fetched again, the server is back. */
  readonly listAtom: Atom<{ readonly isFresh: boolean }>;
  /** The pages on this device; null if it cannot tell. */
  readonly cachedPagesAtom: Atom<ReadonlySet<DocumentId> | null>;
  readonly textOf: (document: DocumentId) => Promise<string | null>;
  readonly onChange: (run: (change: WorkspaceChange) => void) => Cancel;
}): TextSearch {
  const { store, server, workspace } = options;
  const stateAtom = atom(NOTHING);
  const texts = new Map<DocumentId, DeviceText>();
  let last: { readonly query: string; readonly filters: SearchFilters } | null = null;
  let runs = 0;

  const set = (change: Partial<SearchState>) => store.set(stateAtom, { ...store.get(stateAtom), ...change });

  const run = async (query: string, filters: SearchFilters) => {
    const now = ++runs;
    last = { query, filters };
    if (query.trim() === '') return store.set(stateAtom, NOTHING);
    set({ isSearching: true });
    const answer = await server.search(workspace, query, filters);
    // The answer of a later call counts instead.
    if (now !== runs) return;
    if (answer.ok) return store.set(stateAtom, { ...NOTHING, ...answer.value, query });
    if (answer.error.code !== 'WF011') return store.set(stateAtom, { ...NOTHING, query, error: answer.error });
    await searchHere(query, filters, () => now === runs);
  };

  /** Titles are found at once. The texts are read one after the other, and each may add a page. */
  const searchHere = async (query: string, filters: SearchFilters, isCurrent: () => boolean) => {
    const words = wordsOf(query);
    const show = (isSearching: boolean, searchedTexts: number) => {
      const results = searchDevice({ index: store.get(options.indexAtom), texts, words, filters });
      store.set(stateAtom, { ...NOTHING, query, results, total: results.length, isSearching, searchedTexts });
    };
    const onDevice = newestOf(store.get(options.indexAtom), store.get(options.cachedPagesAtom));
    const unread = onDevice.filter((id) => !texts.has(id));
    show(unread.length > 0, onDevice.length - unread.length);
    for (const [nth, id] of unread.entries()) {
      const text = await options.textOf(id);
      if (!isCurrent()) return;
      if (text !== null) texts.set(id, deviceText(text));
      show(nth < unread.length - 1, onDevice.length - unread.length + nth + 1);
    }
  };

  return {
    atom: stateAtom,
    run,
    async more() {
      const { results, total, isSearching, query } = store.get(stateAtom);
      if (last === null || isSearching || results.length >= total || last.query !== query) return;
      const now = runs;
      set({ isSearching: true });
      const answer = await server.search(workspace, query, { ...last.filters, skip: results.length });
      if (now !== runs) return;
      if (!answer.ok) return set({ isSearching: false, error: answer.error });
      const known = new Set(results.map(({ document }) => document));
      const next = answer.value.results.filter(({ document }) => !known.has(document));
      set({ ...answer.value, results: [...results, ...next], isSearching: false, error: null });
    },
    follow() {
      const again = () => void (last !== null && run(last.query, last.filters));
      const stops = [
        options.onChange(({ kind, op }) => {
          if (kind === 'access' || (kind === 'document' && OPS.includes(op))) again();
        }),
        store.sub(options.listAtom, () => {
          if (store.get(options.listAtom).isFresh && store.get(stateAtom).searchedTexts !== null) again();
        }),
      ];
      return () => stops.forEach((stop) => stop());
    },
  };
}

/** The cached pages of the workspace whose texts are searched. */
const newestOf = ({ pages }: PageIndex, cached: ReadonlySet<DocumentId> | null): readonly DocumentId[] =>
  Array.from(cached ?? [])
    .filter((id) => pages.has(id))
    .sort((a, b) => (pages.get(b)?.updatedAt ?? 0) - (pages.get(a)?.updatedAt ?? 0))
    .slice(0, MAX_TEXTS);
