import { afterEach, expect, test } from 'vitest';
import { setSmartTyping } from '../../../src/editor/typing/smart-typing-choice.ts';
import { type OpenedPage, linesOf, openPage, textsOf } from '../../support/editor/opened-page.ts';
import { pageSeed } from '../../support/editor/page-seed.ts';
import { connect, pageSession } from '../../support/editor/page-session.ts';

afterEach(() => {
  setSmartTyping(true);
  localStorage.clear();
});

async function typed(keys: string): Promise<readonly string[]> {
  const session = pageSession();
  await openPage(session).press(keys);
  return linesOf(session);
}

test.each([
  ['!!! careful', 'callout(note): careful'],
  ['!!!tip hint', 'callout(tip): hint'],
  ['!!!stop no', 'callout(stop): no'],
  ['!!!danger no', 'callout(stop): no'],
  ['!!!warning so', 'callout(care): so'],
  ['> [[!note] known', 'callout(note): known'],
  ['> [[!WARNING] hot', 'callout(care): hot'],
  ['> [[!caution] no', 'callout(stop): no'],
  ['> [[!other] x', 'quote: [!other] x'],
  ['[[!note] x', 'paragraph: [!note] x'],
  ['>> more', 'toggle: more'],
  ['a ==lit== b', 'paragraph: a <highlight:lit> b'],
  ['a == b == c', 'paragraph: a == b == c'],
  ['a === b', 'paragraph: a === b'],
])('typing %s makes "%s"', async (keys, line) => {
  expect(await typed(keys)).toEqual([line]);
});

test.each([
  ['# ', ['paragraph: # ']],
  ['- ', ['paragraph: - ']],
  ['[[] ', ['paragraph: [] ']],
  ['>> ', ['paragraph: >> ']],
  ['!!! ', ['paragraph: !!! ']],
  ['---', ['paragraph: ---']],
  ['a **b**', ['paragraph: a **b**']],
  ['a ==b==', ['paragraph: a ==b==']],
  ['[[b](weft.dev)', ['paragraph: [b](weft.dev)']],
  ['a "', ['paragraph: a "']],
  ['a--b', ['paragraph: a--b']],
])('Backspace right after %s restores what was typed', async (keys, lines) => {
  expect(await typed(`${keys}{Backspace}`)).toEqual(lines);
});

test('a link keeps the marks of its text', async () => {
  expect(await typed('[[a **bold** word](weft.dev) x')).toEqual([
    'paragraph: <https://weft.dev:a ><bold,https://weft.dev:bold><https://weft.dev: word> x',
  ]);
});

test.each([
  ['"Go," she said', '“Go,” she said'],
  ["it's 'so'", 'it’s ‘so’'],
  ['("a" b)', '(“a” b)'],
  ['one--two', 'one–two'],
  ['one -- two', 'one – two'],
  ['git log --all', 'git log --all'],
  ['wait...', 'wait…'],
  ['`x` it\'s "so"', '<code:x> it’s “so”'],
  ['a `it\'s "b" -- c...` d', 'a <code:it\'s "b" -- c...> d'],
  ['`"a"` "b"', '<code:"a"> “b”'],
])('%s becomes %s', async (keys, text) => {
  expect(await typed(keys)).toEqual([`paragraph: ${text}`]);
});

test('quotes and dashes do not change in code, in code marks and when smart typing is off', async () => {
  expect(await typed('```js{Enter}"a" -- b...')).toEqual(['code(js): "a" -- b...']);
  const session = pageSession(pageSeed({ text: 'xy', marks: { code: {} } }));
  const page = openPage(session);
  page.caret(0, 1);
  await page.press('"');
  expect(textsOf(session)).toEqual(['x"y']);
  setSmartTyping(false);
  expect(await typed('"a"--b...')).toEqual(['paragraph: "a"--b...']);
});

const press = (page: OpenedPage, keys: string) => {
  page.editor.view.focus();
  return page.press(keys);
};

test('shortcuts turn the block while another types in it, and Backspace after that deletes only a character', async () => {
  const seed = pageSeed('plan');
  const [alice, bob] = [pageSession(seed), pageSession(seed)];
  const wire = connect(alice, bob);
  const [a, b] = [openPage(alice), openPage(bob)];
  a.caret(0, 0);
  wire.offline();
  b.caret(0, -1);
  b.type(' BBB');
  await press(a, '## ');
  wire.online();
  expect(linesOf(alice)).toEqual(['heading2: plan BBB']);
  a.caret(0, -1);
  await press(a, ' **x**');
  b.caret(0, 0);
  b.type('my ');
  await press(a, '{Backspace}');
  expect(linesOf(alice)).toEqual(['heading2: my plan BBB ']);
  expect(a.shown()).toEqual(b.shown());
});

test('typing Markdown for a link keeps what another writes in its text', async () => {
  const seed = pageSeed('');
  const [alice, bob] = [pageSession(seed), pageSession(seed)];
  const wire = connect(alice, bob);
  const [a, b] = [openPage(alice), openPage(bob)];
  a.caret(0, 0);
  await press(a, '[[words](weft.dev');
  wire.offline();
  b.caret(0, 3);
  b.type('BBB');
  await press(a, ')');
  wire.online();
  expect(textsOf(alice)).toEqual(['woBBBrds']);
  expect(a.shown()).toEqual(b.shown());
});
