// Between ProseMirror's nodes and plain blocks: what is copied and what is pasted.
import { Fragment, type Mark, type Node, type Schema } from '@tiptap/pm/model';
import { type Block, MARKS, PLAIN, type Run, parseStyle } from '../document/block.ts';
import { parseLinkUrl } from '../document/link-url.ts';
import { BLOCK, CELL, DIVIDER, EMBED, FILE, IMAGE, MATH, ROW, TABLE } from '../document/names.ts';
import { newBlockId } from '../document/new-block-id.ts';
import { parseCard, parseDay, parseFile, parsePicture, parseTable } from '../document/parse-body.ts';
import { widthsOf } from '../document/table-grid.ts';
import type { Pasted, PastedTable } from './pasted-blocks.ts';
import { columnCount } from './table-place.ts';

export function blocksOfFragment(fragment: Fragment): readonly Block[] {
  const blocks: Block[] = [];
  fragment.forEach((node, at) => {
    const block = blockOfNode(node, { key: String(at), id: null });
    if (block !== null) blocks.push(block);
  });
  return blocks;
}

/** Null: something that no page holds by itself, or of which only its place is known here. */
function blockOfNode(node: Node, place: { readonly key: string; readonly id: null }): Block | null {
  switch (node.type.name) {
    case BLOCK:
      return { type: 'block', ...place, ...parseStyle(node.attrs), runs: runsOf(node) };
    case DIVIDER:
      return { type: 'divider', ...place };
    case IMAGE:
      return { type: 'image', ...place, ...parsePicture(node.attrs), runs: runsOf(node) };
    case FILE:
      return { type: 'file', ...place, ...parseFile(node.attrs) };
    case TABLE:
      return { type: 'table', ...place, ...parseTable(node.attrs), ...rowsOf(node) };
    case MATH:
      return { type: 'math', ...place, tex: node.textContent };
    case EMBED:
      return { type: 'embed', ...place, ...parseCard(node.attrs) };
    // Words of one cell.
    case CELL:
      return { type: 'block', ...place, ...parseStyle({}), runs: runsOf(node) };
    case 'text':
      return { type: 'block', ...place, ...parseStyle({}), runs: [runOf(node)] };
    default:
      return null;
  }
}

function rowsOf(table: Node) {
  const rows = childrenOf(table, ROW);
  const widths = rows.map((row) => childrenOf(row, CELL).map((cell): unknown => cell.attrs['width']));
  return { widths: widthsOf(widths, columnCount(table)), rows: rows.map(cellsOf) };
}

const cellsOf = (row: Node) => childrenOf(row, CELL).map((cell, at) => ({ key: String(at), runs: runsOf(cell) }));

function childrenOf(parent: Node, name: string): readonly Node[] {
  const children: Node[] = [];
  parent.forEach((child) => {
    if (child.type.name === name) children.push(child);
  });
  return children;
}

/** Each with a new id. */
export function nodesOfBlocks(schema: Schema, blocks: readonly Pasted[]): readonly Node[] {
  return blocks.map((block) => {
    const id = newBlockId();
    switch (block.type) {
      case 'divider':
        return schema.node(DIVIDER, { id });
      case 'embed':
        return schema.node(EMBED, { id, url: block.url, title: block.title === '' ? null : block.title });
      case 'image': {
        const { file, name, width, height, size } = block;
        const attributes = { id, file, name, width: width || null, height: height || null, size };
        return schema.node(IMAGE, attributes, inlineNodes(schema, block.runs, false));
      }
      case 'file': {
        const { file, name, bytes, mime } = block;
        return schema.node(FILE, { id, file, name, bytes, mime });
      }
      case 'table':
        return tableNode(schema, block);
      case 'block':
    }
    const { kind, level, indent, checked, language, tone } = block;
    // What has its usual value is not stored: each attribute is bytes in the log for ever.
    const attributes = {
      id,
      kind,
      level: kind === 'heading' ? level : null,
      indent: indent > 0 ? indent : null,
      checked: kind === 'task' && checked ? true : null,
      language: kind === 'code' ? language : null,
      tone: kind === 'callout' ? tone : null,
    };
    return schema.node(BLOCK, attributes, inlineNodes(schema, block.runs, kind === 'code'));
  });
}

function tableNode(schema: Schema, { headRow, headColumn, widths, rows }: PastedTable): Node {
  const cell = (runs: readonly Run[], width: number | null) =>
    schema.node(CELL, { width }, inlineNodes(schema, runs, false));
  const lines = rows.map((row, y) =>
    schema.node(
      ROW,
      null,
      row.map((runs, x) => cell(runs, y === 0 ? (widths[x] ?? null) : null)),
    ),
  );
  const heads = { headRow: headRow ? true : null, headColumn: headColumn ? true : null };
  return schema.node(TABLE, { id: newBlockId(), ...heads }, lines);
}

export function inlineNodes(schema: Schema, runs: readonly Run[], plain: boolean): Fragment {
  return Fragment.from(runs.map((run) => schema.text(run.text, plain ? [] : marksOf(schema, run))));
}

/** Where a mark that says more than its name keeps it. */
const FIELDS: Readonly<Record<string, string>> = { link: 'href', mention: 'user', date: 'day' };

function marksOf(schema: Schema, run: Run): Mark[] {
  return MARKS.flatMap((name) => {
    const value = run[name];
    if (value === false || value === null) return [];
    const field = FIELDS[name];
    return [schema.mark(name, field === undefined ? null : { [field]: value })];
  });
}

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
    link: parseLinkUrl(value('link', 'href')),
    mention: typeof user === 'string' ? user : null,
    date: parseDay(value('date', 'day')),
  };
}
