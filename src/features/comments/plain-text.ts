// Comments and what they are about, as plain text.
import type { UserId } from 'weft-sync/protocol/ids.ts';
import { counted } from '../../lib/text/counted.ts';
import { type Anchor, type CommentBody, linesOf } from '../../protocol/comments.ts';

/** At most three are named. */
export function writingText(names: readonly string[]): string {
  const others = names.length - MAX_NAMED;
  const named = others > 0 ? [...names.slice(0, MAX_NAMED), counted(others, 'other')] : names;
  return `${new Intl.ListFormat('en-GB').format(named)} ${names.length === 1 ? 'is' : 'are'} writing…`;
}

const MAX_NAMED = 3;

export const mentionedIn = (body: CommentBody): readonly UserId[] => [
  ...new Set(linesOf(body).flatMap(({ runs }) => runs.flatMap(({ mention }) => mention ?? []))),
];

/** Null if it is about the page, or has no quote. */
export const quoteOf = (about: Anchor): string | null =>
  about.kind === 'page' || about.quote === '' ? null : about.quote;

/** As it follows "Comment on". */
export function subjectOf(about: Anchor): string {
  const quote = quoteOf(about);
  if (quote !== null) return `“${quote}”`;
  return { page: 'the page', block: 'a block', text: 'erased words' }[about.kind];
}
