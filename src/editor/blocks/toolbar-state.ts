// The state of an editor that toolbars show: plain values, and a new object only when one of them changes.
import type { Editor } from '@tiptap/core';
import { useCallback, useSyncExternalStore } from 'react';
import { type Kind, type Tone } from '../../document/blocks/block.ts';
import { parseLinkUrl } from '../../document/link-url.ts';
import { isCode, selectedBlocks, styleOf } from '../schema/block-at.ts';

export type ToolbarState = {
  readonly isFocused: boolean;
  readonly isEditable: boolean;
  /** The attributes of the first selected block. */
  readonly kind: Kind;
  readonly level: 1 | 2 | 3;
  readonly tone: Tone;
  readonly inCode: boolean;
  readonly bold: boolean;
  readonly italic: boolean;
  readonly underline: boolean;
  readonly strike: boolean;
  readonly code: boolean;
  readonly highlight: boolean;
  readonly link: string | null;
};

export function useToolbarState(editor: Editor): ToolbarState {
  const subscribe = useCallback(
    (run: () => void) => {
      const events = ['transaction', 'focus', 'blur', 'update'] as const;
      for (const event of events) editor.on(event, run);
      return () => {
        for (const event of events) editor.off(event, run);
      };
    },
    [editor],
  );
  return useSyncExternalStore(subscribe, () => toolbarStateOf(editor));
}

const last = new WeakMap<Editor, ToolbarState>();

function toolbarStateOf(editor: Editor): ToolbarState {
  const before = last.get(editor);
  if (editor.isDestroyed && before !== undefined) return before;
  const facts = readToolbarState(editor);
  if (before !== undefined && JSON.stringify(before) === JSON.stringify(facts)) return before;
  last.set(editor, facts);
  return facts;
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
