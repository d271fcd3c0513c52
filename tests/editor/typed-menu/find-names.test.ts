import { expect, test } from 'vitest';
import { findNames } from '../../../src/editor/typed-menu/find-names.ts';

const PEOPLE = ['Ilse Brandt', 'Tomás Rey', 'Ada Nwosu', 'Nora Adams'];
const found = (query: string, most = 9) => findNames(PEOPLE, (name) => name, query, most);

test('names that begin with the query come before names with such a word, and those before names that contain it', () => {
  expect(found('ad')).toEqual(['Ada Nwosu', 'Nora Adams']);
  expect(found('tomas')).toEqual(['Tomás Rey']);
  expect(found('ora')).toEqual(['Nora Adams']);
  expect(found('ada nw')).toEqual(['Ada Nwosu']);
  expect(found('zz')).toEqual([]);
});

test('with nothing typed the first few are offered in their order', () => {
  expect(found('', 2)).toEqual(['Ilse Brandt', 'Tomás Rey']);
});
