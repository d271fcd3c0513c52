// The palette: a field, and below it everything that matches, to choose with the arrow keys or a click. The caller provides
// the entries.
import X from 'lucide-react/icons/x';
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useDeferredValue,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { counted } from '../../lib/text/counted.ts';
import { isComposing } from '../../ui/browser/is-composing.ts';
import { IconButton } from '../../ui/controls/button.tsx';
import { KeyCaps } from '../../ui/controls/key-caps.tsx';
import { DialogClose, DialogLayer } from '../../ui/floating/dialog-layer.tsx';
import { markedParts } from './palette-search.ts';
import './palette.css';

export type PaletteEntry = {
  /** Unique in the palette. */
  readonly id: string;
  readonly name: string;
  /** The characters of the name that were searched for. */
  readonly characters?: readonly number[];
  /** Its location, shown behind the name. */
  readonly note?: string | undefined;
  readonly icon: ReactNode;
  /** At the end of the row. */
  readonly aside?: ReactNode;
  /** `isBeside`: chosen with Ctrl (⌘ on a Mac). */
  readonly onChoose: (isBeside: boolean) => void;
};

export type PaletteGroup = { readonly title: string; readonly entries: readonly PaletteEntry[] };

type PaletteProps = {
  /** The name of the field, shown in it while it is empty. */
  readonly label: string;
  readonly icon: ReactNode;
  readonly groupsOf: (query: string) => readonly PaletteGroup[];
  /** The effect of Enter: “to open”. */
  readonly enterText: string;
  /** Whether Ctrl Enter opens beside. */
  readonly hasBeside: boolean;
  readonly onClose: () => void;
};

export function Palette(props: PaletteProps) {
  const field = useRef<HTMLInputElement>(null);
  const { label, onClose } = props;
  return (
    <DialogLayer
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      scrim="palette-scrim"
      className="palette"
      aria-label={label}
      initialFocus={field}
    >
      <FieldAndList {...props} field={field} />
      <KeysFoot {...props} />
    </DialogLayer>
  );
}

/** A component of its own, so that a key does not render the dialog again. */
function FieldAndList({
  label,
  icon,
  groupsOf,
  onClose,
  field,
}: PaletteProps & { readonly field: RefObject<HTMLInputElement | null> }) {
  const [query, setQuery] = useState('');
  const [chosen, setChosen] = useState(0);
  const id = useId();
  // The character is painted first, and the results after it: together they took the main thread too long.
  const listed = useDeferredValue(query);
  const groups = groupsOf(listed).filter(({ entries }) => entries.length > 0);
  const entries = groups.flatMap((group) => group.entries);
  const at = Math.min(chosen, entries.length - 1);
  // The id is by place, not by entry: the next character changes the texts of the rows, which costs less than new rows.
  const optionId = (place: number) => (place < 0 ? undefined : `${id}-${place}`);
  const active = optionId(at);

  const onScroll = useVisibleOption(active, at);
  const choose = (entry: PaletteEntry | undefined, isBeside: boolean) => {
    if (entry === undefined) return;
    onClose();
    entry.onChoose(isBeside);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (isComposing(event.nativeEvent)) return;
    const next = placeAfter(event.key, at, entries.length - 1);
    if (next !== null) {
      event.preventDefault();
      setChosen(next);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      // Someone who types and presses Enter at once means what matches all of it.
      const newest = groupsOf(query).flatMap((group) => group.entries);
      choose(newest[Math.min(chosen, newest.length - 1)], event.ctrlKey || event.metaKey);
    }
  };

  return (
    <>
      <div className="palette-field">
        {icon}
        <input
          ref={field}
          className="grow"
          role="combobox"
          aria-label={label}
          aria-expanded
          aria-controls={`${id}-list`}
          aria-activedescendant={active}
          aria-autocomplete="list"
          placeholder={label}
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="go"
          value={query}
          onChange={(event) => {
            setQuery(event.currentTarget.value);
            setChosen(0);
          }}
          onKeyDown={onKeyDown}
        />
        {/* For devices without an Escape key. */}
        <DialogClose render={<IconButton label="Close" className="palette-close" />}>
          <X className="icon" />
        </DialogClose>
      </div>
      <div id={`${id}-list`} role="listbox" aria-label="Results" className="palette-list" onScroll={onScroll}>
        <Groups groups={groups} at={at} optionId={optionId} onPoint={setChosen} onChoose={choose} />
        {entries.length === 0 && <p className="palette-none">No matches</p>}
      </div>
      <p role="status" className="sr-only">
        {entries.length === 0 ? 'No matches' : counted(entries.length, 'result')}
      </p>
    </>
  );
}

/** Where a key leads from this place; an arrow at an end leads to the other one. Null: it is no key of the list. */
function placeAfter(key: string, at: number, last: number): number | null {
  const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[key];
  if (step === undefined) return null;
  const isAtEnd = (step === 1 && at === last) || (step === -1 && at === 0);
  return isAtEnd ? last - at : Math.max(0, Math.min(last, at + step));
}

/** Keeps the active option in view. Returns what the list does when it is scrolled. */
function useVisibleOption(id: string | undefined, at: number): () => void {
  const isScrolled = useRef(false);
  useEffect(() => {
    // Scrolling lays the page out, and the first row needs it only after the list was scrolled.
    if (id === undefined || (at === 0 && !isScrolled.current)) return;
    document.getElementById(id)?.scrollIntoView({ block: 'nearest' });
    if (at === 0) isScrolled.current = false;
  }, [id, at]);
  return () => {
    isScrolled.current = true;
  };
}

type GroupsProps = {
  readonly groups: readonly PaletteGroup[];
  /** The place of the active entry among those of all groups. */
  readonly at: number;
  readonly optionId: (place: number) => string | undefined;
  readonly onPoint: (place: number) => void;
  readonly onChoose: (entry: PaletteEntry, isBeside: boolean) => void;
};

function Groups({ groups, at, optionId, onPoint, onChoose }: GroupsProps) {
  const starts = groups.map((_, nth) => groups.slice(0, nth).reduce((sum, group) => sum + group.entries.length, 0));
  return groups.map((group, nth) => {
    const first = starts[nth] ?? 0;
    return (
      <div key={group.title} role="group" aria-label={group.title}>
        <p className="palette-title" aria-hidden="true">
          {group.title}
        </p>
        {group.entries.map((entry, place) => (
          <PaletteOption
            key={optionId(place)}
            id={optionId(first + place)}
            entry={entry}
            isActive={first + place === at}
            onPoint={() => onPoint(first + place)}
            onChoose={(isBeside) => onChoose(entry, isBeside)}
          />
        ))}
      </div>
    );
  });
}

function KeysFoot({ enterText, hasBeside }: Pick<PaletteProps, 'enterText' | 'hasBeside'>) {
  return (
    <footer className="palette-foot" aria-hidden="true">
      <span>
        <KeyCaps keys="↑↓" /> to navigate
      </span>
      <span>
        <KeyCaps keys="↵" /> {enterText}
      </span>
      {hasBeside && (
        <span>
          <KeyCaps keys="Mod-↵" /> to open beside
        </span>
      )}
      <span>
        <KeyCaps keys="Escape" /> to close
      </span>
    </footer>
  );
}

type PaletteOptionProps = {
  readonly id: string | undefined;
  readonly entry: PaletteEntry;
  readonly isActive: boolean;
  readonly onPoint: () => void;
  readonly onChoose: (isBeside: boolean) => void;
};

function PaletteOption({ id, entry, isActive, onPoint, onChoose }: PaletteOptionProps) {
  return (
    <button
      type="button"
      id={id}
      tabIndex={-1}
      role="option"
      aria-selected={isActive}
      className="palette-option"
      // It reacts to movement, not to entering: a list that changes under a resting pointer must not choose.
      onPointerMove={isActive ? undefined : onPoint}
      // The field keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
      onClick={(event) => onChoose(event.ctrlKey || event.metaKey)}
    >
      {entry.icon}
      <span className="palette-name truncate">
        <MarkedName name={entry.name} characters={entry.characters ?? []} />
      </span>
      {entry.note !== undefined && <span className="palette-note truncate">{entry.note}</span>}
      <span className="grow" />
      {entry.aside}
    </button>
  );
}

function MarkedName({ name, characters }: { readonly name: string; readonly characters: readonly number[] }) {
  // Plain text where nothing was searched for, and keys by place, so that the next character changes texts and not elements.
  if (characters.length === 0) return name;
  return markedParts(name, characters).map(({ text, isMatch }, place) => {
    const key = `${place}`;
    return isMatch ? <mark key={key}>{text}</mark> : <span key={key}>{text}</span>;
  });
}
