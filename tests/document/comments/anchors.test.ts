// A comment's words while the page changes, without an editor: as scripts, restored versions and other tabs write.
import { describe, expect, test } from 'vitest';
import { moveBlocks } from 'weft-document/blocks/move-blocks.ts';
import { findAnchor } from 'weft-document/comments/find-anchor.ts';
import { blockAnchor } from 'weft-document/comments/make-anchor.ts';
import { docOfFile } from 'weft-document/formats/doc-of-file.ts';
import { fileOfPage } from 'weft-document/formats/page-json.ts';
import { restorationsOf } from 'weft-document/history/restorations.ts';
import { bodyOf } from 'weft-document/names.ts';
import { moveColumn, moveRow } from 'weft-document/tables/table-grid.ts';
import { createUndo } from 'weft-document/undo.ts';
import * as Y from 'yjs';
import { anchorOn, followed, foundNow } from '../../support/editor/anchored-page.ts';
import { type PageLine, pageSeed } from '../../support/editor/page-seed.ts';
import { tableOf, tableSeed } from '../../support/editor/tables.ts';

function page(...lines: readonly PageLine[]): Y.Doc {
  return pageOfUpdate(pageSeed(...lines));
}

function pageOfUpdate(update: Uint8Array): Y.Doc {
  const doc = new Y.Doc();
  Y.applyUpdate(doc, update);
  return doc;
}

const ORIGIN = {};

function textAt(doc: Y.Doc, index: number): Y.XmlText {
  const block = bodyOf(doc).get(index);
  const text: unknown = block instanceof Y.XmlElement ? block.get(0) : null;
  if (!(text instanceof Y.XmlText)) throw new Error('no text');
  return text;
}

/** How often a text is read from its start. */
function readsOf(text: Y.XmlText): () => number {
  let reads = 0;
  let start = text._start;
  Object.defineProperty(text, '_start', {
    get() {
      reads += 1;
      return start;
    },
    set(item: Y.Item | null) {
      start = item;
    },
  });
  return () => reads;
}

describe('words', () => {
  test.each(['it', 'the words'])('that are gone are not looked for after every character: %s', (words) => {
    const doc = page(`before ${words} behind`, 'here one types', 'far away');
    const tab = followed(doc, anchorOn(doc, words));
    textAt(doc, 0).delete('before '.length, words.length);
    expect(tab.words()).toBe('(gone)');
    const reads = readsOf(textAt(doc, 2));
    textAt(doc, 1).insert(0, 'x');
    expect([tab.index.update(), reads()]).toEqual([false, 0]);
    for (const [at, character] of Array.from(words).entries()) textAt(doc, 0).insert('before '.length + at, character);
    expect(reads()).toBe(0);
    expect(tab.words()).toBe(words);
  });

  test('do not grow by what is typed directly before or behind them, and grow by what is typed inside', () => {
    const doc = page('a fine day');
    const anchor = anchorOn(doc, 'fine');
    textAt(doc, 0).insert(2, 'very ');
    textAt(doc, 0).insert('a very fine'.length, 'st');
    expect(foundNow(doc, anchor)).toBe('fine');
    textAt(doc, 0).insert('a very fi'.length, 'XX');
    expect(foundNow(doc, anchor)).toBe('fiXXne');
  });

  test('shrink with what is deleted of them, and are gone with the last character', () => {
    const doc = page('a fine day');
    const anchor = anchorOn(doc, 'fine');
    textAt(doc, 0).delete(0, 3);
    expect(foundNow(doc, anchor)).toBe('ine');
    textAt(doc, 0).delete(0, 3);
    expect(foundNow(doc, anchor)).toBe('(gone)');
    expect(findAnchor(doc, anchor)).toMatchObject({ near: { item: expect.anything() } });
  });

  test('that another sentence has too are not taken for those that were deleted', () => {
    const doc = page('the cat and the dog', 'the bird');
    const anchor = anchorOn(doc, 'the');
    const tab = followed(doc, anchor);
    textAt(doc, 0).delete(0, 3);
    expect([foundNow(doc, anchor), tab.words()]).toEqual(['(gone)', '(gone)']);
    expect(tab.moves).toEqual([]);
  });

  test('are in a block that moves, whichever of the two the move copies', () => {
    for (const heavy of [0, 1]) {
      const doc = page(
        'first words here',
        'second',
        heavy === 0 ? 'x' : 'a much longer line than the first, to be passed',
      );
      const anchor = anchorOn(doc, 'words');
      const tab = followed(doc, anchor);
      moveBlocks(doc, { from: 0, count: 1 }, 3, [null], ORIGIN);
      expect([tab.words(), foundNow(doc, anchor), foundNow(doc, tab.stored())]).toEqual(['words', 'words', 'words']);
    }
  });

  test('that repeat in their block are the same ones after a move', () => {
    const doc = page('ha ha ha', 'a much longer line than the first, to be passed');
    const tab = followed(doc, anchorOn(doc, 'ha', 1));
    moveBlocks(doc, { from: 0, count: 1 }, 2, [null], ORIGIN);
    expect(tab.words()).toBe('ha');
    textAt(doc, 1).insert('ha h'.length, '!');
    expect(tab.words()).toBe('h!a');
  });

  test('are in a row and a column that move, though other cells say the same', () => {
    const doc = pageOfUpdate(tableSeed(['a b c', 'b b b', 'd e f']));
    // The first one is in "before".
    const tab = followed(doc, anchorOn(doc, 'b', 3));
    moveRow(tableOf({ doc }), 1, 0);
    moveColumn(tableOf({ doc }), 1, 2);
    expect(tab.words()).toBe('b');
    const cell: unknown = (tableOf({ doc }).get(0) as Y.XmlElement).get(2);
    const text: unknown = cell instanceof Y.XmlElement ? cell.get(0) : null;
    if (text instanceof Y.XmlText) text.insert(1, 'X');
    expect(tab.words()).toBe('b');
    if (text instanceof Y.XmlText) text.delete(0, 1);
    expect(tab.words()).toBe('(gone)');
  });

  test('over many blocks: a deleted character reads its own block, the first and the last', () => {
    const doc = page('one', 'two', 'three', 'four', 'five');
    const tab = followed(doc, anchorOn(doc, 'one\ntwo\nthree\nfour\nfive'));
    const reads = [1, 3].map((at) => readsOf(textAt(doc, at)));
    textAt(doc, 2).delete(0, 1);
    textAt(doc, 0).delete(0, 1);
    textAt(doc, 4).delete(0, 3);
    expect(reads.map((count) => count())).toEqual([0, 0]);
    expect(tab.words()).toBe('ne\ntwo\nhree\nfour\ne');
    for (const at of [0, 4, 2, 3]) textAt(doc, at).delete(0, textAt(doc, at).length);
    expect(tab.words()).toBe('two\n');
  });

  test('over several blocks keep what is left of them when the first block is deleted', () => {
    const doc = page('one two', 'three', 'four five');
    const anchor = anchorOn(doc, 'two\nthree\nfour');
    const tab = followed(doc, anchor);
    bodyOf(doc).delete(0, 1);
    expect(tab.words()).toBe('three\nfour');
    expect(foundNow(doc, tab.stored())).toBe('three\nfour');
  });

  /** Cuts the commented words out of the first line, and pastes them into another one, as an editor does. */
  function cutAndPasted(
    words: string,
    to: { readonly line: number; readonly at: number },
    ...lines: readonly string[]
  ) {
    const doc = page(...lines);
    const tab = followed(doc, anchorOn(doc, words));
    const cut = (lines[0] ?? '').indexOf(words);
    return {
      doc,
      tab,
      cut: () => textAt(doc, 0).delete(cut, words.length),
      paste: (pasted = words) => textAt(doc, to.line).insert(to.at, pasted),
    };
  }

  test.each(['NY', 'Q3!', '我们', '🙂'])(
    'of two or three characters are where they are pasted right after they were cut: %s',
    (words) => {
      const { doc, tab, cut, paste } = cutAndPasted(words, { line: 1, at: 5 }, `from ${words} on`, 'last to be');
      cut();
      expect(tab.words()).toBe('(gone)');
      paste();
      expect([tab.words(), foundNow(doc, tab.stored())]).toEqual([words, words]);
    },
  );

  test('of two or three characters stay gone if others were inserted first, by this person, not by others', () => {
    const one = cutAndPasted('NY', { line: 1, at: 0 }, 'from NY on', 'last');
    one.cut();
    textAt(one.doc, 1).insert(4, '.');
    one.paste();
    expect([one.tab.words(), one.tab.moves]).toEqual(['(gone)', []]);

    const two = cutAndPasted('NY', { line: 1, at: 0 }, 'from NY on', 'last');
    two.cut();
    const other = pageOfUpdate(Y.encodeStateAsUpdate(two.doc));
    textAt(other, 0).insert(0, '.');
    Y.applyUpdate(two.doc, Y.encodeStateAsUpdate(other));
    two.paste();
    expect(two.tab.words()).toBe('NY');
  });

  test.each([
    ['typed one after the other', 'NY', ['N', 'Y']],
    ['pasted among others', 'NY', ['in NY']],
    ['pasted twice at once', 'NY', ['NYNY']],
    ['other ones', 'NY', ['LA']],
    ['one character', 'N', ['N']],
  ])('of two or three characters stay gone: %s', (_what, words, pieces) => {
    const { tab, cut, doc } = cutAndPasted(words, { line: 1, at: 0 }, `from ${words} on`, 'last');
    cut();
    for (const piece of pieces.toReversed()) textAt(doc, 1).insert(0, piece);
    expect([tab.words(), tab.moves]).toEqual(['(gone)', []]);
  });

  test('of two or three characters stay gone while another place has the same word, and not because a longer one has them', () => {
    const one = cutAndPasted('it', { line: 1, at: 0 }, 'is it so', 'last', 'so it is');
    one.cut();
    one.paste();
    expect([one.tab.words(), one.tab.moves]).toEqual(['(gone)', []]);
    const two = cutAndPasted('it', { line: 1, at: 5 }, 'is it so', 'last , and', 'with');
    two.cut();
    two.paste();
    expect(two.tab.words()).toBe('it');
    const three = cutAndPasted('我们', { line: 1, at: 0 }, '在我们的', '人', '是我们的');
    three.cut();
    three.paste();
    expect(three.tab.words()).toBe('(gone)');
  });

  test('of two or three characters that others cut, or paste, are told by their tab alone', () => {
    const { doc, cut, paste } = cutAndPasted('NY', { line: 1, at: 0 }, 'from NY on', 'last');
    const other = pageOfUpdate(Y.encodeStateAsUpdate(doc));
    const far = followed(other, anchorOn(other, 'NY'));
    doc.on('update', (update: Uint8Array) => Y.applyUpdate(other, update));
    cut();
    expect(far.words()).toBe('(gone)');
    paste();
    expect([far.words(), far.moves]).toEqual(['(gone)', []]);
  });

  test('come back with undo, on the other side too, under their new characters', () => {
    const doc = page('a fine day', 'and night');
    const other = pageOfUpdate(Y.encodeStateAsUpdate(doc));
    doc.on('update', (update: Uint8Array) => Y.applyUpdate(other, update));
    const anchor = anchorOn(doc, 'fine');
    const tabs = [followed(doc, anchor), followed(other, anchor)];
    const undo = createUndo(doc, ORIGIN);
    doc.transact(() => textAt(doc, 0).delete(0, 10), ORIGIN);
    expect(tabs.map((tab) => tab.words())).toEqual(['(gone)', '(gone)']);
    undo.undo();
    expect(tabs.map((tab) => tab.words())).toEqual(['fine', 'fine']);
    undo.redo();
    expect(tabs.map((tab) => tab.words())).toEqual(['(gone)', '(gone)']);
    undo.undo();
    expect(tabs.map((tab) => tab.words())).toEqual(['fine', 'fine']);
    expect(tabs.map((tab) => foundNow(doc, tab.stored()))).toEqual(['fine', 'fine']);
    expect(tabs.map(({ moves }) => moves.map(({ isOwn }) => isOwn))).toEqual([
      [true, true],
      [false, false],
    ]);
  });

  test('come back with their deleted section when it is restored from history', () => {
    const doc = page('title', 'one fine day', 'it rained', 'end');
    const file = fileOfPage(doc, null);
    const anchor = anchorOn(doc, 'fine day\nit');
    const tab = followed(doc, anchor);
    bodyOf(doc).delete(1, 2);
    expect(tab.words()).toBe('(gone)');
    restorationsOf(doc).page(file);
    expect(tab.words()).toBe('fine day\nit');
    expect(foundNow(doc, tab.stored())).toBe('fine day\nit');
    expect(foundNow(doc, anchor)).toBe('fine day\nit');
  });

  test('stay when a restore replaces the text around them', () => {
    const doc = page('the quick brown fox jumps');
    const file = fileOfPage(doc, null);
    const tab = followed(doc, anchorOn(doc, 'brown fox'));
    textAt(doc, 0).delete(4, 6);
    textAt(doc, 0).insert('the brown '.length, 'big ');
    expect(tab.words()).toBe('brown big fox');
    restorationsOf(doc).page(file);
    expect(tab.words()).toBe('brown fox');
  });

  test('are found on a page that was made anew with other Yjs ids', () => {
    const doc = page('one', 'a fine day', 'and a fine night');
    const anchor = anchorOn(doc, 'fine', 1);
    const other = docOfFile(fileOfPage(doc, null));
    expect(foundNow(other, anchor)).toBe('fine');
    expect(followed(other, anchor).words()).toBe('fine');
  });

  test('that were erased from history, with a blank quote, are found while they are there, and then gone', () => {
    const doc = page('a fine day');
    const blank = { ...anchorOn(doc, 'fine'), quote: '', before: '', after: '' };
    const tab = followed(doc, blank);
    expect([tab.words(), foundNow(doc, blank)]).toEqual(['fine', 'fine']);
    textAt(doc, 0).delete(2, 4);
    expect([tab.words(), foundNow(doc, blank)]).toEqual(['(gone)', '(gone)']);
  });

  test('that have not arrived are not looked for elsewhere, and are there with their row', () => {
    const doc = page('a fine day');
    const other = pageOfUpdate(Y.encodeStateAsUpdate(doc));
    textAt(doc, 0).insert(10, ' and night');
    const anchor = anchorOn(doc, 'night');
    const tab = followed(other, anchor);
    expect(tab.words()).toBe('(gone)');
    Y.applyUpdate(other, Y.encodeStateAsUpdate(doc));
    expect(tab.words()).toBe('night');
    expect(tab.moves).toEqual([]);
  });

  test.each([
    ['first', 'new night', 0],
    ['last', 'a new', 2],
  ])('of which the %s have not arrived are not taken to reach to the edge of their block', (_end, words, at) => {
    const doc = page('before a night behind');
    const other = pageOfUpdate(Y.encodeStateAsUpdate(doc));
    textAt(doc, 0).insert('before a '.length, 'new ');
    const anchor = anchorOn(doc, words);
    const tab = followed(other, anchor);
    expect([tab.words(), foundNow(other, anchor)]).toEqual(['(gone)', '(gone)']);
    // They arrive as deleted.
    textAt(doc, 0).delete('before a '.length, 3 + (at === 0 ? 0 : 1));
    Y.applyUpdate(other, Y.encodeStateAsUpdate(doc));
    expect([tab.words(), foundNow(other, anchor)]).toEqual([foundNow(doc, anchor), foundNow(doc, anchor)]);
    expect(tab.moves).toEqual([]);
  });

  test('move in a compacted log as in the log itself', () => {
    const doc = page('a fine day', 'a much longer line than the first, to be passed');
    const anchor = anchorOn(doc, 'fine');
    const before = Y.encodeStateVector(doc);
    const other = pageOfUpdate(Y.encodeStateAsUpdate(doc));
    const tab = followed(other, anchor);
    moveBlocks(doc, { from: 0, count: 1 }, 2, [null], ORIGIN);
    textAt(doc, 1).insert(0, 'such ');
    Y.applyUpdate(other, Y.mergeUpdates([Y.encodeStateAsUpdate(doc, before)]));
    expect(tab.words()).toBe('fine');
  });

  test('of two threads that overlap are independent', () => {
    const doc = page('the quick brown fox');
    const [one, two] = [followed(doc, anchorOn(doc, 'quick brown')), followed(doc, anchorOn(doc, 'brown fox'))];
    textAt(doc, 0).delete(0, 10);
    expect([one.words(), two.words()]).toEqual(['brown', 'brown fox']);
  });

  test('of a hostile anchor are nowhere, and reading it leaves the page as it was', () => {
    const doc = page('a fine day');
    const before = Y.encodeStateAsUpdate(doc);
    const types = doc.share.size;
    const named = Y.encodeRelativePosition(new Y.RelativePosition(null, 'forged', null));
    const forged = btoa(String.fromCharCode(...named));
    for (const position of ['', 'no base64 §', 'AAAA', forged]) {
      const anchor = { ...anchorOn(doc, 'fine'), from: position, to: position, quote: 'x' };
      expect(foundNow(doc, anchor)).toBe('(gone)');
    }
    expect(doc.share.size).toBe(types);
    expect(Y.encodeStateAsUpdate(doc)).toEqual(before);
  });
});

describe('a block', () => {
  test('stays when it moves, goes with it, and comes back with undo', () => {
    const doc = page('one', { node: 'image', file: 'f', name: 'boat.png' }, 'three');
    const anchor = blockAnchor(doc, 'line-1');
    if (anchor === null) throw new Error('no block');
    expect(anchor.quote).toBe('boat.png');
    const undo = createUndo(doc, ORIGIN);
    const tab = followed(doc, anchor);
    moveBlocks(doc, { from: 1, count: 1 }, 3, [null], ORIGIN);
    expect(tab.words()).toBe('(block line-1)');
    undo.stopCapturing();
    doc.transact(() => bodyOf(doc).delete(2, 1), ORIGIN);
    expect(tab.words()).toBe('(gone)');
    undo.undo();
    expect(tab.words()).toBe('(block line-1)');
  });

  test('is the one that was pasted after it was cut, under its new id', () => {
    const doc = page('one', { node: 'image', file: 'f', name: 'boat.png' }, 'three');
    const anchor = blockAnchor(doc, 'line-1');
    if (anchor === null) throw new Error('no block');
    const tab = followed(doc, anchor);
    const copy = (bodyOf(doc).get(1) as Y.XmlElement).clone();
    bodyOf(doc).delete(1, 1);
    expect(tab.words()).toBe('(gone)');
    copy.setAttribute('id', 'pasted');
    bodyOf(doc).insert(0, [copy]);
    expect(tab.words()).toBe('(block pasted)');
    expect(foundNow(doc, tab.stored())).toBe('(block pasted)');
  });

  const PICTURE = { node: 'image', file: 'f', name: 'Screenshot 2026-08-01 at 12.33.png' } as const;

  test('that is gone is not another that says the same: nobody can know whether it is a copy', () => {
    const doc = page('one', PICTURE, 'two', PICTURE);
    const anchor = blockAnchor(doc, 'line-1');
    if (anchor === null) throw new Error('no block');
    const tab = followed(doc, anchor);
    bodyOf(doc).delete(1, 1);
    expect([tab.words(), foundNow(doc, anchor), tab.moves]).toEqual(['(gone)', '(gone)', []]);
  });

  test('that is empty is not taken for the next empty one', () => {
    const doc = page('one', '', 'three');
    const anchor = blockAnchor(doc, 'line-1');
    if (anchor === null) throw new Error('no block');
    const tab = followed(doc, anchor);
    const copy = (bodyOf(doc).get(1) as Y.XmlElement).clone();
    bodyOf(doc).delete(1, 1);
    copy.setAttribute('id', 'new');
    bodyOf(doc).insert(0, [copy]);
    expect(tab.words()).toBe('(gone)');
  });
});
