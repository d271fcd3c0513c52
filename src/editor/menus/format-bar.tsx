// The bar above the on-screen keyboard of a phone; CSS hides it on wide screens.
import type { Editor } from '@tiptap/core';
import GripVertical from 'lucide-react/icons/grip-vertical';
import IndentDecrease from 'lucide-react/icons/indent-decrease';
import IndentIncrease from 'lucide-react/icons/indent-increase';
import Link from 'lucide-react/icons/link';
import ListTodo from 'lucide-react/icons/list-todo';
import MessageSquare from 'lucide-react/icons/message-square';
import Pilcrow from 'lucide-react/icons/pilcrow';
import Plus from 'lucide-react/icons/plus';
import Undo2 from 'lucide-react/icons/undo-2';
import { type MouseEvent, useState } from 'react';
import type * as Y from 'yjs';
import { useKeyboardHeight } from '../../ui/browser/use-keyboard-height.ts';
import { IconButton } from '../../ui/controls/button.tsx';
import { shiftIndent, toggleKind } from '../blocks/block-commands.ts';
import { useToolbarState } from '../blocks/toolbar-state.ts';
import { selectForLink } from '../links/link-commands.ts';
import { InsertMenu } from './insert-menu.tsx';
import { MarkButtons } from './mark-buttons.tsx';
import { TurnMenu } from './turn-menu.tsx';
import './bars.css';

type FormatBarProps = {
  readonly editor: Editor;
  readonly undo: Y.UndoManager;
  readonly uiCommands: EventTarget;
  /** Null where the person may not comment. */
  readonly comment: (() => void) | null;
};

export function FormatBar({ editor, undo, uiCommands, comment }: FormatBarProps) {
  const toolbar = useToolbarState(editor);
  useKeyboardHeight();
  // A menu of the bar takes the focus from the text: the bar must not leave with its menu.
  const [isMenuOpen, setMenuOpen] = useState(false);
  if (!(toolbar.isFocused || isMenuOpen) || !toolbar.isEditable) return null;
  const isList = toolbar.kind === 'bullet' || toolbar.kind === 'numbered' || toolbar.kind === 'task';
  return (
    <div className="format-bar" role="toolbar" aria-label="Format" onMouseDown={keepFocus}>
      <TurnMenu
        editor={editor}
        onOpenChange={setMenuOpen}
        trigger={
          <IconButton label="Turn into">
            <Pilcrow className="icon" aria-hidden size={18} />
          </IconButton>
        }
      />
      <IconButton label="Move or change this block" onClick={() => uiCommands.dispatchEvent(new Event('blockMenu'))}>
        <GripVertical className="icon" aria-hidden size={18} />
      </IconButton>
      <InsertMenu
        editor={editor}
        onOpenChange={setMenuOpen}
        trigger={
          <IconButton label="Insert" disabled={toolbar.inCode}>
            <Plus className="icon" aria-hidden size={18} />
          </IconButton>
        }
      />
      <IconButton label="Undo" onClick={() => undo.undo()}>
        <Undo2 className="icon" aria-hidden size={18} />
      </IconButton>
      {comment !== null && (
        <IconButton label="Comment" onClick={comment}>
          <MessageSquare className="icon" aria-hidden size={18} />
        </IconButton>
      )}
      {/* Before what fits only on a wider phone. */}
      {isList && (
        <>
          <IconButton label="Outdent" onClick={() => shiftIndent(-1)(editor.state, editor.view.dispatch)}>
            <IndentDecrease className="icon" aria-hidden size={18} />
          </IconButton>
          <IconButton label="Indent" onClick={() => shiftIndent(1)(editor.state, editor.view.dispatch)}>
            <IndentIncrease className="icon" aria-hidden size={18} />
          </IconButton>
        </>
      )}
      <MarkButtons editor={editor} toolbar={toolbar} names={['bold', 'italic']} />
      <IconButton
        label="Link"
        aria-pressed={toolbar.link !== null}
        onClick={() => {
          if (selectForLink(editor.state, editor.view.dispatch)) uiCommands.dispatchEvent(new Event('link'));
        }}
      >
        <Link className="icon" aria-hidden size={18} />
      </IconButton>
      <IconButton
        label="Task"
        aria-pressed={toolbar.kind === 'task'}
        onClick={() => toggleKind({ kind: 'task' })(editor.state, editor.view.dispatch)}
      >
        <ListTodo className="icon" aria-hidden size={18} />
      </IconButton>
    </div>
  );
}

const keepFocus = (event: MouseEvent) => event.preventDefault();
