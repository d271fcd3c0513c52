// The results of a search, or the reason why there are none.
import Plus from 'lucide-react/icons/plus';
import { counted } from '../../lib/text/counted.ts';
import type { SearchResult } from '../../protocol/search-answers.ts';
import { ProfilesContext, useCompany, usePerson, useValue, useWorkspace } from '../../state/hooks.ts';
import type { TextSearch } from '../../state/workspace/search/text-search.ts';
import { textOf } from '../../texts/error-texts.ts';
import { Button } from '../../ui/controls/button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { ResultRow } from './result-row.tsx';
import { type SearchQuery, filtersOf, hasFilters } from './search-query.ts';

type ResultsProps = {
  readonly id: string;
  readonly rowId: (result: SearchResult | undefined) => string | undefined;
  readonly search: TextSearch;
  readonly query: SearchQuery;
  readonly chosen: number;
  readonly addressOf: (result: SearchResult) => string;
  readonly onPoint: (nth: number) => void;
  readonly onChange: (part: Partial<SearchQuery>) => void;
  readonly onNewPage: ((title: string) => void) | null;
};

export function Results(props: ResultsProps) {
  const { search, query, chosen, addressOf } = props;
  const state = useValue(search.atom);
  const { results, total, error, isSearching, searchedTexts } = state;
  const profiles = useCompany(results.flatMap(({ by }) => by ?? []));
  const unavailable = useValue(useWorkspace().unavailableAtom);
  if (query.text.trim() === '') {
    return (
      <p className="hits search-hint">Finds any part of a word, in titles and in the text of pages you can open.</p>
    );
  }
  if (error !== null && results.length === 0) {
    return (
      <EmptyState
        title={textOf(error)}
        actions={<Button onClick={() => void search.run(query.text, filtersOf(query, Date.now()))}>Try again</Button>}
      />
    );
  }
  if (results.length === 0 && (isSearching || state.query === '')) {
    return (
      <div className="hits">
        <Skeleton label="Searching" widths={['42%', '92%', '70%', '38%', '88%']} />
      </div>
    );
  }
  return (
    <>
      {searchedTexts !== null && <DeviceNote texts={searchedTexts} />}
      {results.length === 0 ? (
        <NoMatches {...props} text={state.query} />
      ) : (
        <ul id={props.id} className="hits" aria-label="Results" aria-busy={isSearching}>
          <ProfilesContext value={profiles}>
            {results.map((result, nth) => (
              <ResultRow
                key={result.document}
                id={props.rowId(result)}
                result={result}
                address={addressOf(result)}
                isChosen={nth === chosen}
                isUnavailable={unavailable.has(result.document)}
                onPoint={() => props.onPoint(nth)}
              />
            ))}
          </ProfilesContext>
        </ul>
      )}
      {results.length < total && (
        <div className="search-more">
          <Button disabled={isSearching} onClick={() => void search.more()}>
            Show more
          </Button>
          {error !== null && <p role="alert">{textOf(error)}</p>}
        </div>
      )}
    </>
  );
}

function DeviceNote({ texts }: { readonly texts: number }) {
  const kept = texts === 0 ? '' : ` and the text of ${counted(texts, 'page')} on this device`;
  return <p className="search-note">Can’t reach the server. Only titles{kept} were searched.</p>;
}

type NoMatchesProps = Pick<ResultsProps, 'query' | 'onChange' | 'onNewPage'> & { readonly text: string };

function NoMatches({ query, text, onChange, onNewPage }: NoMatchesProps) {
  const { people, identity } = usePerson();
  const known = useValue(people.atom);
  const name = query.author === null ? null : known.get(query.author)?.displayName;
  const title = text.trim();
  const by = query.author === null ? '' : ` by ${query.author === identity.id ? 'you' : (name ?? 'this person')}`;
  const within = query.when !== null || query.below !== null ? ' within these filters' : '';
  return (
    <div className="hits">
      <EmptyState
        title={`No matches for “${title}”`}
        actions={
          <>
            {hasFilters(query) && (
              <Button look="primary" onClick={() => onChange({ author: null, when: null, below: null })}>
                {within === '' ? 'Search all authors' : 'Clear filters'}
              </Button>
            )}
            {onNewPage !== null && (
              <Button onClick={() => onNewPage(title)}>
                <Plus className="icon" />
                <span className="truncate">New page “{title}”</span>
              </Button>
            )}
          </>
        }
      >
        <p>
          No page{by} contains these words{within}. Only pages you can open are searched.
        </p>
      </EmptyState>
    </div>
  );
}
