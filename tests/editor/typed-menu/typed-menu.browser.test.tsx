import { createRoot } from 'react-dom/client';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { page as screen, userEvent } from 'vitest/browser';
import { bodyOf } from 'weft-document/names.ts';
import * as Y from 'yjs';
import { TypedMenuList } from '../../../src/editor/typed-menu/typed-menu-list.tsx';
import { type OpenedPage, linesOf, openPage, textsOf } from '../../support/editor/opened-page.ts';
import { type PageLine, pageSeed } from '../../support/editor/page-seed.ts';
import { connect, pageSession } from '../../support/editor/page-session.ts';

beforeEach(() => localStorage.clear());

const PEOPLE = [
  { id: '00000000-0000-4000-8000-000000000001', name: 'Ada Nwosu' },
  { id: '00000000-0000-4000-8000-000000000002', name: 'Tomás Rey' },
];
const PAGES = [{ title: 'Harbour swim', address: '/w/crew/p/harbour-swim-1', above: 'Events' }];

function opened(...lines: readonly PageLine[]) {
  const session = pageSession(pageSeed(...lines));
  const page = openPage(session);
  page.setNames({ people: PEOPLE, pages: PAGES });
  return { session, page, names: () => page.menu.get()?.entries.map(({ name }) => name) ?? null };
}

/** Alice and Bob on one page; `bob` writes at a position in a block. */
function together(...lines: readonly PageLine[]) {
  const seed = pageSeed(...lines);
  const [alice, bob] = [pageSession(seed), pageSession(seed)];
  connect(alice, bob);
  const [a, b] = [openPage(alice), openPage(bob)];
  a.setNames({ people: PEOPLE, pages: PAGES });
  const agree = () => expect(a.shown()).toEqual(b.shown());
  const write = (index: number, offset: number, text: string) => {
    // Without the focus, which is Alice’s.
    const { doc, tr } = b.editor.state;
    const before = doc.content.content.slice(0, index).reduce((size, node) => size + node.nodeSize, 0);
    const inside = offset < 0 ? doc.child(index).content.size + 1 + offset : offset;
    b.editor.view.dispatch(tr.insertText(text, before + 1 + inside));
  };
  return { alice, a, b, write, agree };
}

test('a slash at the start lists everything; typing filters, Enter turns the block, one undo restores the typed text', async () => {
  const { session, page, names } = opened('');
  await page.press('/');
  expect(names()?.slice(0, 2)).toEqual(['Text', 'Heading 1']);
  expect(names()?.at(-1)).toBe('Keep as text');
  await page.press('h2{Enter}');
  // One undo step, however slow the machine is.
  page.type('Plan');
  expect(names()).toBeNull();
  expect(linesOf(session)).toEqual(['heading2: Plan']);
  page.undo.undo();
  page.undo.undo();
  expect(linesOf(session)).toEqual(['paragraph: /h2']);
});

test('the latest choice is on top the next time', async () => {
  const { page, names } = opened('');
  await page.press('/quote{Enter}{Enter}/');
  expect(names()?.[0]).toBe('Quote');
});

test('arrows move through the menu and wrap around, Tab chooses too', async () => {
  const { session, page } = opened('');
  await page.press('/{ArrowUp}');
  expect(page.menu.get()?.entries[page.menu.get()?.at ?? -1]?.name).toBe('Keep as text');
  await page.press('{ArrowDown}{ArrowDown}{Tab}x');
  expect(linesOf(session)).toEqual(['heading1: x']);
});

test.each([['{Escape}'], ['keep as{Enter}']])('%s leaves the slash as text', async (keys) => {
  const { session, page, names } = opened('');
  await page.press(`/${keys}`);
  expect(names()).toBeNull();
  expect(textsOf(session)[0]).toMatch(/^\//);
  await page.press('x');
  expect(names()).toBeNull();
});

test('a slash between words is a slash: the menu closes with the first word that finds nothing', async () => {
  const { session, page, names } = opened('');
  await page.press('sooner / later ');
  expect(names()).toBeNull();
  await page.press('or and/or{Enter}never');
  expect(textsOf(session)).toEqual(['sooner / later or and/or', 'never']);
});

test('a slash in code, in a word or in a code mark opens nothing', async () => {
  const code = opened({ kind: 'code', text: '' });
  await code.page.press('/');
  expect(code.names()).toBeNull();
  const word = opened('and');
  word.page.caret(0, -1);
  await word.page.press('/');
  expect(word.names()).toBeNull();
});

test('while others type before and after the slash, the menu stays with its text and removes no other', async () => {
  const { alice, a, write, agree } = together('one ', 'two');
  a.caret(0, -1);
  await a.press('/quo');
  write(0, 0, 'many words before ');
  expect(a.menu.get()?.range.query).toBe('quo');
  write(0, -1, ' after');
  write(1, 0, 'zero ');
  // Before and after it in one edit, which is drawn as one replacement across the slash itself.
  expect(textsOf(alice)[0]).toBe('many words before one /quo after');
  expect(a.menu.get()?.range.query).toBe('quo');
  a.editor.view.focus();
  await a.press('{Enter}');
  expect(linesOf(alice)).toEqual(['quote: many words before one  after', 'paragraph: zero two']);
  agree();
});

test('one remote edit changes both sides of the slash: the menu still knows its text', async () => {
  const seed = pageSeed('left right');
  const [alice, bob] = [pageSession(seed), pageSession(seed)];
  connect(alice, bob);
  const [a, b] = [openPage(alice), openPage(bob)];
  a.caret(0, 5);
  await a.press('/tip');
  const block = bodyOf(bob.doc).get(0);
  const text = block instanceof Y.XmlElement ? block.get(0) : null;
  bob.doc.transact(() => {
    if (!(text instanceof Y.XmlText)) return;
    text.insert(text.length, 'R');
    text.insert(0, 'L');
  });
  expect(textsOf(alice)[0]).toBe('Lleft /tiprightR');
  expect(a.menu.get()?.range.query).toBe('tip');
  a.editor.view.focus();
  await a.press('{Enter}');
  expect(linesOf(alice)).toEqual(['callout(tip): Lleft rightR']);
  expect(a.shown()).toEqual(b.shown());
});

test('remote characters inside the typed text close the menu: a choice must not delete them', async () => {
  const { alice, a, write, agree } = together('');
  a.caret(0, 0);
  await a.press('/quote');
  write(0, 3, 'BOB');
  expect(a.menu.get()).toBeNull();
  a.editor.view.focus();
  await a.press('{Enter}');
  expect(textsOf(alice)).toEqual(['/quBOBote', '']);
  agree();
});

test('if another deletes the block, its menu closes', async () => {
  const { a, b } = together('one', 'two');
  a.caret(0, -1);
  await a.press(' /');
  expect(a.menu.get()).not.toBeNull();
  b.editor.view.dispatch(b.editor.state.tr.delete(0, b.editor.state.doc.child(0).nodeSize));
  expect(a.menu.get()).toBeNull();
});

test('@ offers people, days and pages, each as a mark on its text', async () => {
  const { session, page, names } = opened('');
  await page.press('@');
  expect(names()).toEqual(['Ada Nwosu', 'Tomás Rey', 'Today', 'Tomorrow', 'Harbour swim']);
  await page.press('toma{Enter}and @harb{Enter}on @2027-02-28{Enter}.');
  const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'long', timeZone: 'UTC' }).format(Date.UTC(2027, 1, 28));
  expect(linesOf(session)).toEqual([
    `paragraph: <${PEOPLE[1]?.id}:@Tomás Rey> and <${PAGES[0]?.address}:Harbour swim> on <2027-02-28:${day}>.`,
  ]);
});

test('the menu closes when the focus leaves the text', async () => {
  const { page, names } = opened('');
  await page.press('/');
  expect(names()).not.toBeNull();
  const field = document.body.appendChild(document.createElement('input'));
  onTestFinished(() => field.remove());
  field.focus();
  await expect.poll(names).toBeNull();
});

test('an email address opens no menu', async () => {
  const { page, names } = opened('');
  await page.press('ada@t');
  expect(names()).toBeNull();
});

test('a name is inserted while another types in the same block', async () => {
  const { alice, a, write, agree } = together('Ask  about it');
  a.caret(0, 4);
  await a.press('@ada');
  write(0, 0, 'Please: ');
  write(0, -1, '!');
  a.editor.view.focus();
  await a.press('{Enter}');
  expect(linesOf(alice)).toEqual([`paragraph: Please: Ask <${PEOPLE[0]?.id}:@Ada Nwosu> about it!`]);
  agree();
});

test('a colon and some characters find emoji once their names are loaded; a complete name needs no choice', async () => {
  const { session, page, names } = opened('');
  await page.press('at 10:30 a: :ta');
  await expect.poll(() => names()?.includes('tada') ?? false, { timeout: 10_000 }).toBe(true);
  await page.press('da{Enter}and :rocket:!');
  expect(textsOf(session)).toEqual(['at 10:30 a: 🎉 and 🚀!']);
});

function draw({ editor, menu }: OpenedPage) {
  const root = editor.view.dom.closest('.page-text')?.appendChild(document.createElement('div'));
  if (root === undefined) throw new Error('no page');
  const react = createRoot(root);
  react.render(<TypedMenuList editor={editor} menu={menu} />);
  onTestFinished(() => react.unmount());
}

test('the list is labelled and exposes the active entry; a click chooses, and the focus stays in the text', async () => {
  const { session, page } = opened('');
  draw(page);
  await page.press('/he');
  const list = screen.getByRole('listbox', { name: 'Insert' });
  await expect.element(list).toBeVisible();
  const body = page.editor.view.dom;
  const pointed = () => document.getElementById(body.getAttribute('aria-activedescendant') ?? '')?.textContent;
  expect(pointed()).toContain('Heading 1');
  await page.press('{ArrowDown}');
  await expect.poll(pointed).toContain('Heading 2');
  const [menu, sign] = [list.element().getBoundingClientRect(), page.editor.view.coordsAtPos(1)];
  expect(Math.abs(menu.left - sign.left)).toBeLessThan(8);
  expect(menu.top).toBeGreaterThan(sign.bottom);
  await userEvent.click(screen.getByRole('option', { name: /Heading 3/ }));
  expect(linesOf(session)).toEqual(['heading3: ']);
  expect(page.editor.view.hasFocus()).toBe(true);
  expect(body.hasAttribute('aria-activedescendant')).toBe(false);
});

test('"[[" offers pages by title; the chosen one is a link, and one undo restores the typed text', async () => {
  const { session, page, names } = opened('see');
  page.caret(0, -1);
  await page.press(' [[[[');
  expect(names()).toEqual(['Harbour swim']);
  await page.press('swim{Enter}');
  expect(linesOf(session)).toEqual(['paragraph: see </w/crew/p/harbour-swim-1:Harbour swim> ']);
  page.undo.undo();
  expect(linesOf(session)).toEqual(['paragraph: see [[swim']);
});

/** An app that creates pages, and what it was asked for. */
function opensNewPages(...lines: readonly PageLine[]) {
  const shown = opened(...lines);
  const asked: string[] = [];
  const creation = Promise.withResolvers<boolean>();
  const titles = new Map<string, string>();
  const newPages = {
    create: (title: string) => {
      asked.push(`create ${title}`);
      return {
        address: '/w/crew/p/new-1',
        isCreated: creation.promise,
        open: () => void asked.push('open'),
        setLinked: (isLinked: boolean) => void asked.push(isLinked ? 'linked' : 'unlinked'),
      };
    },
    titleOf: (address: string) => titles.get(address) ?? '',
  };
  const update = () => shown.page.setNames({ people: PEOPLE, pages: PAGES, newPages });
  update();
  return { ...shown, asked, answer: creation.resolve, titles, update };
}

test('"[[" with a title that no page has offers to create it last; undo and redo tell the app of the link', async () => {
  const { session, page, names, asked, answer } = opensNewPages('');
  await page.press('[[[[harbour');
  expect(names()).toEqual(['Harbour swim', 'New page “harbour”']);
  await page.press(' swim');
  expect(names()).toEqual(['Harbour swim']);
  await page.press(' club{Enter}');
  expect(linesOf(session)).toEqual(['paragraph: </w/crew/p/new-1:harbour swim club> ']);
  answer(true);
  page.undo.undo();
  expect(linesOf(session)).toEqual(['paragraph: [[harbour swim club']);
  await expect.poll(() => asked).toEqual(['create harbour swim club', 'unlinked']);
  page.undo.redo();
  await expect.poll(() => asked.at(-1)).toBe('linked');
});

test('if the page cannot be created, its words stay as plain text', async () => {
  const { session, page, answer } = opensNewPages('');
  await page.press('[[[[swim club{Enter}');
  answer(false);
  await expect.poll(() => linesOf(session)).toEqual(['paragraph: swim club ']);
});

test('"/page" links to a page without a title and opens it; the link is named later, unless it has other words', async () => {
  const { session, page, asked, answer, titles, update } = opensNewPages('');
  await page.press('/page{Enter}');
  expect(linesOf(session)).toEqual(['paragraph: </w/crew/p/new-1:Untitled> ']);
  answer(true);
  await expect.poll(() => asked).toEqual(['create ', 'open']);
  titles.set('/w/crew/p/new-1', 'Start list');
  update();
  expect(linesOf(session)).toEqual(['paragraph: </w/crew/p/new-1:Start list> ']);
});

test('"/page Title" creates the page with that title', async () => {
  const { session, page, names, asked } = opensNewPages('');
  await page.press('/page Start list');
  expect(names()).toEqual(['New page “Start list”', 'Keep as text']);
  await page.press('{Enter}');
  expect(linesOf(session)).toEqual(['paragraph: </w/crew/p/new-1:Start list> ']);
  expect(asked).toEqual(['create Start list']);
});

test('a space typed after a chosen name is not a second one, and a full stop follows the name at once', async () => {
  const { session, page } = opened('');
  await page.press('[[[[swim{Enter} and @ada{Enter}. :rocket: [[[[swim{Enter}');
  const [link, ada] = ['</w/crew/p/harbour-swim-1:Harbour swim>', `<${PEOPLE[0]?.id}:@Ada Nwosu>`];
  expect(linesOf(session)).toEqual([`paragraph: ${link} and ${ada}. 🚀 ${link} `]);
  // Two spaces typed are two, and after another key nothing is special.
  await page.press('{Backspace} x');
  expect(linesOf(session)).toEqual([`paragraph: ${link} and ${ada}. 🚀 ${link} x`]);
});

test('"[[title]]" typed completely becomes a link; brackets that name no page stay, as in code', async () => {
  const { session, page, names } = opened('');
  await page.press('[[[[harbour swim]] [[[[nowhere]] [[x]');
  expect(names()).toBeNull();
  expect(linesOf(session)).toEqual(['paragraph: </w/crew/p/harbour-swim-1:Harbour swim> [[nowhere]] [x]']);
  const code = opened({ kind: 'code', text: '' });
  await code.page.press('[[[[harbour swim]]');
  expect(linesOf(code.session)).toEqual(['code: [[harbour swim]]']);
});

test('beside right-to-left text the list opens towards the text, not away from it', async () => {
  await screen.viewport(1280, 800);
  const { page } = opened('שלום');
  draw(page);
  page.caret(0, -1);
  await page.press(' /');
  const list = screen.getByRole('listbox', { name: 'Insert' });
  await expect.element(list).toBeVisible();
  await expect
    .poll(() => Math.abs(list.element().getBoundingClientRect().right - page.editor.view.coordsAtPos(6, 1).left))
    .toBeLessThan(8);
});
