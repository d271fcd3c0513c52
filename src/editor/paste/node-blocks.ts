// Converts between ProseMirror nodes and plain blocks, for copy and paste.
import { Fragment, type Mark, type Node, type Schema } from '@tiptap/pm/model';
import { attributesOf } from 'weft-document/blocks/block-attributes.ts';
import { type Block, PLAIN, type Run, parseStyle } from 'weft-document/blocks/block.ts';
import { markAttributes } from 'weft-document/blocks/mark-attributes.ts';
import { parseLinkUrl } from 'weft-document/link-url.ts';
import { type DetachedBlock, type DetachedTable, plainRun } from 'weft-document/blocks/detached-block.ts';
import { BLOCK, CELL, DIVIDER, EMBED, FILE, IMAGE, MATH, ROW, SUBPAGES, TABLE } from 'weft-document/names.ts';
import { newBlockId } from 'weft-document/new-block-id.ts';
import { parseEmbed, parseDay, parseFile, parseImage, parseTable } from 'weft-document/body/parse-body.ts';
import { columnsOfNode } from '../schema/table-position.ts';

export function blocksOfFragment(fragment: Fragment): readonly Block[] {
  const blocks: Block[] = [];
  fragment.forEach((node, at) => {
    const block = blockOfNode(node, { key: String(at), id: null });
    if (block !== null) blocks.push(block);
  });
  return blocks;
}

/** Null for a node that cannot stand alone on a page, or whose content is unknown here. */
function blockOfNode(node: Node, keys: { readonly key: string; readonly id: null }): Block | null {
  switch (node.type.name) {
    case BLOCK:
      return { type: 'block', ...keys, ...parseStyle(node.attrs), runs: runsOf(node) };
    case DIVIDER:
      return { type: 'divider', ...keys };
    case IMAGE:
      return { type: 'image', ...keys, ...parseImage(node.attrs), runs: runsOf(node) };
    case FILE:
      return { type: 'file', ...keys, ...parseFile(node.attrs) };
    case TABLE:
      return { type: 'table', ...keys, ...parseTable(node.attrs), ...rowsOf(node) };
    case MATH:
      return { type: 'math', ...keys, tex: node.textContent };
    case EMBED:
      return { type: 'embed', ...keys, ...parseEmbed(node.attrs) };
    case SUBPAGES:
      return { type: 'subpages', ...keys };
    // Text of one cell.
    case CELL:
      return { type: 'block', ...keys, ...parseStyle({}), runs: runsOf(node) };
    case 'text':
      return { type: 'block', ...keys, ...parseStyle({}), runs: [runOf(node)] };
    default:
      return null;
  }
}

const rowsOf = (table: Node) => ({ ...columnsOfNode(table), rows: childrenOf(table, ROW).map(cellsOf) });

const cellsOf = (row: Node) => childrenOf(row, CELL).map((cell, at) => ({ key: String(at), runs: runsOf(cell) }));

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

function runOf(node: Node): Run {
  const has = (name: string) => node.marks.some((mark) => mark.type.name === name);
  const value = (name: string, field: string): unknown =>
    node.marks.find((mark) => mark.type.name === name)?.attrs[field];
  const user = value('mention', 'user');
  return {
    ...PLAIN,
    text: node.text ?? '',
    bold: has('bold'),
    italic: has('italic'),
    underline: has('underline'),
    strike: has('strike'),
    code: has('code'),
    highlight: has('highlight'),
    formula: has('formula'),
    link: parseLinkUrl(value('link', 'href')),
    mention: typeof user === 'string' ? user : null,
    date: parseDay(value('date', 'day')),
  };
}
