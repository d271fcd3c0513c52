// The bar for finding and replacing in the page. It keeps its text when it is closed and opened again without selected
// words.
import type { Editor } from '@tiptap/core';
import type { LucideIcon } from 'lucide-react';
import CaseSensitive from 'lucide-react/icons/case-sensitive';
import ChevronDown from 'lucide-react/icons/chevron-down';
import ChevronRight from 'lucide-react/icons/chevron-right';
import ChevronUp from 'lucide-react/icons/chevron-up';
import Regex from 'lucide-react/icons/regex';
import WholeWord from 'lucide-react/icons/whole-word';
import X from 'lucide-react/icons/x';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type * as Y from 'yjs';
import { isComposing } from '../../ui/browser/is-composing.ts';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { useEditorValue } from '../blocks/use-editor-value.ts';
import {
  FindRequest,
  type FindResult,
  find,
  findResultOf,
  goToNext,
  replaceAll,
  replaceOne,
  selectCurrent,
  showCurrent,
} from './find-in-page.ts';
import type { FindQuery } from './search-pattern.ts';
import './find-bar.css';

type FindBarProps = {
  readonly editor: Editor;
  readonly undo: Y.UndoManager;
  /** Dispatches `find` when the user asks for the bar. */
  readonly uiCommands: EventTarget;
  readonly editable: boolean;
};

const EMPTY_QUERY: FindQuery = { text: '', isRegex: false, isCaseSensitive: false, isWholeWord: false };

export function FindBar(props: FindBarProps) {
  const { editor, uiCommands } = props;
  const [query, setQuery] = useState(EMPTY_QUERY);
  /** Counts requests for the bar, so that each one puts the caret into its field; 0 while it is closed. */
  const [timesRequested, setTimesRequested] = useState(0);
  /** The text selected when the bar was closed. If it is still selected, it is not a new search. */
  const closedWith = useRef('');
  const takesFocus = useRef(true);
  useEffect(() => {
    const open = (event: Event) => {
      if (event instanceof FindRequest) {
        const asked = { ...EMPTY_QUERY, text: event.words };
        setQuery(asked);
        find(editor, asked, event.near);
        showCurrent(editor);
        // On a phone the keyboard would cover what a search of the workspace has found.
        takesFocus.current = !matchMedia('(pointer: coarse)').matches;
        setTimesRequested((times) => times + 1);
        return;
      }
      const selected = selectedWords(editor);
      const now =
        selected === '' || selected === closedWith.current ? query : { ...query, text: selected, isRegex: false };
      setQuery(now);
      find(editor, now);
      takesFocus.current = true;
      // Synchronously: the next key must already go to the field, not to the text.
      flushSync(() => setTimesRequested((times) => times + 1));
    };
    uiCommands.addEventListener('find', open);
    return () => uiCommands.removeEventListener('find', open);
  }, [editor, uiCommands, query]);
  const close = () => {
    selectCurrent(editor);
    closedWith.current = selectedWords(editor);
    find(editor, null);
    setTimesRequested(0);
    editor.view.focus();
  };
  const change = (part: Partial<FindQuery>) => {
    const now = { ...query, ...part };
    setQuery(now);
    find(editor, now);
    showCurrent(editor);
  };
  if (timesRequested === 0) return null;
  return <Bar {...props} {...{ query, timesRequested, takesFocus }} onChange={change} onClose={close} />;
}

type BarProps = FindBarProps & {
  readonly query: FindQuery;
  readonly timesRequested: number;
  readonly takesFocus: RefObject<boolean>;
  readonly onChange: (part: Partial<FindQuery>) => void;
  readonly onClose: () => void;
};

function Bar({ editor, undo, editable, query, timesRequested, takesFocus, onChange, onClose }: BarProps) {
  const found = useEditorValue(editor, foundIn);
  const count = found?.matches.length ?? 0;
  const [isReplacing, setReplacing] = useState(false);
  const [replacement, setReplacement] = useState('');
  /** True if nothing was typed into the fields since a replacement: then Ctrl-Z undoes it in the page. */
  const hasReplaced = useRef(false);
  const bar = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  useFieldFocus(field, { timesRequested, takesFocus, count });
  const go = (step: 1 | -1) => void goToNext(editor, step);
  const toggle = (choice: ChoiceName) => onChange({ ...query, [choice]: !query[choice] });
  useKeys(bar, (event) => {
    if (isComposing(event)) return;
    const choice = event.altKey ? CHOICES.find(({ code }) => code === event.code) : undefined;
    if (event.key === 'Escape') onClose();
    else if (event.key === 'Enter' && event.target === field.current) go(event.shiftKey ? -1 : 1);
    else if (choice !== undefined) toggle(choice.name);
    else if ((event.ctrlKey || event.metaKey) && event.key === 'f') field.current?.select();
    else if ((event.ctrlKey || event.metaKey) && event.key === 'g') go(event.shiftKey ? -1 : 1);
    else if ((event.ctrlKey || event.metaKey) && event.key === 'z' && hasReplaced.current) undo.undo();
    else return;
    event.preventDefault();
  });
  return (
    <div
      ref={bar}
      className="pop find-bar"
      role="search"
      aria-label="Find in this page"
      onInput={() => void (hasReplaced.current = false)}
    >
      <div className="find-row">
        {editable && (
          <IconButton
            label={isReplacing ? 'Hide replace' : 'Show replace'}
            aria-expanded={isReplacing}
            onClick={() => setReplacing(!isReplacing)}
          >
            {isReplacing ? <ChevronDown className="icon" size={16} /> : <ChevronRight className="icon" size={16} />}
          </IconButton>
        )}
        <input
          ref={field}
          type="text"
          aria-label="Find"
          placeholder="Find"
          value={query.text}
          spellCheck={false}
          aria-invalid={found?.problem != null}
          aria-describedby="find-state"
          onChange={(event) => onChange({ text: event.target.value })}
        />
        <Matches found={found} onGo={go} />
        <IconButton label="Close" onClick={onClose}>
          <X className="icon" size={16} />
        </IconButton>
      </div>
      <div className="find-row">
        {CHOICES.map(({ name, label, icon: Icon }) => (
          <IconButton key={name} label={label} aria-pressed={query[name]} onClick={() => toggle(name)}>
            <Icon className="icon" aria-hidden size={16} />
          </IconButton>
        ))}
        {found?.problem != null && <span className="find-problem">{found.problem}</span>}
      </div>
      {editable && isReplacing && (
        <ReplaceRow
          text={replacement}
          isDisabled={count === 0}
          onText={setReplacement}
          onReplace={(replace) => {
            replace(editor, undo, replacement);
            hasReplaced.current = true;
          }}
        />
      )}
    </div>
  );
}

type MatchesProps = { readonly found: FindResult | null; readonly onGo: (step: 1 | -1) => void };

function Matches({ found, onGo }: MatchesProps) {
  const isEmpty = found === null || found.matches.length === 0;
  return (
    <>
      <span id="find-state" className="find-count" role="status">
        {countWords(found)}
      </span>
      <IconButton label="Previous" disabled={isEmpty} onClick={() => onGo(-1)}>
        <ChevronUp className="icon" size={16} />
      </IconButton>
      <IconButton label="Next" disabled={isEmpty} onClick={() => onGo(1)}>
        <ChevronDown className="icon" size={16} />
      </IconButton>
    </>
  );
}

type ChoiceName = 'isCaseSensitive' | 'isWholeWord' | 'isRegex';

/** How the text is compared. Alt and the key with this code switch a choice as its button does. */
const CHOICES: readonly {
  readonly name: ChoiceName;
  readonly code: string;
  readonly label: string;
  readonly icon: LucideIcon;
}[] = [
  { name: 'isCaseSensitive', code: 'KeyC', label: 'Match case', icon: CaseSensitive },
  { name: 'isWholeWord', code: 'KeyW', label: 'Whole words', icon: WholeWord },
  { name: 'isRegex', code: 'KeyR', label: 'Regular expression', icon: Regex },
];

type ReplaceRowProps = {
  readonly text: string;
  readonly isDisabled: boolean;
  readonly onText: (text: string) => void;
  readonly onReplace: (replace: typeof replaceOne | typeof replaceAll) => void;
};

const ReplaceRow = ({ text, isDisabled, onText, onReplace }: ReplaceRowProps) => (
  <form
    className="find-row"
    onSubmit={(event) => {
      event.preventDefault();
      onReplace(replaceOne);
    }}
  >
    <input
      type="text"
      aria-label="Replace with"
      placeholder="Replace with"
      value={text}
      onChange={(event) => onText(event.target.value)}
    />
    <Button type="submit" size="small" disabled={isDisabled}>
      Replace
    </Button>
    <Button size="small" disabled={isDisabled} onClick={() => onReplace(replaceAll)}>
      All
    </Button>
  </form>
);

type FieldFocus = Pick<BarProps, 'timesRequested' | 'takesFocus'> & { readonly count: number };

/**
 * The field takes the focus on each request for the bar, if `takesFocus`, and when the focused button becomes disabled.
 */
function useFieldFocus(field: RefObject<HTMLInputElement | null>, { timesRequested, takesFocus, count }: FieldFocus) {
  useLayoutEffect(() => {
    if (timesRequested === 0 || !takesFocus.current) return;
    field.current?.focus();
    field.current?.select();
  }, [field, timesRequested, takesFocus]);
  // If a focused button becomes disabled, the keyboard has no focus at all.
  useLayoutEffect(() => {
    if (count === 0 && document.activeElement?.matches('.find-bar :disabled') === true) field.current?.focus();
  }, [field, count]);
}

function useKeys(element: RefObject<HTMLElement | null>, onKey: (event: KeyboardEvent) => void): void {
  useEffect(() => {
    const here = element.current;
    here?.addEventListener('keydown', onKey);
    return () => here?.removeEventListener('keydown', onKey);
  });
}

const foundIn = ({ state }: Editor) => findResultOf(state);

function countWords(found: FindResult | null): string {
  if (found === null || found.query.text === '') return '';
  if (found.problem !== null) return 'Invalid pattern';
  if (found.matches.length === 0) return 'No matches';
  return `${found.at + 1} of ${found.matches.length}`;
}

/** The text selected within one block, as the text to find. */
function selectedWords({ state }: Editor): string {
  const { from, to, $from, $to } = state.selection;
  if (!$from.sameParent($to) || !$from.parent.isTextblock) return '';
  const text = state.doc.textBetween(from, to);
  return text.includes('\n') ? '' : text;
}
