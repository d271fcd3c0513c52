// The lines of a comment as the document of its field, and back.
import type { JSONContent } from '@tiptap/core';
import type { Mark, Node } from '@tiptap/pm/model';
import { parseLinkUrl } from 'weft-document/link-url.ts';
import { parseUserId } from 'weft-sync/protocol/ids.ts';
import {
  type CommentBody,
  type CommentLine,
  type CommentRun,
  MAX_COMMENT_BLOCKS,
  MAX_COMMENT_LENGTH,
  MAX_COMMENT_RUNS,
  linesOf,
} from '../../../protocol/comments.ts';
import { LINE, lineKind } from './comment-nodes.ts';

export const commentDocument = (body: readonly CommentLine[]): JSONContent => ({
  type: 'doc',
  content:
    body.length === 0
      ? [{ type: LINE }]
      : body.map(({ kind, runs }) => ({ type: LINE, attrs: { kind }, content: runs.flatMap(textNode) })),
});

const textNode = ({ text, bold, italic, code, link, mention }: CommentRun): JSONContent[] => {
  const marks = [
    ...(bold === true ? [{ type: 'bold' }] : []),
    ...(italic === true ? [{ type: 'italic' }] : []),
    ...(code === true ? [{ type: 'code' }] : []),
    ...(link === undefined ? [] : [{ type: 'link', attrs: { href: link } }]),
    ...(mention === undefined ? [] : [{ type: 'mention', attrs: { user: mention } }]),
  ];
  return text === '' ? [] : [{ type: 'text', text, marks }];
};

/** Without the empty lines before and after the text; an empty list if nothing is written. */
export function writtenLines(comment: Node): readonly CommentLine[] {
  const blocks = comment.children.map((line): CommentLine => ({
    kind: lineKind(line.attrs['kind']),
    runs: line.children.flatMap((node) => runsOf(node)),
  }));
  const hasText = ({ runs }: CommentLine) => runs.some(({ text }) => text.trim() !== '');
  const first = blocks.findIndex(hasText);
  return first < 0 ? [] : blocks.slice(first, blocks.findLastIndex(hasText) + 1);
}

export function isTooLong(body: CommentBody): boolean {
  const runs = linesOf(body).flatMap((line) => line.runs);
  const length = runs.reduce((sum, { text }) => sum + text.length, 0);
  return length > MAX_COMMENT_LENGTH || runs.length > MAX_COMMENT_RUNS || body.length > MAX_COMMENT_BLOCKS;
}

function runsOf({ text = '', marks }: Node): readonly CommentRun[] {
  const valueOf = (name: string, attribute: string): unknown => markIn(marks, name)?.attrs[attribute];
  const href = parseLinkUrl(valueOf('link', 'href'));
  const user = valueOf('mention', 'user');
  const mention = typeof user === 'string' ? parseUserId(user) : null;
  const isCode = markIn(marks, 'code') !== undefined;
  const look = {
    ...(markIn(marks, 'bold') === undefined ? {} : { bold: true as const }),
    ...(markIn(marks, 'italic') === undefined ? {} : { italic: true as const }),
    ...(isCode ? { code: true as const } : {}),
  };
  if (href !== null) return [{ text, ...look, link: href }];
  if (mention !== null) return [{ text, ...look, mention }];
  return isCode ? [{ text, ...look }] : withLinks(text).map((run) => ({ ...look, ...run }));
}

const markIn = (marks: readonly Mark[], name: string): Mark | undefined => marks.find(({ type }) => type.name === name);

/** An address, without the full stop or bracket that ends a sentence. */
const ADDRESS = /https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]}’”]/gu;

function withLinks(text: string): readonly Pick<CommentRun, 'text' | 'link'>[] {
  const runs: Pick<CommentRun, 'text' | 'link'>[] = [];
  let end = 0;
  for (const { 0: address, index } of text.matchAll(ADDRESS)) {
    const link = parseLinkUrl(address);
    // Not valid, or too long for a link: it stays text.
    if (link === null) continue;
    if (index > end) runs.push({ text: text.slice(end, index) });
    runs.push({ text: address, link });
    end = index + address.length;
  }
  if (end < text.length) runs.push({ text: text.slice(end) });
  return runs;
}
