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
import { useCallback, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import type * as Y from 'yjs';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import {
  type FindResult,
  find,
  findResultOf,
  goToNext,
  replaceAll,
  replaceOne,
  selectCurrent,
  showCurrent,
} from './find-in-page.ts';
import type { SearchQuery } from './search-pattern.ts';
import './find-bar.css';

type FindBarProps = {
  readonly editor: Editor;
  readonly undo: Y.UndoManager;
  /** Dispatches `find` when the user asks for the bar. */
  readonly uiCommands: EventTarget;
  readonly editable: boolean;
};

const EMPTY_QUERY: SearchQuery = { text: '', isRegex: false, isCaseKept: false, isWholeWord: false };

export function FindBar(props: FindBarProps) {
  const { editor, uiCommands } = props;
  const [wanted, setWanted] = useState(EMPTY_QUERY);
  /** Counts requests for the bar, so that each one puts the caret into its field. */
  const [timesRequested, setAsked] = useState(0);
  /** The text selected when the bar was closed. If it is still selected, it is not a new search. */
  const closedWith = useRef('');
  useEffect(() => {
    const open = () => {
      const selected = selectedWords(editor);
      const now =
        selected === '' || selected === closedWith.current ? wanted : { ...wanted, text: selected, isRegex: false };
      setWanted(now);
      find(editor, now);
      // Synchronously: the next key must already go to the field, not to the text.
      flushSync(() => setAsked((times) => times + 1));
    };
    uiCommands.addEventListener('find', open);
    return () => uiCommands.removeEventListener('find', open);
  }, [editor, uiCommands, wanted]);
  const close = () => {
    selectCurrent(editor);
    closedWith.current = selectedWords(editor);
    find(editor, null);
    setAsked(0);
    editor.view.focus();
  };
  const want = (change: Partial<SearchQuery>) => {
    const now = { ...wanted, ...change };
    setWanted(now);
    find(editor, now);
    showCurrent(editor);
  };
  if (timesRequested === 0) return null;
  return <Bar {...props} wanted={wanted} asked={timesRequested} onWant={want} onClose={close} />;
}

type BarProps = FindBarProps & {
  readonly wanted: SearchQuery;
  readonly asked: number;
  readonly onWant: (change: Partial<SearchQuery>) => void;
  readonly onClose: () => void;
};

function Bar({ editor, undo, editable, wanted, asked, onWant, onClose }: BarProps) {
  const found = useFound(editor);
  const [isReplacing, setReplacing] = useState(false);
  const [by, setBy] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (asked === 0) return;
    field.current?.focus();
    field.current?.select();
  }, [asked]);
  const count = found?.matches.length ?? 0;
  /** True if nothing was typed into the fields since a replacement: then Ctrl-Z undoes it in the page. */
  const hasReplaced = useRef(false);
  // If a focused button becomes disabled, the keyboard has no focus at all.
  useLayoutEffect(() => {
    if (count === 0 && document.activeElement?.matches('.find-bar :disabled') === true) field.current?.focus();
  }, [count]);
  const go = (step: 1 | -1) => void goToNext(editor, step);
  const onKey = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const isField = event.target === field.current;
    const letter = event.altKey ? event.code : '';
    if (event.key === 'Escape') onClose();
    else if (event.key === 'Enter' && isField) go(event.shiftKey ? -1 : 1);
    else if (letter === 'KeyC') onWant({ isCaseKept: !wanted.isCaseKept });
    else if (letter === 'KeyW') onWant({ isWholeWord: !wanted.isWholeWord });
    else if (letter === 'KeyR') onWant({ isRegex: !wanted.isRegex });
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
          value={wanted.text}
          spellCheck={false}
          aria-invalid={found?.problem != null}
          aria-describedby="find-state"
          onChange={(event) => onWant({ text: event.target.value })}
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
          on={wanted.isCaseKept}
          set={(isCaseKept) => onWant({ isCaseKept })}
        />
        <Choice
          label="Whole words"
          icon={WholeWord}
          on={wanted.isWholeWord}
          set={(isWholeWord) => onWant({ isWholeWord })}
        />
        <Choice label="Regular expression" icon={Regex} on={wanted.isRegex} set={(isRegex) => onWant({ isRegex })} />
        {found?.problem != null && <span className="find-problem">{found.problem}</span>}
      </div>
      {editable && isReplacing && (
        <form
          className="find-row"
          onSubmit={(event) => {
            event.preventDefault();
            replaceOne(editor, undo, by);
            hasReplaced.current = true;
          }}
        >
          <input
            type="text"
            aria-label="Replace with"
            placeholder="Replace with"
            value={by}
            onChange={(event) => setBy(event.target.value)}
          />
          <Button type="submit" size="small" disabled={count === 0}>
            Replace
          </Button>
          <Button
            size="small"
            disabled={count === 0}
            onClick={() => {
              replaceAll(editor, undo, by);
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

function useFound(editor: Editor): FindResult | null {
  const subscribe = useCallback(
    (run: () => void) => {
      editor.on('transaction', run);
      return () => {
        editor.off('transaction', run);
      };
    },
    [editor],
  );
  return useSyncExternalStore(subscribe, () => findResultOf(editor.state));
}

function countWords(found: FindResult | null): string {
  if (found === null || found.wanted.text === '') return '';
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
