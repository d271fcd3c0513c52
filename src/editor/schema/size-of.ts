// The size of a part of a node, in positions of ProseMirror.
import type { Node } from '@tiptap/pm/model';

/** The size of some of a node's children: from an index up to another one. */
export function sizeOf(parent: Node, from: number, to: number): number {
  let size = 0;
  for (let index = from; index < Math.min(to, parent.childCount); index++) size += parent.child(index).nodeSize;
  return size;
}
