// HTML from anywhere as plain blocks: what a page can hold is kept, the rest is let go. Loads nothing, not even images.
import { MAX_INDENT, PLAIN, type Run, type Style, parseStyle } from '../document/block.ts';
import { parseLinkUrl } from '../document/link-url.ts';
import { parseFile, parsePicture } from '../document/parse-body.ts';
import { type DocumentId, parseDocumentId } from '../protocol/ids.ts';
import { isData, linesOfGrid, pastedTable, tableLines } from './pasted-table.ts';

/** One of ours, copied on a page of Weft: `document` says which one it belongs to. */
export type PastedFile =
  | (ReturnType<typeof parsePicture> & {
      readonly type: 'image';
      readonly document: DocumentId | null;
      readonly runs: readonly Run[];
    })
  | (ReturnType<typeof parseFile> & { readonly type: 'file'; readonly document: DocumentId | null });

/** `rows` of cells, each with its words; of equal length. */
export type PastedTable = {
  readonly type: 'table';
  readonly headRow: boolean;
  readonly headColumn: boolean;
  readonly widths: readonly (number | null)[];
  readonly rows: readonly (readonly (readonly Run[])[])[];
};
/** `embed`: a picture from elsewhere, which is not loaded: a card that leads to it. */
export type Pasted =
  | { readonly type: 'divider' }
  | { readonly type: 'embed'; readonly url: string; readonly title: string }
  | PastedFile
  | PastedTable
  | (Style & { readonly type: 'block'; readonly runs: readonly Run[] });

type Marks = Omit<Run, 'text'>;

const PARAGRAPH: Style = parseStyle({});
const ITEMS: readonly string[] = ['bullet', 'numbered', 'task'];
const SKIPPED = new Set(
  'SCRIPT,STYLE,TEMPLATE,HEAD,META,LINK,TITLE,NOSCRIPT,IFRAME,OBJECT,EMBED,SVG,MATH,CANVAS,VIDEO,AUDIO,SELECT,TEXTAREA,BUTTON,INPUT'.split(
    ',',
  ),
);
const INLINE = new Set(
  'A,ABBR,ACRONYM,B,BDI,BDO,BIG,BR,CITE,CODE,DATA,DEL,DFN,EM,FONT,I,IMG,INS,KBD,LABEL,MARK,Q,S,SAMP,SMALL,SPAN,STRIKE,STRONG,SUB,SUP,TIME,TT,U,VAR,WBR'.split(
    ',',
  ),
);

/** The blocks of a pasted document or fragment, in order. A table that is too large becomes lines: that is told. */
export function pastedBlocks(root: ParentNode, tellTooLarge: () => void = () => undefined): readonly Pasted[] {
  const blocks: Pasted[] = [];
  const writer = makeWriter(blocks, tellTooLarge);
  for (const node of root.childNodes) walk(node, PARAGRAPH, PLAIN, writer);
  writer.begin(PARAGRAPH);
  return blocks;
}

/** Collects runs until the next block begins. */
function makeWriter(blocks: Pasted[], tellTooLarge: () => void) {
  let runs: Run[] = [];
  let style = PARAGRAPH;
  let isKept = false;
  return {
    /** `keepEmpty`: the block stands even without words. */
    begin(next: Style, keepEmpty = false) {
      const trimmed = style.kind === 'code' ? trimCode(runs) : trimSpaces(runs);
      if (trimmed.length > 0 || isKept) blocks.push({ type: 'block', ...style, runs: trimmed });
      runs = [];
      style = next;
      isKept = keepEmpty;
    },
    add(text: string, marks: Marks) {
      if (text !== '') runs.push({ text, ...marks });
    },
    /** Whether the block begun with this very style is open and has no words yet. */
    isStill: (begun: Style): boolean => style === begun && runs.every((run) => run.text.trim() === ''),
    tellTooLarge,
    /** Something that is no text. */
    put(block: Exclude<Pasted, { readonly type: 'block' }>) {
      blocks.push(block);
    },
    addCard(url: string, title: string) {
      blocks.push({ type: 'embed', url, title });
    },
    /** A file, with what was written since as its caption. */
    addFile(file: PastedFile) {
      const caption = trimSpaces(runs);
      runs = [];
      blocks.push(file.type === 'image' ? { ...file, runs: caption } : file);
    },
  };
}
type Writer = ReturnType<typeof makeWriter>;

function walk(node: Node, style: Style, marks: Marks, writer: Writer): void {
  if (node.nodeType === Node.TEXT_NODE) {
    const text = (node.textContent ?? '').replace(/\r\n?/g, '\n');
    writer.add(style.kind === 'code' ? text : text.replace(/[ \t\n\f]+/g, ' '), marks);
    return;
  }
  if (!(node instanceof Element)) return;
  const name = node.tagName.toUpperCase();
  if (SKIPPED.has(name) || node.getAttribute('aria-hidden') === 'true') return;
  if (name === 'BR') writer.add('\n', marks);
  // Nothing remote is loaded by pasting: of a picture among words its description stays, of one by itself a card.
  else if (name === 'IMG') walkImage(node, marks, writer);
  else if (INLINE.has(name)) walkChildren(node, style, marksOf(node, name, marks), writer);
  else if (name === 'TABLE' && isData(node)) {
    const table = pastedTable(node, cellRuns);
    writer.begin(style);
    if (table !== null) writer.put(table);
    else {
      // Larger than a table may be: each row becomes a line, nothing is lost.
      writer.tellTooLarge();
      for (const line of tableLines(node, cellRuns)) {
        writer.begin(PARAGRAPH, true);
        for (const run of line) writer.add(run.text, run);
      }
    }
    writer.begin(after(style));
  } else {
    walkBlock(node, name, style, marks, writer);
    writer.begin(after(style));
  }
}

function walkImage(node: Element, marks: Marks, writer: Writer): void {
  const alt = node.getAttribute('alt') ?? '';
  const url = parseLinkUrl(node.getAttribute('src'));
  const isAlone = /^(?:FIGURE|PICTURE|BODY)$/i.test(node.parentElement?.tagName ?? '');
  if (url === null || !/^https?:/.test(url) || !isAlone) return writer.add(alt, marks);
  writer.begin(PARAGRAPH);
  writer.addCard(url, alt);
}

/** What a cell holds, as words: its paragraphs and items are lines of them. */
const cellRuns = (cell: Element): readonly Run[] => wordsOfBlocks(pastedBlocks(cell));

/** Blocks as the words of one cell, a line each; of what is no text its name stays. */
export function wordsOfBlocks(blocks: readonly Pasted[]): readonly Run[] {
  const lines = blocks.flatMap((block): readonly (readonly Run[])[] => {
    switch (block.type) {
      case 'block':
        return [block.runs];
      case 'table':
        return linesOfGrid(block.rows);
      case 'embed':
        return [[{ ...PLAIN, text: block.title === '' ? block.url : block.title, link: parseLinkUrl(block.url) }]];
      case 'image':
      case 'file':
        return [[{ ...PLAIN, text: block.name }]].filter(([run]) => run?.text !== '');
      case 'divider':
        return [];
    }
  });
  return lines.flatMap((runs, at) => (at === 0 ? runs : [{ ...PLAIN, text: '\n' }, ...runs]));
}

function walkChildren(node: Element, style: Style, marks: Marks, writer: Writer): void {
  for (const child of node.childNodes) walk(child, style, marks, writer);
}

function walkBlock(node: Element, name: string, style: Style, marks: Marks, writer: Writer): void {
  const file = ownFile(node);
  if (file !== null) {
    writer.begin(PARAGRAPH);
    if (file.type === 'image') {
      for (const child of node.querySelector('figcaption')?.childNodes ?? []) walk(child, PARAGRAPH, PLAIN, writer);
    }
    writer.addFile(file);
    return;
  }
  const own = ownStyle(node);
  const heading = /^H([1-6])$/.exec(name)?.[1];
  if (own !== null) into(node, own, marks, writer, true);
  else if (name === 'HR') {
    writer.begin(style);
    writer.put({ type: 'divider' });
  } else if (heading !== undefined) {
    const level = heading === '1' ? 1 : heading === '2' ? 2 : 3;
    // Google Docs writes headings bold; a heading is bold by being one.
    into(node, { ...style, kind: 'heading', level }, { ...marks, bold: false }, writer);
  } else if (name === 'PRE') into(node, { ...style, kind: 'code', language: languageOf(node) }, PLAIN, writer);
  else if (name === 'BLOCKQUOTE') into(node, { ...style, kind: 'quote' }, marks, writer);
  else if (name === 'UL' || name === 'OL') {
    // A list directly in a list (Google Docs, old Word) is one step deeper, like one in an item.
    const isNested = ITEMS.includes(style.kind) || node.parentElement?.matches('ul, ol') === true;
    walkChildren(node, isNested ? deeper(style) : style, marks, writer);
  } else if (name === 'LI') into(node, itemStyle(node, style), marks, writer);
  else if (style.kind === 'code') {
    walkChildren(node, style, marks, writer);
    writer.add('\n', PLAIN);
  } else if (ITEMS.includes(style.kind) && writer.isStill(style)) walkChildren(node, style, marks, writer);
  else into(node, after(style), marks, writer);
}

function into(node: Element, style: Style, marks: Marks, writer: Writer, keepEmpty = false): void {
  writer.begin(style, keepEmpty);
  walkChildren(node, style, marks, writer);
}

/** How text goes on behind a block: in a list item as a paragraph under the item's words. */
const after = (style: Style): Style => (ITEMS.includes(style.kind) ? deeper({ ...style, kind: 'paragraph' }) : style);

const deeper = (style: Style): Style => ({ ...style, indent: Math.min(MAX_INDENT, style.indent + 1) });

function itemStyle(node: Element, { indent }: Style): Style {
  const inside = ['', 'label > ', 'p > '].map((way) => `:scope > ${way}input[type=checkbox]`).join();
  const box = node.querySelector(inside);
  const isTask =
    box !== null || node.getAttribute('data-type') === 'taskItem' || node.getAttribute('role') === 'checkbox';
  const checked =
    box?.hasAttribute('checked') === true ||
    node.getAttribute('data-checked') === 'true' ||
    node.getAttribute('aria-checked') === 'true';
  const isNumbered = node.closest('ul, ol')?.tagName.toUpperCase() === 'OL';
  return { ...PARAGRAPH, indent, kind: isTask ? 'task' : isNumbered ? 'numbered' : 'bullet', checked };
}

/** What `copied-html.ts` wrote beside the HTML that others read. */
function ownStyle(node: Element): Style | null {
  const style = written(node, 'data-weft');
  return style === null ? null : parseStyle(style);
}

function ownFile(node: Element): PastedFile | null {
  const file = written(node, 'data-weft-file');
  if (file === null) return null;
  const from = file['document'];
  const document = typeof from === 'string' ? parseDocumentId(from) : null;
  return file['type'] === 'image'
    ? { type: 'image', ...parsePicture(file), document, runs: [] }
    : { type: 'file', ...parseFile(file), document };
}

function written(node: Element, name: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(node.getAttribute(name) ?? 'null');
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}

function marksOf(node: Element, name: string, marks: Marks): Marks {
  const style = node instanceof HTMLElement ? node.style : null;
  const weight = style?.fontWeight ?? '';
  const line = `${style?.textDecoration ?? ''} ${style?.textDecorationLine ?? ''}`;
  // Google Docs wraps everything in <b style="font-weight:normal">: what the style says goes before the name.
  const bold =
    weight === '' ? name === 'B' || name === 'STRONG' || marks.bold : weight === 'bold' || Number(weight) >= 600;
  const slant = style?.fontStyle ?? '';
  const italic = slant === '' ? ['I', 'EM', 'CITE', 'DFN'].includes(name) || marks.italic : slant !== 'normal';
  return {
    bold,
    italic,
    underline: marks.underline || name === 'U' || name === 'INS' || (line.includes('underline') && name !== 'A'),
    strike: marks.strike || ['S', 'STRIKE', 'DEL'].includes(name) || line.includes('line-through'),
    code: marks.code || ['CODE', 'KBD', 'SAMP', 'TT'].includes(name),
    highlight: marks.highlight || name === 'MARK',
    mention: marks.mention,
    date: marks.date,
    link: name === 'A' ? (parseLinkUrl(node.getAttribute('href')) ?? marks.link) : marks.link,
  };
}

function languageOf(pre: Element): string | null {
  const names = `${pre.className} ${pre.querySelector('code')?.className ?? ''}`;
  return /(?:language|lang|brush:)-?\s*([\w+#-]+)/.exec(names)?.[1] ?? pre.getAttribute('data-language');
}

/** Spaces at line ends are layout of the HTML, not words. */
function trimSpaces(runs: readonly Run[]): Run[] {
  const out: Run[] = [];
  for (const run of runs) {
    const before = out.at(-1);
    const startsLine = before === undefined || /[ \n]$/.test(before.text);
    const text = run.text.replace(/ *\n */g, '\n').replace(startsLine ? /^ +/ : /^$/, '');
    if (text !== '') out.push({ ...run, text });
  }
  for (let last = out.at(-1); last !== undefined; last = out.at(-1)) {
    const text = last.text.replace(/[ \n]+$/, '');
    if (text === last.text) break;
    out.pop();
    if (text !== '') out.push({ ...last, text });
  }
  const [first, ...rest] = out;
  if (first === undefined) return out;
  const text = first.text.replace(/^[ \n]+/, '');
  return text === '' ? trimSpaces(rest) : [{ ...first, text }, ...rest];
}

function trimCode(runs: readonly Run[]): Run[] {
  const text = runs
    .map((run) => run.text)
    .join('')
    .replace(/^\n|\n+$/g, '');
  return text === '' ? [] : [{ text, ...PLAIN }];
}
