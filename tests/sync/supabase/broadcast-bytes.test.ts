import { expect, test } from 'vitest';
import { parseSessionId } from 'weft-sync/protocol/ids.ts';
import { encodeRows } from 'weft-sync/protocol/row.ts';
import { trustedBytesOf } from 'weft-sync/supabase/realtime/broadcast-bytes.ts';
import { toBase64 } from '../../../src/lib/bytes.ts';

const session = parseSessionId('11111111-1111-4111-8111-111111111111');
if (session === null) throw new Error('a session id');
const row = { seq: 7, session, clientId: 5000, nFrom: 1, nTo: 1, update: new Uint8Array([0, 0]), dependencies: [] };
const rows = encodeRows({ kind: 'rows', head: 7, rows: [row] });

test('binary bytes are taken as they are', () => {
  expect(trustedBytesOf(rows.buffer, true)).toEqual(rows);
});

test('base64 is taken where only the database can send', () => {
  expect(trustedBytesOf({ id: 'x', b: toBase64(rows) }, false)).toEqual(rows);
});

test('base64 on a topic where clients can send is only a hint to fetch, because it could be forged', () => {
  expect(trustedBytesOf({ id: 'x', b: toBase64(rows) }, true)).toEqual(encodeRows({ kind: 'fetch', head: 7 }));
});

test.each([[null], [{}], [{ b: 5 }], [{ b: '%' }], ['text'], [{ b: toBase64(new Uint8Array([9, 9])) }]])(
  'anything else becomes empty: %j',
  (payload) => {
    expect(trustedBytesOf(payload, true)).toEqual(new Uint8Array(0));
  },
);
