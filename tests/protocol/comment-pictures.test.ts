// Pictures in the body of a comment, as others may send them: ids and sizes, never addresses.
import { expect, test } from 'vitest';
import { parseOrNull } from '../../src/lib/parse-or-null.ts';
import { commentBody } from '../../src/protocol/comments.ts';

const picture = {
  kind: 'picture',
  picture: '00000009-0000-4000-8000-000000000009',
  width: 640,
  height: 480,
  alt: 'The light',
};

test('a body has up to four pictures, alone or below words', () => {
  const body = [{ kind: 'paragraph', runs: [{ text: 'Look' }] }, picture, picture, picture, picture];
  expect(parseOrNull(commentBody, body)).toEqual(body);
  expect(parseOrNull(commentBody, [picture])).toEqual([picture]);
  expect(parseOrNull(commentBody, [...body, picture])).toBeNull();
});

test.each([
  { picture: 'https://example.org/a.png' },
  { picture: 'javascript:alert(1)' },
  { picture: 'data:image/svg+xml,<svg/>' },
  { picture: '../avatars/a' },
  { width: 0 },
  { width: '640' },
  { height: 1.5 },
  { height: -480 },
  { width: 100_000, height: 641 },
  { alt: 'a'.repeat(501) },
  { alt: null },
])('a picture with %j is none', (about) => {
  expect(parseOrNull(commentBody, [{ ...picture, ...about }])).toBeNull();
});
