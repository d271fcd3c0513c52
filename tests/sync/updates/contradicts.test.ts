// The comparison that detects forged edits (I6): it never takes honest edits for forged ones, however they were cut or
// merged, and it finds every forged one.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contradicts } from 'weft-sync/updates/contradicts.ts';
import { type DecodedUpdate, decodeUpdate } from 'weft-sync/updates/decoded-update.ts';
import { mergeUpdates } from 'weft-sync/updates/merge-updates.ts';
import { newDoc } from 'weft-sync/updates/new-doc.ts';
import * as Y from 'yjs';
import { type ForgedStruct, forge } from '../forge.ts';

const CLIENT = 5000;
type Update = Uint8Array<ArrayBuffer>;

const decoded = (update: Update): DecodedUpdate => {
  const one = decodeUpdate(update);
  if (one === null) throw new Error('malformed in a test');
  return one;
};

/** Edits of every kind on text, marks, maps, lists and XML, with others' text in between. */
function typed(seeds: readonly number[]): readonly Update[] {
  const doc = newDoc(CLIENT);
  const other = newDoc(CLIENT + 1);
  const updates: Update[] = [];
  doc.on('update', (update: Uint8Array, _origin: unknown, _doc: Y.Doc, transaction: Y.Transaction) => {
    if (transaction.local) updates.push(new Uint8Array(update));
  });
  const text = doc.getText('t');
  for (const seed of seeds) {
    const at = text.length === 0 ? 0 : seed % text.length;
    const kinds: (() => void)[] = [
      () => text.insert(at, ['word', '👍', 'é', 'x'][seed % 4] ?? ''),
      () => text.insert(text.length, 'k'),
      () => text.delete(at, Math.min(3, text.length - at)),
      () => text.format(at, Math.min(4, text.length - at), { bold: seed % 2 === 0 ? true : null }),
      () => text.insertEmbed(at, { image: seed }),
      () => doc.getMap('m').set(`k${seed % 3}`, seed),
      () => doc.getArray('a').insert(0, [seed, { deep: [seed] }, null]),
      () => doc.getXmlFragment('x').insert(0, [new Y.XmlElement('p'), new Y.XmlText('in')]),
      () =>
        doc.transact(() => {
          text.insert(0, 'gone');
          text.delete(0, 4);
        }),
      () => {
        Y.applyUpdate(other, Y.encodeStateAsUpdate(doc));
        other.getText('t').insert(at, 'them');
        Y.applyUpdate(doc, Y.encodeStateAsUpdate(other), 'row');
      },
    ];
    kinds[Math.floor(seed / 7) % kinds.length]?.();
  }
  return updates;
}

test('[I6] however honest edits were merged on their way, they are equal', () => {
  const cuts = fc.array(fc.tuple(fc.nat({ max: 60 }), fc.nat({ max: 60 })), { maxLength: 5 });
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 10_000 }), { minLength: 1, maxLength: 60 }), cuts, (seeds, ranges) => {
      const updates = typed(seeds);
      if (updates.length === 0) return;
      const own = decoded(mergeUpdates(updates));
      const pieces = ranges
        .map(([a, b]) => updates.slice(Math.min(a, b), Math.max(a, b) + 1))
        .filter((one) => one.length > 0);
      const merges = pieces.map((piece) => new Uint8Array(Y.mergeUpdates([...piece])));
      for (const honest of [
        ...updates,
        ...merges,
        ...(merges.length > 0 ? [new Uint8Array(Y.mergeUpdates(merges))] : []),
      ]) {
        expect([contradicts(decoded(honest), own, CLIENT, 0), contradicts(own, decoded(honest), CLIENT, 0)]).toEqual([
          false,
          false,
        ]);
      }
    }),
    { numRuns: 300 },
  );
});

const text = (
  word: string,
  over: Partial<Exclude<ForgedStruct, { gc: number } | { skip: number }>> = {},
): ForgedStruct => ({
  content: { ref: 'string', text: word },
  ...over,
});
const updateOf = (...structs: readonly ForgedStruct[]) => decoded(forge([{ client: CLIENT, clock: 10, structs }]));

test.each<[string, ForgedStruct]>([
  ['a word with another character', text('wore')],
  ['another place', text('word', { origin: [1, 3] })],
  ['another right neighbor', text('word', { right: [1, 4] })],
  ['another parent', text('word', { parent: 'u' })],
  ['a parent that is no name', text('word', { parent: [1, 0] })],
  ['a key', text('word', { sub: 'k' })],
  ['other content', { content: { ref: 'any', values: ['w', 'o', 'r', 'd'] } }],
  ['deleted words', { content: { ref: 'deleted', len: 4 } }],
  ['a hole', { gc: 4 }],
])('[I6] %s in place of a word contradicts it', (_what, struct) => {
  expect(contradicts(updateOf(struct), updateOf(text('word')), CLIENT, 0)).toBe(true);
  expect(contradicts(updateOf(text('word')), updateOf(struct), CLIENT, 0)).toBe(true);
});

test('[I6] only clocks that are not in the log yet count, and only where both sides hold something', () => {
  const mine = updateOf(text('word'));
  const pieces = updateOf(text('wo'), text('RD', { origin: [CLIENT, 11] }));
  expect([10, 12, 13, 14].map((from) => contradicts(pieces, mine, CLIENT, from))).toEqual([true, true, true, false]);
  expect(contradicts(updateOf(text('wo'), text('rd', { origin: [CLIENT, 11] })), mine, CLIENT, 0)).toBe(false);
  expect(contradicts(updateOf(text('wo'), text('rd', { origin: [CLIENT, 10] })), mine, CLIENT, 0)).toBe(true);
  const later = decoded(forge([{ client: CLIENT, clock: 14, structs: [text('more')] }]));
  expect(contradicts(later, mine, CLIENT, 0)).toBe(false);
  expect(contradicts(mine, mine, CLIENT + 1, 0)).toBe(false);
});

test('[I6] values, marks, embeds and types are compared by content', () => {
  const any = (value: number) => updateOf({ content: { ref: 'any', values: [1, value] } });
  const mark = (json: string) => updateOf({ content: { ref: 'format', key: 'bold', json } });
  const embed = (json: string) => updateOf({ content: { ref: 'embed', json } });
  const type = (name: string) => updateOf({ content: { ref: 'type', type: 3, name } });
  for (const [same, other] of [
    [any(2), any(3)],
    [mark('true'), mark('null')],
    [embed('{"a":1}'), embed('{"a":2}')],
    [type('p'), type('h')],
  ] as const) {
    expect([contradicts(same, same, CLIENT, 0), contradicts(same, other, CLIENT, 0)]).toEqual([false, true]);
  }
});
