// Chooses the icon of a page: a field to search in, and a grid for the arrow keys or a click.
import Search from 'lucide-react/icons/search';
import { type CSSProperties, type KeyboardEvent, useId, useRef, useState } from 'react';
import { counted } from '../../lib/text/counted.ts';
import { isComposing } from '../../ui/browser/is-composing.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Dialog } from '../../ui/floating/dialog.tsx';
import { PAGE_ICONS } from '../../ui/page-icon/icon-set.ts';
import { findIcons, stepInGrid } from './icon-search.ts';
import './icon-picker.css';

const COLUMNS = 8;
const scrollIntoView = (icon: HTMLElement | null) => icon?.scrollIntoView({ block: 'nearest' });

type IconPickerProps = {
  /** The page's title. */
  readonly title: string;
  readonly icon: string | null;
  /** Null removes the icon. */
  readonly onChoose: (icon: string | null) => void;
  readonly onClose: () => void;
};

export function IconPicker({ title, icon, onChoose, onClose }: IconPickerProps) {
  const [query, setQuery] = useState('');
  const [chosen, setChosen] = useState(() =>
    Math.max(
      0,
      PAGE_ICONS.findIndex(({ name }) => name === icon),
    ),
  );
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  const found = findIcons(PAGE_ICONS, query);
  const at = Math.min(chosen, found.length - 1);
  const active = found[at] === undefined ? undefined : `${id}-${found[at].name}`;
  const choose = (name: string | null) => {
    onClose();
    if (name !== icon) onChoose(name);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (isComposing(event.nativeEvent)) return;
    const next = stepInGrid(event.key, at, found.length, COLUMNS);
    if (next !== null) setChosen(next);
    else if (event.key === 'Enter' && found[at] !== undefined) choose(found[at].name);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog
      title={`Icon of “${title}”`}
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      focus={field}
      size="small"
    >
      <section className="icon-picker">
        <label className="icon-search">
          <Search className="icon" aria-hidden />
          <input
            ref={field}
            className="grow"
            role="combobox"
            aria-label="Search icons"
            aria-expanded
            aria-controls={`${id}-grid`}
            aria-activedescendant={active}
            aria-autocomplete="list"
            placeholder="Search icons"
            autoComplete="off"
            spellCheck={false}
            value={query}
            onChange={(event) => {
              setQuery(event.currentTarget.value);
              setChosen(0);
            }}
            onKeyDown={onKeyDown}
          />
        </label>
        <IconGrid id={id} icons={found} at={at} current={icon} onChoose={choose} />
        {found.length === 0 && <p className="icon-none">No matches</p>}
        <p role="status" className="sr-only">
          {found.length === 0 ? 'No matches' : counted(found.length, 'icon')}
        </p>
      </section>
      {icon !== null && (
        <footer>
          <Button onClick={() => choose(null)}>Remove icon</Button>
        </footer>
      )}
    </Dialog>
  );
}

type IconGridProps = {
  /** Each icon's id begins with it. */
  readonly id: string;
  readonly icons: typeof PAGE_ICONS;
  /** The index of the icon that Enter chooses. */
  readonly at: number;
  /** The page's icon. */
  readonly current: string | null;
  readonly onChoose: (name: string) => void;
};

const IconGrid = ({ id, icons, at, current, onChoose }: IconGridProps) => (
  <div
    id={`${id}-grid`}
    role="listbox"
    aria-label="Icons"
    className="icon-grid"
    style={{ '--columns': COLUMNS } satisfies CSSProperties}
  >
    {icons.map(({ name, Icon }, position) => (
      <button
        key={name}
        ref={position === at ? scrollIntoView : null}
        id={`${id}-${name}`}
        type="button"
        role="option"
        tabIndex={-1}
        aria-label={name.replaceAll('-', ' ')}
        title={name.replaceAll('-', ' ')}
        aria-selected={position === at}
        data-current={name === current || undefined}
        // The field keeps the focus.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => onChoose(name)}
      >
        <Icon className="icon" />
      </button>
    ))}
  </div>
);
