// Words that someone removed come back, as one edit, into the text as it is now.
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Run } from 'weft-document/blocks/block.ts';
import { plainRun, textBlock } from 'weft-document/blocks/detached-block.ts';
import { bodyText } from 'weft-document/body/body-text.ts';
import { elementsOfBlocks } from 'weft-document/body/fill-page.ts';
import { deltaOf, parseBody } from 'weft-document/body/parse-body.ts';
import { comparePages } from 'weft-document/changes/compare-pages.ts';
import { OWN_TEXT, type TextPart } from 'weft-document/changes/text-part.ts';
import { fileOfPage } from 'weft-document/formats/page-json.ts';
import { type RemovedWords, isOnlyRemoval, removedWords, removedText } from 'weft-document/history/removed-words.ts';
import { restorationsOf } from 'weft-document/history/restorations.ts';
import { CELL, ROW, TABLE, bodyOf } from 'weft-document/names.ts';
import * as Y from 'yjs';

const SENTENCE = 'The boat leaves the slip at nine sharp.';

function pageOf(...lines: readonly (string | readonly Run[])[]): Y.Doc {
  const doc = new Y.Doc();
  const runs = lines.map((line) => (typeof line === 'string' ? [plainRun(line)] : line));
  bodyOf(doc).insert(0, Array.from(elementsOfBlocks(runs.map((one) => textBlock({}, one)))));
  return doc;
}

function copyOf(doc: Y.Doc): Y.Doc {
  const copy = new Y.Doc();
  Y.applyUpdate(copy, Y.encodeStateAsUpdate(doc));
  return copy;
}

function textIn(node: unknown): Y.XmlText {
  const text: unknown = node instanceof Y.XmlElement ? node.get(0) : null;
  if (!(text instanceof Y.XmlText)) throw new Error('no text');
  return text;
}
const textAt = (doc: Y.Doc, at: number): Y.XmlText => textIn(bodyOf(doc).get(at));

/** Without the tags that `toJSON` writes for formatting. */
const plain = (text: Y.XmlText): string =>
  deltaOf(text)
    .map(({ insert }) => (typeof insert === 'string' ? insert : ''))
    .join('');

function remove(doc: Y.Doc, at: number, words: string): void {
  const text = textAt(doc, at);
  text.delete(plain(text).indexOf(words), words.length);
}

/** All words that are gone, of the first part of the page in which there are any. */
function gone(before: Y.Doc, after: Y.Doc): readonly RemovedWords[] {
  const [old, now] = [parseBody(before), parseBody(after)];
  return comparePages(old, now).blocks.flatMap((change) => {
    const pair = {
      before: old.find(({ key }) => key === change.before),
      after: now.find(({ key }) => key === change.key),
    };
    if (pair.before === undefined || pair.after === undefined) return [];
    const { before: was, after: is } = pair;
    const parts: readonly (readonly [TextPart, number])[] = [
      ...(change.text === null ? [] : [[OWN_TEXT, change.text.removed.length] as const]),
      ...change.cells.map(({ row, column, text }) => [`${row}.${column}`, text.removed.length] as const),
    ];
    return parts.flatMap(([part, count]) =>
      Array.from({ length: count }, (_, at) => removedWords(change, { before: was, after: is }, part, at)).filter(
        (one) => one !== null,
      ),
    );
  });
}

function firstGone(before: Y.Doc, after: Y.Doc): RemovedWords {
  const [first] = gone(before, after);
  if (first === undefined) throw new Error('nothing is gone');
  return first;
}

const restore = (doc: Y.Doc, before: Y.Doc, words: RemovedWords) =>
  restorationsOf(doc).restore(fileOfPage(before, null), { type: 'words', words });

describe('restoring removed words', () => {
  test('puts them where they stood, each range by itself, and undo takes that back', () => {
    const before = pageOf(SENTENCE);
    const doc = copyOf(before);
    remove(doc, 0, 'boat ');
    remove(doc, 0, ' sharp');
    const [first, second] = gone(before, doc);
    if (first === undefined || second === undefined) throw new Error('two ranges are gone');
    expect([first, second].map(removedText)).toEqual(['boat ', ' sharp']);
    expect(restore(doc, before, second)).toBe('changed');
    expect(bodyText(doc)).toBe('The leaves the slip at nine sharp.');
    expect(restore(doc, before, first)).toBe('changed');
    expect(bodyText(doc)).toBe(SENTENCE);
    expect(restorationsOf(doc).undo()).toBe(true);
    expect(bodyText(doc)).toBe('The leaves the slip at nine sharp.');
  });

  test('keeps their formatting and gives it to nothing else', () => {
    const bold = { ...plainRun('boat '), bold: true };
    const link = { ...plainRun('leaves '), link: 'https://weft.example/' };
    const before = pageOf([plainRun('The '), bold, link, plainRun('at nine.')]);
    const doc = copyOf(before);
    remove(doc, 0, 'boat leaves ');
    textAt(doc, 0).format(0, 4, { italic: {} });
    expect(restore(doc, before, firstGone(before, doc))).toBe('changed');
    const [block] = parseBody(doc);
    expect(block?.type === 'block' && block.runs).toEqual([
      { ...plainRun('The '), italic: true },
      bold,
      link,
      plainRun('at nine.'),
    ]);
  });

  test('twice does it once, and says so before it is done', () => {
    const before = pageOf('very very good, the the very end');
    const doc = copyOf(before);
    remove(doc, 0, 'very ');
    const words = firstGone(before, doc);
    const [restorations, file] = [restorationsOf(doc), fileOfPage(before, null)];
    expect(restorations.wouldRestore(file, { type: 'words', words })).toBe('changed');
    expect(bodyText(doc)).toBe('very good, the the very end');
    expect(restore(doc, before, words)).toBe('changed');
    expect(restorations.wouldRestore(file, { type: 'words', words })).toBe('stands');
    expect(restore(doc, before, words)).toBe('stands');
    expect(bodyText(doc)).toBe('very very good, the the very end');
  });

  test('beside what was written in their place sets them apart with a space, and twice does it once', () => {
    const before = pageOf('Ropes down, both sides');
    const doc = copyOf(before);
    remove(doc, 0, 'down');
    textAt(doc, 0).insert(6, 'up');
    const words = firstGone(before, doc);
    expect(restore(doc, before, words)).toBe('changed');
    expect(bodyText(doc)).toBe('Ropes down up, both sides');
    expect(restore(doc, before, words)).toBe('stands');
  });

  test('in a script without spaces adds none', () => {
    const before = pageOf('船は九時に出ます');
    const doc = copyOf(before);
    remove(doc, 0, '九時');
    textAt(doc, 0).insert(2, '十時');
    const words = firstGone(before, doc);
    expect(restore(doc, before, words)).toBe('changed');
    expect(bodyText(doc).replace(removedText(words), '')).toBe('船は十時に出ます');
    expect(restore(doc, before, words)).toBe('stands');
  });

  test('finds its block when it was moved, which gives it other characters', () => {
    const before = pageOf(SENTENCE, 'Second.');
    const doc = copyOf(before);
    remove(doc, 0, 'boat ');
    const words = firstGone(before, doc);
    const block = bodyOf(doc).get(0);
    if (!(block instanceof Y.XmlElement)) throw new Error('no block');
    const moved = block.clone();
    bodyOf(doc).delete(0, 1);
    bodyOf(doc).insert(1, [moved]);
    textAt(doc, 1).insert(0, 'Now: ');
    expect(restore(doc, before, words)).toBe('changed');
    expect(bodyText(doc)).toBe(`Second.\nNow: ${SENTENCE}`);
  });

  test('says that the block is gone, or that the page of before no longer says them', () => {
    const before = pageOf(SENTENCE, 'Second.');
    const doc = copyOf(before);
    remove(doc, 0, 'boat ');
    const words = firstGone(before, doc);
    const erased = copyOf(before);
    remove(erased, 0, 'boat');
    textAt(erased, 0).insert(4, '****');
    expect(restore(doc, erased, words)).toBe('gone');
    bodyOf(doc).delete(0, 1);
    expect(restore(doc, before, words)).toBe('gone');
    expect(bodyText(doc)).toBe('Second.');
  });

  test('works in the cell of a table, also when rows came above it', () => {
    const cell = (words: string) => {
      const [element, text] = [new Y.XmlElement(CELL), new Y.XmlText()];
      text.insert(0, words);
      element.insert(0, [text]);
      return element;
    };
    const row = (...cells: readonly string[]) => {
      const element = new Y.XmlElement(ROW);
      element.insert(0, cells.map(cell));
      return element;
    };
    const before = new Y.Doc();
    const table = new Y.XmlElement(TABLE);
    table.setAttribute('id', 't1');
    table.insert(0, [row('Buoy', 'Chart'), row('Buoy A by seven', 'below')]);
    bodyOf(before).insert(0, [table]);
    const doc = copyOf(before);
    const [now] = bodyOf(doc).toArray();
    if (!(now instanceof Y.XmlElement)) throw new Error('no table');
    const second = now.get(1);
    const text = textIn(second instanceof Y.XmlElement ? second.get(0) : null);
    text.delete(4, 2);
    const words = firstGone(before, doc);
    now.insert(0, [row('New', 'row')]);
    expect(restore(doc, before, words)).toBe('changed');
    expect(plain(text)).toBe('Buoy A by seven');
  });
});

test('a block of which only one range is gone is the same as its words', () => {
  const before = pageOf('One two three.', 'One two three.', 'One two three.');
  const doc = copyOf(before);
  remove(doc, 0, 'two ');
  remove(doc, 1, 'two ');
  textAt(doc, 1).insert(0, 'Now: ');
  textAt(doc, 2).format(4, 4, { bold: {} });
  const { blocks } = comparePages(parseBody(before), parseBody(doc));
  expect(blocks.map(isOnlyRemoval)).toEqual([true, false, false]);
});

/**
 * Words that occur once, so that everyone can see where they stand. Some have surrogate pairs, some are written from right to
 * left.
 */
const VOCABULARY = Array.from({ length: 40 }, (_, at) => ['wave', 'قارب', '𐐘𐐨', 'Ölzeug'][at % 4] + String(at));

const anyWriting = fc.record({ at: fc.nat(), count: fc.integer({ min: 0, max: 3 }), isRemoval: fc.boolean() });

/** Inserts new words between two of the text, or removes some. */
function write(
  text: Y.XmlText,
  { at, count, isRemoval }: typeof anyWriting extends fc.Arbitrary<infer T> ? T : never,
  fresh: () => string,
) {
  const all = plain(text)
    .split(' ')
    .filter((word) => word !== '');
  const index = at % (all.length + 1);
  const offset = all.slice(0, index).reduce((sum, word) => sum + word.length + 1, 0);
  if (isRemoval) {
    const gone = all.slice(index, index + count).reduce((sum, word) => sum + word.length + 1, 0);
    text.delete(offset, Math.min(gone, text.length - offset));
  } else for (let n = 0; n < count; n++) text.insert(offset, `${fresh()} `, n === 1 ? { bold: {} } : {});
}

describe('restoring any range', () => {
  test('beside any edits adds exactly these words between the same neighbours, formatted, and undo leaves the edits', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 12 }),
        fc.array(anyWriting, { minLength: 1, maxLength: 4 }),
        fc.array(anyWriting, { maxLength: 4 }),
        fc.array(anyWriting, { maxLength: 3 }),
        fc.nat(),
        (length, changes, later, meanwhile, pick) => {
          let next = 0;
          const fresh = () => `new${next++}`;
          const words = VOCABULARY.slice(0, length);
          const before = pageOf(words.map((word, at) => ({ ...plainRun(`${word} `), italic: at % 3 === 0 })));
          const doc = copyOf(before);
          for (const one of changes) write(textAt(doc, 0), one, fresh);
          const ranges = gone(before, doc);
          const range = ranges[pick % Math.max(1, ranges.length)];
          fc.pre(range !== undefined);
          const [said, shown] = [removedText(range).trim().split(' '), range.after.text];
          fc.pre(said[0] !== '');
          for (const one of later) write(textAt(doc, 0), one, fresh);
          // Someone who is offline until the words are back.
          const other = copyOf(doc);
          const now = plain(textAt(doc, 0))
            .split(' ')
            .filter((word) => word !== '');
          expect(restore(doc, before, range)).toBe('changed');
          const after = plain(textAt(doc, 0))
            .split(' ')
            .filter((word) => word !== '');
          // A comparison may take a word for removed and added again: then it stands there twice.
          const at = after.findIndex((_, from) => {
            const without = [...after.slice(0, from), ...after.slice(from + said.length)];
            return isDeepStrictEqual([after.slice(from, from + said.length), without], [said, now]);
          });
          expect(at).toBeGreaterThanOrEqual(0);
          // The nearest words around that place which are still there are still around them.
          const stays = (word: string) => now.includes(word) && !said.includes(word);
          const around = shown
            .slice(0, range.after.at)
            .split(' ')
            .filter((word) => stays(word))
            .at(-1);
          const behind = shown
            .slice(range.after.at)
            .split(' ')
            .find((word) => word !== '' && stays(word));
          expect(around === undefined ? -1 : after.indexOf(around)).toBeLessThan(at);
          expect(behind === undefined ? Infinity : after.indexOf(behind)).toBeGreaterThanOrEqual(at + said.length);
          const [block] = parseBody(doc);
          const italic = block?.type === 'block' ? block.runs.filter((run) => run.italic).map((run) => run.text) : [];
          for (const word of said) expect(italic.join('').includes(word)).toBe(VOCABULARY.indexOf(word) % 3 === 0);
          expect(restore(doc, before, range)).toBe('stands');
          for (const one of meanwhile) write(textAt(other, 0), one, fresh);
          Y.applyUpdate(doc, Y.encodeStateAsUpdate(other));
          expect(restorationsOf(doc).undo()).toBe(true);
          expect(bodyText(doc)).toBe(bodyText(other));
        },
      ),
      { numRuns: 400 },
    );
  });
});
