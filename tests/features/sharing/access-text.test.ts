import { expect, test } from 'vitest';
import {
  type AccessSource,
  type AccessWords,
  alreadyText,
  bestSource,
  heldByLinkOnly,
  listedPeople,
  sourceText,
} from '../../../src/features/sharing/access-text.ts';
import { dateOf } from '../../../src/lib/text/times.ts';
import { alice, bob, documentId, linkId, userId } from '../../support/app/app-fixture.ts';

const source = (
  kind: AccessSource['kind'],
  role: AccessSource['role'],
  more: Partial<AccessSource> = {},
): AccessSource => ({ kind, role, document: null, link: null, addedBy: null, ...more });

const NAMES = new Map([
  [alice.id, 'you'],
  [bob.id, 'Bob Holm'],
]);
const LINKS = new Map([
  [linkId(1), { name: 'marshals', expiresAt: new Date(2026, 5, 14).getTime() }],
  [linkId(2), { name: null, expiresAt: null }],
]);
const words: AccessWords = {
  workspace: 'Northquay',
  nameOf: (person) => NAMES.get(person) ?? null,
  titleOf: (page) => (page === documentId(1) ? 'Harbour swim' : null),
  linkOf: (link) => LINKS.get(link) ?? null,
  hasLinks: true,
};

test.each<[AccessSource, string]>([
  [source('owner', 'manager'), 'Owner of Northquay'],
  [source('workspace', 'manager'), 'Admin of Northquay'],
  [source('workspace', 'editor'), 'Member of Northquay'],
  [source('page', 'viewer', { addedBy: alice.id }), 'Added to this page by you'],
  [source('page', 'editor', { addedBy: bob.id }), 'Added to this page by Bob Holm'],
  // The name is not loaded, or the role is from before names were noted.
  [source('page', 'editor', { addedBy: userId(9) }), 'Added to this page'],
  [source('page', 'editor'), 'Added to this page'],
  [source('ancestor', 'editor', { document: documentId(1), addedBy: alice.id }), 'Added to “Harbour swim” by you'],
  // A page that this person may not see.
  [source('ancestor', 'editor'), 'Added to a page above'],
  [
    source('link', 'editor', { link: linkId(1) }),
    `By link “marshals”, until ${dateOf(new Date(2026, 5, 14).getTime(), Date.now())}`,
  ],
  [source('link', 'editor', { link: linkId(2) }), 'By a link'],
  // Only managers learn which link it was.
  [source('link', 'viewer'), 'By a link'],
])('%o reads “%s”', (from, text) => {
  expect(sourceText(from, words)).toBe(text);
});

test('guests are called so first', () => {
  const from = source('ancestor', 'commenter', { document: documentId(1), addedBy: alice.id });
  expect(sourceText(from, words, true)).toBe('Guest · added to “Harbour swim” by you');
});

test('the highest role counts; of equal ones the source that the dialog can change is named', () => {
  const member = source('workspace', 'editor');
  const here = source('page', 'editor');
  const above = source('ancestor', 'manager');
  expect(bestSource([member, here])).toBe(here);
  expect(bestSource([member, here, above])).toBe(above);
  expect(bestSource([source('page', 'viewer'), member])).toBe(member);
  expect(bestSource([here, source('owner', 'manager'), above])?.kind).toBe('owner');
  expect(bestSource([])).toBeNull();
});

test('the words for a role that cannot be lower name where the higher one comes from', () => {
  expect(alreadyText('Ada', source('workspace', 'editor'), words)).toBe('Ada can already edit through Northquay.');
  expect(alreadyText('Ada', source('ancestor', 'viewer', { document: documentId(1) }), words)).toBe(
    'Ada can already view through “Harbour swim”.',
  );
});

test('members who have nothing else are not listed by name; the owner comes first', () => {
  const people = [
    { user: userId(3), role: 'manager' as const, sources: [source('workspace', 'manager')] },
    { user: userId(4), role: 'editor' as const, sources: [source('workspace', 'editor')] },
    { user: userId(5), role: 'editor' as const, sources: [source('workspace', 'editor'), source('page', 'viewer')] },
    { user: userId(6), role: 'manager' as const, sources: [source('owner', 'manager')] },
    { user: alice.id, role: 'editor' as const, sources: [source('workspace', 'editor')] },
  ];
  expect(listedPeople(people, alice.id).map(({ user }) => user)).toEqual([userId(6), userId(3), userId(5), alice.id]);
});

test('people who have a restricted page by its links only lose it with the links', () => {
  const people = [
    { user: userId(3), role: 'editor' as const, sources: [source('link', 'editor')] },
    { user: userId(4), role: 'editor' as const, sources: [source('link', 'editor'), source('workspace', 'editor')] },
    { user: userId(5), role: 'editor' as const, sources: [source('link', 'editor'), source('page', 'viewer')] },
    { user: userId(6), role: 'viewer' as const, sources: [source('ancestor', 'viewer')] },
    { user: alice.id, role: 'manager' as const, sources: [source('link', 'editor')] },
  ];
  expect(heldByLinkOnly(people, alice.id)).toEqual([userId(3), userId(4)]);
});
