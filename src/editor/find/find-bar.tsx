// The bar for finding and replacing in the page. It keeps its text when it is closed and opened again.
import type { Editor } from '@tiptap/core';
import CaseSensitive from 'lucide-react/icons/case-sensitive';
import ChevronDown from 'lucide-react/icons/chevron-down';
import ChevronRight from 'lucide-react/icons/chevron-right';
import ChevronUp from 'lucide-react/icons/chevron-up';
import type { LucideIcon } from 'lucide-react';
import Regex from 'lucide-react/icons/regex';
import WholeWord from 'lucide-react/icons/whole-word';
import X from 'lucide-react/icons/x';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type * as Y from 'yjs';
import { isComposing } from '../../ui/browser/is-composing.ts';
import { Button, IconButton } from '../../ui/controls/button.tsx';
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
import { useEditorValue } from '../blocks/use-editor-value.ts';
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
  /** Counts requests for the bar, so that each one puts the caret into its field. */
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
  const [isReplacing, setReplacing] = useState(false);
  const [replacement, setReplacement] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (timesRequested === 0 || !takesFocus.current) return;
    field.current?.focus();
    field.current?.select();
  }, [timesRequested, takesFocus]);
  const count = found?.matches.length ?? 0;
  /** True if nothing was typed into the fields since a replacement: then Ctrl-Z undoes it in the page. */
  const hasReplaced = useRef(false);
  // If a focused button becomes disabled, the keyboard has no focus at all.
  useLayoutEffect(() => {
    if (count === 0 && document.activeElement?.matches('.find-bar :disabled') === true) field.current?.focus();
  }, [count]);
  const go = (step: 1 | -1) => void goToNext(editor, step);
  const onKey = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    const isField = event.target === field.current;
    const letter = event.altKey ? event.code : '';
    if (event.key === 'Escape') onClose();
    else if (event.key === 'Enter' && isField) go(event.shiftKey ? -1 : 1);
    else if (letter === 'KeyC') onChange({ isCaseSensitive: !query.isCaseSensitive });
    else if (letter === 'KeyW') onChange({ isWholeWord: !query.isWholeWord });
    else if (letter === 'KeyR') onChange({ isRegex: !query.isRegex });
    else if ((event.ctrlKey || event.metaKey) && event.key === 'f') field.current?.select();
    else if ((event.ctrlKey || event.metaKey) && event.key === 'g') go(event.shiftKey ? -1 : 1);
    else if ((event.ctrlKey || event.metaKey) && event.key === 'z' && hasReplaced.current) undo.undo();
    else return;
    event.preventDefault();
  };
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const here = bar.current;
    here?.addEventListener('keydown', onKey);
    return () => here?.removeEventListener('keydown', onKey);
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
        <span id="find-state" className="find-count" role="status">
          {countWords(found)}
        </span>
        <IconButton label="Previous" disabled={count === 0} onClick={() => go(-1)}>
          <ChevronUp className="icon" size={16} />
        </IconButton>
        <IconButton label="Next" disabled={count === 0} onClick={() => go(1)}>
          <ChevronDown className="icon" size={16} />
        </IconButton>
        <IconButton label="Close" onClick={onClose}>
          <X className="icon" size={16} />
        </IconButton>
      </div>
      <div className="find-row">
        <Choice
          label="Match case"
          icon={CaseSensitive}
          on={query.isCaseSensitive}
          set={(isCaseSensitive) => onChange({ isCaseSensitive })}
        />
        <Choice
          label="Whole words"
          icon={WholeWord}
          on={query.isWholeWord}
          set={(isWholeWord) => onChange({ isWholeWord })}
        />
        <Choice label="Regular expression" icon={Regex} on={query.isRegex} set={(isRegex) => onChange({ isRegex })} />
        {found?.problem != null && <span className="find-problem">{found.problem}</span>}
      </div>
      {editable && isReplacing && (
        <form
          className="find-row"
          onSubmit={(event) => {
            event.preventDefault();
            replaceOne(editor, undo, replacement);
            hasReplaced.current = true;
          }}
        >
          <input
            type="text"
            aria-label="Replace with"
            placeholder="Replace with"
            value={replacement}
            onChange={(event) => setReplacement(event.target.value)}
          />
          <Button type="submit" size="small" disabled={count === 0}>
            Replace
          </Button>
          <Button
            size="small"
            disabled={count === 0}
            onClick={() => {
              replaceAll(editor, undo, replacement);
              hasReplaced.current = true;
            }}
          >
            All
          </Button>
        </form>
      )}
    </div>
  );
}

type ChoiceProps = {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly on: boolean;
  readonly set: (on: boolean) => void;
};

const Choice = ({ label, icon: Icon, on, set }: ChoiceProps) => (
  <IconButton label={label} aria-pressed={on} onClick={() => set(!on)}>
    <Icon className="icon" aria-hidden size={16} />
  </IconButton>
);

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
