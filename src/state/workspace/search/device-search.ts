// Searches pages without the server: their titles, and the text of those that are on this device.
import { startOfCharacter } from '../../../lib/text/cut-text.ts';
import { foldText, marksIn } from '../../../lib/text/fold-text.ts';
import type { DocumentSummary } from '../../../protocol/answers.ts';
import type { MarkedText, SearchFilters, SearchResult } from '../../../protocol/search-answers.ts';
import { type PageIndex, isInSubtree } from '../tree/page-index.ts';

/** A page's text with its folded form, which is made once. */
export type DeviceText = { readonly text: string; readonly folded: string };

export const deviceText = (text: string): DeviceText => {
  const composed = text.normalize('NFC');
  return { text: composed, folded: foldText(composed) };
};

const NO_TEXT = deviceText('');
const MAX_EXCERPTS = 2;
const MAX_EXCERPT = 160;
const CHARACTERS_BEFORE = 60;

/** The pages that contain every word: first those with all of them in the title, unless `newestFirst`, then the last changed. */
export function searchDevice(options: {
  readonly index: PageIndex;
  readonly texts: ReadonlyMap<string, DeviceText>;
  /** Folded. */
  readonly words: readonly string[];
  readonly filters: SearchFilters;
}): readonly SearchResult[] {
  const { index, texts, words, filters } = options;
  if (words.length === 0) return [];
  return Array.from(index.pages.values())
    .filter((page) => passes(page, filters, index))
    .flatMap((page) => {
      const title = foldText(page.title);
      const text = texts.get(page.id) ?? NO_TEXT;
      const isInTitle = words.every((word) => title.includes(word));
      const isFound = isInTitle || words.every((word) => title.includes(word) || text.folded.includes(word));
      return isFound ? [{ page, title, text, isInTitle }] : [];
    })
    .sort(
      (a, b) =>
        (filters.newestFirst === true ? 0 : Number(b.isInTitle) - Number(a.isInTitle)) ||
        b.page.updatedAt - a.page.updatedAt,
    )
    .map(({ page, title, text }) => ({
      document: page.id,
      title: marked(page.title.normalize('NFC'), words),
      excerpts: excerptsOf(text, words),
      matches: words.reduce((sum, word) => sum + countOf(title, word) + countOf(text.folded, word), 0),
      at: page.updatedAt,
      by: page.updatedBy,
    }));
}

/** The list does not say who created a page: its author is who changed it last. */
function passes(page: DocumentSummary, filters: SearchFilters, index: PageIndex): boolean {
  const { author, since, until, below } = filters;
  return (
    (author === undefined || page.updatedBy === author) &&
    (since === undefined || page.updatedAt >= since) &&
    (until === undefined || page.updatedAt < until) &&
    (below === undefined || (page.id !== below && isInSubtree(index, page.id, below)))
  );
}

const marked = (text: string, words: readonly string[]): MarkedText => ({ text, marks: marksIn(text, words) });
const countOf = (text: string, word: string): number => text.split(word).length - 1;

function excerptsOf({ text, folded }: DeviceText, words: readonly string[]): MarkedText[] {
  const excerpts: MarkedText[] = [];
  const lines = text.split('\n');
  for (const [nth, line] of folded.split('\n').entries()) {
    if (excerpts.length === MAX_EXCERPTS) break;
    if (words.some((word) => line.includes(word))) excerpts.push(marked(excerpt(lines[nth] ?? '', words), words));
  }
  return excerpts;
}

/** Part of a line around its first match, cut between words where there are spaces. */
function excerpt(line: string, words: readonly string[]): string {
  if (line.length <= MAX_EXCERPT) return line.trim();
  const first = marksIn(line, words)[0]?.[0] ?? 0;
  const near = startOfCharacter(line, Math.max(0, first - CHARACTERS_BEFORE));
  const space = near === 0 ? -1 : line.indexOf(' ', near);
  const from = space >= 0 && space < first ? space + 1 : near;
  const wanted = startOfCharacter(line, from + MAX_EXCERPT);
  const lastSpace = line.lastIndexOf(' ', wanted);
  const to = wanted >= line.length ? line.length : lastSpace > first ? lastSpace : wanted;
  return `${from > 0 ? '…' : ''}${line.slice(from, to).trim()}${to < line.length ? '…' : ''}`;
}
