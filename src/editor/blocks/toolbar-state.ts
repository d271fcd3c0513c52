// The state of an editor that toolbars show: plain values, and a new object only when one of them changes.
import type { Editor } from '@tiptap/core';
import type { Marks, Style } from 'weft-document/blocks/block.ts';
import { parseLinkUrl } from 'weft-document/link-url.ts';
import { isCode, selectedBlocks, styleOf } from '../schema/block-at.ts';
import { useEditorValue } from './use-editor-value.ts';

/** The style of the first selected block, and the marks of the selected text. */
export type ToolbarState = Pick<Style, 'kind' | 'level' | 'tone'> &
  Omit<Marks, 'formula' | 'mention' | 'date'> & {
    readonly isFocused: boolean;
    readonly isEditable: boolean;
    readonly inCode: boolean;
  };

export const useToolbarState = (editor: Editor): ToolbarState => useEditorValue(editor, toolbarStateOf);

const last = new WeakMap<Editor, ToolbarState>();

function toolbarStateOf(editor: Editor): ToolbarState {
  const before = last.get(editor);
  if (editor.isDestroyed && before !== undefined) return before;
  const now = readToolbarState(editor);
  if (before !== undefined && JSON.stringify(before) === JSON.stringify(now)) return before;
  last.set(editor, now);
  return now;
}

function readToolbarState(editor: Editor): ToolbarState {
  const [block] = selectedBlocks(editor.state);
  const { kind, level, tone } = styleOf(block?.node ?? editor.state.doc);
  return {
    isFocused: editor.isFocused,
    isEditable: editor.isEditable,
    kind,
    level,
    tone,
    inCode: block !== undefined && isCode(block.node),
    bold: editor.isActive('bold'),
    italic: editor.isActive('italic'),
    underline: editor.isActive('underline'),
    strike: editor.isActive('strike'),
    code: editor.isActive('code'),
    highlight: editor.isActive('highlight'),
    link: parseLinkUrl(editor.getAttributes('link')['href']),
  };
}
