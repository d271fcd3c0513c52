// How answers of the server change the list of pages.
import { expect, test } from 'vitest';
import { withChanges } from '../../../src/state/offline/document-list.ts';
import { documentId, northquay, pageSummary } from '../../support/app/app-fixture.ts';

const changes = { workspace: northquay, isComplete: false, documents: [], removed: [] };
const list = {
  workspace: northquay,
  stamp: '1',
  documents: [pageSummary(1, 'One'), pageSummary(2, 'Two'), pageSummary(3, 'Three')],
};
const titles = (of: { readonly documents: readonly { readonly title: string }[] }) =>
  of.documents.map(({ title }) => title).toSorted();

test('a delta replaces, adds and removes pages, and brings a new stamp', () => {
  const after = withChanges(list, {
    ...changes,
    stamp: '2',
    documents: [pageSummary(2, 'Renamed'), pageSummary(4, 'New')],
    removed: [documentId(1), documentId(9)],
  });
  expect([after.stamp, titles(after)]).toEqual(['2', ['New', 'Renamed', 'Three']]);
  // A doubled answer changes nothing.
  expect(withChanges(after, { ...changes, stamp: '2', removed: [documentId(1)] }).documents).toEqual(after.documents);
});

test('a delta without changes leaves the pages as they are', () => {
  const after = withChanges(list, { ...changes, stamp: '2' });
  expect([after.stamp, after.documents]).toEqual(['2', list.documents]);
  expect(after.documents).toBe(list.documents);
});

test('a complete answer replaces everything', () => {
  const after = withChanges(list, { ...changes, isComplete: true, stamp: '2', documents: [pageSummary(4, 'New')] });
  expect(titles(after)).toEqual(['New']);
  expect(titles(withChanges(null, { ...changes, isComplete: true, stamp: '2', documents: list.documents }))).toEqual(
    titles(list),
  );
});
