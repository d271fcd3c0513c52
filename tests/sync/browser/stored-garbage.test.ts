// Another version of the app, or a person with the developer tools, may have written what IndexedDB and localStorage
// return.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as shapes from 'weft-sync/browser/storage/stored-shapes.ts';
import { parseOrNull } from '../../../src/lib/parse-or-null.ts';

const document = 'd0000000-0000-4000-8000-000000000001';
const session = 'e0000000-0000-4000-8000-000000000001';
const part = { session, clientId: 5000, nFrom: 1, nTo: 2, update: Uint8Array.of(1) };
const good = {
  row: { document, seq: 1, ...part, dependencies: [part] },
  documentRecord: {
    document,
    meta: { seq: 1, schemaVersion: 1, title: 'T', role: 'editor' },
    openedAt: 5,
    bytes: null,
  },
  snapshot: { document, seq: 1, state: Uint8Array.of(1) },
  outbox: { document, session, clientId: 5000, openedAt: 5, refused: null },
  entry: { document, session, n: 1, update: Uint8Array.of(1), at: 5, buildsOn: [part] },
  journalEntry: {
    document,
    session,
    clientId: 5000,
    openedAt: 5,
    entry: { n: 1, update: Uint8Array.of(1), at: 5, buildsOn: [] },
  },
} as const;
const { row, documentRecord, snapshot, outbox, entry, journalEntry } = shapes;
const schemas = { row, documentRecord, snapshot, outbox, entry, journalEntry } as const;

test('any stored value parses or is null, and never throws', () => {
  fc.assert(
    fc.property(fc.anything({ withBigInt: true, withDate: true, withMap: true, withTypedArray: true }), (value) => {
      expect(() => Object.values(schemas).map((schema) => parseOrNull(schema, value))).not.toThrow();
    }),
    { numRuns: 3_000 },
  );
});

test('a record with one arbitrary field parses into fields of the right types, or is null', () => {
  fc.assert(
    fc.property(
      fc.constantFrom<keyof typeof good>('row', 'documentRecord', 'snapshot', 'outbox', 'entry', 'journalEntry'),
      fc.nat(),
      fc.anything(),
      (kind, pick, value) => {
        const names = Object.keys(good[kind]);
        const damaged = { ...good[kind], [names[pick % names.length] ?? '']: value };
        const read = parseOrNull(schemas[kind], damaged);
        const isRight =
          read === null ||
          ((!('update' in read) || read.update instanceof Uint8Array) &&
            (!('openedAt' in read) || !Number.isNaN(read.openedAt)) &&
            (!('buildsOn' in read) || read.buildsOn.every(({ update }) => update instanceof Uint8Array)) &&
            (!('refused' in read) || read.refused === null || typeof read.refused === 'string'));
        expect(isRight).toBe(true);
      },
    ),
    { numRuns: 5_000 },
  );
});

test('edits survive damage to the fields beside them', () => {
  const entryWith = (change: object) => parseOrNull(shapes.entry, { ...good.entry, ...change });
  expect(entryWith({ at: 'yesterday' })).toEqual({ ...good.entry, at: 0 });
  expect(entryWith({ buildsOn: 'nothing' })).toEqual({ ...good.entry, buildsOn: [] });
  expect(entryWith({ buildsOn: [{ ...part, nTo: -1 }, part, null] })).toEqual({ ...good.entry, buildsOn: [part] });
  const { buildsOn: _left, ...without } = good.entry;
  expect(parseOrNull(shapes.entry, without)).toEqual({ ...good.entry, buildsOn: [] });
  // The fields that make it an edit must be valid.
  expect([entryWith({ n: 0.5 }), entryWith({ update: [1] }), entryWith({ session: 'x' })]).toEqual([null, null, null]);
});

test('an outbox with a rejection code from a newer app is rejected, not gone', () => {
  const outboxWith = (change: object) => parseOrNull(shapes.outbox, { ...good.outbox, ...change });
  expect(outboxWith({ refused: 'WF099' })?.refused).toBe('unknown');
  expect(outboxWith({ refused: 7 })?.refused).toBe('unknown');
  expect(outboxWith({ refused: 'WF005' })?.refused).toBe('WF005');
  expect(outboxWith({ refused: undefined })?.refused).toBeNull();
  expect(outboxWith({ openedAt: 'x' })?.openedAt).toBe(0);
});
