// The bar beside selected text: turn into, marks, link, who wrote it, comment. It does not cover the selection, and
// only its form for a link takes the focus. At a caret it shows that form alone, when someone asks for it.
import type { Editor } from '@tiptap/core';
import ChevronDown from 'lucide-react/icons/chevron-down';
import Link from 'lucide-react/icons/link';
import UserPen from 'lucide-react/icons/user-pen';
import { useEffect, useState } from 'react';
import { IconButton } from '../../ui/controls/button.tsx';
import { kindName } from '../blocks/block-kinds.ts';
import { useToolbarState } from '../blocks/toolbar-state.ts';
import { useFloatAtText } from '../floating/use-float-at-text.ts';
import { selectForLink, setLink } from '../links/link-commands.ts';
import { LinkForm } from '../links/link-form.tsx';
import type { PageName } from '../typed-menu/mention-names.ts';
import { AT_SELECTION, keepSelection } from './at-selection.ts';
import { CommentButton } from './comment-button.tsx';
import { MarkButtons } from './mark-buttons.tsx';
import { useSettledSelection } from './settled-selection.ts';
import { TurnMenu } from './turn-menu.tsx';
import type { WordQuestions } from './word-questions.ts';
import './bars.css';

type SelectionBarProps = {
  readonly editor: Editor;
  /** Dispatches `link` when someone asks for the form of a link. */
  readonly uiCommands: EventTarget;
  /** A link can go to these. */
  readonly pages: readonly PageName[];
  /** Null where the page has no history. */
  readonly questions: WordQuestions | null;
  /** Null where the person may not comment. */
  readonly comment: (() => void) | null;
};

export function SelectionBar({ editor, uiCommands, pages, questions, comment }: SelectionBarProps) {
  const facts = useToolbarState(editor);
  const isSettled = useSettledSelection(editor);
  const [isLinking, setLinking] = useState(false);
  /** Whether the form is for a caret. */
  const [isAtCaret, setAtCaret] = useState(false);
  useEffect(() => {
    const ask = () => {
      setLinking(true);
      setAtCaret(editor.state.selection.empty);
    };
    uiCommands.addEventListener('link', ask);
    return () => uiCommands.removeEventListener('link', ask);
  }, [editor, uiCommands]);
  useEffect(() => {
    if (!isLinking || !isAtCaret) return undefined;
    // The form took the focus when it was drawn, so this is someone who writes on in the text.
    const leave = () => setLinking(false);
    editor.on('focus', leave);
    return () => void editor.off('focus', leave);
  }, [editor, isLinking, isAtCaret]);
  const bar = useFloatAtText(editor, AT_SELECTION);
  if (!isSettled && !(isLinking && isAtCaret)) {
    if (isLinking && editor.state.selection.empty) setLinking(false);
    return null;
  }
  const close = () => {
    setLinking(false);
    editor.view.focus();
  };
  const set = (href: string | null, text?: string) => {
    setLink(href, text)(editor.state, editor.view.dispatch);
    close();
  };
  return (
    <div
      ref={bar}
      className="at-text pop selection-bar"
      role="toolbar"
      aria-label={isAtCaret && isLinking ? 'New link' : 'Selected text'}
      onMouseDown={keepSelection}
    >
      {isLinking ? (
        <LinkForm href={facts.link} pages={pages} onSet={set} onClose={close} />
      ) : (
        <>
          <TurnMenu
            editor={editor}
            trigger={
              <button type="button" className="turn-into" aria-label={`Turn into, now ${kindName(facts)}`}>
                {kindName(facts)} <ChevronDown aria-hidden size={14} />
              </button>
            }
          />
          <span className="bar-gap" />
          <MarkButtons editor={editor} toolbar={facts} names={['bold', 'italic', 'strike', 'code', 'highlight']} />
          <span className="bar-gap" />
          <IconButton
            label="Link"
            aria-pressed={facts.link !== null}
            disabled={facts.inCode}
            onClick={() => {
              if (!selectForLink(editor.state, editor.view.dispatch)) return;
              setLinking(true);
              setAtCaret(false);
            }}
          >
            <Link className="icon" aria-hidden size={16} />
          </IconButton>
          {questions !== null && (
            <IconButton label="Who wrote this?" onClick={() => questions.ask(editor, false)}>
              <UserPen className="icon" aria-hidden size={16} />
            </IconButton>
          )}
          {comment !== null && <CommentButton comment={comment} />}
        </>
      )}
    </div>
  );
}
