import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { setBlockAttributes, turnInto } from '../../../src/editor/blocks/block-commands.ts';
import { type OpenedPage, linesOf, openPage, textsOf } from '../../support/editor/opened-page.ts';
import { pageSeed } from '../../support/editor/page-seed.ts';
import { connect, pageSession } from '../../support/editor/page-session.ts';

const code = (text: string, language = 'ts') => ({ kind: 'code', language, text });
/** Text with the class of its color. */
const colored = (page: OpenedPage, index = 0) =>
  [...(page.editor.view.dom.children[index]?.querySelectorAll('pre span') ?? [])].map(
    (span) => `${span.className.replaceAll('hljs-', '')}:${span.textContent}`,
  );

test('code is highlighted, and again where it changes', async () => {
  const session = pageSession(pageSeed(code('const a = 1;'), code('let b = 2;'), 'text'));
  const page = openPage(session);
  // The worker colors each block by itself: the second block may come a moment after the first.
  await expect
    .poll(() => [colored(page), colored(page, 1)])
    .toEqual([
      ['keyword:const', 'number:1'],
      ['keyword:let', 'number:2'],
    ]);
  const second = page.editor.view.dom.children[1]?.querySelector('pre span');
  page.caret(0, -1);
  page.type(' // end');
  await expect.poll(() => colored(page)).toEqual(['keyword:const', 'number:1', 'comment:// end']);
  expect(colored(page, 1)).toEqual(['keyword:let', 'number:2']);
  expect(page.editor.view.dom.children[1]?.querySelector('pre span')).toBe(second);
});

test('while someone types, the last colors stay in place until the new ones arrive', async () => {
  const session = pageSession(pageSeed(code('const a = 1; // end')));
  const page = openPage(session);
  await expect.poll(() => colored(page)).toEqual(['keyword:const', 'number:1', 'comment:// end']);
  page.caret(0, 6);
  page.type('long');
  expect(colored(page)).toEqual(['keyword:const', 'number:1', 'comment:// end']);
  page.caret(0, -2);
  page.type('!');
  expect(colored(page)).toEqual(['keyword:const', 'number:1', 'comment:// en!d']);
});

test('highlighting follows the kind and the language of the block, and is never written', async () => {
  const session = pageSession(pageSeed(code('const a = 1;'), { kind: 'code', text: 'let b' }));
  const page = openPage(session);
  await expect.poll(() => colored(page).length).toBe(2);
  expect(colored(page, 1)).toEqual([]);
  expect(session.localUpdates).toEqual([]);
  const run = (index: number, language: string) => {
    const node = page.editor.state.doc.child(index);
    const at = index === 0 ? 0 : page.editor.state.doc.child(0).nodeSize;
    page.editor.view.dispatch(setBlockAttributes(page.editor.state.tr, [{ node, at, index }], { language }));
  };
  run(1, 'javascript');
  await expect.poll(() => colored(page, 1)).toEqual(['keyword:let']);
  page.caret(0, 0);
  turnInto({ kind: 'paragraph' })(page.editor.state, page.editor.view.dispatch);
  expect(page.editor.view.dom.children[0]?.querySelectorAll('span').length).toBe(0);
  expect(session.localUpdates.length).toBe(2);
});

test('Tab and Shift-Tab indent and outdent each selected line', async () => {
  const session = pageSession(pageSeed(code('a\n  b\n\nc')));
  const page = openPage(session);
  page.editor.commands.setTextSelection({ from: 1, to: 9 });
  await page.press('{Tab}');
  expect(textsOf(session)).toEqual(['  a\n    b\n\n  c']);
  await page.press('{Shift>}{Tab}{Tab}{/Shift}');
  expect(textsOf(session)).toEqual(['a\nb\n\nc']);
  page.caret(0, 1);
  await page.press('{Tab}');
  expect(textsOf(session)).toEqual(['a  \nb\n\nc']);
  expect(linesOf(session)[0]?.startsWith('code(ts)')).toBe(true);
});

test('Enter keeps the indent of the line, adds one step after a bracket, and leaves from a blank last line', async () => {
  const session = pageSession(pageSeed(code('')));
  const page = openPage(session);
  page.caret(0, 0);
  await page.press('if (x) {{{Enter}y();{Enter}z();{Enter}{Enter}out');
  expect(linesOf(session)).toEqual(['code(ts): if (x) {\n  y();\n  z();', 'paragraph: out']);
});

test('two people in one code block, one of them indenting lines, lose nothing', () => {
  const seed = pageSeed(code('one\ntwo\nthree'));
  const [alice, bob] = [pageSession(seed), pageSession(seed)];
  const wire = connect(alice, bob);
  const [a, b] = [openPage(alice), openPage(bob)];
  wire.offline();
  a.editor.commands.setTextSelection({ from: 1, to: 13 });
  a.editor.view.someProp('handleKeyDown', (f) => f(a.editor.view, new KeyboardEvent('keydown', { key: 'Tab' })));
  b.caret(0, 7);
  b.type(' more');
  b.caret(0, 0);
  b.type('zero ');
  wire.online();
  expect(textsOf(alice)[0]?.replaceAll(' ', '')).toBe('zeroone\ntwomore\nthree');
  expect(textsOf(alice)[0]?.split('\n').slice(1)).toEqual(['  two more', '  three']);
  expect(a.undo.undo()).not.toBeNull();
  expect(textsOf(alice)).toEqual(['zero one\ntwo more\nthree']);
  expect(a.shown()).toEqual(b.shown());
  expect(textsOf(alice)).toEqual(textsOf(bob));
});

test('a language that another person chooses changes the header and does not redraw the text', async () => {
  const seed = pageSeed(code('let a', 'python'));
  const [alice, bob] = [pageSession(seed), pageSession(seed)];
  connect(alice, bob);
  const [a, b] = [openPage(alice), openPage(bob)];
  const text = a.editor.view.dom.querySelector('pre code');
  const node = b.editor.state.doc.child(0);
  b.editor.view.dispatch(
    setBlockAttributes(b.editor.state.tr, [{ node, at: 0, index: 0 }], { language: 'typescript' }),
  );
  expect(a.editor.view.dom.querySelector('.code-language')?.textContent).toBe('TypeScript');
  expect(a.editor.view.dom.querySelector('pre code')).toBe(text);
  await expect.poll(() => colored(a)).toEqual(['keyword:let']);
});

test('"Copy" reports that it copied and is no edit', async () => {
  const session = pageSession(pageSeed(code('a\nb')));
  const page = openPage(session);
  page.caret(0, 0);
  const button = page.editor.view.dom.querySelector('.code-copy') ?? document.body;
  await userEvent.click(button);
  await expect.poll(() => button.textContent).not.toBe('Copy');
  expect(textsOf(session)).toEqual(['a\nb']);
  expect(session.localUpdates).toEqual([]);
});

test('a block of an unknown kind keeps its kind while it is edited, split and indented', async () => {
  const session = pageSession(pageSeed({ kind: 'poster', text: 'words here' }, 'next'));
  const page = openPage(session);
  page.caret(0, 5);
  await page.press('!{Enter}');
  const kinds = () => page.editor.state.doc.children.map((node) => String(node.attrs['kind']));
  expect(kinds()).toEqual(['poster', 'poster', 'paragraph']);
  await page.press('{Tab}x');
  expect(kinds()).toEqual(['poster', 'poster', 'paragraph']);
  expect(textsOf(session)).toEqual(['words!', 'x here', 'next']);
});
