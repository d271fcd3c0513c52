import { expect, test } from 'vitest';
import { bodyParts, elementAt, textOfPart } from 'weft-document/body-parts.ts';
import { bodyText } from 'weft-document/body/body-text.ts';
import { parseBody } from 'weft-document/body/parse-body.ts';
import { pageToJson } from 'weft-document/formats/page-json.ts';
import { bodyOf } from 'weft-document/names.ts';
import * as Y from 'yjs';
import { pageSeed } from '../support/editor/page-seed.ts';

function pageWith(...content: readonly unknown[]): Y.Doc {
  const doc = new Y.Doc();
  Y.applyUpdate(doc, pageSeed('one', 'two'));
  // Yjs stores any content in a fragment; its types know elements and texts only.
  const body: { insert(index: number, content: readonly unknown[]): void } = bodyOf(doc);
  if (content.length > 0) body.insert(1, content);
  return doc;
}

const shapeOf = (doc: Y.Doc) =>
  bodyParts(bodyOf(doc)).map(({ element, from, length }) => [element?.nodeName ?? null, from, length]);

test('a run of loose content is one part, whatever it is', () => {
  const doc = pageWith('a', null, new Y.XmlText('b'), new Y.Map(), 5, new Uint8Array(2));
  expect(shapeOf(doc)).toEqual([
    ['block', 0, 1],
    [null, 1, 6],
    ['block', 7, 1],
  ]);
  expect([0, 1, 2, 3].map((index) => elementAt(bodyOf(doc), index)?.nodeName)).toEqual([
    'block',
    undefined,
    'block',
    undefined,
  ]);
  bodyOf(doc).delete(2, 2);
  expect(shapeOf(doc)[1]).toEqual([null, 1, 4]);
  expect(parseBody(doc).map(({ type }) => type)).toEqual(['block', 'unknown', 'block']);
  expect(bodyText(doc)).toBe('one\ntwo');
  expect([...pageToJson(doc, null)].join('')).toContain('{"text":[{"insert":"a"}]}');
});

test('its text has a line for each text, and marks do not divide it', () => {
  const marked = new Y.XmlText();
  marked.applyDelta([{ insert: 'half ' }, { insert: 'bold', attributes: { bold: {} } }, { insert: '!' }]);
  const nested = new Y.XmlElement('hologram');
  nested.insert(0, [new Y.XmlText('inside'), new Y.XmlElement('empty'), new Y.XmlText('end')]);
  const [, loose, element] = bodyParts(bodyOf(pageWith('a', 'b', marked, nested)));
  expect(loose === undefined ? null : textOfPart(loose)).toBe('a\nb\nhalf bold!');
  expect(element === undefined ? null : textOfPart(element)).toBe('inside\nend');
});

test('elements inside each other, deeper than the stack, can be read', () => {
  const doc = pageWith(new Y.XmlElement('nest'));
  let inner: unknown = bodyOf(doc).get(1);
  doc.transact(() => {
    for (let depth = 0; depth < 50_000; depth++) {
      const next = new Y.XmlElement('nest');
      if (inner instanceof Y.XmlElement) inner.insert(0, [next]);
      inner = next;
    }
    if (inner instanceof Y.XmlElement) inner.insert(0, [new Y.XmlText('deep')]);
  });
  expect(parseBody(doc)[1]).toMatchObject({ type: 'unknown', name: 'nest', text: 'deep' });
});
