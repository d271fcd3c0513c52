import type { Editor } from '@tiptap/core';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { bodyOf, titleOf } from 'weft-document/names.ts';
import { blankSeed, welcomeSeed } from 'weft-document/seed.ts';
import * as Y from 'yjs';
import type { ProfilesById } from '../../src/editor/carets/caret-layer.ts';
import { selectedCharacters } from '../../src/editor/changes/selected-characters.ts';
import { selectedTexts } from '../../src/editor/changes/selected-texts.ts';
import type { WordQuestions } from '../../src/editor/menus/word-questions.ts';
import { PageEditor } from '../../src/editor/page-editor.tsx';
import { type MentionNames, NO_NAMES } from '../../src/editor/typed-menu/mention-names.ts';
import { BAD_ADDRESS, TITLE_FULL } from '../../src/texts/field-texts.ts';
import { drawnText } from '../support/editor/devtools.ts';
import { linesOf, wait } from '../support/editor/opened-page.ts';
import { pageSeed } from '../support/editor/page-seed.ts';
import { type PageSession, connect, pageSession, testUser } from '../support/editor/page-session.ts';
import { tableSeed } from '../support/editor/tables.ts';
import '../../src/ui/theme/fonts.css';
import '../../src/ui/theme/tokens.css';
import '../../src/ui/theme/base.css';
import '../../src/ui/controls/controls.css';
import '../../src/ui/floating/floating.css';
import '../../src/ui/people/people.css';

beforeAll(() => page.viewport(1280, 800));

const ADA = testUser(1);
const PEOPLE: ProfilesById = new Map([[ADA, { id: ADA, displayName: 'Alice Nwosu', color: 'orchil' }]]);

async function render(session: PageSession, editable = true) {
  const root = document.body.appendChild(document.createElement('div'));
  const react = createRoot(root);
  const draw = async (now: {
    session: PageSession;
    editable: boolean;
    people?: ProfilesById;
    questions?: WordQuestions;
    names?: MentionNames;
  }) => {
    react.render(
      <StrictMode>
        <PageEditor
          session={now.session}
          people={now.people ?? PEOPLE}
          editable={now.editable}
          questions={now.questions ?? null}
          names={now.names ?? NO_NAMES}
        />
      </StrictMode>,
    );
    await wait(30);
  };
  const unmount = () => react.unmount();
  onTestFinished(() => {
    unmount();
    root.remove();
  });
  await draw({ session, editable });
  return { root, draw, unmount };
}

const body = () => page.getByRole('textbox', { name: 'Page body' });
const title = () => page.getByRole('textbox', { name: 'Page title' });

test('title and body are labelled textboxes; opening under StrictMode writes nothing and binds once', async () => {
  const session = pageSession(welcomeSeed());
  const { root, unmount } = await render(session);
  await expect.element(title()).toHaveValue('Welcome to Weft');
  await expect.element(body()).toHaveAttribute('aria-multiline', 'true');
  expect(root.querySelectorAll('.page-body').length).toBe(1);
  expect(bodyOf(session.doc)._dEH.l.length).toBe(1);
  unmount();
  expect(bodyOf(session.doc)._dEH.l.length).toBe(0);
  expect(session.localUpdates).toEqual([]);
});

test('a title that is full says so instead of swallowing characters', async () => {
  const session = pageSession(blankSeed());
  const { root } = await render(session);
  const note = root.querySelector('.page-title-note');
  titleOf(session.doc).insert(0, 'x'.repeat(199));
  await userEvent.click(title());
  await userEvent.keyboard('{Control>}{Home}{/Control}y');
  expect(note?.textContent).toBe('');
  await userEvent.keyboard('z');
  await expect.poll(() => note?.textContent).toBe(TITLE_FULL);
  await expect.element(title()).toHaveAccessibleDescription(TITLE_FULL);
  // The typed character is refused; the end of the title is not cut off.
  expect(titleOf(session.doc).toString()).toBe(`y${'x'.repeat(199)}`);
  await userEvent.keyboard('{Backspace}');
  await expect.poll(() => note?.textContent).toBe('');
});

test('no character of the title is cut off below its line', async () => {
  const session = pageSession(blankSeed());
  const { root } = await render(session);
  titleOf(session.doc).insert(0, 'Jumping quay');
  const field = root.querySelector('textarea');
  if (field === null) throw new Error('no title');
  const { font, lineHeight, paddingBottom } = getComputedStyle(field);
  // The text's own font alone: a device may lack the one that stands in for it, and then loading all of them fails.
  const [textFont = ''] = font.split(',');
  await document.fonts.load(textFont, 'gjpqy');
  const ruler = new OffscreenCanvas(1, 1).getContext('2d');
  if (ruler === null) throw new Error('no canvas');
  ruler.font = font;
  const { fontBoundingBoxAscent, fontBoundingBoxDescent, actualBoundingBoxDescent } = ruler.measureText('gjpqy,Ç');
  const baseline = (parseFloat(lineHeight) + fontBoundingBoxAscent - fontBoundingBoxDescent) / 2;
  const room = parseFloat(lineHeight) - baseline + parseFloat(paddingBottom);
  expect([field.clientHeight >= parseFloat(lineHeight), room > actualBoundingBoxDescent + 1]).toEqual([true, true]);
});

test('an empty page says what to type, to screen readers too, but only to people who may edit', async () => {
  const hint = 'Write, or type / for headings, lists, pictures';
  const session = pageSession(blankSeed());
  const { draw } = await render(session);
  await expect.element(body()).toHaveAttribute('aria-placeholder', hint);
  expect(await drawnText()).toContain(hint);
  await draw({ session, editable: false });
  await expect.element(body()).not.toHaveAttribute('aria-placeholder');
  expect(await drawnText()).not.toContain(hint);
  await draw({ session, editable: true });
  await userEvent.click(body());
  await userEvent.keyboard('a');
  await expect.element(body()).not.toHaveAttribute('aria-placeholder');
  bodyOf(session.doc).delete(0, 1);
  await expect.element(body()).toHaveAttribute('aria-placeholder', hint);
  expect(await drawnText()).toContain(hint);
});

test('Enter in the title moves to the body, and undo works from both', async () => {
  const session = pageSession(blankSeed());
  await render(session);
  await userEvent.click(title());
  await userEvent.keyboard('Plan{Enter}words');
  expect(titleOf(session.doc).toString()).toBe('Plan');
  expect(linesOf(session)).toEqual(['paragraph: words']);
  await wait(600);
  await userEvent.keyboard('!{Control>}z{/Control}');
  expect(linesOf(session)).toEqual(['paragraph: words']);
  await userEvent.click(title());
  // Twice: on a slow machine title and body text are two steps.
  await userEvent.keyboard('{Control>}z{/Control}{Control>}z{/Control}');
  expect([titleOf(session.doc).toString(), linesOf(session)]).toEqual(['', ['paragraph: ']]);
});

test('a page that becomes read-only takes no more edits, without a new editor', async () => {
  const session = pageSession(pageSeed('words'));
  const { root, draw } = await render(session);
  const before = root.querySelector('.page-body');
  await userEvent.click(body());
  await draw({ session, editable: false });
  await userEvent.keyboard('more');
  expect(root.querySelector('.page-body')).toBe(before);
  expect(session.localUpdates).toEqual([]);
  await expect.element(title()).toHaveAttribute('readonly');
  await draw({ session, editable: true });
  await userEvent.click(body());
  await userEvent.keyboard('{End}!');
  expect(linesOf(session)).toEqual(['paragraph: words!']);
});

test('[T4] a page with unknown blocks can be edited around them', async () => {
  const session = pageSession(pageSeed('words', { node: 'hologram' }));
  const { root } = await render(session);
  await expect.poll(() => root.querySelector('.unsupported-block')?.textContent).toContain('Reload to see it');
  // Inside the text: a click below a node that is not text adds a line there.
  await userEvent.click(page.getByText('words'));
  await userEvent.keyboard('{Control>}{Home}{/Control}{End}!');
  expect(linesOf(session)).toEqual(['paragraph: words!', 'unknown hologram']);
});

test('who may edit from now on can delete an unsupported block; who may not sees no button', async () => {
  const session = pageSession(pageSeed('words', { node: 'hologram' }));
  const { draw, root } = await render(session, false);
  await expect.poll(() => root.querySelector('.unsupported-block')).not.toBe(null);
  const remove = page.getByRole('button', { name: 'Delete' });
  await expect.element(remove).not.toBeInTheDocument();
  await draw({ session, editable: true });
  await userEvent.click(remove);
  expect(linesOf(session)).toEqual(['paragraph: words']);
});

const caretAt = (session: PageSession, block: number, from: number, to = from) => {
  const element = bodyOf(session.doc).get(block);
  const text = element instanceof Y.XmlElement ? element.get(0) : null;
  const relativePosition = (at: number): unknown =>
    text instanceof Y.XmlText ? Y.relativePositionToJSON(Y.createRelativePositionFromTypeIndex(text, at, -1)) : null;
  return { anchor: relativePosition(from), head: relativePosition(to) };
};

test('a remote caret is at its character, stays with it through edits, and has its name beside the text', async () => {
  const seed = pageSeed('one two three');
  const session = pageSession(seed);
  const mate = pageSession(seed);
  connect(session, mate);
  const { root } = await render(session);
  session.showCaret(7, 1, caretAt(session, 0, 4));
  const caret = () => root.querySelector<HTMLElement>('.caret');
  await expect.poll(() => caret()?.dataset['person']).toBe('Alice Nwosu');
  const xOf = (character: number) => {
    const node = root.querySelector('.block-text')?.firstChild;
    const range = document.createRange();
    if (node == null) return -1;
    range.setStart(node, character);
    range.setEnd(node, character + 1);
    return range.getBoundingClientRect().left;
  };
  const drawnX = () => (caret()?.getBoundingClientRect().left ?? -99) + 1;
  await expect.poll(() => Math.abs(drawnX() - xOf(4))).toBeLessThan(1.5);
  const text = bodyOf(mate.doc).get(0);
  const words = text instanceof Y.XmlElement ? text.get(0) : null;
  if (words instanceof Y.XmlText) words.insert(0, 'zero ');
  await expect.poll(() => Math.abs(drawnX() - xOf(9))).toBeLessThan(1.5);
  const end = root.querySelector('.loose-end');
  expect(end?.textContent).toBe('Alice');
  const column = root.querySelector('.page-text')?.getBoundingClientRect();
  expect(end?.getBoundingClientRect().left).toBeGreaterThan(column?.right ?? Infinity);
  // On half a pixel its ground has a visible edge.
  expect(end?.parentElement?.style.transform).toMatch(/^translateY\(\d+px\)$/);
  // With the name in the margin, no label hides the words above the caret.
  const label = () => {
    const line = caret();
    return line === null ? '' : getComputedStyle(line, '::after').opacity;
  };
  expect(caret()?.hasAttribute('data-named')).toBe(true);
  expect(label()).toBe('0');
  await page.viewport(1000, 800);
  await expect.poll(label).toBe('1');
  await page.viewport(1280, 800);
  session.showCaret(7, 1, null);
  await expect.poll(caret).toBeNull();
  expect(root.querySelector('.caret-layer')?.childElementCount).toBe(0);
  expect(session.localUpdates).toEqual([]);
});

test('the outline shows who is below which heading', async () => {
  const session = pageSession(
    pageSeed(
      { kind: 'heading', level: 1, text: 'Waves' },
      'one',
      { kind: 'heading', level: 2, text: 'Tide check' },
      'two',
    ),
  );
  const { root } = await render(session);
  const here = () =>
    Array.from(root.querySelectorAll('.outline li'), (line) => [
      line.querySelector('button')?.textContent,
      line.querySelector('.ticks')?.getAttribute('aria-label') ?? null,
    ]);
  session.showCaret(7, 1, caretAt(session, 3, 1));
  await expect.poll(here).toEqual([
    ['Waves', null],
    ['Tide check', 'Here now: Alice Nwosu'],
  ]);
  session.showCaret(7, 1, caretAt(session, 1, 0));
  await expect.poll(here).toEqual([
    ['Waves', 'Here now: Alice Nwosu'],
    ['Tide check', null],
  ]);
  session.showCaret(7, 1, null);
  await expect.poll(here).toEqual([
    ['Waves', null],
    ['Tide check', null],
  ]);
});

test('the outline lists 500 headings of a page with more, and counts the others', async () => {
  const texts = Array.from({ length: 502 }, (_, at) => `Part ${at}`);
  const session = pageSession(pageSeed(...texts.map((text) => ({ kind: 'heading' as const, level: 2, text }))));
  const { root } = await render(session);
  await expect.poll(() => root.querySelector('.outline-more')?.textContent).toBe('2 more headings');
  expect(root.querySelectorAll('.outline li')).toHaveLength(500);
});

test('a caret whose text has not arrived stays where it was; a selection is drawn behind its text', async () => {
  const session = pageSession(pageSeed('one two three'));
  const { root } = await render(session);
  session.showCaret(7, 1, caretAt(session, 0, 4, 7));
  await expect.poll(() => root.querySelectorAll('.caret-selected').length).toBe(1);
  const width = root.querySelector('.caret-selected')?.getBoundingClientRect().width ?? 0;
  expect(width).toBeGreaterThan(10);
  const unknown = { type: null, tname: null, item: { client: 77, clock: 5 }, assoc: -1 };
  session.showCaret(7, 1, { anchor: unknown, head: unknown });
  await wait(60);
  expect(root.querySelectorAll('.caret').length).toBe(1);
  session.showCaret(7, 1, { anchor: 'rubbish', head: 5 });
  await wait(60);
  expect(session.localUpdates).toEqual([]);
});

test('the local caret is sent as relative positions, once per position, and removed when the focus leaves the text', async () => {
  const session = pageSession(pageSeed('one'));
  await render(session);
  const cursors: unknown[] = [];
  session.awareness.on('update', () => cursors.push(session.awareness.getLocalState()?.['cursor']));
  await userEvent.click(body());
  await userEvent.keyboard('{Home}{ArrowRight}');
  const last = session.awareness.getLocalState()?.['cursor'] as unknown;
  expect(last).toEqual(caretAt(session, 0, 1));
  const count = cursors.length;
  session.setView({ receipt: 'sending' });
  await wait(30);
  expect(cursors.length).toBe(count);
  await userEvent.click(title());
  await expect.poll(() => session.awareness.getLocalState()?.['cursor']).toBeNull();
});

test('save marks show edits that wait on this device, and disappear when they are saved', async () => {
  const session = pageSession(pageSeed('one', 'two'));
  const { root } = await render(session);
  const marks = () => [...root.querySelectorAll<HTMLElement>('.block')].map((block) => block.dataset['selvedge'] ?? '');
  await userEvent.click(body());
  await userEvent.keyboard('{Control>}{End}{/Control}!');
  session.setView({ receipt: 'sending' });
  await wait(100);
  expect(marks()).toEqual(['', '']);
  await expect.poll(marks, { timeout: 2000 }).toEqual(['', 'sending']);
  session.setView({ receipt: 'device' });
  await expect.poll(marks).toEqual(['', 'held']);
  session.setView({ receipt: 'refused' });
  await expect.poll(marks).toEqual(['', 'refused']);
  session.setView({ receipt: 'saved', ackedN: session.getView().lastN });
  await expect.poll(marks).toEqual(['', 'saved']);
  await expect.poll(marks, { timeout: 3000 }).toEqual(['', '']);
  expect(session.localUpdates.length).toBe(1);
});

test('continuous typing shows no save mark while each edit is saved soon', async () => {
  const session = pageSession(pageSeed('one'));
  const { root } = await render(session);
  await userEvent.click(body());
  const seen = new Set<string>();
  for (let i = 0; i < 16; i++) {
    await userEvent.keyboard('x');
    // There is always one edit on the way, but never one for long.
    const { lastN } = session.getView();
    session.setView({ receipt: 'sending', ackedN: lastN - 1, unsent: { edits: 1, oldestAt: Date.now() } });
    await wait(100);
    seen.add(root.querySelector<HTMLElement>('.block')?.dataset['selvedge'] ?? '');
  }
  expect([...seen]).toEqual(['']);
});

test('a click back into the page moves the caret: the old selection is not overwritten by typing', async () => {
  const session = pageSession(pageSeed('keep these words', 'here'));
  await render(session);
  await userEvent.dblClick(page.getByText('keep these words'), { position: { x: 60, y: 14 } });
  await userEvent.click(page.getByRole('textbox', { name: 'Page title' }));
  await wait(50);
  await userEvent.click(page.getByText('here', { exact: true }));
  await userEvent.keyboard('{End}!');
  expect(linesOf(session).join('|')).toContain('keep these words');
  expect(linesOf(session).join('|')).toContain('here!');
});

test('the bar over selected text adds a link in place', async () => {
  const session = pageSession(pageSeed('above', 'see here now'));
  const { root } = await render(session);
  await userEvent.dblClick(page.getByText('see here now'), { position: { x: 40, y: 14 } });
  const bar = page.getByRole('toolbar', { name: 'Selected text' });
  await expect.element(bar).toBeVisible();
  const words = root.ownerDocument.getSelection()?.getRangeAt(0).getBoundingClientRect();
  expect(bar.element().getBoundingClientRect().bottom).toBeLessThanOrEqual((words?.top ?? 0) + 1);
  await userEvent.keyboard('{Control>}k{/Control}');
  await userEvent.keyboard('javascript:alert(1){Enter}');
  const field = page.getByRole('combobox', { name: 'Link address' });
  const { width } = bar.element().getBoundingClientRect();
  await expect.element(field).toHaveAttribute('aria-invalid', 'true');
  await expect.element(field).toHaveAccessibleDescription(BAD_ADDRESS);
  await expect.element(page.getByRole('alert')).toBeVisible();
  // The error line makes the bar no wider, and keeps it above the text.
  expect(bar.element().getBoundingClientRect().width).toBe(width);
  expect(bar.element().getBoundingClientRect().bottom).toBeLessThanOrEqual((words?.top ?? 0) + 1);
  await userEvent.keyboard('{Control>}a{/Control}weft.dev/x');
  expect(page.getByRole('alert').query()).toBeNull();
  await userEvent.keyboard('{Enter}');
  expect(linesOf(session).join()).toMatch(/<https:\/\/weft\.dev\/x:(see|here)>/);
  await expect.element(body()).toHaveFocus();
});

test('Ctrl K is the page’s only while words are selected, and then finds pages by title too', async () => {
  const session = pageSession(pageSeed('above', 'see here now'));
  const { draw } = await render(session);
  await draw({
    session,
    editable: true,
    names: {
      people: [],
      pages: [
        { title: 'Harbour plan', address: '/w/crew/p/harbour-plan-1', above: 'Northquay' },
        { title: 'Hiring', address: '/w/crew/p/hiring-2', above: '' },
      ],
    },
  });
  let left = 0;
  const count = ({ key, defaultPrevented }: KeyboardEvent) => {
    if (key === 'k' && !defaultPrevented) left += 1;
  };
  document.addEventListener('keydown', count);
  onTestFinished(() => document.removeEventListener('keydown', count));
  await userEvent.click(page.getByText('see here now'), { position: { x: 40, y: 14 } });
  await userEvent.keyboard('{Control>}k{/Control}');
  expect([left, page.getByRole('combobox', { name: 'Link address' }).elements()]).toEqual([1, []]);
  await userEvent.dblClick(page.getByText('see here now'), { position: { x: 40, y: 14 } });
  await expect.element(page.getByRole('toolbar', { name: 'Selected text' })).toBeVisible();
  await userEvent.keyboard('{Control>}k{/Control}');
  await userEvent.keyboard('h');
  await expect.element(page.getByRole('option', { name: /Harbour plan/ })).toHaveAttribute('aria-selected', 'true');
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(page.getByRole('option', { name: 'Hiring' })).toHaveAttribute('aria-selected', 'true');
  await userEvent.keyboard('{Enter}');
  expect(left).toBe(1);
  expect(linesOf(session).join()).toContain('</w/crew/p/hiring-2:');
});

test('the bar over selected text and the menu of blocks ask who wrote it, where someone can answer', async () => {
  const session = pageSession(tableSeed(['one two', 'three four']));
  const { draw } = await render(session);
  await userEvent.click(page.getByText('three'));
  await userEvent.keyboard('{Home}{Shift>}{End}{/Shift}');
  await expect.element(page.getByRole('toolbar', { name: 'Selected text' })).toBeVisible();
  expect(page.getByRole('button', { name: 'Who wrote this?' }).query()).toBeNull();
  const asked: unknown[] = [];
  const ask = (editor: Editor) =>
    void asked.push(selectedTexts(editor, session.doc).map(({ part, text, from, to }) => [part, text.slice(from, to)]));
  await draw({ session, editable: true, questions: { ask, mayErase: false } });
  await page.getByRole('button', { name: 'Who wrote this?' }).click();
  // In a table the same keys open the menu of the table.
  await userEvent.click(page.getByText('after'));
  await userEvent.keyboard('{Control>}/{/Control}');
  await page.getByRole('menuitem', { name: 'Who wrote this?' }).click();
  expect(asked).toEqual([[['1.0', 'three']], [['text', 'after']]]);
});

test('the menu of blocks offers to erase for good only to people who may', async () => {
  const session = pageSession(pageSeed('one two', 'three'));
  const { draw } = await render(session);
  const open = async () => {
    await userEvent.click(page.getByText('one two'));
    await userEvent.keyboard('{Control>}/{/Control}');
    await expect.element(page.getByRole('menuitem', { name: 'Copy link to block' }), { timeout: 4_000 }).toBeVisible();
  };
  const asked: [erase: boolean, words: string | undefined][] = [];
  const ask = (editor: Editor, erase: boolean) =>
    void asked.push([erase, selectedCharacters(editor, session.doc)?.words]);
  await draw({ session, editable: true, questions: { ask, mayErase: false } });
  await open();
  expect(page.getByRole('menuitem', { name: 'Erase from history too…' }).query()).toBeNull();
  await userEvent.keyboard('{Escape}');
  await draw({ session, editable: true, questions: { ask, mayErase: true } });
  await open();
  await page.getByRole('menuitem', { name: 'Erase from history too…' }).click();
  expect(asked).toEqual([[true, 'one two']]);
});

test('the bar over selected text appears, and stays, while someone types above without a pause', async () => {
  const seed = pageSeed('above', 'see here now');
  const [session, mate] = [pageSession(seed), pageSession(seed)];
  connect(session, mate);
  await render(session);
  const above = bodyOf(mate.doc).get(0);
  const text = above instanceof Y.XmlElement ? above.get(0) : null;
  if (!(text instanceof Y.XmlText)) throw new Error('no text');
  const typing = setInterval(() => text.insert(0, 'x'), 50);
  onTestFinished(() => clearInterval(typing));
  await userEvent.dblClick(page.getByText('see here now'), { position: { x: 40, y: 14 } });
  const bar = page.getByRole('toolbar', { name: 'Selected text' });
  await expect.element(bar).toBeVisible();
  for (let look = 0; look < 10; look++) {
    await wait(30);
    expect(bar.query()).not.toBeNull();
  }
});

test('the bar sets marks and turns blocks', async () => {
  const session = pageSession(pageSeed('words'));
  await render(session);
  await userEvent.dblClick(page.getByText('words'));
  await userEvent.click(page.getByRole('button', { name: 'Bold' }));
  await userEvent.click(page.getByRole('button', { name: 'Turn into, now Text' }));
  await userEvent.click(page.getByRole('menuitem', { name: 'Warning' }));
  expect(linesOf(session)).toEqual(['callout(care): <bold:words>']);
  await expect.element(body()).toHaveFocus();
});

test('another session gets a new editor and a new undo history', async () => {
  const one = pageSession(pageSeed('one'));
  const two = pageSession(pageSeed('two'));
  const { draw } = await render(one);
  await userEvent.click(body());
  await userEvent.keyboard('{End}!');
  await draw({ session: two, editable: true });
  await userEvent.click(body());
  await userEvent.keyboard('{Control>}z{/Control}{End}?');
  expect([linesOf(one), linesOf(two)]).toEqual([['paragraph: one!'], ['paragraph: two?']]);
});
