import { expect, test } from 'vitest';
import { bodyOf } from 'weft-document/names.ts';
import { blankSeed, welcomeSeed } from 'weft-document/seed.ts';
import { setAttribute } from 'weft-document/set-attribute.ts';
import * as Y from 'yjs';
import { idsOf, linesOf, openPage, wait } from '../support/editor/opened-page.ts';
import { pageSeed } from '../support/editor/page-seed.ts';
import { connect, pageSession } from '../support/editor/page-session.ts';

const PAGES = {
  blank: blankSeed(),
  welcome: welcomeSeed(),
  'one that ends in code (T8)': pageSeed('a', { kind: 'code', text: 'let x' }),
  'one that ends in a divider': pageSeed('a', { node: 'divider' }),
  'one without any block (T5)': new Uint8Array([0, 0]),
  'one with wrong attributes': pageSeed({ kind: 'toggle', indent: 99, level: 'big', checked: 'yes', text: 'words' }),
  'one with marks that meet': pageSeed({
    text: 'words',
    marks: { bold: {}, code: {}, link: { href: 'javascript:x' } },
  }),
};

for (const [name, seed] of Object.entries(PAGES)) {
  test(`[I10] opening, focusing, walking through and closing ${name} writes nothing`, async () => {
    const session = pageSession(seed);
    const before = Y.encodeStateAsUpdate(session.doc);
    for (const editable of [true, false]) {
      const page = openPage(session, editable);
      await wait(30);
      page.editor.commands.focus('start');
      page.editor.commands.focus('end');
      page.editor.commands.selectAll();
      page.editor.setEditable(!editable);
      await wait(30);
      page.close();
    }
    expect(session.localUpdates).toEqual([]);
    expect(Y.encodeStateAsUpdate(session.doc)).toEqual(before);
  });
}

test('[T8] three people who open the same page add nothing to it', async () => {
  const sessions = [1, 2, 3].map(() => pageSession(PAGES['one that ends in code (T8)']));
  connect(...sessions);
  for (const session of sessions) openPage(session);
  await wait(50);
  expect(sessions.map((session) => session.localUpdates.length)).toEqual([0, 0, 0]);
});

test('a read-only page takes no edit, not even from code', async () => {
  const session = pageSession(pageSeed('fixed'));
  const page = openPage(session, false);
  page.type('x');
  await page.press('y{Enter}{Backspace}');
  page.editor.commands.setContent('<p>gone</p>');
  expect(session.localUpdates).toEqual([]);
  expect(linesOf(session)).toEqual(['paragraph: fixed']);
});

test('a page that lost its last block can be written in again', async () => {
  const session = pageSession(PAGES['one without any block (T5)']);
  const page = openPage(session);
  await page.press('hi');
  expect(linesOf(session)).toEqual(['paragraph: hi']);
  expect(idsOf(session)[0]).toMatch(/^[0-9a-v]{12}$/);
});

test('[T4] an unknown block is shown as an unsupported one: remote edits are shown, local ones are refused, and no one deletes it', async () => {
  const session = pageSession(pageSeed('a', 'b'));
  const newer = pageSession(pageSeed('a', 'b'));
  connect(session, newer);
  const page = openPage(session);
  const hologram = new Y.XmlElement('hologram');
  bodyOf(newer.doc).insert(1, [hologram]);
  expect(linesOf(newer)).toEqual(['paragraph: a', 'unknown hologram', 'paragraph: b']);
  expect(page.editor.view.dom.querySelector('.unsupported-block')?.textContent).toContain('newer version');
  page.caret(0, -1);
  page.type('!');
  hologram.insert(0, [new Y.XmlText('inside')]);
  page.caret(2, 0);
  await page.press('mine ');
  expect(linesOf(newer)).toEqual(['paragraph: a!', 'unknown hologram', 'paragraph: mine b']);
  expect(bodyOf(session.doc).toString()).toContain('<hologram>inside</hologram>');
  expect(page.detachCount()).toBe(0);
});

test('[T4] so is a block with an unknown mark, until the mark is removed', () => {
  const session = pageSession(pageSeed('a', 'b'));
  const newer = pageSession(pageSeed('a', 'b'));
  connect(session, newer);
  const page = openPage(session);
  const unsupported = () => page.editor.view.dom.querySelectorAll('.unsupported-block').length;
  const block = bodyOf(newer.doc).get(1);
  const text = block instanceof Y.XmlElement ? block.get(0) : null;
  if (text instanceof Y.XmlText) text.format(0, 1, { glow: {} });
  expect(unsupported()).toBe(1);
  page.caret(0, -1);
  page.type('!');
  expect(bodyOf(newer.doc).toString()).toContain('<glow>b</glow>');
  if (text instanceof Y.XmlText) text.format(0, 1, { glow: null });
  expect(unsupported()).toBe(0);
  expect(linesOf(session)).toEqual(['paragraph: a!', 'paragraph: b']);
});

test.each(['while it is open', 'before it is opened'])(
  '[T4] text between blocks, which no Weft editor writes, is an unsupported block, and the rest can be edited: %s',
  async (when) => {
    const session = pageSession(pageSeed('a', 'b'));
    const newer = pageSession(pageSeed('a', 'b'));
    connect(session, newer);
    const push = () => bodyOf(newer.doc).insert(1, [new Y.XmlText('loose')]);
    if (when === 'before it is opened') push();
    const page = openPage(session);
    if (when === 'while it is open') push();
    const unsupported = () => page.editor.view.dom.querySelector('.unsupported-block');
    await expect.poll(() => unsupported()?.textContent).toContain('Text outside of any block.');
    expect(unsupported()?.querySelector('.unsupported-block-text')?.textContent).toBe('loose');
    page.caret(0, -1);
    page.type('!');
    page.caret(2, 0);
    await page.press('mine {Enter}');
    expect(linesOf(newer)).toEqual(['paragraph: a!', 'loose loose', 'paragraph: mine ', 'paragraph: b']);
    expect(page.detachCount()).toBe(0);
    page.undo.stopCapturing();
    unsupported()?.querySelector('button')?.click();
    expect(linesOf(newer)).toEqual(['paragraph: a!', 'paragraph: mine ', 'paragraph: b']);
    page.undo.undo();
    expect(linesOf(newer)).toEqual(['paragraph: a!', 'loose loose', 'paragraph: mine ', 'paragraph: b']);
  },
);

test('[T4] an unsupported block cannot be duplicated, only deleted, and undo restores its content', async () => {
  const session = pageSession(pageSeed('a', { node: 'hologram' }, 'b'));
  const page = openPage(session);
  const unsupported = page.editor.state.doc.child(1);
  page.editor.view.dispatch(page.editor.state.tr.insert(0, unsupported.copy(unsupported.content)));
  expect(linesOf(session)).toEqual(['paragraph: a', 'unknown hologram', 'paragraph: b']);
  page.editor.commands.setNodeSelection(page.editor.state.doc.child(0).nodeSize);
  await page.press('{Backspace}');
  expect(linesOf(session)).toEqual(['paragraph: a', 'paragraph: b']);
  page.undo.undo();
  expect(linesOf(session)).toEqual(['paragraph: a', 'unknown hologram', 'paragraph: b']);
});

test('unknown attributes of another block are kept while this one is edited', () => {
  const session = pageSession(pageSeed('mine', { kind: 'slide', text: 'theirs' }));
  const block = bodyOf(session.doc).get(1);
  if (block instanceof Y.XmlElement) session.doc.transact(() => setAttribute(block, 'shade', 'blue'), 'row');
  const page = openPage(session);
  page.caret(0, -1);
  page.type('!');
  expect(bodyOf(session.doc).toString()).toContain('kind="slide" shade="blue"');
  expect(linesOf(session)[0]).toBe('paragraph: mine!');
});
