// Writes a page as a self-contained HTML file: no script, no requests, readable in any browser and on paper.
import { indentOf, isItem } from '../blocks/block-tree.ts';
import type { AnyBlock } from '../blocks/detached-block.ts';
import { NO_NUMBERS, numbersAfter } from '../blocks/list-numbers.ts';
import { type HtmlOptions, blocksToHtml } from './blocks-to-html.ts';
import { escapeHtml } from './html-text.ts';

/** How many blocks to write at a time, if no list or toggle is open. */
const PIECE_BLOCKS = 200;

const CSS = `:root{color-scheme:light dark}
body{max-width:38rem;margin:3rem auto;padding:0 1.25rem;font:1.0625rem/1.65 Literata,Charter,Georgia,serif;overflow-wrap:anywhere}
h1,h2,h3,h4{line-height:1.25;margin:1.6em 0 .5em;break-after:avoid}h1{font-size:2.2em;margin-top:0}
p,ul,ol,blockquote,pre,table,figure,details{margin:.6em 0}li{margin:.2em 0}ul:has(>li>input){list-style:none;padding-left:1.4em}
ol.paren>li::marker{content:counter(list-item) ") "}
li>input{margin:0 .5em 0 -1.4em}blockquote{margin-left:0;padding-left:1.2em;border-left:2px solid #8888;font-style:italic}
p,li,blockquote,td,th,h2,h3,h4,summary{white-space:pre-wrap}li>ul,li>ol{white-space:normal}
pre{padding:.8em 1em;background:#8882;border-radius:8px;overflow-x:auto;font:.85em/1.6 ui-monospace,Consolas,monospace}
code{font-family:ui-monospace,Consolas,monospace;font-size:.9em}pre code{font-size:1em}
.callout{padding:.7em 1em;border-radius:8px;background:#0361741c}.callout.tip{background:#31653e24}
.callout.care{background:#7f511426}.callout.stop{background:#a8282a22}
table{border-collapse:collapse}td,th{padding:.35em .7em;border-bottom:1px solid #8886;text-align:start;vertical-align:top}
figure img{max-width:100%;border-radius:8px}figcaption{font-size:.85em;opacity:.75}hr{border:0;border-top:1px solid #8888;margin:2em 0}
mark{background:#f7e9a7;color:#182225}summary{cursor:default}math{font-size:1.1em}
@media print{body{max-width:none;margin:0;padding:0}pre{white-space:pre-wrap}tr,figure,pre,.callout{break-inside:avoid}}`;

/** Yields pieces, so that writing a large page does not block typing. */
export function* htmlDocument(
  title: string,
  blocks: readonly AnyBlock[],
  options: Omit<HtmlOptions, 'roundTrip'>,
): Generator<string> {
  const escapedTitle = escapeHtml(title);
  yield `<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>${escapedTitle}</title>
<style>
${CSS}
</style>
</head>
<body>
<main dir="auto">
<h1>${escapedTitle}</h1>
`;
  let numbers = NO_NUMBERS;
  for (let from = 0; from < blocks.length;) {
    let to = Math.min(blocks.length, from + PIECE_BLOCKS);
    // Do not cut a list or a toggle in two.
    while (to < blocks.length && !mayCutBetween(blocks[to - 1], blocks[to])) to++;
    const piece = blocks.slice(from, to);
    yield `${blocksToHtml(piece, { ...options, roundTrip: false }, numbers)}\n`;
    numbers = piece.reduce((before, block) => numbersAfter(block, before), numbers);
    from = to;
  }
  yield '</main>\n</body>\n</html>\n';
}

/** Whether `next` starts at the left edge and does not continue a list. */
const mayCutBetween = (before: AnyBlock | undefined, next: AnyBlock | undefined): boolean =>
  before !== undefined && next !== undefined && indentOf(next) === 0 && !isItem(next);
