// Screen positions of text, in pixels from the corner of a layer.
import type { EditorView } from '@tiptap/pm/view';
import { shownPosition } from '../math/inline-formulas.ts';

export type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

/** The caret at a position, as a box without width. Null while the text has no layout. */
export function caretBox(view: EditorView, layer: DOMRect, at: number): Box | null {
  try {
    const { left, top, bottom } = view.coordsAtPos(shownPosition(view.state, at), -1);
    return { x: left - layer.left, y: top - layer.top, width: 0, height: bottom - top };
  } catch {
    return null;
  }
}

/** One box per line of a range of text. */
export function lineBoxes(view: EditorView, layer: DOMRect, from: number, to: number): readonly Box[] {
  try {
    const range = document.createRange();
    const start = view.domAtPos(from, 1);
    const end = view.domAtPos(to, -1);
    range.setStart(start.node, start.offset);
    range.setEnd(end.node, end.offset);
    return mergeLines(
      Array.from(range.getClientRects()).filter((rect) => rect.width > 0),
      layer,
    );
  } catch {
    return [];
  }
}

function mergeLines(rects: readonly DOMRect[], layer: DOMRect): readonly Box[] {
  const lines: { left: number; right: number; top: number; bottom: number }[] = [];
  for (const { left, right, top, bottom } of rects) {
    const line = lines.find((one) => Math.min(one.bottom, bottom) - Math.max(one.top, top) > (bottom - top) / 2);
    if (line === undefined) lines.push({ left, right, top, bottom });
    else {
      line.left = Math.min(line.left, left);
      line.right = Math.max(line.right, right);
      line.bottom = Math.max(line.bottom, bottom);
    }
  }
  return lines.map(({ left, right, top, bottom }) => ({
    x: left - layer.left,
    y: top - layer.top,
    width: right - left,
    height: bottom - top,
  }));
}
