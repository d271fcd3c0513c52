// Answers of the database and presence as they may come from a server of another version, or from nobody's.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as answers from '../../src/protocol/answers.ts';
import { encodeRows } from '../../src/protocol/row.ts';
import { toBase64 } from '../../src/lib/bytes.ts';

const { appendAnswer, change, createdLink, documentList, openAnswer, parseAnswer, rowsAnswer, sessionInfos } = answers;
const schemas = [appendAnswer, change, createdLink, documentList, openAnswer, rowsAnswer, sessionInfos];
const rows = toBase64(encodeRows({ kind: 'rows', head: 1, rows: [] }));
const good = { seq: 1, lastN: 1, head: 1, epoch: '1.1', role: 'editor', rows, more: false, unpublished: false };

test('[GB1] whatever a server answers is an answer or a reason, and never throws', () => {
  fc.assert(
    fc.property(fc.anything({ withBigInt: true, withNullPrototype: true }), (value) => {
      for (const schema of schemas) expect(parseAnswer(schema, value)).toHaveProperty('ok');
    }),
    { numRuns: 1_000 },
  );
});

test('[GB1] an answer with one field replaced is refused, or has the right kind there', () => {
  expect(parseAnswer(appendAnswer, good).ok).toBe(true);
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(good)), fc.anything(), (name, value) => {
      const parsed = parseAnswer(appendAnswer, { ...good, [name]: value });
      const isRight =
        !parsed.ok ||
        ([parsed.value.lastN, parsed.value.head].every(Number.isSafeInteger) && Array.isArray(parsed.value.rows));
      expect(isRight).toBe(true);
    }),
    { numRuns: 3_000 },
  );
});

test('[GB1] rows that are no base64, no message, or a message of another kind make the answer none', () => {
  const fetchMessage = toBase64(encodeRows({ kind: 'fetch', head: 1 }));
  for (const damaged of ['%', '', 'AAAA', rows.slice(0, -4), fetchMessage]) {
    expect(parseAnswer(appendAnswer, { ...good, rows: damaged }).ok).toBe(false);
  }
});
