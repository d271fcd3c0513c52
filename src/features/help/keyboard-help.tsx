// The keyboard help, with a search: every shortcut, what typed characters turn into, and the eight marks of the receipt.
// The shortcuts come from the editor's list, the marks from the caller.
import { type ReactNode, type RefObject, useId, useRef, useState } from 'react';
import {
  type Shortcut,
  type TypedShortcut,
  POINTER_ACTIONS,
  SHORTCUTS,
  TYPED_ANYWHERE,
  TYPED_AT_START,
} from '../../editor/shortcuts.ts';
import { KeyCaps, keyCapsOf } from '../../ui/controls/key-caps.tsx';
import { Dialog } from '../../ui/floating/dialog.tsx';
import { ReceiptMark, type MarkState } from '../../ui/mark/receipt-mark.tsx';
import './help.css';

type LegendRow = { readonly mark: MarkState; readonly label: string; readonly meaning: string };

type KeyboardHelpProps = {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly legend: readonly LegendRow[];
};

type Row = { readonly description: string; readonly keys: ReactNode; readonly searchText: string };
type Group = { readonly title: string; readonly rows: readonly Row[] };

export function KeyboardHelp({ open, onOpenChange, legend }: KeyboardHelpProps) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <Dialog title="Keys and marks" size="large" focus={field} open={open} onOpenChange={onOpenChange}>
      <SearchableHelp legend={legend} field={field} />
    </Dialog>
  );
}

/** A component of its own, so that closing the dialog resets the search. */
function SearchableHelp({
  legend,
  field,
}: Pick<KeyboardHelpProps, 'legend'> & { readonly field: RefObject<HTMLInputElement | null> }) {
  const [query, setQuery] = useState('');
  const groups = matchingGroups([...GROUPS, legendGroup(legend)], query);
  return (
    <section className="help">
      <input
        ref={field}
        className="input"
        type="search"
        aria-label="Find a key"
        placeholder="Find a key"
        value={query}
        onChange={(event) => setQuery(event.currentTarget.value)}
      />
      <div className="help-groups">
        {groups.map(({ title, rows }) => (
          <HelpGroup key={title} title={title} rows={rows} />
        ))}
      </div>
      <p role="status" className={groups.length === 0 ? 'secondary' : 'sr-only'}>
        {groups.length === 0 ? `No matches for “${query}”.` : ''}
      </p>
    </section>
  );
}

function HelpGroup({ title, rows }: Group) {
  const id = useId();
  return (
    <section className="help-group" aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      <dl>
        {rows.map(({ description, keys }) => (
          <div key={description}>
            <dt>{description}</dt>
            <dd>{keys}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

const typedGroup = (title: string, typed: readonly TypedShortcut[]): Group => ({
  title,
  rows: typed.map(({ typed: characters, description }) => ({
    description,
    keys: <code>{characters}</code>,
    searchText: characters,
  })),
});

const keysGroup = (title: string, shortcuts: readonly Shortcut[]): Group => ({
  title,
  rows: shortcuts.map(({ description, keys }) => ({
    description,
    keys: keys.map((one) => <KeyCaps key={one} keys={one} />),
    searchText: keys.flatMap((one) => keyCapsOf(one)).join(' '),
  })),
});

const GROUPS: readonly Group[] = [
  ...SHORTCUTS.map(({ title, shortcuts }) => keysGroup(title, shortcuts)),
  keysGroup('With the pointer', POINTER_ACTIONS),
  typedGroup('Typed at the start of a line', TYPED_AT_START),
  typedGroup('Typed anywhere', TYPED_ANYWHERE),
];

const legendGroup = (legend: readonly LegendRow[]): Group => ({
  title: 'Where your edits are',
  rows: legend.map(({ mark, label, meaning }) => ({
    description: meaning,
    keys: (
      <span className="help-mark" data-mark={mark}>
        <ReceiptMark state={mark} /> {label}
      </span>
    ),
    searchText: label,
  })),
});

function matchingGroups(groups: readonly Group[], query: string): readonly Group[] {
  const word = query.trim().toLowerCase();
  return groups.flatMap(({ title, rows }) => {
    const isTitle = title.toLowerCase().includes(word);
    const found = rows.filter((row) => isTitle || `${row.description} ${row.searchText}`.toLowerCase().includes(word));
    return found.length === 0 ? [] : [{ title, rows: found }];
  });
}
