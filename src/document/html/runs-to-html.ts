// Writes text with marks as HTML.
import type { Run } from '../blocks/block.ts';
import { escapeHtml } from './html-text.ts';

/** `origin` is put before URLs that start with a slash, for a file that is opened elsewhere. */
export const runsToHtml = (runs: readonly Run[], origin = ''): string =>
  runs.map((run) => runToHtml(run, origin)).join('');

function runToHtml(run: Run, origin: string): string {
  let html = escapeHtml(run.text).replaceAll('\n', '<br>');
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
