import { gemoji } from 'gemoji';
import { expect, test } from 'vitest';
import { findEmoji } from '../../../src/editor/typed-menu/find-emoji.ts';

const found = (query: string, recent: readonly string[] = []) =>
  findEmoji(gemoji, query, recent).map(({ emoji }) => emoji);

test.each([
  ['tada', '🎉'],
  ['thumbs', '👍'],
  ['+1', '👍'],
  ['heart', '❤️'],
  ['rocket', '🚀'],
  ['sad', '😥'],
])('":%s" finds %s', (query, emoji) => {
  expect(found(query)).toContain(emoji);
});

test('a whole name comes first, then the recent ones', () => {
  expect(found('tada')[0]).toBe('🎉');
  const [, second = ''] = found('smi');
  expect(found('smi', [second])[0]).toBe(second);
});

test('an unknown name finds nothing, and there are never more results than the menu holds', () => {
  expect(found('qqqq')).toEqual([]);
  expect(found('fa').length).toBe(8);
});
