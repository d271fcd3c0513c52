// Says what in a body this app could not hold in its editor. The binding deletes such nodes and texts for everybody,
// even in a read-only editor (T4), so nothing is bound, and a bound editor lets go, before it sees them.
import * as Y from 'yjs';
import { MARKS } from './block.ts';
import { BLOCK, DIVIDER } from './names.ts';
import { markName } from './parse-body.ts';

/** What the first thing is that the editor's schema lacks, or null when all of it can be bound. */
export function findUnknown(nodes: readonly unknown[]): string | null {
  for (const node of nodes) {
    const found = unknownIn(node);
    if (found !== null) return found;
  }
  return null;
}

function unknownIn(node: unknown): string | null {
  if (!(node instanceof Y.XmlElement)) return 'text between blocks';
  if (node.nodeName === DIVIDER) return node.length === 0 ? null : 'content in a divider';
  if (node.nodeName !== BLOCK) return `node ${node.nodeName}`;
  for (const child of node.toArray()) {
    if (!(child instanceof Y.XmlText)) return `node in a block`;
    for (const { insert, attributes } of child.toDelta() as readonly { insert: unknown; attributes?: object }[]) {
      if (typeof insert !== 'string') return 'object in a text';
      const mark = Object.keys(attributes ?? {}).find((name) => !MARKS.some((known) => known === markName(name)));
      if (mark !== undefined) return `mark ${mark}`;
    }
  }
  return null;
}
