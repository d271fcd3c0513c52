// Converts positions between ProseMirror and Yjs. y-tiptap's own functions walk through the page from its first block,
// for each position, several times per key. Here a position in text is found through its block or cell.
import { Node } from '@tiptap/pm/model';
import { type EditorState, TextSelection } from '@tiptap/pm/state';
import {
  type ProsemirrorBinding,
  absolutePositionToRelativePosition,
  relativePositionToAbsolutePosition,
} from '@tiptap/y-tiptap';
import * as Y from 'yjs';
import { PageNodeMap } from '../schema/unknown-node.ts';
import { absoluteByIndex, hasLooseContent, relativeByIndex } from './positions-beside-loose.ts';

/**
 * `at` is a position in `page`, and the binding must know its nodes. Throws or is wrong while the mapping is behind.
 */
export function toRelativePosition({ type, mapping }: ProsemirrorBinding, page: Node, at: number): Y.RelativePosition {
  const { parent, parentOffset } = page.resolve(at);
  const element = parent.isTextblock && mapping instanceof PageNodeMap ? mapping.elementOf(parent) : null;
  const text = element === null ? null : onlyText(element);
  if (text !== null) return Y.createRelativePositionFromTypeIndex(text, parentOffset, -1);
  return hasLooseContent(type)
    ? relativeByIndex(type, page, at)
    : absolutePositionToRelativePosition(at, type, mapping);
}

/** Null if the content at that position is not in the document. `page` is the page whose nodes the binding knows. */
export function toAbsolutePosition(
  binding: ProsemirrorBinding,
  page: Node,
  position: Y.RelativePosition,
): number | null {
  const found = Y.createAbsolutePositionFromRelativePosition(position, binding.doc);
  const start = found?.type instanceof Y.XmlText ? startOf(binding, page, found.type) : null;
  if (found === null || start === null) {
    // While the page lacks blocks of the document, only a position in a block that is drawn can be found.
    if (binding.mapping instanceof PageNodeMap && !binding.mapping.isWhole) return null;
    if (found !== null && hasLooseContent(binding.type)) return absoluteByIndex(binding.type, page, found);
    return relativePositionToAbsolutePosition(binding.doc, binding.type, position, binding.mapping);
  }
  // Same rule as y-tiptap: after blocks move, a position can resolve to the start of the page, where it never was.
  return position.item !== null && start + found.index <= 1 ? null : start + found.index;
}

/** The selection that the binding stores before the document changes. */
export function relativeSelection(binding: ProsemirrorBinding, state: EditorState) {
  const { selection, doc } = state;
  const { anchor, head } = selection;
  const at = toRelativePosition(binding, doc, head);
  return {
    type: selection instanceof TextSelection ? 'text' : 'other',
    depth: undefined,
    anchor: anchor === head ? at : toRelativePosition(binding, doc, anchor),
    head: at,
    absAnchor: anchor,
    absHead: head,
  };
}

/** The position before the first letter; null if the path from the page down to the text is not certain. */
function startOf({ type, mapping }: ProsemirrorBinding, page: Node, text: Y.XmlText): number | null {
  if (!(mapping instanceof PageNodeMap)) return null;
  let start = 0;
  let below: Y.XmlText | Y.XmlElement = text;
  while (below.parent !== type) {
    const element: unknown = below.parent;
    if (!(element instanceof Y.XmlElement) || (below === text && onlyText(element) !== text)) return null;
    const node = mapping.get(element);
    const above = element.parent === type ? page : mapping.get(element.parent ?? element);
    if (!(node instanceof Node) || !(above instanceof Node) || mapping.elementOf(node) !== element) return null;
    const offset = offsetOf(above, node);
    if (offset === null) return null;
    start += offset + 1;
    below = element;
  }
  return start;
}

function offsetOf(parent: Node, child: Node): number | null {
  let offset = 0;
  for (const one of parent.children) {
    if (one === child) return offset;
    offset += one.nodeSize;
  }
  return null;
}

/** Null for a block with several texts: two people began it at once with an older app. */
function onlyText(element: Y.XmlElement): Y.XmlText | null {
  const text: unknown = element.length === 1 ? element.get(0) : null;
  return text instanceof Y.XmlText ? text : null;
}
