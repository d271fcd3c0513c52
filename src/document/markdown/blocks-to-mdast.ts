// Converts a page's blocks into a Markdown tree: nested lists, callouts as GitHub's alerts, toggles as `<details>`.
import type { BlockContent, ListItem, PhrasingContent, TableRow } from 'mdast';
import type { Math } from 'mdast-util-math';
import { type Branch, groupSiblings, isItem, isNumbered, isQuote, treeOfBlocks } from '../blocks/block-tree.ts';
import { type Delimiter, type Run, type Tone, textOfRuns } from '../blocks/block.ts';
import {
  type AnyBlock,
  type DetachedTable,
  type DetachedTextBlock,
  joinRuns,
  plainRun,
  trimRuns,
} from '../blocks/detached-block.ts';
import type { ListNumbers } from '../blocks/list-numbers.ts';
import { runsToHtml } from '../html/runs-to-html.ts';
import { parseLinkUrl } from '../link-url.ts';
import { runsToPhrasing } from './runs-to-phrasing.ts';

declare module 'mdast' {
  interface ListData {
    /** The sign behind the numbers. */
    delimiter?: Delimiter;
  }
}

export type Flow = BlockContent | Math;

export const ALERTS: Readonly<Record<Tone, string>> = { note: 'NOTE', tip: 'TIP', care: 'WARNING', stop: 'CAUTION' };

/** The addresses of pictures and files by their id. Without one, a file's name stands for it. */
export type FileAddresses = ReadonlyMap<string, string>;

export type MarkdownStyle = {
  /** How many levels the headings move down if the page title is the first level. */
  readonly headingOffset: 0 | 1;
  /** The numbers at which lists that are open before the first block go on. */
  readonly numbers: ListNumbers;
  readonly addresses?: FileAddresses;
};

export const blocksToMdast = (blocks: readonly AnyBlock[], style: MarkdownStyle): Flow[] =>
  flowOf(treeOfBlocks(blocks, style.numbers), style);

function flowOf(branches: readonly Branch[], style: MarkdownStyle): Flow[] {
  return groupSiblings(branches).flatMap((group): Flow[] => {
    const [first] = group;
    if (first === undefined) return [];
    if (isQuote(first.block)) return [quoteOf(group)];
    if (!isItem(first.block)) return nodesOf(first, style);
    const ordered = isNumbered(first.block);
    return [
      {
        type: 'list',
        ordered,
        ...(ordered ? { start: first.number } : {}),
        data: { delimiter: first.block.type === 'block' ? first.block.delimiter : '.' },
        spread: false,
        children: group.map((item) => itemOf(item, style)),
      },
    ];
  });
}

/** Consecutive quotes become paragraphs of one quote. */
const quoteOf = (group: readonly Branch[]): Flow => ({
  type: 'blockquote',
  children: group.flatMap(({ block }) => (block.type === 'block' ? paragraph(block.runs) : [])),
});

function itemOf({ block, children: branches }: Branch, style: MarkdownStyle): ListItem {
  const children = block.type === 'block' ? paragraph(block.runs) : [];
  const checked = block.type === 'block' && block.kind === 'task' ? block.checked : null;
  // A checkbox needs text after it: GitHub renders a lone `- [ ]` as brackets.
  const first: Flow[] =
    children.length === 0 && checked !== null
      ? [{ type: 'paragraph', children: [{ type: 'html', value: '&nbsp;' }] }]
      : children;
  const flow = [...first, ...flowOf(branches, style)];
  return {
    type: 'listItem',
    checked,
    spread: flow.slice(1).some(({ type }) => type !== 'list'),
    children: asContent(flow),
  };
}

/** mdast's types allow no formulas in lists and quotes: there they are code in the language `math`, as on GitHub. */
export const asContent = (flow: readonly Flow[]): BlockContent[] =>
  flow.map((node) => (node.type === 'math' ? { type: 'code', lang: 'math', value: node.value } : node));

function nodesOf({ block, children }: Branch, style: MarkdownStyle): Flow[] {
  switch (block.type) {
    case 'block':
      return textNodes(block, children, style);
    case 'divider':
      return [{ type: 'thematicBreak' }];
    case 'image':
      return [{ type: 'paragraph', children: [imageOf(addressIn(block, style), textOfRuns(block.runs))] }];
    case 'file':
      return [
        { type: 'paragraph', children: [{ type: 'link', url: addressIn(block, style), children: words(block.name) }] },
      ];
    case 'table':
      return [tableOf(block)];
    case 'math':
      return [{ type: 'math', value: block.tex }];
    case 'embed':
      return cardOf(block.url, block.title);
    case 'subpages':
      return [];
    case 'unknown':
      return [{ type: 'html', value: '<!-- Made with a newer version of Weft. -->' }];
  }
}

function textNodes(block: DetachedTextBlock, children: readonly Branch[], style: MarkdownStyle): Flow[] {
  switch (block.kind) {
    case 'heading': {
      const depth = ([1, 2, 3, 4] as const)[block.level - 1 + style.headingOffset] ?? 4;
      return [{ type: 'heading', depth, children: phrasing(block.runs) }];
    }
    case 'code':
      return [{ type: 'code', lang: block.language, value: textOfRuns(block.runs) }];
    case 'callout':
      return [{ type: 'blockquote', children: [...alertOf(block), ...asContent(flowOf(children, style))] }];
    case 'toggle':
      return [
        { type: 'html', value: `<details>\n<summary>${runsToHtml(block.runs)}</summary>` },
        ...flowOf(children, style),
        { type: 'html', value: '</details>' },
      ];
    default:
      return paragraph(block.runs);
  }
}

const phrasing = (runs: readonly Run[]): PhrasingContent[] => runsToPhrasing(trimRuns(joinRuns(runs)));

const words = (text: string): PhrasingContent[] => runsToPhrasing(trimRuns([plainRun(text)]));

/** Markdown has no empty paragraphs. */
function paragraph(runs: readonly Run[]): BlockContent[] {
  const children = phrasing(runs);
  return children.length === 0 ? [] : [{ type: 'paragraph', children }];
}

/** Empty lines separate the paragraphs of the callout, as on import. */
function alertOf({ tone, runs }: DetachedTextBlock): BlockContent[] {
  const [first = [], ...others] = paragraphsIn(runs).map(phrasing);
  const mark: PhrasingContent = { type: 'html', value: `[!${ALERTS[tone]}]${first.length === 0 ? '' : '\n'}` };
  return [[mark, ...first], ...others.filter((one) => one.length > 0)].map((children) => ({
    type: 'paragraph',
    children,
  }));
}

function paragraphsIn(runs: readonly Run[]): readonly (readonly Run[])[] {
  const parts: Run[][] = [[]];
  for (const run of joinRuns(runs)) {
    run.text.split(/\n{2,}/).forEach((text, at) => {
      if (at > 0) parts.push([]);
      parts.at(-1)?.push({ ...run, text });
    });
  }
  return parts;
}

function tableOf({ headRow, alignments = [], rows }: DetachedTable): Flow {
  const width = Math.max(1, ...rows.map((row) => row.length));
  const row = (cells: readonly PhrasingContent[][]): TableRow => ({
    type: 'tableRow',
    children: Array.from({ length: width }, (_, at) => ({ type: 'tableCell', children: cells[at] ?? [] })),
  });
  const lines = rows.map((cells) => row(cells.map(({ runs }) => runsToPhrasing(trimRuns(joinRuns(runs)), BR))));
  // A Markdown table always has a header row, even an empty one.
  return {
    type: 'table',
    align: Array.from({ length: width }, (_, at) => alignments[at] ?? null),
    children: headRow && lines.length > 0 ? lines : [row([]), ...lines],
  };
}

const BR: PhrasingContent = { type: 'html', value: '<br>' };

const PICTURE = /\.(?:png|jpe?g|gif|svg|webp|avif)(?:[?#].*)?$/i;

/** A card with a picture's URL becomes a Markdown image again: `![…](…)`. */
function cardOf(url: string | null, title: string): Flow[] {
  if (url === null) return paragraph([plainRun(title)]);
  if (PICTURE.test(url)) return [{ type: 'paragraph', children: [{ type: 'image', url, alt: title }] }];
  return [{ type: 'paragraph', children: [{ type: 'link', url, children: words(title === '' ? url : title) }] }];
}

/** Markdown has the picture's address or name and its caption, never its bytes. */
const imageOf = (url: string, caption: string): PhrasingContent => ({
  type: 'image',
  url,
  alt: caption.trim(),
});

const addressIn = (
  { file, name }: { readonly file: string | null; readonly name: string },
  { addresses }: MarkdownStyle,
): string => (file === null ? undefined : addresses?.get(file)) ?? addressOf(name);

/** A file name as a relative URL. */
const addressOf = (name: string): string => parseLinkUrl(name) ?? encodeURIComponent(name);
