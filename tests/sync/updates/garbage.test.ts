// Bytes that an editor can forge into the log, a live update or a store: none of them throws, hangs, leaves something
// pending in Yjs, or blocks the next honest row.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { packCaret, unpackCaret } from 'weft-sync/live/caret.ts';
import { type Row } from 'weft-sync/protocol/row.ts';
import { Replica } from 'weft-sync/state/replica.ts';
import { seededRandom } from 'weft-sync/testing/seeded-random.ts';
import { decodeUpdate } from 'weft-sync/updates/decoded-update.ts';
import { missingClocks } from 'weft-sync/updates/missing-clocks.ts';
import { newDoc } from 'weft-sync/updates/new-doc.ts';
import { withoutKnown } from 'weft-sync/updates/without-known.ts';
import * as Y from 'yjs';
import type { Bytes } from '../../../src/lib/bytes.ts';
import { timesAsLong } from '../../support/times-as-long.ts';
import { type ForgedStruct, forge } from '../forge.ts';

const ALICE = 5001;
const BOB = 5002;
const MALLORY = 6000;
const sessions = { [ALICE]: seededRandom(1).session(), [BOB]: seededRandom(2).session() };
const mallory = seededRandom(3).session();

const bytes = (update: Uint8Array): Bytes => new Uint8Array(update);

/** An honest page: text, formatting, a map, nested blocks, deletions; one update per edit. */
function honestRows(): readonly Row[] {
  const rows: Row[] = [];
  const docs = [newDoc(ALICE), newDoc(BOB)];
  for (const doc of docs) {
    doc.on('update', (update: Uint8Array, _origin: unknown, _doc: Y.Doc, transaction: Y.Transaction) => {
      if (!transaction.local) return;
      const clientId = doc.clientID;
      const session = clientId === ALICE ? sessions[ALICE] : sessions[BOB];
      if (session === undefined) throw new Error('a session of the test');
      const seq = rows.length + 1;
      rows.push({ seq, session, clientId, nFrom: seq, nTo: seq, update: bytes(update), dependencies: [] });
      for (const other of docs) if (other !== doc) Y.applyUpdate(other, update, 'row');
    });
  }
  const [a, b] = docs;
  if (a === undefined || b === undefined) throw new Error('two docs');
  a.getText('t').insert(0, 'hello');
  a.getMap('m').set('k', new Y.Text('v'));
  const block = new Y.XmlElement('block');
  block.insert(0, [new Y.XmlText('abc')]);
  a.getXmlFragment('body').insert(0, [block]);
  b.getText('t').insert(2, 'XY');
  b.getText('t').delete(0, 2);
  b.getText('t').format(0, 2, { bold: true });
  b.getXmlFragment('body').delete(0, 1);
  a.getMap('m').set('k', { deep: [1, null, 'two'] });
  return rows;
}

const HONEST = honestRows();
const honestUpdates = HONEST.map(({ update }) => update);

function replayed(rows: readonly Row[]) {
  const doc = newDoc();
  const replica = new Replica(doc, null);
  replica.take(rows);
  return { doc, replica };
}

const contentOf = (doc: Y.Doc) => ({
  text: doc.getText('t').toDelta(),
  map: doc.getMap('m').toJSON(),
  body: doc.getXmlFragment('body').toString(),
});

const nothingPending = (doc: Y.Doc) => [doc.store.pendingStructs, doc.store.pendingDs];

// Ids that mostly exist, so that most forged updates are complete and are applied.
const id = fc.oneof(
  fc.tuple(fc.constant(ALICE), fc.nat({ max: 11 })),
  fc.tuple(fc.constant(BOB), fc.nat({ max: 5 })),
  fc.tuple(fc.constant(MALLORY), fc.nat({ max: 2 })),
);
const content = fc.oneof(
  fc.record({ ref: fc.constant('deleted' as const), len: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ ref: fc.constant('string' as const), text: fc.string({ minLength: 1, maxLength: 5 }) }),
  fc.record({ ref: fc.constant('any' as const), values: fc.constantFrom([1, 'a'], [{ a: null }], [undefined]) }),
  fc.record({ ref: fc.constant('type' as const), type: fc.nat({ max: 6 }) }),
  fc.record({ ref: fc.constant('format' as const), key: fc.constant('bold'), json: fc.constantFrom('true', 'null') }),
  fc.record({ ref: fc.constant('embed' as const), json: fc.constantFrom('1', '{"a":1}') }),
  fc.record({ ref: fc.constant('raw' as const), number: fc.constant(3), bytes: fc.constant([1, 5]) }),
);
const struct: fc.Arbitrary<ForgedStruct> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      origin: fc.option(id),
      right: fc.option(id),
      parent: fc.oneof(fc.constantFrom('t', 'm', 'body', 'new'), id),
      sub: fc.option(fc.constantFrom('k', 'j')),
      content,
    }),
  },
  { weight: 1, arbitrary: fc.record({ gc: fc.integer({ min: 1, max: 4 }) }) },
);
const deletes = fc.record({
  client: fc.constantFrom(ALICE, BOB, MALLORY),
  ranges: fc.array(fc.tuple(fc.nat({ max: 3 }), fc.integer({ min: 1, max: 3 })), { maxLength: 3 }).map((gaps) => {
    let end = 0;
    return gaps.map(([gap, len]): [number, number] => {
      const clock = end + gap;
      end = clock + len;
      return [clock, len];
    });
  }),
});
const forgery = fc.record({
  client: fc.constantFrom(MALLORY, MALLORY, ALICE, BOB),
  back: fc.constantFrom(0, 0, 0, 1, 2, 5),
  structs: fc.array(struct, { maxLength: 4 }),
  deletes: fc.array(deletes, { maxLength: 1 }),
});

describe('[GB1] bytes that are not an update', () => {
  test('random ones never throw, in decoding, completeness, taking and showing', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 120 }), (raw) => {
        const update = bytes(raw);
        const decoded = decodeUpdate(update);
        if (decoded !== null) missingClocks([decoded], () => 0);
        const { doc, replica } = replayed([{ ...malloryRow(1, update) }, malloryRow(2, forge([]))]);
        replica.show([update]);
        expect(replica.seq).toBe(2);
        expect(nothingPending(doc)).toEqual([null, null]);
      }),
      { numRuns: 5_000 },
    );
  });

  test('an honest update with a flipped bit, cut off or with a tail never harms the rows before and after', () => {
    fc.assert(
      fc.property(
        fc.nat(),
        fc.nat(),
        fc.nat({ max: 7 }),
        fc.constantFrom('turn', 'cut', 'tail'),
        (pick, at, bit, how) => {
          const index = pick % honestUpdates.length;
          const damaged = damage(honestUpdates[index] ?? bytes(new Uint8Array()), at, bit, how);
          const rows = HONEST.map((row) => (row.seq === index + 1 ? { ...row, update: damaged } : row));
          const one = replayed(rows);
          const two = replayed(rows);
          expect(one.replica.seq).toBe(rows.length);
          expect(nothingPending(one.doc)).toEqual([null, null]);
          expect(contentOf(one.doc)).toEqual(contentOf(two.doc));
          expect(one.replica.damaged).toEqual(two.replica.damaged);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test.each([
    ['structs', forge([{ client: MALLORY, clock: 0, structs: [{ gc: 1 }], count: 2 ** 31 }])],
    ['more structs', forge([{ client: MALLORY, clock: 0, structs: [{ gc: 1 }], count: 2 ** 52 }])],
    ['clients', forge([{ client: MALLORY, clock: 0, structs: [{ gc: 1 }] }], [], 2 ** 31)],
    ['ranges', forge([], [{ client: MALLORY, ranges: [[0, 1]], count: 2 ** 31 }])],
    ['values', forgeItem({ ref: 'raw', number: 8, bytes: [0xff, 0xff, 0xff, 0xff, 0x07, 126] })],
    ['JSON values', forgeItem({ ref: 'raw', number: 2, bytes: [0xff, 0xff, 0xff, 0xff, 0x07, 1, 49] })],
    ['an array', forgeItem({ ref: 'raw', number: 8, bytes: [1, 117, 0xff, 0xff, 0xff, 0xff, 0x07, 126] })],
    ['an object', forgeItem({ ref: 'raw', number: 8, bytes: [1, 118, 0xff, 0xff, 0xff, 0xff, 0x07, 0, 126] })],
    ['a string', forgeItem({ ref: 'raw', number: 4, bytes: [0xff, 0xff, 0xff, 0xff, 0x07, 65] })],
    ['a buffer', forgeItem({ ref: 'raw', number: 3, bytes: [0xff, 0xff, 0xff, 0xff, 0x07, 65] })],
  ])('that announce far more %s than they hold are refused at once', async (_what, update) => {
    expect(decodeUpdate(update)).toBeNull();
    const small = forge([{ client: MALLORY, clock: 0, structs: [{ gc: 1 }], count: 2 }]);
    const times = await timesAsLong(
      () => decodeUpdate(update),
      () => decodeUpdate(small),
    );
    expect(times).toBeLessThan(200);
  });
});

describe('[GB2] updates that Yjs could not have written are refused', () => {
  const text = { ref: 'string', text: 'x' } as const;
  const mine = (structs: readonly ForgedStruct[], clock = 0) => forge([{ client: MALLORY, clock, structs }]);
  const type = { ref: 'type', type: 3, name: 'block' } as const;
  const within = (depth: number) =>
    Array.from({ length: depth }, (_, at): ForgedStruct => ({ parent: [MALLORY, at], content: type }));
  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

  test.each([
    ['an empty string', mine([{ content: { ref: 'string', text: '' } }])],
    ['an empty list of values', mine([{ content: { ref: 'any', values: [] } }])],
    ['a deletion of nothing', mine([{ content: { ref: 'deleted', len: 0 } }])],
    ['garbage of no length', mine([{ gc: 0 }])],
    ['a hole of no length', mine([{ skip: 0 }, { gc: 1 }])],
    ['numbers beyond reason', mine([{ gc: 2 ** 52 }])],
    ['a client id that no number can hold exactly', forge([{ client: 2 ** 55, clock: 0, structs: [{ gc: 1 }] }])],
    ['an origin of its own that is not there yet', mine([{ origin: [MALLORY, 0], content: text }])],
    ['a right origin later in itself', mine([{ right: [MALLORY, 1], content: text }, { content: text }])],
    ['a place between a thing and itself', mine([{ origin: [ALICE, 3], right: [ALICE, 3], content: text }])],
    ['itself as parent', mine([{ parent: [MALLORY, 0], content: { ref: 'type', type: 3 } }])],
    ['a subdocument', mine([{ content: { ref: 'doc', guid: 'g' } }])],
    ['an unknown kind of content', mine([{ content: { ref: 'raw', number: 17, bytes: [] } }])],
    ['an unknown type', mine([{ content: { ref: 'type', type: 9 } }])],
    ['JSON that is none', mine([{ content: { ref: 'embed', json: '{' } }])],
    ['values a hundred levels deep', mine([{ content: { ref: 'embed', json: nested(100) } }])],
    ['a list of them', mine([{ content: { ref: 'any', values: [JSON.parse(nested(100))] } }])],
    // 1 text of 200 bytes
    [
      'a list of them in JSON',
      mine([{ content: { ref: 'raw', number: 2, bytes: [1, 200, 1, ...ascii(nested(100))] } }]),
    ],
    ['values that overflow the stack', mine([{ content: { ref: 'embed', json: nested(400_000) } }])],
    ['types a hundred levels deep', mine([{ parent: 'body', content: type }, ...within(100)])],
    ...(['origin', 'right'] as const).map((side): [string, Bytes] => [
      `types a hundred levels deep, each with another as ${side}`,
      mine([
        { parent: 'body', content: type },
        ...Array.from({ length: 100 }, (_, at): ForgedStruct[] => [
          { parent: [MALLORY, at * 2], content: type },
          { [side]: [MALLORY, at * 2 + 1], content: type },
        ]).flat(),
      ]),
    ]),
    [
      'types a hundred levels deep, behind structs of another client with higher clocks',
      forge([
        { client: MALLORY + 1, clock: 1_000, structs: Array.from({ length: 200 }, () => ({ gc: 1 })) },
        { client: MALLORY, clock: 0, structs: [{ parent: 'body', content: type }, ...within(100)] },
      ]),
    ],
    ['attributes a hundred levels deep', mine([{ content: { ref: 'format', key: 'k', json: nested(100) } }])],
    [
      'one client in two sections: Yjs applies the last one only',
      forge([
        { client: MALLORY, clock: 0, structs: [{ content: text }] },
        { client: MALLORY, clock: 1, structs: [{ content: text }] },
      ]),
    ],
    ['deletions beyond reason', forge([], [{ client: ALICE, ranges: [[0, 2 ** 52]] }])],
    ['deletions of no length', forge([], [{ client: ALICE, ranges: [[0, 0]] }])],
    [
      'deletions that overlap, each of which walks the whole text',
      forge([], [{ client: ALICE, ranges: Array.from({ length: 1000 }, (): [number, number] => [0, 5]) }]),
    ],
  ])('%s', (_what, update) => {
    expect(decodeUpdate(update)).toBeNull();
    const { doc, replica } = replayed([...HONEST, malloryRow(HONEST.length + 1, update)]);
    expect(replica.damaged).toEqual([HONEST.length + 1]);
    expect(contentOf(doc)).toEqual(contentOf(replayed(HONEST).doc));
  });

  test('structs that wait for each other, within one part or across those of a row, are never complete', () => {
    const one = (client: number, origin: readonly [number, number]) =>
      ({ client, clock: 0, structs: [{ origin, content: text }] }) as const;
    const both = [one(MALLORY, [MALLORY + 1, 0]), one(MALLORY + 1, [MALLORY, 0])];
    const together = decodeUpdate(forge(both));
    const apart = both.map((section) => decodeUpdate(forge([section])));
    if (together === null || apart.includes(null)) throw new Error('each is well-formed by itself');
    expect(missingClocks([together], () => 0).size).toBe(2);
    expect(
      missingClocks(
        apart.filter((part) => part !== null),
        () => 0,
      ).size,
    ).toBe(2);
  });

  test('repeated structs with invented causes are not complete: Yjs would wait for them', () => {
    const again = decodeUpdate(forge([{ client: ALICE, clock: 0, structs: [{ origin: [4711, 5], content: text }] }]));
    if (again === null) throw new Error('well-formed by itself');
    expect(missingClocks([again], (client) => (client === ALICE ? 12 : 0))).toEqual(new Map([[4711, 6]]));
  });

  test('what Yjs writes is always well-formed', () => {
    for (const update of honestUpdates) expect(decodeUpdate(update)).not.toBeNull();
    expect(decodeUpdate(bytes(Y.mergeUpdates([...honestUpdates])))).not.toBeNull();
    expect(decodeUpdate(bytes(Y.encodeStateAsUpdate(replayed(HONEST).doc)))).not.toBeNull();
  });
});

test('[GB2] whatever decodes and is complete is applied without throwing and without leaving anything pending', () => {
  let applied = 0;
  fc.assert(
    fc.property(fc.array(forgery, { minLength: 1, maxLength: 3 }), (forgeries) => {
      const { doc } = replayed(HONEST);
      doc.getXmlFragment('body').observeDeep(() => {});
      doc.getText('t').observe((event) => void event.delta);
      const shown = (client: number) => Y.getState(doc.store, client);
      for (const { client, back, structs, deletes: ranges } of forgeries) {
        const update = forge([{ client, clock: Math.max(0, shown(client) - back), structs }], ranges);
        const decoded = decodeUpdate(update);
        if (decoded === null || missingClocks([decoded], shown).size > 0) continue;
        applied += 1;
        Y.applyUpdate(doc, withoutKnown(update, decoded, shown), 'row');
        expect(nothingPending(doc)).toEqual([null, null]);
      }
      // In any case a client that opens the page from its state can write, and the others can read that.
      const next = newDoc(7000);
      Y.applyUpdate(next, Y.encodeStateAsUpdate(doc));
      next.getText('t').insert(0, 'on');
      Y.applyUpdate(doc, Y.encodeStateAsUpdate(next));
      expect(nothingPending(doc)).toEqual([null, null]);
      expect(doc.getText('t').toString()).toContain('on');
    }),
    { numRuns: 10_000 },
  );
  expect(applied).toBeGreaterThan(2_000);
});

test('[GB2] the rest of a struct whose beginning is garbage by now does not throw half way', () => {
  // The first half hides behind a parent that no longer exists; the whole names a living one.
  const first = forge([{ client: MALLORY, clock: 0, structs: [{ gc: 3 }] }]);
  const whole = forge([
    { client: MALLORY, clock: 0, structs: [{ parent: 't', content: { ref: 'string', text: 'abcdef' } }] },
  ]);
  const { doc } = replayed(HONEST);
  const shown = (client: number) => Y.getState(doc.store, client);
  Y.applyUpdate(doc, first, 'row');
  const decoded = decodeUpdate(whole);
  if (decoded === null) throw new Error('well-formed by itself');
  expect(missingClocks([decoded], shown).size).toBe(0);
  // The reason for `withoutKnown`: when Yjs can handle this, it can go.
  expect(() => Y.applyUpdate(replayedWith(first), whole, 'row')).toThrow(TypeError);
  Y.applyUpdate(doc, withoutKnown(whole, decoded, shown), 'row');
  expect(shown(MALLORY)).toBe(6);
  expect(nothingPending(doc)).toEqual([null, null]);
});

test('[GB2] an honest overlap gives what the whole would have given', () => {
  const author = newDoc(ALICE);
  const updates: Bytes[] = [];
  author.on('update', (update: Uint8Array) => updates.push(bytes(update)));
  for (const [at, char] of [...'abcdefgh'].entries()) author.getText('t').insert(Math.min(at, 3), char);
  const reader = newDoc();
  const shown = (client: number) => Y.getState(reader.store, client);
  Y.applyUpdate(reader, Y.mergeUpdates(updates.slice(0, 5)), 'row');
  const again = bytes(Y.mergeUpdates(updates.slice(2)));
  const decoded = decodeUpdate(again);
  if (decoded === null) throw new Error('an honest update');
  expect(missingClocks([decoded], shown).size).toBe(0);
  const cut = withoutKnown(again, decoded, shown);
  expect(cut.length).toBeLessThan(again.length);
  Y.applyUpdate(reader, cut, 'row');
  expect(contentOf(reader)).toEqual(contentOf(author));
  expect(withoutKnown(updates[0] ?? again, decoded, () => 0)).toBe(updates[0]);
});

test('[GB4] a struct without content is deleted for those who have it, too, in whatever order updates come', () => {
  const written = forge([
    { client: MALLORY, clock: 0, structs: [{ parent: 't', content: { ref: 'string', text: 'abcdef' } }] },
  ]);
  const emptied = forge([
    { client: MALLORY, clock: 0, structs: [{ parent: 't', content: { ref: 'deleted', len: 4 } }] },
  ]);
  const collected = forge([{ client: MALLORY, clock: 0, structs: [{ gc: 4 }] }]);
  const texts = [
    [written, emptied],
    [emptied, written],
    [written, collected],
  ].map((updates) => {
    const doc = newDoc();
    const shown = (client: number) => Y.getState(doc.store, client);
    for (const update of updates) {
      const decoded = decodeUpdate(update);
      if (decoded === null) throw new Error('well-formed by itself');
      Y.applyUpdate(doc, withoutKnown(update, decoded, shown), 'row');
    }
    expect(nothingPending(doc)).toEqual([null, null]);
    return doc.getText('t').toJSON();
  });
  expect(texts).toEqual(['ef', 'ef', 'ef']);
});

test('[GB4] nothing is added to what Yjs writes', () => {
  const { doc } = replayed(HONEST);
  doc.getText('t').delete(0, 3);
  for (const update of [...honestUpdates, bytes(Y.encodeStateAsUpdate(doc))]) {
    const decoded = decodeUpdate(update);
    if (decoded === null) throw new Error('an honest update');
    expect(withoutKnown(update, decoded, () => 0)).toBe(update);
  }
});

test('[GB1] [CA3] a caret of any bytes is a cursor, none, or ignored, and never longer than allowed', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 600 }), (raw) => {
      const cursor = unpackCaret(raw);
      if (cursor === undefined) return;
      expect(unpackCaret(packCaret(cursor))).toEqual(cursor);
    }),
    { numRuns: 5_000 },
  );
  fc.assert(
    fc.property(fc.anything(), (value) => {
      expect(packCaret(value).length).toBeLessThanOrEqual(512);
    }),
  );
  const doc = replayed(HONEST).doc;
  const position = Y.relativePositionToJSON(Y.createRelativePositionFromTypeIndex(doc.getText('t'), 2));
  const packed = packCaret({ anchor: position, head: position });
  fc.assert(
    fc.property(fc.nat(), fc.nat({ max: 255 }), (at, byte) => {
      const broken = packed.slice();
      broken[at % packed.length] = byte;
      const cursor = unpackCaret(broken);
      if (cursor == null || 'beside' in cursor) return;
      // The editor's binding makes the same call with the cursor.
      Y.createRelativePositionFromJSON(cursor.anchor);
    }),
  );
});

function replayedWith(update: Bytes): Y.Doc {
  const { doc } = replayed(HONEST);
  Y.applyUpdate(doc, update, 'row');
  return doc;
}

function malloryRow(seq: number, update: Bytes): Row {
  return { seq, session: mallory, clientId: MALLORY, nFrom: seq, nTo: seq, update, dependencies: [] };
}

const ascii = (text: string) => [...text].map((character) => character.charCodeAt(0));

function forgeItem(content_: Parameters<typeof item>[0]): Bytes {
  return forge([{ client: MALLORY, clock: 0, structs: [item(content_)] }]);
}

function item(content_: Extract<ForgedStruct, { content: unknown }>['content']): ForgedStruct {
  return { content: content_ };
}

function damage(update: Bytes, at: number, bit: number, how: 'turn' | 'cut' | 'tail'): Bytes {
  if (how === 'tail') return Uint8Array.of(...update, at % 256);
  if (how === 'cut') return update.slice(0, at % update.length);
  const damaged = update.slice();
  const index = at % update.length;
  damaged[index] = (damaged[index] ?? 0) ^ (1 << bit);
  return damaged;
}
