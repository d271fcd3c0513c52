import { expect, onTestFinished, test, vi } from 'vitest';
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

test('on a Turkish device a small i finds a capital one, with and without its dot', () => {
  const real = String.prototype.toLocaleLowerCase;
  const lower = vi.spyOn(String.prototype, 'toLocaleLowerCase').mockImplementation(function (this: string) {
    return real.call(this, 'tr');
  });
  onTestFinished(() => lower.mockRestore());
  const names = ['İstanbul', 'Index'];
  expect(findNames(names, (one) => one, 'istan', 9)).toEqual(['İstanbul']);
  expect(findNames(names, (one) => one, 'index', 9)).toEqual(['Index']);
});
