// Comments on what is no plain text, and the same comments after the page's history was erased.
import { describe, expect, test } from 'vitest';
import { moveBlocks } from 'weft-document/blocks/move-blocks.ts';
import { findAnchor } from 'weft-document/comments/find-anchor.ts';
import { textAnchor } from 'weft-document/comments/make-anchor.ts';
import { erasedPage } from 'weft-document/history/erased-page.ts';
import { bodyOf } from 'weft-document/names.ts';
import { moveRow } from 'weft-document/tables/table-grid.ts';
import * as Y from 'yjs';
import { anchorOn, followed, foundNow } from '../../support/editor/anchored-page.ts';
import { tableOf, tableSeed } from '../../support/editor/tables.ts';

const OBJECT = '\uFFFC';
const LONG = 'a much longer line than the first, to be passed';

/** One line from the pieces, and a long one below it. */
function pageOf(...pieces: readonly object[]): Y.Doc {
  const doc = new Y.Doc();
  const blocks = [pieces, [{ insert: LONG }]].map((delta, at) => {
    const block = new Y.XmlElement('block');
    block.setAttribute('id', `line-${at}`);
    const text = new Y.XmlText();
    text.applyDelta([...delta]);
    block.insert(0, [text]);
    return block;
  });
  bodyOf(doc).insert(0, blocks);
  return doc;
}

function textAt(doc: Y.Doc, index: number): Y.XmlText {
  const block = bodyOf(doc).get(index);
  const text: unknown = block instanceof Y.XmlElement ? block.get(0) : null;
  if (!(text instanceof Y.XmlText)) throw new Error('no text');
  return text;
}

/** As a device has the page that opens it after this. */
function erased(doc: Y.Doc, text: Y.XmlText, from: number, length: number): Y.Doc {
  const copy = new Y.Doc();
  Y.applyUpdate(copy, Y.encodeStateAsUpdate(doc));
  const { item } = Y.createRelativePositionFromTypeIndex(text, from);
  if (item === null) throw new Error('no character');
  const { update } = erasedPage(copy, [[item.client, item.clock, length]]);
  const after = new Y.Doc();
  Y.applyUpdate(after, update);
  return after;
}

describe('a comment', () => {
  test.each([
    [
      'a link',
      [
        { insert: 'see ' },
        { insert: 'the tide', attributes: { link: { href: 'https://weft.example' } } },
        { insert: ' now' },
      ],
    ],
    ['inline code', [{ insert: 'see ' }, { insert: 'the tide', attributes: { code: {} } }, { insert: ' now' }]],
  ])('on %s stays on its words while they are struck through, moved and written into', (_name, pieces) => {
    const doc = pageOf(...pieces);
    const tab = followed(doc, anchorOn(doc, 'the tide'));
    textAt(doc, 0).format(4, 8, { strike: {} });
    expect(tab.words()).toBe('the tide');
    moveBlocks(doc, { from: 0, count: 1 }, 2, [null], {});
    textAt(doc, 1).insert('see the '.length, 'low ');
    expect([tab.words(), foundNow(doc, tab.stored())]).toEqual(['the low tide', 'the low tide']);
  });

  test.each(['mention', 'math'])('on a %s alone is there with it, and goes with it', (kind) => {
    const doc = pageOf({ insert: 'ask ' }, { insert: { [kind]: { id: '1' } } }, { insert: ' first' });
    const text = textAt(doc, 0);
    const anchor = textAnchor(
      doc,
      Y.createRelativePositionFromTypeIndex(text, 4, 0),
      Y.createRelativePositionFromTypeIndex(text, 5, -1),
    );
    if (anchor === null) throw new Error('no anchor');
    expect(anchor.quote).toBe(OBJECT);
    const tab = followed(doc, anchor);
    text.insert(0, 'Please ');
    expect([tab.words(), foundNow(doc, anchor)]).toEqual([OBJECT, OBJECT]);
    text.delete('Please ask '.length, 1);
    expect([tab.words(), foundNow(doc, anchor)]).toEqual(['(gone)', '(gone)']);
  });

  test('over a whole table keeps what is left when its ends go, or its rows move', () => {
    const doc = new Y.Doc();
    Y.applyUpdate(doc, tableSeed(['a b', 'c d']));
    const tab = followed(doc, anchorOn(doc, 'before\na\nb\nc\nd\nafter'));
    moveRow(tableOf({ doc }), 1, 0);
    expect(tab.words()).toMatch(/^before\n[^]*\nafter$/u);
    bodyOf(doc).delete(0, 1);
    bodyOf(doc).delete(1, 1);
    expect(tab.words().split('\n').toSorted()).toEqual(['a', 'b', 'c', 'd']);
  });

  test('keeps its place when other words are erased for good, without any quote', () => {
    const doc = pageOf({ insert: 'the password is tide today' });
    const blank = { ...anchorOn(doc, 'tide'), quote: '', before: '', after: '' };
    const after = erased(doc, textAt(doc, 0), 'the '.length, 'password '.length);
    expect(textAt(after, 0).toString()).toBe('the is tide today');
    expect(foundNow(after, blank)).toBe('tide');
    expect(followed(after, blank).words()).toBe('tide');
  });

  test('on the erased words is gone, with nothing that says what they were', () => {
    const doc = pageOf({ insert: 'the password is tide today' });
    const blank = { ...anchorOn(doc, 'password'), quote: '', before: '', after: '' };
    const after = erased(doc, textAt(doc, 0), 'the '.length, 'password '.length);
    const tab = followed(after, blank);
    expect(tab.words()).toBe('(gone)');
    textAt(after, 0).insert(4, 'password ');
    expect([tab.words(), tab.moves, findAnchor(after, blank).at]).toEqual(['(gone)', [], 'gone']);
  });
});
