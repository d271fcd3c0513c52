// Converts a Markdown tree into a page's blocks. Content that a page cannot represent keeps its text. Nothing is loaded
// and nothing runs.
import type { Blockquote, Html, List, ListItem, Nodes, Paragraph, RootContent, Table } from 'mdast';
import { type Delimiter, MAX_INDENT, type Run, TONES, type Tone } from '../blocks/block.ts';
import {
  type DetachedBlock,
  type DetachedTextBlock,
  joinRuns,
  plainRun,
  textBlock,
  trimRuns,
} from '../blocks/detached-block.ts';
import { NO_NUMBERS, numbersAfter, withoutNeedlessStart } from '../blocks/list-numbers.ts';
import { pictureFromUrl } from '../blocks/picture-from-url.ts';
import { isEmptyComment, parseTag } from '../html/html-text.ts';
import { parseAlignment } from '../tables/table-columns.ts';
import { type ResolveReference, inlineHtmlToRuns, phrasingToRuns } from './phrasing-to-runs.ts';

/** Maps GitHub's five alerts to Weft's four tones. */
const TONE_OF_ALERT: Readonly<Record<string, Tone>> = {
  NOTE: 'note',
  IMPORTANT: 'note',
  TIP: 'tip',
  WARNING: 'care',
  CAUTION: 'stop',
};
/** Quotes and lists nested deeper than this become one line of text. */
const MAX_DEPTH = 60;

export type MarkdownOptions = {
  /** Reads HTML between blocks. If it returns null or is missing, the HTML becomes a code block. */
  readonly readHtml?: (html: string) => readonly DetachedBlock[] | null;
  /**
   * A first-level heading at the start becomes the page title, so `##` counts as the first level, unless there are
   * several first-level headings.
   */
  readonly hasTitle?: boolean;
};

/** A piece of a longer document. `source` is its Markdown, which tells `\[!NOTE]` from `[!NOTE]`. */
export type MdastPiece = { readonly nodes: readonly RootContent[]; readonly source: string };

/** Yields the blocks of each piece. A toggle may begin in one piece and end in another. */
export function* mdastToBlocks(
  pieces: readonly MdastPiece[],
  options: MarkdownOptions,
): Generator<readonly DetachedBlock[]> {
  const all = pieces.flatMap(({ nodes }) => nodes);
  const resolve = definitionsIn(all);
  const isFirst = (node: RootContent) => node.type === 'heading' && node.depth === 1;
  const first = all[0];
  const lift = options.hasTitle === true && first !== undefined && isFirst(first) && all.filter(isFirst).length === 1;
  let openToggles = 0;
  let numbers = NO_NUMBERS;
  for (const { nodes, source } of pieces) {
    const blocks: DetachedBlock[] = [];
    const reader: Reader = { ...options, source, resolve, blocks, depth: 0, lift: lift ? 1 : 0 };
    openToggles = readFlow(nodes, 0, reader, openToggles);
    yield blocks.map((block) => {
      const counted = withoutNeedlessStart(block, numbers);
      numbers = numbersAfter(counted, numbers);
      return counted;
    });
  }
}

type Reader = MarkdownOptions & {
  readonly source: string;
  readonly resolve: ResolveReference;
  readonly blocks: DetachedBlock[];
  readonly depth: number;
  readonly lift: 0 | 1;
};

/**
 * `<details>` and `</details>` are siblings of the content between them: each toggle that is open indents what follows.
 * Returns how many are still open.
 */
function readFlow(nodes: readonly RootContent[], outerIndent: number, reader: Reader, openBefore = 0): number {
  let openToggles = openBefore;
  for (const node of nodes) {
    if (node.type !== 'html') readBlock(node, Math.min(MAX_INDENT, outerIndent + openToggles), reader);
    else openToggles = readFlowHtml(node, outerIndent, reader, openToggles);
  }
  return openToggles;
}

function readBlock(node: RootContent, indent: number, reader: Reader): void {
  const { blocks, resolve } = reader;
  switch (node.type) {
    case 'paragraph':
      readParagraph(node, indent, reader);
      break;
    case 'heading': {
      const depth = node.depth - reader.lift;
      const level = depth <= 1 ? 1 : depth === 2 ? 2 : 3;
      blocks.push(textBlock({ kind: 'heading', level, indent }, trimRuns(phrasingToRuns(node.children, resolve))));
      break;
    }
    case 'thematicBreak':
      blocks.push({ type: 'divider' });
      break;
    case 'code':
      if (node.lang === 'math') blocks.push({ type: 'math', tex: node.value });
      else blocks.push(textBlock({ kind: 'code', indent, language: node.lang ?? null }, codeRuns(node.value)));
      break;
    case 'math':
      blocks.push({ type: 'math', tex: node.value });
      break;
    case 'blockquote':
      readQuote(node, indent, reader);
      break;
    case 'list':
      for (const item of node.children) readItem(item, node, indent, reader);
      break;
    case 'table':
      blocks.push(tableOf(node, resolve));
      break;
    case 'footnoteDefinition':
      readNested(node.children, indent, reader, (runs) => [plainRun(`[^${node.label ?? node.identifier}]: `), ...runs]);
      break;
    default:
  }
}

const codeRuns = (text: string): readonly Run[] => (text === '' ? [] : [plainRun(text)]);

function readParagraph({ children }: Paragraph, indent: number, { blocks, resolve }: Reader): void {
  const [only, ...others] = children;
  if (only !== undefined && others.length === 0) {
    if (only.type === 'inlineMath' && only.data?.isInLine !== true)
      return void blocks.push({ type: 'math', tex: only.value });
    if (only.type === 'image') return void blocks.push(...pictureOf(only.alt ?? '', only.url, indent));
    if (only.type === 'imageReference')
      return void blocks.push(...pictureOf(only.alt ?? '', resolve(only.identifier), indent));
  }
  const runs = trimRuns(phrasingToRuns(children, resolve));
  if (runs.length > 0) blocks.push(textBlock({ indent }, runs));
}

/** Falls back to the alt text if the URL is not allowed. */
function pictureOf(alt: string, address: string | null, indent: number): readonly DetachedBlock[] {
  const picture = pictureFromUrl(alt, address);
  if (picture !== null) return [picture];
  return alt === '' ? [] : [textBlock({ indent }, [plainRun(alt)])];
}

function readItem(item: ListItem, list: List, indent: number, reader: Reader): void {
  const isTask = typeof item.checked === 'boolean';
  const kind = isTask ? 'task' : list.ordered === true ? 'numbered' : 'bullet';
  const start = kind === 'numbered' && item === list.children[0] ? (list.start ?? 1) : null;
  const delimiter = delimiterOf(list, reader.source);
  const [first, ...rest] = item.children;
  const words = first?.type === 'paragraph' ? trimRuns(phrasingToRuns(first.children, reader.resolve)) : [];
  reader.blocks.push(textBlock({ kind, indent, checked: item.checked === true, start, delimiter }, words));
  const below = first?.type === 'paragraph' ? rest : item.children;
  readNested(below, Math.min(MAX_INDENT, indent + 1), reader);
}

/** The tree does not say how the numbers are written. */
function delimiterOf({ position }: List, source: string): Delimiter {
  const at = position?.start.offset;
  return at !== undefined && /^\d{1,9}\)/.test(source.slice(at, at + 10)) ? ')' : '.';
}

/** `changeRuns` may put something before the first run. */
function readNested(
  nodes: readonly RootContent[],
  indent: number,
  reader: Reader,
  changeRuns: (runs: readonly Run[]) => readonly Run[] = (runs) => runs,
): void {
  if (reader.depth >= MAX_DEPTH) {
    const text = wordsBelow(nodes);
    if (text !== '') reader.blocks.push(textBlock({ indent }, [plainRun(text)]));
    return;
  }
  const start = reader.blocks.length;
  readFlow(nodes, indent, { ...reader, depth: reader.depth + 1 });
  const first = reader.blocks[start];
  if (first?.type === 'block') reader.blocks[start] = { ...first, runs: joinRuns(changeRuns(first.runs)) };
}

function readQuote(quote: Blockquote, indent: number, reader: Reader): void {
  const start = reader.blocks.length;
  readNested(quote.children, indent, reader);
  const inner = reader.blocks.splice(start);
  const tone = toneOf(quote, reader.source);
  const [first, second, ...others] = inner;
  if (tone === null || first === undefined || !isParagraph(first)) {
    reader.blocks.push(...inner.map((block) => (isParagraph(block) ? { ...block, kind: 'quote' as const } : block)));
    return;
  }
  // The text of a callout may be a paragraph of its own, below the mark.
  const runs = trimRuns(withoutMark(first.runs));
  const isBelow = runs.length === 0 && second !== undefined && isParagraph(second);
  const body = second === undefined || isBelow ? others : [second, ...others];
  reader.blocks.push(
    textBlock({ kind: 'callout', tone, indent }, isBelow ? second.runs : runs),
    ...body.map((block) =>
      block.type === 'block' ? { ...block, indent: Math.min(MAX_INDENT, block.indent + 1) } : block,
    ),
  );
}

const isParagraph = (block: DetachedBlock): block is DetachedTextBlock =>
  block.type === 'block' && block.kind === 'paragraph';

/** On GitHub the alert marker must be alone on the first line. */
function toneOf({ children: [first] }: Blockquote, source: string): Tone | null {
  if (first?.type !== 'paragraph') return null;
  const start = first.position?.start.offset ?? 0;
  const name = /^\[!(\w+)\][ \t]*(?:\r?\n|$)/.exec(source.slice(start, first.position?.end.offset ?? start))?.[1];
  const tone = name === undefined ? undefined : TONE_OF_ALERT[name.toUpperCase()];
  return TONES.find((one) => one === tone) ?? null;
}

function withoutMark([first, ...rest]: readonly Run[]): readonly Run[] {
  return first === undefined ? rest : [{ ...first, text: first.text.replace(/^\[!\w+\]\s*/, '') }, ...rest];
}

function tableOf({ align, children: [head, ...lines] }: Table, resolve: ResolveReference): DetachedBlock {
  const read = [...(head === undefined ? [] : [head]), ...lines].map((row) =>
    row.children.map((cell) => ({ runs: trimRuns(phrasingToRuns(cell.children, resolve)) })),
  );
  // GitHub shows as many columns as the first line has. What a longer line has beyond is text with a `|` that no one escaped.
  const width = Math.max(read[0]?.length ?? 0, 1);
  const rows = read.map((row) =>
    Array.from({ length: width }, (_, at) =>
      at < width - 1 ? (row[at] ?? { runs: [] }) : { runs: joinCells(row.slice(at)) },
    ),
  );
  const hasHead = rows[0]?.some(({ runs }) => runs.length > 0) ?? false;
  return {
    type: 'table',
    headRow: hasHead,
    headColumn: false,
    alignments: Array.from({ length: width }, (_, at) => parseAlignment(align?.[at])),
    rows: hasHead || rows.length < 2 ? rows : rows.slice(1),
  };
}

const joinCells = (cells: readonly { readonly runs: readonly Run[] }[]): readonly Run[] =>
  joinRuns(cells.flatMap(({ runs }, at) => (at === 0 ? runs : [plainRun(' | '), ...runs])));

/** Returns how many toggles are open after it: one piece of HTML may end some and begin others. */
function readFlowHtml({ value }: Html, outerIndent: number, reader: Reader, openBefore: number): number {
  const pieces = splitAtToggles(value.trim());
  let openToggles = openBefore;
  for (const [at, piece] of pieces.entries()) {
    const indent = Math.min(MAX_INDENT, outerIndent + openToggles);
    if (at % 2 === 0) readHtmlPiece(piece.trim(), indent, reader);
    else if (piece.startsWith('</')) openToggles = Math.max(0, openToggles - 1);
    else {
      const [summary = '', words = ''] = SUMMARY.exec(pieces[at + 1] ?? '') ?? [];
      reader.blocks.push(textBlock({ kind: 'toggle', indent }, trimRuns(inlineHtmlToRuns(words))));
      pieces[at + 1] = pieces[at + 1]?.slice(summary.length) ?? '';
      openToggles += 1;
    }
  }
  return openToggles;
}

const SUMMARY = /^\s*<summary(?:\s[^<>]*)?>([\s\S]*?)<\/summary>/i;

function readHtmlPiece(html: string, indent: number, { blocks, readHtml }: Reader): void {
  if (html === '' || isEmptyComment(html) || /^<br\s*\/?>$/i.test(html)) return;
  const tag = parseTag(html);
  if (tag?.name === 'img')
    return void blocks.push(...pictureOf(tag.attribute('alt') ?? '', tag.attribute('src'), indent));
  const read = readHtml?.(html) ?? [textBlock({ kind: 'code', language: 'html' }, [plainRun(html)])];
  for (const block of read) {
    blocks.push(block.type === 'block' ? { ...block, indent: Math.min(MAX_INDENT, block.indent + indent) } : block);
  }
}

/** Every second piece is a tag of a toggle. A whole toggle after other HTML stays with it: it may be in a table. */
function splitAtToggles(html: string): string[] {
  if (html.startsWith('<!--')) return [html];
  const parts = html.split(/(<\/?details(?:\s[^<>]*)?>)/i);
  const ends = endsOfToggles(parts);
  const pieces: string[] = [];
  let start = 0;
  let hasOther = false;
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at] ?? '';
    const end = hasOther ? ends.get(at) : undefined;
    if (at % 2 === 0) hasOther ||= part.trim() !== '';
    else if (end !== undefined) at = end;
    else {
      pieces.push(parts.slice(start, at).join(''), part);
      start = at + 1;
      hasOther = false;
    }
  }
  return [...pieces, parts.slice(start).join('')];
}

/** By the place of its `<details>`, the place of the `</details>` of each whole toggle. */
function endsOfToggles(parts: readonly string[]): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  const open: number[] = [];
  for (let at = 1; at < parts.length; at += 2) {
    if (parts[at]?.startsWith('</') !== true) open.push(at);
    else ends.set(open.pop() ?? -1, at);
  }
  return ends;
}

/** All text below, collected with an explicit stack. */
export function wordsBelow(nodes: readonly Nodes[]): string {
  const queue = nodes.toReversed();
  const words: string[] = [];
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    if ('children' in node) queue.push(...node.children.toReversed());
    else if ('value' in node) words.push(node.value);
    else if ('alt' in node) words.push(node.alt ?? '');
  }
  return words.join(' ').trim();
}

function definitionsIn(nodes: readonly RootContent[]): ResolveReference {
  const found = new Map<string, string>();
  const queue: Nodes[] = nodes.toReversed();
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    // The first definition of a name wins.
    if (node.type === 'definition' && !found.has(node.identifier)) found.set(node.identifier, node.url);
    if ('children' in node) queue.push(...node.children.toReversed());
  }
  return (identifier) => found.get(identifier) ?? null;
}
