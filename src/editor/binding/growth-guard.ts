// Refuses local edits that would make a full page larger (WF007), before they reach the document. Deleting, removing
// formatting and undo stay possible.
import { Extension } from '@tiptap/core';
import type { Fragment, Node } from '@tiptap/pm/model';
import { Plugin, type Transaction } from '@tiptap/pm/state';
import { AddMarkStep } from '@tiptap/pm/transform';
import type { Session } from 'weft-sync/session/session-api.ts';
import { comesFromDocument } from './binding-of.ts';

/**
 * The size of a block besides its text: element, id, kind, text node. Measured with 20,000 short lines: 77 bytes each.
 */
const BLOCK_BYTES = 100;
/** The start and end of a mark. */
const MARK_BYTES = 40;

/** Set on a transaction whose size was already checked and allowed as a whole. */
const GROWTH_ALLOWED = 'growthAllowed';
export const allowGrowth = (transaction: Transaction): Transaction => transaction.setMeta(GROWTH_ALLOWED, true);

export const growthGuard = (session: Session) =>
  Extension.create({
    name: 'growthGuard',
    priority: 950,
    addProseMirrorPlugins: () => [
      new Plugin({
        filterTransaction(transaction) {
          if (!transaction.docChanged || comesFromDocument(transaction)) return true;
          if (transaction.getMeta(GROWTH_ALLOWED) === true) return true;
          // Deleting everything leaves one empty block, which must stay possible.
          if (transaction.before.childCount === 0 && transaction.doc.content.size <= 2) return true;
          const bytes = growthOf(transaction);
          return bytes <= 0 || session.mayGrow(bytes);
        },
      }),
    ],
  });

/** Estimated bytes that a transaction adds; zero or less if it removes content. */
function growthOf({ before, doc, steps }: Transaction): number {
  const marks = steps.filter((step) => step instanceof AddMarkStep).length * MARK_BYTES;
  const blocks = Math.max(0, doc.childCount - before.childCount) * BLOCK_BYTES;
  return doc.content.size - before.content.size + blocks + marks;
}

/** Estimated bytes of nodes that are about to be inserted. */
export function bytesOfNodes(nodes: Fragment | readonly Node[]): number {
  let bytes = 0;
  const addBytesOf = (node: Node) => {
    bytes += node.isText ? bytesOfText(node.text ?? '') : BLOCK_BYTES;
    for (const mark of node.marks) bytes += MARK_BYTES + JSON.stringify(mark.attrs).length;
    node.content.forEach(addBytesOf);
  };
  nodes.forEach((node: Node) => addBytesOf(node));
  return bytes;
}

/** The length in UTF-8. */
export function bytesOfText(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    // Each half of a surrogate pair counts for two of its four bytes.
    if (code > 0x7f) bytes += code > 0x7ff && (code < 0xd800 || code > 0xdfff) ? 2 : 1;
  }
  return bytes;
}
