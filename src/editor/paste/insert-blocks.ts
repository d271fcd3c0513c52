// Inserts pasted blocks at the caret in one transaction, whatever the size, or in the place of selected blocks in two.
// The session splits what is too large for one edit (SZ1 in src/sync/SPEC.md).
import { type Fragment, type Node, type Schema, Slice } from '@tiptap/pm/model';
import { Selection, TextSelection, type Transaction } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';
import { BLOCK, FILE, IMAGE } from 'weft-document/names.ts';
import { allowGrowth, bytesOfNodes, bytesOfText } from '../binding/growth-guard.ts';
import { BlockSelection } from '../blocks/block-selection.ts';
import type { PastedBlock } from '../html/pasted-block.ts';
import { isBlock, styleOf } from '../schema/block-at.ts';
import { inlineNodes, nodesOfBlocks } from './node-blocks.ts';

export type Insertion = {
  /** Estimated bytes that it adds to the page. The caller checks whether there is room. */
  readonly bytes: number;
  insertInto(view: EditorView): void;
};

/** Inserts text as it is, with line breaks, into the block of the caret. */
export const textInsertion = (text: string): Insertion => ({
  bytes: bytesOfText(text),
  insertInto: (view) => insert(view, view.state.tr.insertText(text)),
});

/** `areWhole`: they were copied as blocks, not as a range of text, and are joined to nothing. */
export function blocksInsertion(schema: Schema, blocks: readonly PastedBlock[], areWhole = false): Insertion {
  const [only, ...others] = blocks;
  if (only === undefined) return { bytes: 0, insertInto: () => undefined };
  const insertion = (bytes: number, insertText: (view: EditorView) => void): Insertion => ({
    bytes,
    insertInto(view) {
      const { selection } = view.state;
      if (selection instanceof BlockSelection) replaceBlocks(view, selection, nodesOfBlocks(schema, blocks));
      else insertText(view);
    },
  });
  if (!areWhole && others.length === 0 && only.type === 'block' && only.kind === 'paragraph') {
    const content = inlineNodes(schema, only.runs, false);
    return insertion(bytesOfNodes(content), (view) => insert(view, withInline(view.state.tr, content)));
  }
  const nodes = nodesOfBlocks(schema, blocks);
  return insertion(bytesOfNodes(nodes), (view) => insert(view, withNodes(view.state.tr, nodes, areWhole)));
}

/**
 * Puts the nodes in the place of selected blocks. In two transactions: in one, the comparison with the document would
 * write the new words into the old blocks, beside the characters that someone types there.
 */
function replaceBlocks(view: EditorView, { from, to }: BlockSelection, nodes: readonly Node[]): void {
  view.dispatch(allowGrowth(view.state.tr.insert(to, nodes)));
  const { tr } = view.state;
  tr.delete(from, to);
  const end = from + nodes.reduce((sum, node) => sum + node.nodeSize, 0);
  view.dispatch(tr.setSelection(Selection.near(tr.doc.resolve(end), -1)).scrollIntoView());
}

/** A single transaction: each further one would lay out the paragraph again, which takes minutes for five megabytes. */
const insert = (view: EditorView, transaction: Transaction) => view.dispatch(allowGrowth(transaction.scrollIntoView()));

const withInline = (transaction: Transaction, content: Fragment): Transaction =>
  transaction.replaceSelection(new Slice(content, 0, 0)).setStoredMarks([]);

function withNodes(begun: Transaction, pasted: readonly Node[], areWhole: boolean): Transaction {
  const { transaction, at, nodes, hasTail } = openGap(begun.deleteSelection(), pasted, areWhole);
  transaction.insert(at, nodes);
  const end = nodes.reduce((sum, node) => sum + node.nodeSize, at);
  const last = nodes.at(-1);
  if (hasTail && isBlock(last)) transaction.join(end);
  if (last !== undefined && FILES.has(last.type.name)) return belowFile(transaction, end);
  const caret = transaction.doc.resolve(isBlock(last) ? end - 1 : end);
  return transaction.setSelection(Selection.near(caret, -1));
}

const FILES: ReadonlySet<string> = new Set([IMAGE, FILE]);

/** The next text is not a caption: the caret goes into the block below, which is added if there is none. */
function belowFile(transaction: Transaction, end: number): Transaction {
  if (transaction.doc.nodeAt(end)?.type.name !== BLOCK) {
    transaction.insert(end, transaction.doc.type.schema.node(BLOCK));
  }
  return transaction.setSelection(TextSelection.create(transaction.doc, end + 1));
}

type Gap = {
  readonly transaction: Transaction;
  /** The position between blocks where the nodes are inserted. */
  readonly at: number;
  readonly nodes: readonly Node[];
  /** True if the text after the caret became a separate block, to be joined to the last pasted one. */
  readonly hasTail: boolean;
};

function openGap(transaction: Transaction, nodes: readonly Node[], areWhole: boolean): Gap {
  const $caret = transaction.selection.$from;
  if ($caret.depth === 0) return { transaction, at: $caret.pos, nodes, hasTail: false };
  const { parent, parentOffset } = $caret;
  const start = $caret.before();
  if (parent.content.size === 0) {
    return { transaction: transaction.delete(start, $caret.after()), at: start, nodes, hasTail: false };
  }
  if (parentOffset === 0) return { transaction, at: start, nodes, hasTail: false };
  const hasTail = parentOffset < parent.content.size;
  if (hasTail) transaction.split($caret.pos, 1, [{ type: parent.type, attrs: { ...parent.attrs, id: null } }]);
  if (areWhole) return { transaction, at: $caret.pos + 1, nodes, hasTail: false };
  const [first, ...rest] = nodes;
  if (first === undefined || !isBlock(first) || styleOf(first).kind !== 'paragraph' || rest.length === 0) {
    return { transaction, at: $caret.pos + 1, nodes, hasTail };
  }
  transaction.insert($caret.pos, first.content);
  return { transaction, at: $caret.pos + first.content.size + 1, nodes: rest, hasTail };
}
