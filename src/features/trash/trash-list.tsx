// The pages in the trash, and a field that searches their titles.
import { useRef, useState } from 'react';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { foldText, wordsOf } from '../../lib/text/fold-text.ts';
import type { TrashEntry } from '../../protocol/answers.ts';
import { isComposing } from '../../ui/browser/is-composing.ts';
import { Button } from '../../ui/controls/button.tsx';
import { SearchField } from '../../ui/controls/search-field.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { TrashRow } from './trash-row.tsx';

/** `next`: the page whose row gets the focus once this one’s is gone. Null: there is no other. */
type Act = (entry: TrashEntry, next: DocumentId | null) => void;

type TrashListProps = {
  readonly entries: readonly TrashEntry[];
  readonly titleOf: (entry: TrashEntry) => string;
  readonly now: number;
  readonly onPreview: Act;
  readonly onRestore: Act;
  readonly onDelete: Act;
};

/** More are shown on request: a row has up to three buttons. */
const SHOWN_FIRST = 100;

const rowId = (page: DocumentId) => `trash-${page}`;

/** The element of a page's row that takes the focus. */
export const rowOf = (page: DocumentId | null): HTMLElement | null =>
  page === null ? null : document.getElementById(rowId(page));

export function TrashEntries({ entries, titleOf, now, onPreview, onRestore, onDelete }: TrashListProps) {
  const [query, setQuery] = useState('');
  const [limit, setLimit] = useState(SHOWN_FIRST);
  const field = useRef<HTMLInputElement>(null);
  const words = wordsOf(query);
  const found = entries.filter((entry) => {
    const title = foldText(titleOf(entry));
    return words.every((word) => title.includes(word));
  });
  const search = (text: string) => {
    setQuery(text);
    setLimit(SHOWN_FIRST);
  };
  return (
    <>
      <SearchField
        field={field}
        label="Search titles"
        value={query}
        onValue={search}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || query === '' || isComposing(event.nativeEvent)) return;
          event.preventDefault();
          search('');
        }}
      />
      <p role="status" className="sr-only">
        {words.length === 0 ? '' : `${found.length} of ${entries.length} found`}
      </p>
      {found.length === 0 ? (
        <EmptyState title="No matches">
          <p>No page in the trash has this in its title.</p>
        </EmptyState>
      ) : (
        <ul className="trash-list" aria-label="Pages in the trash">
          {found.slice(0, limit).map((entry, at) => {
            const next = (found[at + 1] ?? found[at - 1])?.document.id ?? null;
            return (
              <TrashRow
                key={entry.document.id}
                id={rowId(entry.document.id)}
                entry={entry}
                title={titleOf(entry)}
                now={now}
                onPreview={() => onPreview(entry, next)}
                onRestore={() => onRestore(entry, next)}
                onDelete={() => onDelete(entry, next)}
              />
            );
          })}
        </ul>
      )}
      {found.length > limit && (
        <Button look="plain" onClick={() => setLimit(Number.POSITIVE_INFINITY)}>
          Show {found.length - limit} more
        </Button>
      )}
    </>
  );
}
