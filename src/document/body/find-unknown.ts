// Finds content that this version's editor cannot represent. The binding of y-tiptap deletes it for everyone, even in a
// read-only editor (T4 in docs/losses.md). Ours shows an unsupported block instead and never changes what is in it.
import * as Y from 'yjs';
import { MARKS } from '../blocks/block.ts';
import { CELL, ROW, contentOf } from '../names.ts';
import { markName, deltaOf } from './parse-body.ts';

/** Describes the first thing that the editor's schema lacks, or null if all of it can be bound. */
export function findUnknown(nodes: readonly unknown[]): string | null {
  for (const node of nodes) {
    const found = unknownIn(node);
    if (found !== null) return found;
  }
  return null;
}

/** The same check for one node of the body. */
export function unknownIn(node: unknown): string | null {
  if (!(node instanceof Y.XmlElement)) return 'text between blocks';
  return node.nodeName === ROW || node.nodeName === CELL ? `node ${node.nodeName} in the body` : unknownInside(node);
}

function unknownInside(node: Y.XmlElement): string | null {
  const content = contentOf(node.nodeName);
  if (content === null) return `node ${node.nodeName}`;
  if (content === 'nothing') return node.length === 0 ? null : `content in a ${node.nodeName}`;
  for (const child of node.toArray()) {
    const found = content === 'text' ? unknownInText(child) : unknownChild(child, content);
    if (found !== null) return found;
  }
  return null;
}

function unknownChild(child: unknown, expected: string): string | null {
  const isExpected = child instanceof Y.XmlElement && child.nodeName === expected;
  return isExpected ? unknownInside(child) : `something else than a ${expected}`;
}

function unknownInText(child: unknown): string | null {
  if (!(child instanceof Y.XmlText)) return 'node in a block';
  for (const { insert, attributes } of deltaOf(child)) {
    if (typeof insert !== 'string') return 'object in a text';
    const mark = Object.keys(attributes ?? {}).find((name) => !MARKS.some((known) => known === markName(name)));
    if (mark !== undefined) return `mark ${mark}`;
  }
  return null;
}
