import { expect, test, vi } from 'vitest';
import {
  pageParam,
  pagePath,
  parseLinkHash,
  parsePageParam,
  slugOf,
} from '../../../src/state/workspace/page-address.ts';
import { documentId, pageSummary, secret } from '../../support/app/app-fixture.ts';

test.each([
  ['Harbour swim: plan for 14 June', 'harbour-swim-plan-for-14-june'],
  ['  Müller & Söhne  ', 'muller-sohne'],
  ['Протокол', 'протокол'],
  ['Мой план', 'мой-план'],
  ['हिन्दी में', 'हिन्दी-में'],
  ['がぎぐ', 'がぎぐ'],
  ['회의록', '회의록'],
  ['❤️ 1️⃣ café́ №\u0301', '1-cafe-no'],
  ['???', ''],
  ['x'.repeat(300), 'x'.repeat(60)],
])('the title %j becomes %j', (title, slug) => expect(slugOf(title)).toBe(slug));

test('a title gives the same address in a browser of any language', () => {
  const lower = vi.spyOn(String.prototype, 'toLocaleLowerCase').mockReturnValue('ıstanbul');
  expect(slugOf('Istanbul')).toBe('istanbul');
  lower.mockRestore();
});

test('the id at the end identifies a page, whatever comes before it', () => {
  const one = pageSummary(1, 'Plan – 14 June');
  expect(parsePageParam(pageParam(one))).toBe(one.id);
  expect(parsePageParam(`anything-${one.id}`)).toBe(one.id);
  expect(parsePageParam(one.id)).toBe(one.id);
  expect(parsePageParam('plan-for-14-june')).toBeNull();
  expect(pagePath('northquay', pageSummary(2, ''))).toBe(`/w/northquay/p/${documentId(2)}`);
});

test('only the part after the # is read as a link’s secret', () => {
  expect(parseLinkHash(`#${secret('q')}`)).toBe(secret('q'));
  expect(parseLinkHash('#short')).toBeNull();
  expect(parseLinkHash('')).toBeNull();
});
