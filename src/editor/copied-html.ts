// Blocks as HTML that any other program reads well, with each block's own attributes beside it for the way back.
import type { DocumentId } from '../protocol/ids.ts';
import {
  type Block,
  type FileBlock,
  type ImageBlock,
  PLAIN,
  type Run,
  type Style,
  type TableBlock,
  type TextBlock,
} from '../document/block.ts';

const ITEMS: Readonly<Record<string, 'ul' | 'ol'>> = { bullet: 'ul', task: 'ul', numbered: 'ol' };

/** Lists become nested lists, headings headings (the page's title being the first level), code `pre`. */
export function htmlOfBlocks(blocks: readonly Block[], from: DocumentId | null = null): DocumentFragment {
  const html = document.createDocumentFragment();
  // The lists that are open, outermost first; each entry is for one step of indent.
  const lists: { readonly element: HTMLElement; readonly indent: number }[] = [];
  for (const block of blocks) {
    const list = block.type === 'block' ? ITEMS[block.kind] : undefined;
    if (block.type !== 'block' || list === undefined) {
      lists.length = 0;
      html.append(elementOf(block, from));
      continue;
    }
    while ((lists.at(-1)?.indent ?? -1) > block.indent) lists.pop();
    const open = lists.at(-1);
    if (open === undefined || open.indent < block.indent || open.element.localName !== list) {
      if (open?.indent === block.indent) lists.pop();
      const parent: Node = lists.at(-1)?.element.lastElementChild ?? html;
      const element = document.createElement(list);
      parent.appendChild(element);
      lists.push({ element, indent: block.indent });
    }
    lists.at(-1)?.element.append(elementOf(block, from));
  }
  return html;
}

function elementOf(block: Block, from: DocumentId | null): HTMLElement {
  if (block.type === 'image' || block.type === 'file') return fileElement(block, from);
  if (block.type !== 'block') return otherElement(block);
  const element = emptyElement(block);
  const { kind, level, indent, checked, language, tone } = block;
  element.setAttribute('data-weft', JSON.stringify({ kind, level, indent, checked, language, tone } satisfies Style));
  const target = kind === 'code' ? element.appendChild(document.createElement('code')) : element;
  for (const run of block.runs) target.append(kind === 'code' ? run.text : inlineOf(run));
  return element;
}

/** For others the caption or the name; for a page of ours which file of which page it is. */
function fileElement(block: ImageBlock | FileBlock, from: DocumentId | null): HTMLElement {
  const element = document.createElement(block.type === 'image' ? 'figure' : 'p');
  const { key: _key, id: _id, ...rest } = block;
  element.setAttribute('data-weft-file', JSON.stringify({ ...rest, runs: undefined, document: from }));
  if (block.type === 'file') element.append(block.name);
  else element.appendChild(document.createElement('figcaption')).append(...block.runs.map(inlineOf));
  return element;
}

/** As others read it best. */
function otherElement(block: Exclude<Block, TextBlock | ImageBlock | FileBlock>): HTMLElement {
  const element = document.createElement(block.type === 'divider' ? 'hr' : block.type === 'table' ? 'table' : 'p');
  switch (block.type) {
    case 'math':
      element.append(block.tex);
      break;
    case 'embed':
      element.append(
        inlineOf({ ...PLAIN, text: block.title === '' ? (block.url ?? '') : block.title, link: block.url }),
      );
      break;
    case 'table':
      fillTable(element, block);
      break;
    case 'divider':
    case 'unknown':
  }
  return element;
}

function fillTable(element: HTMLElement, { headRow, headColumn, widths, rows }: TableBlock): void {
  element.setAttribute('data-weft', JSON.stringify({ headRow, headColumn, widths }));
  const body = element.appendChild(document.createElement('tbody'));
  for (const [y, row] of rows.entries()) {
    const line = body.appendChild(document.createElement('tr'));
    for (let x = 0; x < widths.length; x++) {
      const head = headRow && y === 0 ? 'col' : headColumn && x === 0 ? 'row' : null;
      const cell = line.appendChild(document.createElement(head === null ? 'td' : 'th'));
      if (head !== null) cell.setAttribute('scope', head);
      cell.append(...(row[x]?.runs ?? []).map(inlineOf));
    }
  }
}

function emptyElement({ kind, level, checked }: TextBlock): HTMLElement {
  if (kind === 'heading') return document.createElement(`h${level + 1}`);
  if (kind === 'code') return document.createElement('pre');
  if (kind === 'quote') return document.createElement('blockquote');
  if (ITEMS[kind] === undefined) return document.createElement('p');
  const item = document.createElement('li');
  if (kind === 'task') {
    const box = item.appendChild(document.createElement('input'));
    box.type = 'checkbox';
    box.toggleAttribute('checked', checked);
  }
  return item;
}

function inlineOf(run: Run): Node {
  let node: Node = linesOf(run.text);
  const wrap = (name: string): HTMLElement => {
    const element = document.createElement(name);
    element.append(node);
    node = element;
    return element;
  };
  if (run.code) wrap('code');
  if (run.highlight) wrap('mark');
  if (run.strike) wrap('s');
  if (run.underline) wrap('u');
  if (run.italic) wrap('em');
  if (run.bold) wrap('strong');
  if (run.link !== null) wrap('a').setAttribute('href', run.link);
  return node;
}

function linesOf(text: string): Node {
  const lines = document.createDocumentFragment();
  text.split('\n').forEach((line, at) => {
    if (at > 0) lines.append(document.createElement('br'));
    lines.append(line);
  });
  return lines;
}
