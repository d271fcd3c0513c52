// The bar at selected text for people who may comment and not write.
import type { Editor } from '@tiptap/core';
import { useFloatAtText } from '../floating/use-float-at-text.ts';
import { AT_SELECTION, keepSelection } from './at-selection.ts';
import { CommentButton } from './comment-button.tsx';
import { useSettledSelection } from './settled-selection.ts';
import './bars.css';

type CommentBarProps = { readonly editor: Editor; readonly comment: () => void };

export function CommentBar({ editor, comment }: CommentBarProps) {
  const isSettled = useSettledSelection(editor);
  const bar = useFloatAtText(editor, AT_SELECTION);
  if (!isSettled) return null;
  return (
    <div
      ref={bar}
      className="at-text pop selection-bar comment-bar"
      role="toolbar"
      aria-label="Selected text"
      onMouseDown={keepSelection}
    >
      <CommentButton comment={comment} />
    </div>
  );
}
