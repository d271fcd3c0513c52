// The selected text as the history names texts: by block, part and offsets.
import type { Editor } from '@tiptap/core';
import type { Node } from '@tiptap/pm/model';
import { bodyParts } from 'weft-document/body-parts.ts';
import { OWN_TEXT, type TextPart, cellPart } from 'weft-document/changes/text-part.ts';
import { bodyOf } from 'weft-document/names.ts';
import type * as Y from 'yjs';

export type SelectedText = {
  /** The block's key: the Yjs id of its element. */
  readonly key: string;
  readonly part: TextPart;
  /** All text of the part, and the selected range of it, in UTF-16 units. */
  readonly text: string;
  readonly from: number;
  readonly to: number;
};

export function selectedTexts({ state: { doc: page, selection } }: Editor, doc: Y.Doc): readonly SelectedText[] {
  const parts = bodyParts(bodyOf(doc));
  const found: SelectedText[] = [];
  const add = (node: Node, at: number, key: string, part: TextPart) => {
    const text = node.textContent;
    for (const { $from, $to } of selection.ranges) {
      const offset = (position: number) => Math.max(0, Math.min(text.length, position - at - 1));
      const [from, to] = [offset($from.pos), offset($to.pos)];
      if (from < to) found.push({ key, part, text, from, to });
    }
  };
  page.forEach((block, at, index) => {
    const item = parts[index]?.element?._item;
    if (item === undefined || item === null || at >= selection.to || at + block.nodeSize <= selection.from) return;
    const key = `${item.id.client}.${item.id.clock}`;
    if (block.isTextblock) add(block, at, key, OWN_TEXT);
    else {
      block.forEach((row, rowAt, y) => {
        row.forEach((cell, cellAt, x) => add(cell, at + 1 + rowAt + 1 + cellAt, key, cellPart(y, x)));
      });
    }
  });
  return found;
}
