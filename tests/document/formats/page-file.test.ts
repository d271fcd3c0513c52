import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Block } from 'weft-document/blocks/block.ts';
import { elementsOfBlocks, fillPage } from 'weft-document/body/fill-page.ts';
import { parseBody } from 'weft-document/body/parse-body.ts';
import {
  elementsOfFile,
  fileOfPage,
  pageToJson,
  parsePageFile,
  withCopiedFiles,
} from 'weft-document/formats/page-json.ts';
import { bodyOf, titleOf } from 'weft-document/names.ts';
import { blankSeed } from 'weft-document/seed.ts';
import { parseDocumentId } from 'weft-sync/protocol/ids.ts';
import * as Y from 'yjs';
import { parseAttachmentId } from '../../../src/protocol/ids.ts';
import { SCHEMA_VERSION } from '../../../src/protocol/limits.ts';
import { anyBlocks } from '../../support/editor/any-blocks.ts';

const blankDoc = () => {
  const doc = new Y.Doc();
  Y.applyUpdate(doc, blankSeed());
  return doc;
};

const textOf = (doc: Y.Doc) => Array.from(pageToJson(doc, null)).join('');

function opened(text: string): Y.Doc {
  const file = parsePageFile(text);
  if (!file.ok) throw new Error(file.error);
  const doc = blankDoc();
  fillPage(doc, file.value.title, elementsOfFile(file.value));
  return doc;
}

const withoutPlace = (blocks: readonly Block[]): unknown =>
  JSON.parse(JSON.stringify(blocks, (name, value: unknown) => (name === 'key' || name === 'id' ? undefined : value)));

test('blocks inserted into a page parse into the same blocks with new ids', () => {
  fc.assert(
    fc.property(anyBlocks, (blocks) => {
      const doc = blankDoc();
      fillPage(doc, 'A title', elementsOfBlocks(blocks));
      const read = parseBody(doc);
      expect(withoutPlace(blocks.length > 0 ? read : [])).toEqual(JSON.parse(JSON.stringify(blocks)));
      expect(new Set(read.map(({ id }) => id)).size).toBe(read.length);
    }),
  );
});

test('a page comes back from its file unchanged: every node, mark, attribute and id', () => {
  fc.assert(
    fc.property(anyBlocks, fc.string({ maxLength: 20 }), (blocks, title) => {
      const doc = blankDoc();
      fillPage(doc, title, elementsOfBlocks(blocks));
      const reopened = opened(textOf(doc));
      expect(fileOfPage(reopened, null)).toEqual(fileOfPage(doc, null));
    }),
  );
});

test('a mark set in this tab, whose value has no prototype as ProseMirror makes it, is in the file', () => {
  const doc = new Y.Doc();
  const block = new Y.XmlElement('block');
  const text = new Y.XmlText('words');
  block.insert(0, [text]);
  bodyOf(doc).insert(0, [block]);
  text.format(0, 5, { bold: Object.create(null) });
  expect(fileOfPage(doc, null).body[0]).toMatchObject({
    content: [{ text: [{ insert: 'words', attributes: { bold: {} } }] }],
  });
});

test('content that only a newer app knows comes back from the file too', () => {
  const doc = new Y.Doc();
  const strange = new Y.XmlElement('hologram');
  const text = new Y.XmlText();
  text.applyDelta([{ insert: 'words', attributes: { glow: { hue: 7 }, 'bold--AbCd1234': {} } }]);
  bodyOf(doc).insert(0, [strange]);
  strange.insert(0, [text]);
  const untyped: { setAttribute(name: string, value: unknown): void } = strange;
  untyped.setAttribute('depth', 3);
  untyped.setAttribute('list', [1, { a: null }]);
  titleOf(doc).insert(0, 'Strange');
  expect(fileOfPage(opened(textOf(doc)), null)).toEqual(fileOfPage(doc, null));
  expect(fileOfPage(doc, null).body).toEqual([
    {
      node: 'hologram',
      attributes: { depth: 3, list: [1, { a: null }] },
      content: [{ text: [{ insert: 'words', attributes: { glow: { hue: 7 }, 'bold--AbCd1234': {} } }] }],
    },
  ]);
});

test('importing a page file copies its pictures and files', () => {
  const [page, picture, copy] = ['1', '2', '3'].map((n) => `${n.repeat(8)}-0000-4000-8000-000000000000`);
  const document = parseDocumentId(page ?? '');
  const id = parseAttachmentId(copy ?? '');
  if (document === null || id === null) throw new Error('no ids');
  const doc = blankDoc();
  const size = { width: 4, height: 2, size: null, runs: [] };
  const image = { type: 'image' as const, name: 'swan.png', ...size };
  fillPage(
    doc,
    'T',
    elementsOfBlocks([
      { ...image, file: picture ?? '' },
      { ...image, file: null },
    ]),
  );
  const file = parsePageFile(Array.from(pageToJson(doc, document)).join(''));
  if (!file.ok) throw new Error(file.error);
  const copies: unknown[] = [];
  const own = withCopiedFiles(file.value, (from, name) => {
    copies.push([from, name]);
    return id;
  });
  expect(copies).toEqual([[{ document, id: picture }, 'swan.png']]);
  expect(own.body.map((node) => 'node' in node && node.attributes['file'])).toEqual([id, undefined]);
});

test.each([
  ['not JSON', '{"format":'],
  ['another file', '{"name":"x","version":"1.0.0"}'],
  ['a body of something else', `{"format":"weft-page","version":${SCHEMA_VERSION},"title":"","body":[1]}`],
  [
    'ten thousand brackets',
    `{"format":"weft-page","version":1,"title":"","body":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
  ],
])('%s is not a page file', (_name, text) => {
  expect(parsePageFile(text)).toEqual({ ok: false, error: 'not a page' });
});

test('a file of a newer app is distinguished from a broken one', () => {
  const text = JSON.stringify({ format: 'weft-page', version: SCHEMA_VERSION + 1, pages: [] });
  expect(parsePageFile(text)).toEqual({ ok: false, error: 'newer' });
});

test('a page that someone is already writing in keeps its text and its title', () => {
  const doc = blankDoc();
  fillPage(doc, 'First', elementsOfBlocks([{ type: 'math', tex: 'x' }]));
  fillPage(doc, 'Second', elementsOfBlocks([{ type: 'divider' }]));
  expect(titleOf(doc).toString()).toBe('First');
  expect(parseBody(doc).map(({ type }) => type)).toEqual(['math', 'divider']);
});

test('a file leaves out what an import would reject: shared types, elements nested deep, names that are too long', () => {
  const doc = blankDoc();
  const [block, long] = [new Y.XmlElement('block'), new Y.XmlElement('n'.repeat(101))];
  bodyOf(doc).insert(1, [block, long]);
  const untyped: { setAttribute(name: string, value: unknown): void } = block;
  untyped.setAttribute('id', new Y.Map([['inside', new Y.Map()]]));
  untyped.setAttribute('bytes', new Uint8Array(1));
  untyped.setAttribute('deep', JSON.parse(`${'['.repeat(60)}${']'.repeat(60)}`));
  untyped.setAttribute('kind', { plain: [1, 'two', null, true] });
  let inner = block;
  for (let at = 0; at < 5_000; at++) {
    const next = new Y.XmlElement('block');
    inner.insert(0, [next]);
    inner = next;
  }
  const file = parsePageFile(textOf(doc));
  expect(file.ok && file.value.body.length).toBe(2);
  const written = file.ok ? file.value.body[1] : undefined;
  expect(written).toMatchObject({
    attributes: { id: null, bytes: null, deep: null, kind: { plain: [1, 'two', null, true] } },
  });
});
