import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DetachedBlock } from 'weft-document/blocks/detached-block.ts';
import { elementsOfBlocks, fillPage } from 'weft-document/body/fill-page.ts';
import { restoreText } from 'weft-document/history/restore-text.ts';
import { restoreBlock, restorePage } from 'weft-document/history/restore.ts';
import { bodyOf, titleOf } from 'weft-document/names.ts';
import { setAttribute } from 'weft-document/set-attribute.ts';
import * as Y from 'yjs';
import { longestAscent } from '../../../src/lib/lists/longest-ascent.ts';
import { anyBlocks } from '../../support/editor/any-blocks.ts';
import { repeatedly, timesAsLong } from '../../support/times-as-long.ts';

/** Title and body with every attribute and mark. Attributes in any order. */
const contentOf = (doc: Y.Doc): unknown => [runsOf(titleOf(doc)), nodeOf(bodyOf(doc))];

function nodeOf(node: unknown): unknown {
  if (node instanceof Y.XmlText) return runsOf(node);
  if (!(node instanceof Y.XmlFragment)) return node;
  const children = node.toArray().map(nodeOf);
  return node instanceof Y.XmlElement ? [node.nodeName, node.getAttributes(), children] : children;
}

/** The text's delta, with neighbours of the same marks joined: Yjs may cut a text anywhere. */
function runsOf(text: Y.Text): unknown {
  const runs: { insert: string; attributes: object }[] = [];
  const delta: readonly { insert: string; attributes?: object }[] = text.toDelta();
  for (const { insert, attributes = {} } of delta) {
    const last = runs.at(-1);
    if (last !== undefined && isDeepStrictEqual(last.attributes, attributes)) last.insert += insert;
    else runs.push({ insert, attributes });
  }
  return runs;
}

function copyOf(doc: Y.Doc): Y.Doc {
  const copy = new Y.Doc();
  Y.applyUpdate(copy, Y.encodeStateAsUpdate(doc));
  return copy;
}

/** Edits as people make them, and those of a vandal: each takes random numbers, so that any sequence of them is valid. */
const anyEdit = fc.record({
  what: fc.nat(7),
  at: fc.nat(),
  to: fc.nat(),
  text: fc.string({ unit: 'grapheme', maxLength: 8 }),
});
type Edit = typeof anyEdit extends fc.Arbitrary<infer T> ? T : never;

function edit(doc: Y.Doc, { what, at, to, text }: Edit): void {
  const body = bodyOf(doc);
  const block = body.length === 0 ? null : body.get(at % body.length);
  const inner = block instanceof Y.XmlElement ? firstText(block) : null;
  doc.transact(() => {
    if (what === 0 && block !== null)
      body.delete(at % body.length, 1 + (to % Math.min(3, body.length - (at % body.length))));
    else if (what === 1 && block instanceof Y.XmlElement) {
      // A move: the editor deletes the block and inserts a copy with the same id.
      const copy = block.clone();
      body.delete(at % body.length, 1);
      body.insert(to % (body.length + 1), [copy]);
    } else if (what === 2) body.insert(at % (body.length + 1), [new Y.XmlElement('divider')]);
    else if (what === 3 && block instanceof Y.XmlElement)
      setAttribute(block, ['kind', 'indent', 'x'][to % 3] ?? 'x', text);
    else if (what === 4 && inner !== null)
      inner.insert(at % (inner.length + 1), text === '' ? 'a' : text, { bold: to % 2 === 0 ? true : null });
    else if (what === 5 && inner !== null && inner.length > 0) inner.delete(at % inner.length, 1);
    else if (what === 6 && inner !== null && inner.length > 0)
      inner.format(0, 1 + (to % inner.length), { italic: at % 2 === 0 ? true : null });
    else if (what === 7) titleOf(doc).insert(0, text);
  });
}

function firstText(element: Y.XmlElement): Y.XmlText | null {
  for (const child of element.toArray()) {
    if (child instanceof Y.XmlText) return child;
    const inner = child instanceof Y.XmlElement ? firstText(child) : null;
    if (inner !== null) return inner;
  }
  return null;
}

function pageWith(blocks: readonly DetachedBlock[]): Y.Doc {
  const doc = new Y.Doc();
  fillPage(doc, 'A page', elementsOfBlocks(blocks));
  return doc;
}

describe('restoring a page', () => {
  test('makes any page what it was before any edits, and undo takes that back', () => {
    fc.assert(
      fc.property(anyBlocks, fc.array(anyEdit, { maxLength: 20 }), (blocks, edits) => {
        const doc = pageWith(blocks);
        const earlier = copyOf(doc);
        for (const one of edits) edit(doc, one);
        const edited = contentOf(doc);
        const undo = new Y.UndoManager(doc, { trackedOrigins: new Set(['restore']) });
        doc.transact(() => restorePage(doc, earlier), 'restore');
        expect(contentOf(doc)).toEqual(contentOf(earlier));
        undo.undo();
        expect(contentOf(doc)).toEqual(edited);
      }),
      { numRuns: 300 },
    );
  });

  test('makes one update, and none where nothing changed', () => {
    fc.assert(
      fc.property(anyBlocks, (blocks) => {
        const doc = pageWith(blocks);
        let updates = 0;
        doc.on('update', () => (updates += 1));
        doc.transact(() => restorePage(doc, copyOf(doc)));
        expect(updates).toBe(0);
      }),
      { numRuns: 50 },
    );
  });

  test('restores a line break at the end of a text', () => {
    const doc = pageOf('One.\n');
    const earlier = copyOf(doc);
    textAt(doc, 0).delete(2, 3);
    doc.transact(() => restorePage(doc, earlier));
    expect(String(textAt(doc, 0))).toBe('One.\n');
  });

  test('keeps what someone else writes meanwhile', () => {
    const doc = pageOf('One two three.', 'Four five six.');
    const earlier = copyOf(doc);
    textAt(doc, 0).delete(0, 4);
    const bob = copyOf(doc);
    textAt(bob, 0).insert(3, ' (says Bob)');
    textAt(bob, 1).insert(14, ' Bob again.');
    doc.transact(() => restorePage(doc, earlier));
    Y.applyUpdate(doc, Y.encodeStateAsUpdate(bob));
    expect([0, 1].map((at) => String(textAt(doc, at)))).toEqual([
      'One two (says Bob) three.',
      'Four five six. Bob again.',
    ]);
  });

  test('leaves the characters that stayed to their authors: it inserts nothing where something is to go', () => {
    const doc = pageOf('Carol wrote this.');
    const earlier = copyOf(doc);
    textAt(doc, 0).insert(6, 'never ');
    const clock = Y.getState(doc.store, doc.clientID);
    doc.transact(() => restorePage(doc, earlier));
    expect(String(textAt(doc, 0))).toBe('Carol wrote this.');
    expect(Y.getState(doc.store, doc.clientID)).toBe(clock);
  });
});

describe('restoring one block', () => {
  test('changes this block alone', () => {
    const doc = pageOf('One.', 'Two.');
    const earlier = copyOf(doc);
    for (const at of [0, 1]) textAt(doc, at).insert(0, 'Changed ');
    restoreBlock(doc, earlier, idAt(earlier, 1));
    expect([0, 1].map((at) => String(textAt(doc, at)))).toEqual(['Changed One.', 'Two.']);
  });

  test('inserts a deleted block behind the nearest one before it that is still there', () => {
    const doc = pageOf('One.', 'Two.', 'Three.', 'Four.');
    const earlier = copyOf(doc);
    bodyOf(doc).delete(1, 2);
    restoreBlock(doc, earlier, idAt(earlier, 2));
    expect([0, 1, 2].map((at) => String(textAt(doc, at)))).toEqual(['One.', 'Three.', 'Four.']);
  });

  test('does nothing if the page never had it', () => {
    const doc = pageOf('One.');
    const clock = Y.getState(doc.store, doc.clientID);
    restoreBlock(doc, copyOf(doc), 'nowhere');
    expect([Y.getState(doc.store, doc.clientID), String(textAt(doc, 0))]).toEqual([clock, 'One.']);
  });
});

test('the longest ascent is as long as any, and ascends', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.nat(20)), { maxLength: 10 }), (numbers) => {
      const chosen = [...longestAscent(numbers)].toSorted((a, b) => a - b).map((at) => numbers[at] ?? Number.NaN);
      expect(chosen.every((number, at) => at === 0 || number > (chosen[at - 1] ?? Infinity))).toBe(true);
      let longest = 0;
      for (let choice = 0; choice < 2 ** numbers.length; choice++) {
        const some = numbers.filter((_, at) => (choice >> at) % 2 === 1);
        if (some.every((number, at) => number !== null && (at === 0 || number > (some[at - 1] ?? Infinity))))
          longest = Math.max(longest, some.length);
      }
      expect(chosen.length).toBe(longest);
    }),
  );
});

function pageOf(...texts: string[]): Y.Doc {
  const doc = new Y.Doc();
  const body = bodyOf(doc);
  body.insert(
    0,
    texts.map((text, at) => {
      const block = new Y.XmlElement('block');
      block.setAttribute('id', `block-${at}`);
      const inner = new Y.XmlText();
      inner.insert(0, text);
      block.insert(0, [inner]);
      return block;
    }),
  );
  return doc;
}

function textAt(doc: Y.Doc, at: number): Y.XmlText {
  const block = bodyOf(doc).get(at);
  const text = block instanceof Y.XmlElement ? firstText(block) : null;
  if (text === null) throw new Error(`no text in block ${at}`);
  return text;
}

function idAt(doc: Y.Doc, at: number): string {
  const block = bodyOf(doc).get(at);
  return block instanceof Y.XmlElement ? (block.getAttribute('id') ?? '') : '';
}

test('a text of 20,000 runs is compared in as much time as twenty of 1,000', async () => {
  const pair = (length: number) => {
    const [text, earlier] = ['bold', 'italic'].map((mark) => {
      const made = new Y.Doc().getText();
      made.applyDelta(
        Array.from({ length }, (_run, at) => ({ insert: 'ab', attributes: at % 2 === 0 ? { [mark]: {} } : {} })),
      );
      return made;
    });
    // The first time changes the marks; after that both are the same.
    return () => text !== undefined && earlier !== undefined && restoreText(text, earlier);
  };
  expect(await timesAsLong(pair(20_000), repeatedly(20, pair(1_000)), 2)).toBeLessThan(4);
});
