// Converts between ProseMirror nodes and plain blocks, for copy and paste.
import { Fragment, type Mark, type Node, type Schema } from '@tiptap/pm/model';
import { attributesOf } from 'weft-document/blocks/block-attributes.ts';
import { type Block, type Run, parseStyle } from 'weft-document/blocks/block.ts';
import { type DetachedBlock, type DetachedTable, plainRun } from 'weft-document/blocks/detached-block.ts';
import { markAttributes } from 'weft-document/blocks/mark-attributes.ts';
import { marksOf as parseMarks, parseNode } from 'weft-document/body/parse-body.ts';
import { BLOCK, CELL, IMAGE, MATH, ROW, TABLE } from 'weft-document/names.ts';
import { newBlockId } from 'weft-document/new-block-id.ts';

export function blocksOfFragment(fragment: Fragment): readonly Block[] {
  const blocks: Block[] = [];
  fragment.forEach((node, at) => {
    const block = blockOfNode(node, String(at));
    if (block !== null) blocks.push(block);
  });
  return blocks;
}

/** Null for a node that cannot stand alone on a page, or whose content is unknown here. */
function blockOfNode(node: Node, key: string): Block | null {
  const runs = () => (node.isText ? [runOf(node)] : runsOf(node));
  // Text of one cell, or of a part of a block.
  if (node.isText || node.type.name === CELL) return { type: 'block', key, id: null, ...parseStyle({}), runs: runs() };
  const cells = () => childrenOf(node, ROW).map(cellsOf);
  const block = parseNode(node.type.name, { key, attributes: node.attrs, runs, cells, text: () => '' });
  return block.type === 'unknown' ? null : { ...block, id: null };
}

const cellsOf = (row: Node) =>
  childrenOf(row, CELL).map((cell, at) => ({ key: String(at), attributes: cell.attrs, runs: runsOf(cell) }));

function childrenOf(parent: Node, name: string): readonly Node[] {
  const children: Node[] = [];
  parent.forEach((child) => {
    if (child.type.name === name) children.push(child);
  });
  return children;
}

/** Each node gets a new id. */
export function nodesOfBlocks(schema: Schema, blocks: readonly DetachedBlock[]): readonly Node[] {
  return blocks.map((block) => {
    const attributes = { ...attributesOf(block), id: newBlockId() };
    switch (block.type) {
      case 'block':
        return schema.node(BLOCK, attributes, inlineNodes(schema, block.runs, block.kind === 'code'));
      case 'image':
        return schema.node(IMAGE, attributes, inlineNodes(schema, block.runs, false));
      case 'math':
        return schema.node(MATH, attributes, inlineNodes(schema, [plainRun(block.tex)], true));
      case 'table':
        return schema.node(TABLE, attributes, rowNodes(schema, block));
      case 'divider':
      case 'file':
      case 'embed':
      case 'subpages':
        return schema.node(block.type, attributes);
    }
  });
}

/** The cells of the first row store what belongs to their columns. */
const rowNodes = (schema: Schema, { rows, widths = [], alignments = [] }: DetachedTable): Node[] =>
  rows.map((row, y) => {
    const attributesAt = (x: number) =>
      y === 0 ? { width: widths[x] ?? null, align: alignments[x] ?? null } : { width: null, align: null };
    const cells = row.map(({ runs }, x) => schema.node(CELL, attributesAt(x), inlineNodes(schema, runs, false)));
    return schema.node(ROW, null, cells);
  });

export function inlineNodes(schema: Schema, runs: readonly Run[], plain: boolean): Fragment {
  const words = runs.filter((run) => run.text !== '');
  return Fragment.from(words.map((run) => schema.text(run.text, plain ? [] : marksOf(schema, run))));
}

const marksOf = (schema: Schema, run: Run): Mark[] =>
  Object.entries(markAttributes(run)).map(([name, attributes]) => schema.mark(name, { ...attributes }));

function runsOf(block: Node): readonly Run[] {
  const runs: Run[] = [];
  block.forEach((node) => runs.push(runOf(node)));
  return runs;
}

const runOf = ({ text = '', marks }: Node): Run => ({
  text,
  ...parseMarks(Object.fromEntries(marks.map(({ type, attrs }) => [type.name, attrs]))),
});
