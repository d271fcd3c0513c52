// Puts pasted blocks where the caret is. What is large goes in several transactions, because one update has a limit;
// the caller makes them one undo step.
import { Fragment, type Node, type Schema, Slice } from '@tiptap/pm/model';
import { Selection, type Transaction } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';
import { isBlock, styleOf } from './block-at.ts';
import { askedFor, bytesOfNodes, bytesOfText } from './growth-guard.ts';
import { inlineNodes, nodesOfBlocks } from './node-blocks.ts';
import type { Pasted } from './pasted-blocks.ts';

/** UTF-16 units per transaction: at most three bytes each, well under the 256 KiB of sync.md. */
const CHUNK_UNITS = 80_000;
/** The same, with what a block or a mark adds to its words. */
const CHUNK_BYTES = 240_000;

export type Insertion = {
  /** What it adds to the page, estimated: the caller asks whether there is room. */
  readonly bytes: number;
  insertInto(view: EditorView): void;
};

/** Text as it is, line breaks included, into the block of the caret. */
export const textInsertion = (text: string): Insertion => ({
  bytes: bytesOfText(text),
  insertInto: (view) => insertText(view, text),
});

export function blocksInsertion(schema: Schema, blocks: readonly Pasted[]): Insertion {
  const [only, ...others] = blocks;
  if (only === undefined) return { bytes: 0, insertInto: () => undefined };
  if (others.length === 0 && only.type === 'block' && only.kind === 'paragraph') {
    const content = inlineNodes(schema, only.runs, false);
    return { bytes: bytesOfNodes(content), insertInto: (view) => insertInline(view, content) };
  }
  const nodes = nodesOfBlocks(schema, blocks);
  return { bytes: bytesOfNodes(nodes), insertInto: (view) => insertNodes(view, nodes) };
}

function insertText(view: EditorView, text: string): void {
  for (let at = 0; at < text.length;) {
    const end = wholeCharacters(text, at + CHUNK_UNITS);
    view.dispatch(askedFor(view.state.tr.insertText(text.slice(at, end))));
    at = end;
  }
  scrollToCaret(view);
}

function insertInline(view: EditorView, content: Fragment): void {
  for (const chunk of chunksOfText(content)) {
    const transaction = view.state.tr.replaceSelection(new Slice(chunk, 0, 0));
    view.dispatch(askedFor(transaction.setStoredMarks([])));
  }
  scrollToCaret(view);
}

/** Once, at the end: each time costs the layout of all that was inserted. */
const scrollToCaret = (view: EditorView) => view.dispatch(view.state.tr.scrollIntoView());

function insertNodes(view: EditorView, pasted: readonly Node[]): void {
  const gap = openGap(view.state.tr.deleteSelection(), pasted);
  let { transaction, at } = gap;
  for (const chunk of chunksOfNodes(gap.nodes)) {
    transaction.insert(chunk.isMore ? at - 1 : at, chunk.content);
    at += chunk.content.size;
    view.dispatch(askedFor(transaction));
    transaction = view.state.tr;
  }
  const last = gap.nodes.at(-1);
  if (gap.hasTail && isBlock(last)) transaction.join(at);
  const caret = transaction.doc.resolve(isBlock(last) ? at - 1 : at);
  view.dispatch(askedFor(transaction.setSelection(Selection.near(caret, -1)).scrollIntoView()));
}

type Gap = {
  readonly transaction: Transaction;
  /** Where the nodes go: a place between blocks. */
  readonly at: number;
  readonly nodes: readonly Node[];
  /** The words behind the caret became a block of their own, to be joined to the last one pasted. */
  readonly hasTail: boolean;
};

function openGap(transaction: Transaction, nodes: readonly Node[]): Gap {
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
  const [first, ...rest] = nodes;
  if (first === undefined || !isBlock(first) || styleOf(first).kind !== 'paragraph' || rest.length === 0) {
    return { transaction, at: $caret.pos + 1, nodes, hasTail };
  }
  transaction.insert($caret.pos, first.content);
  return { transaction, at: $caret.pos + first.content.size + 1, nodes: rest, hasTail };
}

type Chunk = { readonly content: Fragment; /** Goes on in the text of the block before. */ readonly isMore: boolean };

function* chunksOfNodes(nodes: readonly Node[]): Generator<Chunk> {
  let collected: Node[] = [];
  let bytes = 0;
  for (const node of nodes) {
    const weight = bytesOfNodes([node]);
    if (bytes > 0 && bytes + weight > CHUNK_BYTES) {
      yield { content: Fragment.from(collected), isMore: false };
      collected = [];
      bytes = 0;
    }
    const [head = Fragment.empty, ...more] = chunksOfText(node.content);
    collected.push(node.copy(head));
    bytes += weight;
    for (const content of more) {
      if (collected.length > 0) yield { content: Fragment.from(collected), isMore: false };
      collected = [];
      bytes = 0;
      yield { content, isMore: true };
    }
  }
  if (collected.length > 0) yield { content: Fragment.from(collected), isMore: false };
}

function chunksOfText(content: Fragment): readonly Fragment[] {
  if (content.size <= CHUNK_UNITS) return [content];
  const text = content.textBetween(0, content.size);
  const chunks: Fragment[] = [];
  for (let at = 0; at < content.size;) {
    const end = wholeCharacters(text, at + CHUNK_UNITS);
    chunks.push(content.cut(at, end));
    at = end;
  }
  return chunks;
}

/** Not between the two halves of a surrogate pair. */
function wholeCharacters(text: string, end: number): number {
  const code = text.charCodeAt(end);
  return code >= 0xdc00 && code <= 0xdfff ? end - 1 : Math.min(end, text.length);
}
