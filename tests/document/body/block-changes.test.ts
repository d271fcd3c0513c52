import { describe, expect, test } from 'vitest';
import { MAX_CHANGES, MAX_TEXT, blockChanges, replacedWords } from 'weft-document/body/block-changes.ts';
import { pageContentOf } from 'weft-document/body/page-content.ts';
import { parseBody } from 'weft-document/body/parse-body.ts';
import { BLOCK, bodyOf } from 'weft-document/names.ts';
import * as Y from 'yjs';
import { timesAsLong } from '../../support/times-as-long.ts';

const paragraph = (text: string, id = text): Y.XmlElement => {
  const block = new Y.XmlElement(BLOCK);
  block.setAttribute('id', id);
  block.insert(0, [new Y.XmlText(text)]);
  return block;
};

/** The changes that an edit makes in a page with these paragraphs. */
function changesOf(texts: readonly string[], edit: (body: Y.XmlFragment, doc: Y.Doc) => void) {
  const doc = new Y.Doc();
  bodyOf(doc).insert(
    0,
    texts.map((text) => paragraph(text)),
  );
  const read = pageContentOf(doc);
  const before = read().blocks;
  doc.transact(() => edit(bodyOf(doc), doc));
  return blockChanges(before, read().blocks);
}

const textAt = (body: Y.XmlFragment, at: number): Y.XmlText => {
  const block = body.get(at);
  const text = block instanceof Y.XmlElement ? block.get(0) : null;
  if (!(text instanceof Y.XmlText)) throw new Error('no text');
  return text;
};

describe('what changed in a page', () => {
  test('a block that came, one that went and one that was edited', () => {
    const { changes, more } = changesOf(['a', 'b', 'c'], (body) => {
      textAt(body, 0).insert(1, ' and more');
      body.delete(1, 1);
      body.push([paragraph('d')]);
    });
    expect(more).toBe(0);
    expect(changes).toEqual([
      { kind: 'changed', block: 'a', type: 'paragraph', text: 'a and more', removed: '', inserted: ' and more' },
      { kind: 'added', block: 'd', type: 'paragraph', text: 'd', removed: '', inserted: 'd' },
      { kind: 'removed', block: 'b', type: 'paragraph', text: 'b', removed: 'b', inserted: '' },
    ]);
  });

  test('a copy with the id of a removed block is that block, moved', () => {
    const { changes } = changesOf(['a', 'b', 'c'], (body) => {
      body.delete(0, 1);
      body.push([paragraph('a!', 'a')]);
    });
    expect(changes).toEqual([{ kind: 'moved', block: 'a', type: 'paragraph', text: 'a!', removed: '', inserted: '!' }]);
  });

  test('a block whose look changed is changed, without words', () => {
    const { changes } = changesOf(['a'], (body) => {
      const block = body.get(0);
      if (block instanceof Y.XmlElement) block.setAttribute('kind', 'heading');
    });
    expect(changes).toEqual([{ kind: 'changed', block: 'a', type: 'heading', text: 'a', removed: '', inserted: '' }]);
  });

  test('nothing changed', () => {
    expect(changesOf(['a', 'b'], () => {})).toEqual({ changes: [], more: 0 });
  });

  test('replaced characters stand for their words, and inserted ones for themselves', () => {
    expect(replacedWords('buy milk now', 'buy silk now')).toEqual({ removed: 'milk', inserted: 'silk' });
    expect(replacedWords('hel', 'hello')).toEqual({ removed: '', inserted: 'lo' });
    expect(replacedWords('hello', 'hel')).toEqual({ removed: 'lo', inserted: '' });
    expect(replacedWords('a 👍 b', 'a 👎 b')).toEqual({ removed: '👍', inserted: '👎' });
  });

  test('a hostile change has a bounded result', () => {
    const many = changesOf([], (body) => {
      body.insert(
        0,
        Array.from({ length: 2_000 }, (_, at) => paragraph(`p${at}`)),
      );
    });
    expect([many.changes.length, many.more]).toEqual([MAX_CHANGES, 2_000 - MAX_CHANGES]);
    const long = changesOf(['a'], (body) => textAt(body, 0).insert(1, '👍'.repeat(1_000_000)));
    expect(long.changes[0]?.inserted.length).toBeLessThanOrEqual(MAX_TEXT);
    expect(long.changes[0]?.text.isWellFormed()).toBe(true);
  });

  test('one character in a page of 36,000 blocks takes a small part of reading the page', async () => {
    const doc = new Y.Doc();
    bodyOf(doc).insert(
      0,
      Array.from({ length: 36_000 }, (_, at) => paragraph(`paragraph ${at}`)),
    );
    const read = pageContentOf(doc);
    let before = read().blocks;
    const type = () => {
      textAt(bodyOf(doc), 18_000).insert(0, 'x');
      const after = read().blocks;
      expect(blockChanges(before, after).changes).toHaveLength(1);
      before = after;
    };
    const times = await timesAsLong(type, () => parseBody(doc));
    expect(times).toBeLessThan(0.5);
  });
});
