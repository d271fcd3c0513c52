import fc from 'fast-check';
import { expect, test } from 'vitest';
import { docContent } from 'weft-sync/updates/content.ts';
import { type DecodedUpdate, decodeUpdate } from 'weft-sync/updates/decoded-update.ts';
import { missingClocks } from 'weft-sync/updates/missing-clocks.ts';
import { REMOTE_ORIGIN, newDoc } from 'weft-sync/updates/new-doc.ts';
import { MAX_PIECE_BYTES, splitUpdate } from 'weft-sync/updates/split-update.ts';
import * as Y from 'yjs';
import type { Bytes } from '../../../src/lib/bytes.ts';

/** The update of one local transaction of `doc`; empty when it changes nothing. */
function updateOf(doc: Y.Doc, edit: () => void): Bytes {
  return writtenBy(doc, () => doc.transact(edit));
}

/** The same for an edit that opens its own transaction. */
function writtenBy(doc: Y.Doc, edit: () => void): Bytes {
  let update: Bytes = new Uint8Array(0);
  doc.once('update', (bytes: Uint8Array) => {
    update = new Uint8Array(bytes);
  });
  edit();
  return update;
}

function decoded(update: Bytes): DecodedUpdate {
  const one = decodeUpdate(update);
  if (one === null) throw new Error('a piece is no update');
  return one;
}

function copyOf(state: Uint8Array, clientId: number): Y.Doc {
  const doc = newDoc(clientId);
  Y.applyUpdate(doc, state, REMOTE_ORIGIN);
  return doc;
}

/** Applies pieces as rows: each must be complete when its turn comes (I11). */
function applyInOrder(doc: Y.Doc, pieces: readonly Bytes[]): void {
  for (const piece of pieces) {
    expect(missingClocks([decoded(piece)], (client) => Y.getState(doc.store, client)).size).toBe(0);
    Y.applyUpdate(doc, piece, REMOTE_ORIGIN);
    expect([doc.store.pendingStructs, doc.store.pendingDs]).toEqual([null, null]);
  }
}

const deletesOf = (update: Bytes): readonly string[] =>
  [...decoded(update).deletes].flatMap(([client, ranges]) =>
    ranges.flatMap(({ clock, len }) => Array.from({ length: len }, (_, at) => `${client}:${clock + at}`)),
  );

// ── random transactions ──────────────────────────────────────────────────────────────────────────────────────────────

type Edit = readonly [kind: number, at: number, size: number, text: string];
const words = fc.string({ unit: fc.constantFrom('a', 'b', ' ', 'ö', '語', '😀', '👩‍👧'), maxLength: 400 });
const edit: fc.Arbitrary<Edit> = fc.tuple(fc.nat(9), fc.nat(1000), fc.nat(60), words);

function perform(doc: Y.Doc, [kind, at, size, text]: Edit): void {
  const body = doc.getText('t');
  const list = doc.getArray<unknown>('a');
  const page = doc.getXmlFragment('x');
  const place = (length: number) => (length === 0 ? 0 : at % (length + 1));
  switch (kind) {
    case 0:
    case 1:
      body.insert(place(body.length), text);
      return;
    case 2:
      body.insert(place(body.length), text, at % 2 === 0 ? { bold: true } : { link: { href: text } });
      return;
    case 3:
      body.delete(place(body.length), Math.min(size, body.length - place(body.length)));
      return;
    case 4:
      body.format(place(body.length), Math.min(size, body.length - place(body.length)), {
        italic: at % 2 === 0 || null,
      });
      return;
    case 5:
      list.insert(place(list.length), [text, at, { text, size }, ...Array.from({ length: size }, (_, n) => n), text]);
      return;
    case 6:
      list.delete(place(list.length), Math.min(size, list.length - place(list.length)));
      return;
    case 7:
      doc.getMap('m').set(String(at % 3), text);
      return;
    case 8: {
      const block = new Y.XmlElement('block');
      block.setAttribute('id', Array.from(text).slice(0, 9).join(''));
      block.insert(0, [new Y.XmlText(text)]);
      page.insert(place(page.length), [block]);
      return;
    }
    default:
      if (page.length > 0) page.delete(Math.min(place(page.length), page.length - 1), 1);
      body.insertEmbed(place(body.length), { at });
  }
}

const edits = (max: number) => fc.array(edit, { minLength: 1, maxLength: max });

test('[SZ1] pieces applied in order say what the whole says, and each is complete after the ones before it', () => {
  fc.assert(
    fc.property(edits(8), edits(8), edits(12), fc.integer({ min: 200, max: 900 }), (before, theirs, ours, max) => {
      const seed = newDoc(2000);
      seed.transact(() => before.forEach((one) => perform(seed, one)));
      const doc = copyOf(Y.encodeStateAsUpdate(seed), 3000);
      const other = copyOf(Y.encodeStateAsUpdate(seed), 4000);
      const update = updateOf(doc, () => ours.forEach((one) => perform(doc, one)));
      if (update.length === 0) return;
      // Someone else writes in the same places at the same time.
      const concurrent = updateOf(other, () => theirs.forEach((one) => perform(other, one)));
      const pieces = splitUpdate(update, max);
      expect(update.length > max).toBe(pieces.length > 1);
      expect(pieces.flatMap(deletesOf).sort()).toEqual(deletesOf(update).toSorted());

      for (const state of [Y.encodeStateAsUpdate(seed), Y.encodeStateAsUpdate(other)]) {
        const whole = copyOf(state, 5000);
        const inPieces = copyOf(state, 5000);
        Y.applyUpdate(whole, update, REMOTE_ORIGIN);
        applyInOrder(inPieces, pieces);
        for (const one of [whole, inPieces]) if (concurrent.length > 0) Y.applyUpdate(one, concurrent, REMOTE_ORIGIN);
        expect(docContent(inPieces)).toBe(docContent(whole));
        expect(Y.encodeStateVector(inPieces)).toEqual(Y.encodeStateVector(whole));
      }
      // The author has all of it already; the pieces change nothing there.
      const mine = docContent(doc);
      applyInOrder(doc, pieces);
      expect(docContent(doc)).toBe(mine);
    }),
    { numRuns: 300 },
  );
});

test('[SZ1] no piece is larger than asked for, unless a single value is', () => {
  fc.assert(
    fc.property(edits(12), fc.integer({ min: 2_000, max: 6_000 }), (ours, max) => {
      const doc = newDoc(3000);
      const update = updateOf(doc, () => ours.forEach((one) => perform(doc, one)));
      for (const piece of splitUpdate(update, max)) expect(piece.length).toBeLessThanOrEqual(max);
    }),
    { numRuns: 200 },
  );
});

test('[SZ1] merged again in any groups, the pieces are the whole', () => {
  fc.assert(
    fc.property(edits(12), fc.integer({ min: 1, max: 5 }), (ours, group) => {
      const doc = newDoc(3000);
      const update = updateOf(doc, () => ours.forEach((one) => perform(doc, one)));
      const pieces = update.length === 0 ? [] : splitUpdate(update, 300);
      const merged: Bytes[] = [];
      for (let at = 0; at < pieces.length; at += group) {
        merged.push(new Uint8Array(Y.mergeUpdates(pieces.slice(at, at + group))));
      }
      const copy = newDoc(4000);
      applyInOrder(copy, merged);
      expect(docContent(copy)).toBe(docContent(doc));
    }),
  );
});

// ── large ones, as they occur ────────────────────────────────────────────────────────────────────────────────────────

function expectPieces(update: Bytes, doc: Y.Doc, before: Uint8Array): readonly Bytes[] {
  expect(update.length).toBeGreaterThan(1024 * 1024);
  const pieces = splitUpdate(update, MAX_PIECE_BYTES);
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(MAX_PIECE_BYTES);
  const copy = copyOf(before, 9000);
  applyInOrder(copy, pieces);
  expect(docContent(copy)).toBe(docContent(doc));
  return pieces;
}

const NOTHING = Y.encodeStateAsUpdate(new Y.Doc());

test.each([
  ['ASCII', 'The quick brown fox. '],
  ['three bytes a character', '語'],
  ['pairs of surrogates, never torn apart', '😀'],
])('[SZ1] one string of 5 MB is cut: %s', (_name, word) => {
  const doc = newDoc(3000);
  const text = `x${word.repeat(Math.ceil((5 * 1024 * 1024) / new TextEncoder().encode(word).length))}`;
  const pieces = expectPieces(
    updateOf(doc, () => doc.getText('t').insert(0, text)),
    doc,
    NOTHING,
  );
  // Filled as far as possible, not one struct each.
  expect(pieces.length).toBeLessThan(32);
});

test('[SZ1] 25,000 short blocks in one transaction are cut', () => {
  const doc = newDoc(3000);
  const update = updateOf(doc, () => {
    const blocks = Array.from({ length: 25_000 }, (_, n) => {
      const block = new Y.XmlElement('block');
      block.setAttribute('id', `id-${n}`);
      block.insert(0, [new Y.XmlText(`line ${n}`)]);
      return block;
    });
    doc.getXmlFragment('x').insert(0, blocks);
  });
  expect(expectPieces(update, doc, NOTHING).length).toBeLessThan(16);
});

test('[SZ1] redo of 5 MB is one transaction, and is cut', () => {
  const doc = newDoc(3000);
  const text = doc.getText('t');
  const undo = new Y.UndoManager(text, { captureTimeout: 1_000_000 });
  for (let n = 0; n < 50; n++) text.insert(text.length, `${n} ${'word '.repeat(20_000)}`);
  const inserted = Y.encodeStateAsUpdate(doc);
  const undone = writtenBy(doc, () => undo.undo());
  expect(undone.length).toBeLessThan(1_000);
  const before = Y.mergeUpdates([inserted, undone]);
  const redone = writtenBy(doc, () => undo.redo());
  expect(text.length).toBeGreaterThan(5_000_000);
  expectPieces(redone, doc, before);
});

test('[SZ1] deletions alone are cut too', () => {
  const doc = newDoc(3000);
  doc.getText('t').insert(0, 'ab'.repeat(5_000));
  const before = Y.encodeStateAsUpdate(doc);
  // Every other character, so that no two deleted ranges touch.
  const update = deletesOnly(3000, 5_000);
  const pieces = splitUpdate(update, 1024);
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(1024);
  const copy = copyOf(before, 9000);
  applyInOrder(copy, pieces);
  expect(copy.getText('t').toJSON()).toBe('b'.repeat(5_000));
});

function deletesOnly(client: number, count: number): Bytes {
  const encoder = new Y.UpdateEncoderV1();
  const write = (value: number) => {
    let left = value;
    while (left > 0x7f) {
      encoder.writeInfo(0x80 | (left & 0x7f));
      left = Math.floor(left / 128);
    }
    encoder.writeInfo(left);
  };
  for (const value of [0, 1, client, count]) write(value);
  for (let n = 0; n < count; n++) for (const value of [2 * n, 1]) write(value);
  return new Uint8Array(encoder.toUint8Array());
}

test('[SZ1] one value that is too large stays whole, and so does a small update', () => {
  const doc = newDoc(3000);
  const small = updateOf(doc, () => doc.getText('t').insert(0, 'a'));
  expect(splitUpdate(small, MAX_PIECE_BYTES)).toEqual([small]);
  const update = updateOf(doc, () => {
    doc.getText('t').insert(1, 'b'.repeat(100_000));
    doc.getText('t').insertEmbed(1, { picture: 'p'.repeat(2_000_000) });
    doc.getText('t').insert(2, 'c'.repeat(200_000));
  });
  const sizes = splitUpdate(update, MAX_PIECE_BYTES).map((piece) => piece.length);
  expect(sizes.filter((size) => size > MAX_PIECE_BYTES)).toHaveLength(1);
  expect(sizes.length).toBeGreaterThanOrEqual(2);
});
