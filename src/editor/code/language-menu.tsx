// A searchable list of languages for a code block. It opens at the block's header and closes with a choice, Escape or a
// click elsewhere.
import { type KeyboardEvent, useId, useState } from 'react';
import { searchLanguages } from 'weft-document/code-languages.ts';
import { isComposing } from '../../ui/browser/is-composing.ts';
import { PopoverAtElement } from '../../ui/floating/popover.tsx';
import './language-menu.css';

type LanguageMenuProps = {
  readonly anchor: Element;
  /** Null means plain text. */
  readonly onChoose: (language: string | null) => void;
  readonly onClose: () => void;
};

type Choice = { readonly id: string | null; readonly name: string };

export function LanguageMenu({ anchor, onChoose, onClose }: LanguageMenuProps) {
  const [query, setQuery] = useState('');
  const [active, setActive] = useState(0);
  const list = useId();
  const choices = choicesFor(query);
  const choose = (choice: Choice | undefined) => {
    if (choice === undefined) return;
    onChoose(choice.id);
    onClose();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return;
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) setActive((active + step + choices.length) % Math.max(1, choices.length));
    else if (event.key === 'Enter') choose(choices[active]);
    else return;
    event.preventDefault();
  };
  return (
    <PopoverAtElement label="Code language" anchor={anchor} className="menu language-menu" onClose={onClose}>
      <input
        className="input"
        role="combobox"
        aria-label="Search languages"
        aria-expanded
        aria-controls={list}
        aria-activedescendant={choices[active] === undefined ? undefined : `${list}-${active}`}
        placeholder="Search languages"
        autoComplete="off"
        spellCheck={false}
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={list} role="listbox" aria-label="Languages">
        {choices.map((choice, at) => (
          <button
            type="button"
            key={choice.name}
            id={`${list}-${at}`}
            role="option"
            tabIndex={-1}
            aria-selected={at === active}
            className="menu-item"
            data-highlighted={at === active ? '' : undefined}
            ref={at === active ? showInList : undefined}
            onPointerMove={() => setActive(at)}
            onClick={() => choose(choice)}
          >
            {choice.name}
          </button>
        ))}
      </div>
      {choices.length === 0 && <p className="menu-label">No matches</p>}
    </PopoverAtElement>
  );
}

function choicesFor(query: string): readonly Choice[] {
  const plain: Choice = { id: null, name: 'Plain text' };
  const isPlain = 'plain text'.includes(query.trim().toLowerCase());
  return [...(isPlain ? [plain] : []), ...searchLanguages(query)];
}

const showInList = (item: HTMLElement | null) => item?.scrollIntoView({ block: 'nearest' });
