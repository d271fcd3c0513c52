// Dependencies of an append, from real edits of real documents.
import { describe, expect, test } from 'vitest';
import { MAX_DEPENDENCIES_BYTES, MAX_DEPENDENCIES } from 'weft-sync/protocol/limits.ts';
import { type DecodedPart, dependencyClosure, fitsInRow } from 'weft-sync/state/dependency-closure.ts';
import { seededRandom } from 'weft-sync/testing/seeded-random.ts';
import { decodeUpdate, clockEnds } from 'weft-sync/updates/decoded-update.ts';
import { missingClocks } from 'weft-sync/updates/missing-clocks.ts';
import { newDoc } from 'weft-sync/updates/new-doc.ts';
import * as Y from 'yjs';

const random = seededRandom(11);

/** An author with a document of their own, who gets others' edits when a test passes them on. */
function author(clientId: number) {
  const doc = newDoc(clientId);
  const session = random.session();
  let n = 0;
  const write = (edit: (text: Y.Text) => void): DecodedPart => {
    let update: Uint8Array<ArrayBuffer> = new Uint8Array();
    doc.once('update', (bytes: Uint8Array) => (update = new Uint8Array(bytes)));
    doc.transact(() => edit(doc.getText('t')));
    n += 1;
    const decoded = decodeUpdate(update);
    if (decoded === null) throw new Error('Yjs wrote no update');
    return { part: { session, clientId, nFrom: n, nTo: n, update }, decoded };
  };
  return {
    write,
    type: (at: number, word: string) => write((text) => text.insert(at, word)),
    hear: (...sources: readonly DecodedPart[]) => {
      for (const { part } of sources) Y.applyUpdate(doc, part.update, 'row');
    },
  };
}

const nothing = () => 0;
/** A log that holds these edits. */
const after = (sources: readonly DecodedPart[]) => {
  const clocks = new Map<number, number>();
  for (const { decoded } of sources) {
    for (const [client, end] of clockEnds(decoded)) clocks.set(client, Math.max(end, clocks.get(client) ?? 0));
  }
  return (client: number) => clocks.get(client) ?? 0;
};

describe('what own edits build on', () => {
  test('[D3] a dependency is picked with everything it builds on, and nothing else', () => {
    const [ada, bob, eve, own] = [author(5001), author(5002), author(5003), author(5004)];
    const a1 = ada.type(0, 'ada');
    bob.hear(a1);
    const b1 = bob.type(2, 'bob');
    const e1 = eve.type(0, 'eve');
    own.hear(a1, b1);
    // Between two characters of bob's.
    const mine = own.type(3, '!');
    const { sources, lacking } = dependencyClosure([mine.decoded], [e1, b1, a1], nothing);
    expect(lacking.size).toBe(0);
    expect(new Set(sources)).toEqual(new Set([a1, b1]));
    expect(missingClocks([mine.decoded, ...sources.map(({ decoded }) => decoded)], nothing).size).toBe(0);
  });

  test('[D3] edits that the log holds are left out', () => {
    const [ada, bob, own] = [author(5001), author(5002), author(5003)];
    const a1 = ada.type(0, 'ada');
    bob.hear(a1);
    const b1 = bob.type(1, 'bob');
    own.hear(a1, b1);
    const mine = own.type(2, '!');
    expect(dependencyClosure([mine.decoded], [a1, b1], after([a1])).sources).toEqual([b1]);
    expect(dependencyClosure([mine.decoded], [a1, b1], after([a1, b1])).sources).toEqual([]);
  });

  test('[D3] [I11] deleting builds on the deleted text', () => {
    const [ada, own] = [author(5001), author(5002)];
    const a1 = ada.type(0, 'ada');
    own.hear(a1);
    const mine = own.write((text) => text.delete(1, 1));
    expect(dependencyClosure([mine.decoded], [a1], nothing).sources).toEqual([a1]);
  });

  test('[D3] [D4] what no one here has is reported as lacking', () => {
    const [ada, own] = [author(5001), author(5002)];
    const [a1, a2] = [ada.type(0, 'one '), ada.type(4, 'two')];
    own.hear(a1, a2);
    const mine = own.type(7, '!');
    const { sources, lacking } = dependencyClosure([mine.decoded], [a2], nothing);
    expect(sources).toEqual([a2]);
    expect([...lacking.keys()]).toEqual([5001]);
  });

  test('[D3] two authors who wrote in each other’s words need both, in whatever order they are found', () => {
    const [ada, bob, own] = [author(5001), author(5002), author(5003)];
    const a1 = ada.type(0, 'aa');
    bob.hear(a1);
    const b1 = bob.type(1, 'bb');
    ada.hear(b1);
    const a2 = ada.type(2, 'c');
    own.hear(a1, b1, a2);
    const mine = own.type(3, '!');
    for (const pool of [
      [a1, b1, a2],
      [a2, b1, a1],
      [b1, a2, a1],
    ]) {
      const { sources, lacking } = dependencyClosure([mine.decoded], pool, nothing);
      expect(lacking.size).toBe(0);
      expect(new Set(sources)).toEqual(new Set([a1, b1, a2]));
    }
  });
});

test('[D3] a row holds so many parts and so many bytes, no more', () => {
  const { part } = author(5001).type(0, 'x');
  const large = { ...part, update: new Uint8Array(MAX_DEPENDENCIES_BYTES / 4) };
  expect(fitsInRow(Array.from({ length: MAX_DEPENDENCIES }, () => part))).toBe(true);
  expect(fitsInRow(Array.from({ length: MAX_DEPENDENCIES + 1 }, () => part))).toBe(false);
  expect(fitsInRow([large, large, large, large])).toBe(true);
  expect(fitsInRow([large, large, large, large, part])).toBe(false);
});
