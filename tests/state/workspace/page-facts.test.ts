import { describe, expect, test } from 'vitest';
import { randomUuid } from '../../../src/lib/random-uuid.ts';
import { parseDocumentId } from '../../../src/protocol/ids.ts';
import { assignColors } from '../../../src/state/people/assign-colors.ts';
import {
  pageParam,
  pagePath,
  parseLinkHash,
  parsePageParam,
  slugOf,
} from '../../../src/state/workspace/page-address.ts';
import { pathTo, treeOf } from '../../../src/state/workspace/page-tree.ts';
import { alice, bob, documentId, pageSummary, profiles, secret, userId } from '../../support/app/app-fixture.ts';

describe('addresses', () => {
  test.each([
    ['Harbour swim: plan for 14 June', 'harbour-swim-plan-for-14-june'],
    ['  Müller & Söhne  ', 'muller-sohne'],
    ['Протокол', 'протокол'],
    ['???', ''],
    ['x'.repeat(300), 'x'.repeat(60)],
  ])('the title %j becomes %j', (title, slug) => expect(slugOf(title)).toBe(slug));

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
});

describe('the tree', () => {
  const pages = [
    pageSummary(3, 'c', { parentId: documentId(1), rank: 'b' }),
    pageSummary(1, 'a', { rank: 'V' }),
    pageSummary(2, 'b', { rank: 'U' }),
    pageSummary(4, 'd', { parentId: documentId(1), rank: 'a' }),
    pageSummary(5, 'e', { parentId: documentId(77), rank: 'Z' }),
  ];

  test('is ordered by rank, with children below their parent and pages without a visible parent at the top', () => {
    const names = (nodes: ReturnType<typeof treeOf>): unknown[] =>
      nodes.map(({ page: one, children }) => (children.length === 0 ? one.title : [one.title, ...names(children)]));
    expect(names(treeOf(pages))).toEqual(['b', ['a', 'd', 'c'], 'e']);
  });

  test('the path to a page contains its ancestors, and ends on a cycle', () => {
    expect(pathTo(pages, documentId(3)).map(({ title }) => title)).toEqual(['a']);
    const cycle = [pageSummary(1, 'a', { parentId: documentId(2) }), pageSummary(2, 'b', { parentId: documentId(1) })];
    expect(pathTo(cycle, documentId(1)).length).toBeLessThanOrEqual(2);
  });
});

test('if two people chose one colour, the later gets the first free one, and nobody else changes', () => {
  const people = new Map(profiles.map((one) => [one.id, one]));
  const dyed = assignColors([alice.id, bob.id, userId(3), alice.id, userId(9)], people);
  expect(Array.from(dyed.values(), ({ color }) => color)).toEqual(['orchil', 'rust', 'saffron']);
  expect(dyed.get(alice.id)).toBe(people.get(alice.id));
});

test('a random uuid is a version 4 uuid, and a new one each time', () => {
  const ids = Array.from({ length: 200 }, randomUuid);
  expect(new Set(ids).size).toBe(200);
  for (const id of ids) {
    expect(parseDocumentId(id)).toBe(id);
    expect(id).toMatch(/^.{14}4.{4}[89ab]/);
  }
});
