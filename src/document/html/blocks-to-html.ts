// Writes a page's blocks as HTML that any other program reads well. With `roundTrip` each element also carries its
// block's attributes, so that Weft can read it back without loss.
import { attributesOf } from '../blocks/block-attributes.ts';
import { type Branch, groupSiblings, isItem, isNumbered, treeOfBlocks } from '../blocks/block-tree.ts';
import { type Run, textOfRuns } from '../blocks/block.ts';
import type { AnyBlock, DetachedTable, DetachedTextBlock } from '../blocks/detached-block.ts';
import type { ListNumbers } from '../blocks/list-numbers.ts';
import { escapeHtml } from './html-text.ts';
import { type TextHtmlOptions, runsToHtml } from './runs-to-html.ts';

export type HtmlOptions = TextHtmlOptions & {
  /** For the clipboard. `parse-html-blocks.ts` reads the attributes back. */
  readonly roundTrip: boolean;
  /** The page that the pictures and files belong to. */
  readonly document?: string | null;
  /** Returns a stored picture as a `data:` URL. Null shows its name instead. */
  readonly picture?: (file: string) => string | null;
  /** Renders TeX as MathML. */
  readonly math?: (tex: string) => string;
};

/**
 * Lists become nested lists, code becomes `pre`, and headings start at the second level, because the page title is the
 * first. `numbers`: of the lists that are open before the first block.
 */
export const blocksToHtml = (blocks: readonly AnyBlock[], options: HtmlOptions, numbers?: ListNumbers): string =>
  htmlOfBranches(treeOfBlocks(blocks, numbers), options);

function htmlOfBranches(branches: readonly Branch[], options: HtmlOptions): string {
  return groupSiblings(branches)
    .map((group) => {
      const [first] = group;
      const items = group.map((branch) => htmlOfBranch(branch, options)).join('');
      if (first === undefined || !isItem(first.block)) return items;
      if (!isNumbered(first.block)) return `<ul>${items}</ul>`;
      const isParen = first.block.type === 'block' && first.block.delimiter === ')';
      const start = first.number === 1 ? '' : ` start="${first.number}"`;
      return `<ol${isParen ? ' class="paren"' : ''}${start}>${items}</ol>`;
    })
    .join('');
}

function htmlOfBranch({ block, children }: Branch, options: HtmlOptions): string {
  const inside = children.length === 0 ? '' : htmlOfBranches(children, options);
  if (block.type !== 'block') return htmlOfOther(block, options);
  const name = nameOf(block);
  const text = runsToHtml(block.runs, options);
  const own = roundTripAttribute(block, options);
  switch (block.kind) {
    case 'code': {
      const language = block.language === null ? '' : ` class="language-${escapeHtml(block.language)}"`;
      return `<pre${own}><code${language}>${escapeHtml(textOfRuns(block.runs))}</code></pre>`;
    }
    case 'task':
      return `<li${own}><input type="checkbox"${block.checked ? ' checked=""' : ''}>${text}${inside}</li>`;
    case 'toggle':
      return `<details open=""><summary${own}>${text}</summary>${inside}</details>`;
    case 'callout':
      if (inside === '') return `<p class="callout ${block.tone}"${own}>${text}</p>`;
      return `<aside class="callout ${block.tone}"><p${own}>${text}</p>${inside}</aside>`;
    default:
      return `<${name}${own}>${text}${inside}</${name}>`;
  }
}

function nameOf({ kind, level }: DetachedTextBlock): string {
  if (kind === 'heading') return `h${level + 1}`;
  if (kind === 'quote') return 'blockquote';
  return kind === 'bullet' || kind === 'numbered' || kind === 'task' ? 'li' : 'p';
}

function htmlOfOther(block: Exclude<AnyBlock, DetachedTextBlock>, options: HtmlOptions): string {
  const own = roundTripAttribute(block, options);
  const words = (runs: readonly Run[]) => runsToHtml(runs, options);
  switch (block.type) {
    case 'divider':
      return '<hr>';
    case 'image': {
      const address = block.file === null ? null : (options.picture?.(block.file) ?? null);
      const size = block.size === null ? '' : ` style="width:${block.size}%"`;
      const picture =
        address === null
          ? escapeHtml(block.name)
          : `<img src="${escapeHtml(address)}" alt="${escapeHtml(textOfRuns(block.runs))}"${size}>`;
      // The paste code reads the caption only. Without a picture, the name would be taken for text.
      if (options.roundTrip) return `<figure${own}><figcaption>${words(block.runs)}</figcaption></figure>`;
      return `<figure>${picture}<figcaption>${words(block.runs)}</figcaption></figure>`;
    }
    case 'file':
      return `<p${own}>${escapeHtml(block.name)}</p>`;
    case 'math':
      return options.math === undefined
        ? `<pre${own}><code>${escapeHtml(block.tex)}</code></pre>`
        : options.math(block.tex);
    case 'embed': {
      const title = escapeHtml(block.title === '' ? (block.url ?? '') : block.title);
      return block.url === null
        ? `<p${own}>${title}</p>`
        : `<p${own}><a href="${escapeHtml(block.url)}">${title}</a></p>`;
    }
    case 'table':
      return htmlOfTable(block, own, words);
    case 'subpages':
      return options.roundTrip ? `<p${own}></p>` : '';
    case 'unknown':
      return '';
  }
}

function htmlOfTable(
  { headRow, headColumn, widths = [], alignments = [], rows }: DetachedTable,
  own: string,
  words: (runs: readonly Run[]) => string,
): string {
  const columns = Math.max(widths.length, ...rows.map((row) => row.length));
  const lines = rows.map((row, y) => {
    const cells = row.map(({ runs }, x) => {
      const inside = words(runs);
      const head = headRow && y === 0 ? 'col' : headColumn && x === 0 ? 'row' : null;
      const align = alignments[x] == null ? '' : ` style="text-align:${alignments[x]}"`;
      return head === null ? `<td${align}>${inside}</td>` : `<th scope="${head}"${align}>${inside}</th>`;
    });
    // Rows may be short (T13 in docs/losses.md), and other programs draw a hole for what is missing. One cell for all
    // of it, because a hostile row makes all others short by thousands.
    const missing = columns - row.length;
    if (missing > 0) cells.push(missing === 1 ? '<td></td>' : `<td colspan="${missing}"></td>`);
    return `<tr>${cells.join('')}</tr>`;
  });
  return `<table${own}><tbody>${lines.join('')}</tbody></table>`;
}

function roundTripAttribute(block: AnyBlock, { roundTrip, document = null }: HtmlOptions): string {
  if (!roundTrip) return '';
  const values = Object.entries(attributesOf(block)).filter(([, value]) => value !== null);
  const attributes = { type: block.type, ...Object.fromEntries(values), ...extraAttributes(block, document) };
  return ` data-weft="${escapeHtml(JSON.stringify(attributes))}"`;
}

/** Values that are not stored as attributes on the block itself. */
function extraAttributes(block: AnyBlock, document: string | null): object {
  if (block.type === 'image' || block.type === 'file') return { document };
  if (block.type !== 'table') return {};
  const { widths, alignments } = block;
  return { ...(hasValues(widths) ? { widths } : {}), ...(hasValues(alignments) ? { alignments } : {}) };
}

const hasValues = (values: readonly unknown[] | undefined): boolean => values?.some((value) => value !== null) === true;
