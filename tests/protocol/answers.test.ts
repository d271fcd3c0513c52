// Parsers of answers with input that a server of another version, or a broken one, may send.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseAnswer } from 'weft-sync/protocol/answers.ts';
import { appendAnswer, openAnswer, rowsAnswer, sessionInfos } from 'weft-sync/protocol/log-answers.ts';
import { encodeRows } from 'weft-sync/protocol/row.ts';
import { toBase64 } from '../../src/lib/bytes.ts';
import { createdLink, documentChanges, workspaceChange } from '../../src/protocol/answers.ts';
import { activityList, notificationList } from '../../src/protocol/home-answers.ts';
import { notificationOf } from '../support/app/memory-inbox.ts';

const schemas = [appendAnswer, workspaceChange, createdLink, documentChanges, openAnswer, rowsAnswer, sessionInfos];
const rows = toBase64(encodeRows({ kind: 'rows', head: 1, rows: [] }));
const valid = {
  seq: 1,
  lastN: 1,
  head: 1,
  epoch: '1.1',
  role: 'editor',
  rows,
  more: false,
  unpublished: false,
  publishIn: 0,
};

test('[GB1] parsing an answer of a server never throws, whatever it contains', () => {
  fc.assert(
    fc.property(fc.anything({ withBigInt: true, withNullPrototype: true }), (value) => {
      for (const schema of schemas) expect(parseAnswer(schema, value)).toHaveProperty('ok');
    }),
    { numRuns: 1_000 },
  );
});

test('[GB1] an answer with one field replaced is refused, or the field still has the right type', () => {
  expect(parseAnswer(appendAnswer, valid).ok).toBe(true);
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(valid)), fc.anything(), (name, value) => {
      const parsed = parseAnswer(appendAnswer, { ...valid, [name]: value });
      const isValid =
        !parsed.ok ||
        ([parsed.value.lastN, parsed.value.head].every(Number.isSafeInteger) && Array.isArray(parsed.value.rows));
      expect(isValid).toBe(true);
    }),
    { numRuns: 3_000 },
  );
});

test('[GB1] an answer is refused if its rows are not base64, not a message, or a message of another kind', () => {
  const fetchMessage = toBase64(encodeRows({ kind: 'fetch', head: 1 }));
  for (const damaged of ['%', '', 'AAAA', rows.slice(0, -4), fetchMessage]) {
    expect(parseAnswer(appendAnswer, { ...valid, rows: damaged }).ok).toBe(false);
  }
});

test('a list of notifications leaves out kinds that only a newer app knows, and says how many came', () => {
  const at = '2026-08-01T12:00:00.000Z';
  const known = { ...notificationOf(1, 'reply'), at };
  const answer = { unread: 2, notifications: [{ id: 'x', kind: 'poll' }, known] };
  expect(parseAnswer(notificationList, answer)).toMatchObject({
    ok: true,
    value: { unread: 2, notifications: [{ id: known.id, kind: 'reply' }], received: 2 },
  });
  const broken = { unread: 2, notifications: [{ ...known, id: 1 }] };
  expect(parseAnswer(notificationList, broken)).toMatchObject({ ok: false });
});

test('an activity names kinds that only a newer app knows `other`', () => {
  const at = '2026-08-01T12:00:00.000Z';
  const known = { id: 'a', document: null, title: null, actor: null, kind: 'joined', detail: {}, at, until: at };
  expect(parseAnswer(activityList, [known, { ...known, id: 'b', kind: 'commented' }])).toMatchObject({
    ok: true,
    value: [
      { id: 'a', kind: 'joined' },
      { id: 'b', kind: 'other' },
    ],
  });
  expect(parseAnswer(activityList, [{ ...known, until: null }])).toMatchObject({ ok: false });
});
