// Writes text with marks as HTML.
import type { Run } from '../blocks/block.ts';
import { cutFormulas } from '../blocks/inline-formulas.ts';
import { escapeHtml } from './html-text.ts';

export type TextHtmlOptions = {
  /** Put before URLs that start with a slash, for a file that is opened elsewhere. */
  readonly origin?: string;
  /** Renders the TeX of a formula in a line as MathML; otherwise its source is written. */
  readonly inlineMath?: (tex: string) => string;
};

export function runsToHtml(runs: readonly Run[], { origin = '', inlineMath }: TextHtmlOptions = {}): string {
  if (inlineMath === undefined) return runs.map((run) => withMarks(run, sourceHtml(run), origin)).join('');
  return cutFormulas(runs)
    .map(({ run, tex }) => withMarks(run, tex === null ? textHtml(run) : inlineMath(tex), origin))
    .join('');
}

const textHtml = ({ text }: Run): string => escapeHtml(text).replaceAll('\n', '<br>');

/** When Weft reads the HTML back, the attribute marks the formula. */
const sourceHtml = (run: Run): string =>
  run.formula ? `<span data-formula="">${textHtml(run)}</span>` : textHtml(run);

function withMarks(run: Run, words: string, origin: string): string {
  let html = words;
  if (run.mention !== null) html = `<span data-mention="${escapeHtml(run.mention)}">${html}</span>`;
  if (run.date !== null) html = `<time datetime="${escapeHtml(run.date)}">${html}</time>`;
  if (run.code) html = `<code>${html}</code>`;
  if (run.highlight) html = `<mark>${html}</mark>`;
  if (run.strike) html = `<s>${html}</s>`;
  if (run.underline) html = `<u>${html}</u>`;
  if (run.italic) html = `<em>${html}</em>`;
  if (run.bold) html = `<strong>${html}</strong>`;
  if (run.link === null) return html;
  const isOwn = run.link.startsWith('/') && !run.link.startsWith('//');
  return `<a href="${escapeHtml(isOwn ? origin + run.link : run.link)}">${html}</a>`;
}
