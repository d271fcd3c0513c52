// What is written in a comment's field, as it is stored.
import { getSchema } from '@tiptap/core';
import { expect, test } from 'vitest';
import { commentDocument, writtenLines } from '../../../src/features/comments/composer/comment-document.ts';
import { COMMENT_NODES } from '../../../src/features/comments/composer/comment-nodes.ts';
import { parseOrNull } from '../../../src/lib/parse-or-null.ts';
import { type CommentRun, commentBody } from '../../../src/protocol/comments.ts';

const written = (...runs: readonly CommentRun[]) =>
  writtenLines(getSchema([...COMMENT_NODES]).nodeFromJSON(commentDocument([{ kind: 'paragraph', runs }])));

test('an address becomes a link', () => {
  const link = 'https://weft.example/a';
  expect(written({ text: `See ${link}.` })).toEqual([
    { kind: 'paragraph', runs: [{ text: 'See ' }, { text: link, link }, { text: '.' }] },
  ]);
});

test('an address that is too long for a link stays text, and the comment can be stored', () => {
  const address = `https://weft.example/${'a'.repeat(2_000)}`;
  const text = `See ${address} and https://weft.example`;
  const body = written({ text });
  expect(body[0]?.runs.map((run) => run.text).join('')).toBe(text);
  expect(body[0]?.runs.map(({ link }) => link)).toEqual([undefined, 'https://weft.example']);
  expect(parseOrNull(commentBody, body)).toEqual(body);
  expect(parseOrNull(commentBody, written({ text: 'pasted', link: address }))).not.toBeNull();
});
