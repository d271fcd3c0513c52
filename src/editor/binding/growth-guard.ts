// A page that is full takes no growth (WF007): what would make it larger is refused before it reaches the document.
// Deleting, taking formatting away, and undo stay possible.
import { Extension } from '@tiptap/core';
import type { Fragment, Node } from '@tiptap/pm/model';
import { Plugin, type Transaction } from '@tiptap/pm/state';
import { AddMarkStep } from '@tiptap/pm/transform';
import type { Session } from '../../sync/session/session-api.ts';
import { comesFromDocument } from './binding-of.ts';

/** What a block adds to its words: itself, its id and kind, its text. Measured with 20,000 short lines: 77 B each. */
const BLOCK_BYTES = 100;
/** A mark's beginning and end. */
const MARK_BYTES = 40;

/** On transactions of an insertion that was asked for as a whole. */
const ASKED = 'growthAskedFor';
export const askedFor = (transaction: Transaction): Transaction => transaction.setMeta(ASKED, true);

export const growthGuard = (session: Session) =>
  Extension.create({
    name: 'growthGuard',
    priority: 950,
    addProseMirrorPlugins: () => [
      new Plugin({
        filterTransaction(transaction) {
          if (!transaction.docChanged || comesFromDocument(transaction)) return true;
          if (transaction.getMeta(ASKED) === true) return true;
          // Who deletes everything is left one empty block.
          if (transaction.before.childCount === 0 && transaction.doc.content.size <= 2) return true;
          const bytes = growthOf(transaction);
          return bytes <= 0 || session.mayGrow(bytes);
        },
      }),
    ],
  });

/** Bytes that a transaction adds, estimated; zero or less when it takes away. */
function growthOf({ before, doc, steps }: Transaction): number {
  const marks = steps.filter((step) => step instanceof AddMarkStep).length * MARK_BYTES;
  const blocks = Math.max(0, doc.childCount - before.childCount) * BLOCK_BYTES;
  return doc.content.size - before.content.size + blocks + marks;
}

/** Bytes that nodes about to be inserted add, estimated. */
export function bytesOfNodes(nodes: Fragment | readonly Node[]): number {
  let bytes = 0;
  const weigh = (node: Node) => {
    bytes += node.isText ? bytesOfText(node.text ?? '') : BLOCK_BYTES;
    for (const mark of node.marks) bytes += MARK_BYTES + JSON.stringify(mark.attrs).length;
    node.content.forEach(weigh);
  };
  nodes.forEach((node: Node) => weigh(node));
  return bytes;
}

/** In UTF-8. */
export function bytesOfText(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    // Each half of a surrogate pair counts two of its four bytes.
    if (code > 0x7f) bytes += code > 0x7ff && (code < 0xd800 || code > 0xdfff) ? 2 : 1;
  }
  return bytes;
}
