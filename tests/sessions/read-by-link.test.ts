import { expect, test } from 'vitest';
import { bodyText } from 'weft-document/body/body-text.ts';
import { SEED_CLIENT_ID, SEED_SESSION } from 'weft-sync/protocol/ids.ts';
import { encodeRows } from 'weft-sync/protocol/row.ts';
import { unpackSnapshot } from 'weft-sync/snapshot/unpack-snapshot.ts';
import { seededRandom } from 'weft-sync/testing/seeded-random.ts';
import { toBase64 } from '../../src/lib/bytes.ts';
import { SCHEMA_VERSION } from '../../src/protocol/limits.ts';
import { readByLink } from '../../src/sessions/read-by-link.ts';
import { pageSeed } from '../support/editor/page-seed.ts';

const seed = {
  seq: 1,
  at: 1,
  session: SEED_SESSION,
  clientId: SEED_CLIENT_ID,
  nFrom: 1,
  nTo: 1,
  update: new Uint8Array(pageSeed('Saved.')),
  dependencies: [],
};

const answer = {
  documentId: seededRandom(1).session(),
  title: 'Plan',
  topic: 'view:1',
  role: 'viewer',
  head: 1,
  changedAt: '2026-11-30T10:00:00Z',
  schemaVersion: SCHEMA_VERSION,
  snapshot: null,
  rows: toBase64(encodeRows({ kind: 'rows', head: 1, rows: [seed] })),
  more: false,
  expiresAt: null,
  presenting: null,
};

const read = (change: object) => readByLink({ ...answer, ...change }, unpackSnapshot);

test('reads a page whose rows are all in the answer', async () => {
  const page = await read({});
  expect(page).toMatchObject({ title: 'Plan', changedAt: Date.parse(answer.changedAt) });
  expect(page === null ? null : bodyText(page.doc)).toBe('Saved.');
});

test.each([
  ['is to edit', { role: 'editor' }],
  ['has more rows than one answer', { more: true }],
  ['was written by a newer app', { schemaVersion: SCHEMA_VERSION + 1 }],
  [
    'has a snapshot that is none',
    { snapshot: { seq: 1, at: 1, state: toBase64(new Uint8Array([1, 2])), sha256: '00' } },
  ],
  ['has rows that are none', { rows: '!' }],
])('nothing of a page that %s', async (_what, change) => {
  expect(await read(change)).toBeNull();
});

test('nothing where the call failed', async () => {
  expect(await readByLink(null, unpackSnapshot)).toBeNull();
});
