// Equal content gives equal text, whatever the updates looked like, and nothing that differs is taken for equal.
import { describe, expect, test } from 'vitest';
import { docContent } from 'weft-sync/updates/content.ts';
import { newDoc } from 'weft-sync/updates/new-doc.ts';
import * as Y from 'yjs';

const contentAfter = (write: (doc: Y.Doc) => void): string => {
  const doc = newDoc(7_000);
  write(doc);
  return docContent(doc);
};
const text = (write: (text: Y.Text) => void) => contentAfter((doc) => write(doc.getText('t')));

describe('the same', () => {
  test('[SN7] text typed at once, character by character, or with something in between that was deleted', () => {
    const atOnce = text((t) => t.insert(0, 'word 🙂'));
    expect(text((t) => [...'word 🙂'].forEach((character) => t.insert(t.length, character)))).toBe(atOnce);
    expect(
      text((t) => {
        t.insert(0, 'woxrd 🙂');
        t.delete(2, 1);
      }),
    ).toBe(atOnce);
  });

  test('[SN7] marks set together, one after the other, or twice', () => {
    const marks = { bold: true, link: { href: '#', rel: null } };
    const together = text((t) => t.insert(0, 'abc', marks));
    expect(
      text((t) => {
        t.insert(0, 'abc');
        t.format(0, 2, { link: { rel: null, href: '#' } });
        t.format(0, 3, { bold: true, link: { href: '#', rel: null } });
      }),
    ).toBe(together);
  });

  test('[SN7] a type that was only asked for, and one that was emptied', () => {
    expect(contentAfter((doc) => doc.getMap('m'))).toBe(contentAfter(() => {}));
    expect(
      contentAfter((doc) => {
        doc.getArray('a').insert(0, [1]);
        doc.getArray('a').delete(0, 1);
      }),
    ).toBe(contentAfter(() => {}));
  });

  test('[SN7] another document after all updates, in other pieces', () => {
    const doc = newDoc(7_001);
    const updates: Uint8Array[] = [];
    doc.on('update', (update: Uint8Array) => updates.push(update));
    const xml = doc.getXmlFragment('body');
    const block = new Y.XmlElement('block');
    xml.insert(0, [block]);
    block.setAttribute('kind', 'task');
    const inner = new Y.XmlText();
    block.insert(0, [inner]);
    inner.insert(0, 'hello', { italic: true });
    inner.insert(5, ' world', {});
    inner.format(2, 5, { italic: null, code: {} });
    inner.delete(1, 1);
    const merged = newDoc();
    Y.applyUpdate(merged, Y.mergeUpdates(updates));
    const single = newDoc();
    for (const update of updates) Y.applyUpdate(single, update);
    expect(docContent(merged)).toBe(docContent(doc));
    expect(docContent(single)).toBe(docContent(doc));
    expect(inner.toDelta()).toEqual([
      { insert: 'h', attributes: { italic: true } },
      { insert: 'llo w', attributes: { code: {} } },
      { insert: 'orld' },
    ]);
  });
});

describe('not the same', () => {
  const values = [
    ...[null, undefined, true, false, 0, -0, 1, '', '1', 'null', 1n, Number.NaN, Number.POSITIVE_INFINITY],
    ...[[], {}, [[]], [null], [undefined], { a: 1 }, { a: '1' }, { b: 1 }, [1, 2], ['1,2'], ['a', 'b'], ['a","b']],
    ...[Uint8Array.of(), Uint8Array.of(1), 'bytes AQ=='],
  ];

  test('[SN7] values of every kind, as entries, in lists and as marks', () => {
    const asEntries = values.map((value) => contentAfter((doc) => doc.getMap('m').set('k', value)));
    // Yjs itself puts neither of these into a list.
    const listed = values.filter((value) => value !== undefined && typeof value !== 'bigint');
    const inLists = listed.map((value) => contentAfter((doc) => doc.getArray('a').insert(0, [value])));
    expect(new Set(asEntries).size).toBe(values.length);
    expect(new Set(inLists).size).toBe(listed.length);
  });

  const different: Record<string, (doc: Y.Doc) => void> = {
    nothing: () => {},
    text: (doc) => doc.getText('t').insert(0, 'ab'),
    'other order': (doc) => doc.getText('t').insert(0, 'ba'),
    'other name': (doc) => doc.getText('u').insert(0, 'ab'),
    'a mark': (doc) => doc.getText('t').insert(0, 'ab', { bold: true }),
    'another mark': (doc) => doc.getText('t').insert(0, 'ab', { bold: false }),
    'a mark on half of it': (doc) => {
      doc.getText('t').insert(0, 'ab');
      doc.getText('t').format(0, 1, { bold: true });
    },
    'text that looks like a mark': (doc) => doc.getText('t').insert(0, '<"bold"=true>ab'),
    'an embed': (doc) => doc.getText('t').insertEmbed(0, { image: 'x' }),
    'text that looks like an embed': (doc) => doc.getText('t').insert(0, '(embed {"image":"x"})'),
    list: (doc) => doc.getArray('t').insert(0, ['ab']),
    'list of two': (doc) => doc.getArray('t').insert(0, ['a', 'b']),
    'nested list': (doc) => doc.getArray('t').insert(0, [Y.Array.from(['ab'])]),
    'nested empty map': (doc) => doc.getArray('t').insert(0, [new Y.Map()]),
    'nested empty list': (doc) => doc.getArray('t').insert(0, [new Y.Array()]),
    'nested text': (doc) => doc.getArray('t').insert(0, [new Y.Text()]),
    element: (doc) => doc.getXmlFragment('t').insert(0, [new Y.XmlElement('p')]),
    'other element': (doc) => doc.getXmlFragment('t').insert(0, [new Y.XmlElement('q')]),
    'element with attribute': (doc) => doc.getXmlFragment('t').insert(0, [elementWith('a', '1')]),
    'element with other attribute': (doc) => doc.getXmlFragment('t').insert(0, [elementWith('a', '2')]),
    'xml text': (doc) => doc.getXmlFragment('t').insert(0, [new Y.XmlText('p')]),
    'attribute of text': (doc) => doc.getText('t').setAttribute('a', 1),
    'a subdocument': (doc) => doc.getMap('t').set('d', new Y.Doc({ guid: 'one' })),
    'another subdocument': (doc) => doc.getMap('t').set('d', new Y.Doc({ guid: 'two' })),
  };

  test('[SN7] documents that differ in one thing', () => {
    const byContent = new Map(Object.entries(different).map(([name, write]) => [contentAfter(write), name]));
    expect([...byContent.values()]).toEqual(Object.keys(different));
  });
});

function elementWith(name: string, value: string): Y.XmlElement {
  const element = new Y.XmlElement('p');
  element.setAttribute(name, value);
  return element;
}
