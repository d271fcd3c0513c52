// Content that no Weft editor writes: texts, objects and shared types between blocks, and nodes with the names of object
// properties. Each is an unsupported block that can be read and deleted; the rest of the page can be edited, and nothing is lost.
import { createElement } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test } from 'vitest';
import { deletionsOf } from 'weft-document/body/block-deletions.ts';
import { parseBody } from 'weft-document/body/parse-body.ts';
import { plainBodyOf } from 'weft-document/body/plain-body.ts';
import { pageToJson } from 'weft-document/formats/page-json.ts';
import { bodyOf } from 'weft-document/names.ts';
import * as Y from 'yjs';
import { bindingOf } from '../../src/editor/binding/binding-of.ts';
import { toAbsolutePosition, toRelativePosition } from '../../src/editor/binding/page-positions.ts';
import { restoreViewPosition, saveViewPosition } from '../../src/editor/binding/view-position.ts';
import { BlockSelection } from '../../src/editor/blocks/block-selection.ts';
import { moveSelected } from '../../src/editor/blocks/move-selected-blocks.ts';
import { StaticBody } from '../../src/editor/reading/static-body.tsx';
import { deleteLines, tableTarget } from '../../src/editor/tables/table-commands.ts';
import { type OpenedPage, linesOf, openPage } from '../support/editor/opened-page.ts';
import { pageSeed } from '../support/editor/page-seed.ts';
import { type PageSession, connect, pageSession } from '../support/editor/page-session.ts';
import { insertMark } from '../support/hostile-marks.ts';

type Untyped = { insert(index: number, content: readonly unknown[]): void };

/** Puts what a hostile client can between the first two blocks. */
const insert =
  (...content: readonly unknown[]) =>
  (doc: Y.Doc) => {
    const body: Untyped = bodyOf(doc);
    body.insert(1, content);
  };

/** Writes into the body as if it were a text: a Weft app never does, but to Yjs the two are stored alike. */
const write = (run: (body: Y.Text) => void) => (doc: Y.Doc) => {
  const hostile = new Y.Doc();
  const body = hostile.getText('body');
  Y.applyUpdate(hostile, Y.encodeStateAsUpdate(doc));
  run(body);
  Y.applyUpdate(doc, Y.encodeStateAsUpdate(hostile), 'hostile');
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
  'characters with marks': [
    write((body) => body.insert(1, 'loose words', { bold: {}, italic: {}, hologram: 1 })),
    'loose words',
  ],
  'characters with other marks each': [
    write((body) => [...'loose'].forEach((character, at) => body.insert(1 + at, character, { [`mark${at}`]: at }))),
    'loose',
  ],
  'objects with marks': [
    write((body) => {
      body.insertEmbed(1, { a: 'b' }, { bold: {} });
      body.insert(2, 'loose', { italic: {} });
    }),
    'loose',
  ],
  'characters behind marks that mark nothing': [
    write((body) => {
      body.insert(1, 'loose');
      body.format(0, body.length, { bold: {}, italic: {} });
    }),
    'loose',
  ],
};

const textOfUnsupported = (root: ParentNode) =>
  [...root.querySelectorAll('.unsupported-block')].map(
    (one) => one.querySelector('.unsupported-block-text')?.textContent,
  );

function spoiled(spoil: (doc: Y.Doc) => void): { readonly session: PageSession; readonly other: PageSession } {
  const seed = pageSeed('one', 'two', { node: 'divider' }, 'three');
  const [session, other] = [pageSession(seed), pageSession(seed)];
  connect(session, other);
  spoil(other.doc);
  return { session, other };
}

function fail(): never {
  throw new Error('there is none');
}

/** Every position in the page stands for the same place in the document and back. */
function positionsOf({ editor: { state } }: OpenedPage): readonly (readonly [number, number | null])[] {
  const binding = bindingOf(state) ?? fail();
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
  expect(textOfUnsupported(page.editor.view.dom)).toEqual([text]);
  expect(page.editor.view.dom.textContent).toContain('Text outside of any block.');
  expect(linesOf(other)).toEqual(['paragraph: one', loose, 'paragraph: two', '---', 'paragraph: three']);

  expect(positionsOf(page).filter(([at, back]) => back !== at)).toEqual([]);
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

  page.editor.view.dom.querySelector<HTMLElement>('.unsupported-block-button')?.click();
  expect(linesOf(other).filter((line) => line.startsWith('loose'))).toEqual([]);
  expect(linesOf(other)).toHaveLength(4);
  expect(page.detachCount()).toBe(0);
  expect(linesOf(session)).toEqual(linesOf(other));
});

test('the caret keeps its character when the page is shown without words that the server refused', () => {
  const { session, other } = spoiled(insert(new Y.XmlText('loose words')));
  const fresh = openPage(pageSession(Y.encodeStateAsUpdate(other.doc)));
  const page = openPage(session);
  page.caret(2, 0);
  page.type('refused');
  page.caret(2, 'refused'.length + 1);
  restoreViewPosition(fresh.editor, saveViewPosition(page.editor));
  const { $from } = fresh.editor.state.selection;
  expect([$from.parent.textContent, $from.parentOffset]).toEqual(['two', 1]);
});

test('characters directly in the body are one unsupported block', () => {
  const session = pageSession(pageSeed('one'));
  const text = new Y.Doc();
  text.getText('body').insert(0, 'x'.repeat(100_000));
  Y.applyUpdate(session.doc, Y.encodeStateAsUpdate(text), 'row');
  const page = openPage(session);
  expect(textOfUnsupported(page.editor.view.dom).map((shown) => shown?.length)).toEqual([5_000]);
  page.editor.view.dom.querySelector<HTMLElement>('.unsupported-block-button')?.click();
  expect(linesOf(session)).toEqual(['paragraph: one']);
});

test('blocks among marks that mark nothing are deleted, and undo brings them back', async () => {
  const { session, other } = spoiled(
    write((body) => body.format(0, body.length, { bold: {}, italic: {}, hologram: 1 })),
  );
  const page = openPage(session);
  const before = linesOf(session);
  for (const [from, to] of [
    [0, 0],
    [1, 2],
    [3, 3],
    [0, 3],
  ] as const) {
    page.editor.view.dispatch(
      page.editor.state.tr.setSelection(BlockSelection.between(page.editor.state.doc, from, to)),
    );
    page.undo.stopCapturing();
    await page.press('{Delete}');
    const left = before.toSpliced(from, to - from + 1);
    expect(linesOf(session)).toEqual(left.length === 0 ? ['paragraph: '] : left);
    page.undo.undo();
    expect(linesOf(session)).toEqual(before);
    expect(page.editor.state.doc.childCount).toBe(4);
  }
  expect(linesOf(other)).toEqual(before);
});

test('a table with marks among its rows and cells is edited, and blocks with marks before their text are deleted', async () => {
  const text = (words: string) => element('tableCell', new Y.XmlText(words));
  const table = element(
    'table',
    ...['a', 'b', 'c'].map((row) => element('tableRow', text(`${row}1`), text(`${row}2`))),
  );
  const { session, other } = spoiled(insert(table));
  for (const node of [table, ...table.toArray(), ...bodyOf(other.doc).toArray()]) {
    if (node instanceof Y.XmlElement) for (const index of [0, 0, 1]) insertMark(node, index);
  }
  const page = openPage(session);
  const { editor } = page;
  expect(positionsOf(page).filter(([at, back]) => back !== at)).toEqual([]);
  const binding = bindingOf(editor.state) ?? fail();
  for (let at = 2; at <= editor.state.doc.content.size; at++) {
    const position = toRelativePosition(binding, editor.state.doc, at);
    expect(toAbsolutePosition(binding, editor.state.doc, position)).toBe(at);
  }
  let cell = 0;
  editor.state.doc.descendants((node, at) => {
    if (node.text === 'b1') cell = at;
  });
  editor.commands.setTextSelection(cell + 1);
  page.type('!');
  expect(linesOf(other)[1]).toBe('table a1\ta2\nb!1\tb2\nc1\tc2');
  const target = tableTarget(editor.state.selection) ?? fail();
  deleteLines(editor.view, page.context, target, 'row');
  expect(linesOf(other)[1]).toBe('table a1\ta2\nc1\tc2');
  for (const left of [3, 2, 1]) {
    editor.view.dispatch(editor.state.tr.setSelection(BlockSelection.between(editor.state.doc, 1, 1)));
    await page.press('{Delete}');
    expect(linesOf(other).slice(1)).toHaveLength(left);
  }
  expect(linesOf(other)[1]).toBe('paragraph: three');
});

test('two people delete marked characters at once, one of them undoes it, and the safe view deletes them again', async () => {
  const { session, other } = spoiled(write((body) => body.insert(0, 'loose', { bold: {}, italic: {} })));
  const [page, his] = [openPage(session), openPage(other)];
  const clean = ['paragraph: one', 'paragraph: two', '---', 'paragraph: three'];
  for (const { editor, undo } of [page, his]) {
    undo.stopCapturing();
    editor.view.dispatch(editor.state.tr.setSelection(BlockSelection.between(editor.state.doc, 0, 0)));
  }
  await page.press('{Delete}');
  expect([linesOf(session), linesOf(other)]).toEqual([clean, clean]);
  page.undo.undo();
  expect(linesOf(other)).toEqual(['loose loose', ...clean]);
  expect(textOfUnsupported(his.editor.view.dom)).toEqual(['loose']);
  await deletionsOf(other.doc).delete(new Set([plainBodyOf(other.doc).get().keyAt(0) ?? '']));
  expect([linesOf(session), linesOf(other)]).toEqual([clean, clean]);
  await deletionsOf(other.doc).undo();
  expect(linesOf(session)).toEqual(['loose loose', ...clean]);
  expect(page.detachCount() + his.detachCount()).toBe(0);
});

test('what others write into loose content is shown, and what they write around it', async () => {
  const { session, other } = spoiled(insert(new Y.XmlText('loose')));
  const page = openPage(session);
  const his = openPage(other);
  const text: unknown = bodyOf(other.doc).get(1);
  if (text instanceof Y.XmlText) text.insert(5, ' more');
  expect(textOfUnsupported(page.editor.view.dom)).toEqual(['loose more']);
  page.caret(2, -1);
  his.caret(0, -1);
  his.type(' before');
  page.type('?');
  expect(linesOf(session).slice(0, 3)).toEqual(['paragraph: one before', 'loose loose more', 'paragraph: two?']);
  expect(page.detachCount() + his.detachCount()).toBe(0);
});

test.each(['constructor', '__proto__', 'text', 'unknown', 'doc'])('a node named %s is an unsupported block', (name) => {
  const { session, other } = spoiled(insert(element(name, new Y.XmlText('inside'))));
  const page = openPage(session);
  expect(textOfUnsupported(page.editor.view.dom)).toEqual(['inside']);
  page.caret(2, -1);
  page.type('!');
  expect(linesOf(other)[2]).toBe('paragraph: two!');
  expect(bodyOf(other.doc).toString()).toContain('inside');
});

test('an edit before and behind an unsupported block at once leaves its content alone', () => {
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
  expect(textOfUnsupported(root)).toEqual(['loose\nvalue', 'inside']);
  expect([...root.querySelectorAll('.unsupported-block-note')].map((note) => note.textContent)).toEqual([
    'Text outside of any block.',
    'Made with a newer version of Weft. Reload to see it.',
  ]);
});
