// The people who are told of words that the log shows to be lost.
import { expect, test } from 'vitest';
import type { Row } from 'weft-sync/protocol/row.ts';
import { seededRandom } from 'weft-sync/testing/seeded-random.ts';
import { lostSinceVisit } from '../../../src/sessions/since/changes-since.ts';
import { testUser } from '../../support/editor/page-session.ts';

const random = seededRandom(1);
const [me, anna, ben] = [testUser(1), testUser(2), testUser(3)];
const sessions = { me: random.session(), anna: random.session(), ben: random.session() };
const users = new Map([
  [sessions.me, me],
  [sessions.anna, anna],
  [sessions.ben, ben],
]);
const row = (seq: number, session: Row['session']): Row => ({
  seq,
  session,
  clientId: 1,
  nFrom: 1,
  nTo: 1,
  update: new Uint8Array(0),
  dependencies: [],
});

const told = (writer: Row['session'] | null, by: Row['session'] | null, later: readonly Row[] = []) =>
  lostSinceVisit(
    {
      key: '7.1',
      seq: 5,
      at: 1000,
      by,
      client: 7,
      words: 'lost',
      kind: 'paragraph',
      line: 'row',
      after: ['table'],
    },
    writer,
    later,
    { me, authorOf: (session) => users.get(session) ?? null, fromServer: (at) => at + 1 },
  );

test('own words, with who deleted them', () => {
  const kept = { key: '7.1', at: 1001, words: 'lost', kind: 'paragraph', line: 'row', after: ['table'] };
  expect(told(sessions.me, sessions.ben)).toEqual([{ ...kept, by: ben }]);
  expect(told(sessions.me, null)).toEqual([{ ...kept, by: null }]);
  expect(told(sessions.anna, sessions.me)).toEqual([{ ...kept, by: me, writer: anna }]);
});

test('someone else’s words only until they write again, and no one’s own deletions', () => {
  expect(told(sessions.anna, sessions.ben, [row(4, sessions.anna), row(6, sessions.ben)])).toHaveLength(1);
  expect(told(sessions.anna, sessions.ben, [row(6, sessions.anna)])).toEqual([]);
  expect(told(sessions.me, sessions.me)).toEqual([]);
  expect(told(null, sessions.ben)).toEqual([]);
});
