// Content that no Weft editor writes: texts, objects and shared types between blocks, and nodes with the names of object
// properties. Each is a grey block that can be read and deleted; the rest of the page can be edited, and nothing is lost.
import { createElement } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test } from 'vitest';
import * as Y from 'yjs';
import { parseBody } from '../../src/document/body/parse-body.ts';
import { pageToJson } from '../../src/document/formats/page-json.ts';
import { bodyOf } from '../../src/document/names.ts';
import { bindingOf } from '../../src/editor/binding/binding-of.ts';
import { toAbsolutePosition, toRelativePosition } from '../../src/editor/binding/yjs-positions.ts';
import { moveSelected } from '../../src/editor/blocks/move-selected-blocks.ts';
import { StaticBody } from '../../src/editor/reading/static-body.tsx';
import { type OpenedPage, linesOf, openPage } from '../support/editor/opened-page.ts';
import { pageSeed } from '../support/editor/page-seed.ts';
import { type PageSession, connect, pageSession } from '../support/editor/page-session.ts';

type Untyped = { insert(index: number, content: readonly unknown[]): void };

/** Puts what a hostile client can between the first two blocks. */
const insert =
  (...content: readonly unknown[]) =>
  (doc: Y.Doc) => {
    const body: Untyped = bodyOf(doc);
    body.insert(1, content);
  };

function element(name: string, ...children: readonly (Y.XmlElement | Y.XmlText)[]): Y.XmlElement {
  const made = new Y.XmlElement(name);
  made.insert(0, [...children]);
  return made;
}

/** By description: puts the loose content into a page, and the text that can be read in it. */
const CONTENT: Readonly<Record<string, readonly [spoil: (doc: Y.Doc) => void, text: string]>> = {
  'a text': [insert(new Y.XmlText('loose words')), 'loose words'],
  'two texts': [insert(new Y.XmlText('loose'), new Y.XmlText('words')), 'loose\nwords'],
  'plain values': [insert('loose', 5, null, true, { a: 'b' }, ['c']), 'loose'],
  bytes: [insert(new Uint8Array([1, 2, 3])), ''],
  'a map and an array': [insert(new Y.Map([['a', 1]]), Y.Array.from(['loose'])), 'loose'],
  'another document': [insert(new Y.Doc()), ''],
};

const textOfGrey = (root: ParentNode) =>
  [...root.querySelectorAll('.grey-block')].map((one) => one.querySelector('.grey-block-text')?.textContent);

function spoiled(spoil: (doc: Y.Doc) => void): { readonly session: PageSession; readonly other: PageSession } {
  const seed = pageSeed('one', 'two', { node: 'divider' }, 'three');
  const [session, other] = [pageSession(seed), pageSession(seed)];
  connect(session, other);
  spoil(other.doc);
  return { session, other };
}

/** Every position in the page stands for the same place in the document and back. */
function positionsOf({ editor: { state } }: OpenedPage): readonly (readonly [number, number | null])[] {
  const binding = bindingOf(state);
  if (binding === null) throw new Error('no binding');
  const found: [number, number | null][] = [];
  state.doc.descendants((node, at) => {
    if (!node.isTextblock) return;
    for (let offset = 0; offset <= node.content.size; offset++) {
      const position = toRelativePosition(binding, state.doc, at + 1 + offset);
      found.push([at + 1 + offset, toAbsolutePosition(binding, state.doc, position)]);
    }
  });
  return found;
}

test.each(Object.entries(CONTENT))('%s between blocks', async (_name, [spoil, text]) => {
  const { session, other } = spoiled(spoil);
  const loose = `loose ${text}`;
  const page = openPage(session);
  expect(textOfGrey(page.editor.view.dom)).toEqual([text]);
  expect(page.editor.view.dom.textContent).toContain('Text outside of any block.');
  expect(linesOf(other)).toEqual(['paragraph: one', loose, 'paragraph: two', '---', 'paragraph: three']);

  // The first position of a page is not found again by the rule of y-tiptap, which `toAbsolutePosition` keeps.
  expect(positionsOf(page).filter(([at, back]) => at > 1 && back !== at)).toEqual([]);
  page.caret(0, -1);
  page.type('!');
  page.caret(2, -1);
  await page.press('{Enter}new');
  expect(linesOf(other)).toEqual([
    'paragraph: one!',
    loose,
    'paragraph: two',
    'paragraph: new',
    '---',
    'paragraph: three',
  ]);
  page.caret(3, 0);
  await page.press('{Backspace}');
  page.editor.commands.selectAll();
  page.editor.commands.toggleBold();
  expect(linesOf(other)).toEqual([
    'paragraph: <bold:one!>',
    loose,
    'paragraph: <bold:twonew>',
    '---',
    'paragraph: <bold:three>',
  ]);
  page.caret(2, 0);
  moveSelected(page.editor, page.context, -1);
  expect(linesOf(other).slice(0, 3)).toEqual(['paragraph: <bold:one!>', 'paragraph: <bold:twonew>', loose]);
  expect([...pageToJson(other.doc, null)].join('')).toContain('"twonew"');

  page.editor.view.dom.querySelector<HTMLElement>('.grey-block-button')?.click();
  expect(linesOf(other).filter((line) => line.startsWith('loose'))).toEqual([]);
  expect(linesOf(other)).toHaveLength(4);
  expect(page.detachCount()).toBe(0);
  expect(linesOf(session)).toEqual(linesOf(other));
});

test('letters directly in the body are one grey block', () => {
  const session = pageSession(pageSeed('one'));
  const text = new Y.Doc();
  text.getText('body').insert(0, 'x'.repeat(100_000));
  Y.applyUpdate(session.doc, Y.encodeStateAsUpdate(text), 'row');
  const page = openPage(session);
  expect(textOfGrey(page.editor.view.dom).map((shown) => shown?.length)).toEqual([5_000]);
  page.editor.view.dom.querySelector<HTMLElement>('.grey-block-button')?.click();
  expect(linesOf(session)).toEqual(['paragraph: one']);
});

test('what others write into loose content is shown, and what they write around it', async () => {
  const { session, other } = spoiled(insert(new Y.XmlText('loose')));
  const page = openPage(session);
  const his = openPage(other);
  const text: unknown = bodyOf(other.doc).get(1);
  if (text instanceof Y.XmlText) text.insert(5, ' more');
  expect(textOfGrey(page.editor.view.dom)).toEqual(['loose more']);
  page.caret(2, -1);
  his.caret(0, -1);
  his.type(' before');
  page.type('?');
  expect(linesOf(session).slice(0, 3)).toEqual(['paragraph: one before', 'loose loose more', 'paragraph: two?']);
  expect(page.detachCount() + his.detachCount()).toBe(0);
});

test.each(['constructor', '__proto__', 'text', 'unknown', 'doc'])('a node named %s is a grey block', (name) => {
  const { session, other } = spoiled(insert(element(name, new Y.XmlText('inside'))));
  const page = openPage(session);
  expect(textOfGrey(page.editor.view.dom)).toEqual(['inside']);
  page.caret(2, -1);
  page.type('!');
  expect(linesOf(other)[2]).toBe('paragraph: two!');
  expect(bodyOf(other.doc).toString()).toContain('inside');
});

test('an edit before and behind a grey block at once leaves its content alone', () => {
  const { session, other } = spoiled(insert(element('hologram', new Y.XmlText('inside')), new Y.XmlText('loose')));
  const page = openPage(session);
  page.editor.commands.selectAll();
  page.editor.commands.updateAttributes('block', { kind: 'heading' });
  expect(linesOf(other)).toEqual([
    'heading1: one',
    'unknown hologram',
    'loose loose',
    'heading1: two',
    '---',
    'heading1: three',
  ]);
  expect(bodyOf(other.doc).toString()).toContain('<hologram>inside</hologram>');
  page.undo.undo();
  expect(linesOf(other)[0]).toBe('paragraph: one');
});

test('a reader sees all of it as text', () => {
  const { other } = spoiled(insert(new Y.XmlText('loose'), 'value', element('hologram', new Y.XmlText('inside'))));
  const root = document.body.appendChild(document.createElement('div'));
  const react = createRoot(root);
  onTestFinished(() => {
    react.unmount();
    root.remove();
  });
  flushSync(() => react.render(createElement(StaticBody, { blocks: parseBody(other.doc), page: 'page' })));
  expect(textOfGrey(root)).toEqual(['loose\nvalue', 'inside']);
  expect([...root.querySelectorAll('.grey-block-note')].map((note) => note.textContent)).toEqual([
    'Text outside of any block.',
    'Made with a newer version of Weft. Reload to see it.',
  ]);
});
