import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CachedDocument } from '../../../src/ports/device.ts';
import { evictUntilItFits, documentsToEvict } from '../../../src/state/offline/evict-documents.ts';
import { documentId } from '../../support/app/app-fixture.ts';

const cached = (n: number, more: Partial<CachedDocument> = {}): CachedDocument => ({
  document: documentId(n),
  openedAt: n,
  bytes: 10,
  isUnsent: false,
  ...more,
});
const numbers = (documents: readonly CachedDocument[]) => documents.map(({ openedAt }) => openedAt);

test('nothing is evicted while everything fits', () => {
  expect(documentsToEvict([cached(1), cached(2)], 20)).toEqual([]);
  expect(documentsToEvict([], 0)).toEqual([]);
});

test('the least recently opened documents are evicted, as few as possible', () => {
  expect(numbers(documentsToEvict([cached(3), cached(1), cached(2)], 19))).toEqual([1, 2]);
  expect(numbers(documentsToEvict([cached(3), cached(1, { bytes: 90 }), cached(2)], 20))).toEqual([1]);
});

test('documents with unsent edits take space and stay', () => {
  expect(numbers(documentsToEvict([cached(1, { isUnsent: true }), cached(2), cached(3)], 20))).toEqual([2]);
  expect(documentsToEvict([cached(1, { isUnsent: true })], 0)).toEqual([]);
});

test('for any documents: the newest stay, nothing unsent is evicted, and not one more than needed', () => {
  const documents = fc.array(fc.record({ openedAt: fc.nat(50), bytes: fc.nat(100), isUnsent: fc.boolean() }), {
    maxLength: 20,
  });
  fc.assert(
    fc.property(documents, fc.nat(500), (list, cap) => {
      const all = list.map((one, at) => cached(at, one));
      const evicted = documentsToEvict(all, cap);
      const size = (some: readonly CachedDocument[]) => some.reduce((sum, { bytes }) => sum + bytes, 0);
      const left = all.filter((one) => !evicted.includes(one));
      expect(evicted.every(({ isUnsent }) => !isUnsent)).toBe(true);
      const free = left.filter(({ isUnsent }) => !isUnsent);
      expect(size(left) <= cap || free.length === 0).toBe(true);
      const newest = Math.max(...evicted.map(({ openedAt }) => openedAt));
      expect(free.every(({ openedAt }) => openedAt >= newest) || evicted.length === 0).toBe(true);
      expect(evicted.length === 0 || size(left) + (evicted.at(-1)?.bytes ?? 0) > cap).toBe(true);
    }),
  );
});

test('a document that cannot be deleted is tried once, and the next oldest goes in its place', async () => {
  const attempts: number[] = [];
  const device = {
    list: async () => [cached(1), cached(2), cached(3)],
    forgetIfClosed: async (document: CachedDocument['document']) => {
      const n = Number(document.slice(-12));
      attempts.push(n);
      return n !== 1;
    },
  };
  await evictUntilItFits(device, 20);
  expect(attempts).toEqual([1, 2]);
  attempts.length = 0;
  await evictUntilItFits(device, 0);
  expect(attempts).toEqual([1, 2, 3]);
});
