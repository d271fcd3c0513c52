// Searches the titles and texts of a workspace's pages. The address of the screen holds the search.
import { type KeyboardEvent, type RefObject, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import type { SearchResult } from '../../protocol/search-answers.ts';
import { usePerson, useValue, useWorkspace } from '../../state/hooks.ts';
import { matchHash, pagePath } from '../../state/workspace/page-address.ts';
import { textSearch } from '../../state/workspace/search/text-search.ts';
import { isComposing } from '../../ui/browser/is-composing.ts';
import { useSettled } from '../../ui/browser/use-time.ts';
import { SearchField } from '../../ui/controls/search-field.tsx';
import '../../ui/theme/section-page.css';
import { AuthorFilter } from './author-filter.tsx';
import { DateFilter } from './date-filter.tsx';
import { matchOf } from './match-of.ts';
import { PlaceFilter } from './place-filter.tsx';
import { Results } from './results.tsx';
import { type SearchQuery, filtersOf, parseSearchQuery, searchParameters } from './search-query.ts';
import { SortMenu } from './sort-menu.tsx';
import './search.css';

type SearchPageProps = {
  /** Gets the focus when the screen opens. */
  readonly field: RefObject<HTMLInputElement | null>;
  /** Null for people who may not create pages here. */
  readonly onNewPage: ((title: string) => void) | null;
};

/** Longer than most pauses between two keys of someone who types. */
const TYPING_MS = 250;

export function SearchPage({ field, onNewPage }: SearchPageProps) {
  const [parameters, setParameters] = useSearchParams();
  const query = useMemo(() => parseSearchQuery(parameters), [parameters]);
  const search = useSearch(query);
  const { query: answered, results, isSearching } = useValue(search.atom);
  const { text, setText, commit } = useTypedText(query, setParameters);
  const [chosen, setChosen] = useState(0);
  const id = useId();
  const navigate = useNavigate();
  const addressOf = useAddressOf();
  const rowId = (result: SearchResult | undefined) => (result === undefined ? undefined : `${id}-${result.document}`);
  const at = Math.min(chosen, results.length - 1);
  const isAnswered = answered.trim() === text.trim() && !isSearching;
  useFocusAfterFilter(query, field);
  const change = (part: Partial<SearchQuery>) => {
    setChosen(0);
    setParameters(searchParameters({ ...query, text, ...part }), { replace: true });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (isComposing(event.nativeEvent)) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      const next = Math.max(0, Math.min(results.length - 1, at + step));
      setChosen(next);
      document.getElementById(rowId(results[next]) ?? '')?.scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter') {
      event.preventDefault();
      const result = results[at];
      if (!isAnswered) commit();
      else if (result === undefined) return;
      else if (event.ctrlKey || event.metaKey) window.open(addressOf(result), '_blank', 'noopener');
      else void navigate(addressOf(result));
    } else if (event.key === 'Escape' && text !== '') {
      event.preventDefault();
      setText('');
    }
  };
  return (
    <div className="section-page search">
      <h1 className="sr-only">Search</h1>
      <SearchField
        field={field}
        label="Search in all text"
        aria-controls={results.length > 0 ? `${id}-results` : undefined}
        aria-activedescendant={isAnswered ? rowId(results[at]) : undefined}
        value={text}
        onValue={(value) => {
          setChosen(0);
          setText(value);
        }}
        onKeyDown={onKeyDown}
      />
      <div className="search-filters">
        <AuthorFilter author={query.author} onChange={(author) => change({ author })} />
        <DateFilter when={query.when} onChange={(when) => change({ when })} />
        <PlaceFilter below={query.below} onChange={(below) => change({ below })} />
        <span className="grow" />
        <CountText search={search} />
        <SortMenu isNewestFirst={query.isNewestFirst} onChange={(isNewestFirst) => change({ isNewestFirst })} />
      </div>
      <Results
        id={`${id}-results`}
        rowId={rowId}
        search={search}
        query={query}
        chosen={at}
        addressOf={addressOf}
        onPoint={setChosen}
        onChange={change}
        onNewPage={onNewPage}
      />
    </div>
  );
}

function CountText({ search }: { readonly search: ReturnType<typeof textSearch> }) {
  const { query, total, isComplete, error } = useValue(search.atom);
  const count = total === 1 && isComplete ? '1 page' : `${isComplete ? total : `${total}+`} pages`;
  return (
    <span role="status" className="tabular search-count">
      {query === '' || error !== null ? '' : count}
    </span>
  );
}

/** Searches when the query or rights change, when pages are removed, moved or restored, and when the server is back. */
function useSearch(query: SearchQuery) {
  const { store, search: server, cachedPages, textOnDevice } = usePerson();
  const { workspace, indexAtom, listAtom, onChange } = useWorkspace();
  const search = useMemo(
    () =>
      textSearch({
        workspace: workspace.id,
        store,
        server,
        indexAtom,
        listAtom,
        cachedPagesAtom: cachedPages.atom,
        textOf: textOnDevice,
        onChange,
      }),
    [workspace, store, server, indexAtom, listAtom, cachedPages, textOnDevice, onChange],
  );
  useEffect(() => void search.run(query.text, filtersOf(query, Date.now())), [search, query]);
  useEffect(() => search.follow(), [search]);
  return search;
}

/** The typed text becomes the search after a pause, or at once with `commit`. */
function useTypedText(query: SearchQuery, setParameters: ReturnType<typeof useSearchParams>[1]) {
  const [typed, setTyped] = useState({ text: query.text, for: query.text });
  // Going back or forward changes the address, and with it the text.
  const text = typed.for === query.text ? typed.text : query.text;
  const settled = useSettled(text, TYPING_MS);
  const commit = (next = text) => {
    setTyped({ text: next, for: next });
    setParameters(searchParameters({ ...query, text: next }), { replace: true });
  };
  const commitSettled = useRef(commit);
  useEffect(() => {
    commitSettled.current = commit;
  });
  useEffect(() => {
    if (settled === text && settled !== query.text) commitSettled.current(settled);
  }, [settled, text, query.text]);
  return { text, commit, setText: (next: string) => setTyped({ text: next, for: query.text }) };
}

/**
 * Setting or clearing a filter removes the button that had the focus: the field gets it, except on touch screens, where
 * the keyboard would open.
 */
function useFocusAfterFilter({ author, when, below }: SearchQuery, field: SearchPageProps['field']) {
  const filters = JSON.stringify([author, when, below]);
  const before = useRef(filters);
  useEffect(() => {
    if (before.current === filters) return undefined;
    before.current = filters;
    // After the menu has given the focus back.
    const frame = requestAnimationFrame(() => {
      const isLost = document.activeElement === null || document.activeElement === document.body;
      if (isLost && !matchMedia('(pointer: coarse)').matches) field.current?.focus();
    });
    return () => cancelAnimationFrame(frame);
  }, [filters, field]);
}

/** The address of a result: its page, at the match. */
function useAddressOf(): (result: SearchResult) => string {
  const { workspace } = useWorkspace();
  return (result) => {
    const path = pagePath(workspace.slug, { id: result.document, title: result.title.text });
    const match = matchOf(result);
    return match === null ? path : path + matchHash(match);
  };
}
