// Menus and bars at the text stay beside it and inside the visible part of the window.
import { createRoot } from 'react-dom/client';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { page as screen, userEvent } from 'vitest/browser';
import { bodyOf } from 'weft-document/names.ts';
import * as Y from 'yjs';
import { floatAtText } from '../../../src/editor/floating/float-at-text.ts';
import { PageEditor } from '../../../src/editor/page-editor.tsx';
import { linesOf, openPage, wait } from '../../support/editor/opened-page.ts';
import { type PageLine, pageSeed } from '../../support/editor/page-seed.ts';
import { type PageSession, connect, pageSession } from '../../support/editor/page-session.ts';
import '../../../src/ui/theme/tokens.css';
import '../../../src/ui/theme/base.css';
import '../../../src/ui/controls/controls.css';
import '../../../src/ui/floating/floating.css';

const [WIDTH, HEIGHT, TOP_BAR, GAP] = [1280, 600, 48, 6];

beforeEach(() => screen.viewport(WIDTH, HEIGHT));

async function render(session: PageSession) {
  const root = document.body.appendChild(document.createElement('div'));
  const react = createRoot(root);
  onTestFinished(() => {
    react.unmount();
    root.remove();
    scrollTo(0, 0);
  });
  react.render(<PageEditor session={session} people={new Map()} editable />);
  await wait(30);
}

const lines = (count: number): readonly PageLine[] => Array.from({ length: count }, (_, at) => `line ${at}`);

const boxOf = (selector: string): DOMRect => {
  const element = document.querySelector(selector);
  if (element === null) throw new Error(`nothing matches ${selector}`);
  return element.getBoundingClientRect();
};

/** The line of the caret or of the start of the selection. */
function caretLine(): DOMRect {
  const caret = getSelection()?.getRangeAt(0).startContainer;
  const line = (caret instanceof Element ? caret : caret?.parentElement)?.closest('.block-text');
  if (line == null) throw new Error('the caret is not in the text');
  return line.getBoundingClientRect();
}

/** Clicks the end of a line and types a slash there. */
async function typeSlashAt(text: string, before = ' ') {
  await userEvent.click(screen.getByText(text, { exact: true }));
  await userEvent.keyboard(`{End}${before}/`);
  await expect.element(screen.getByRole('listbox', { name: 'Insert' })).toBeVisible();
  await settle();
}

/** Waits until `ResizeObserver` has reported and the animation of the menu or bar is over. */
async function settle() {
  await wait(60);
  const animations = document.querySelector('.at-text')?.getAnimations() ?? [];
  await Promise.allSettled(animations.map(({ finished }) => finished));
}

/** An on-screen keyboard makes the visual viewport smaller, not the window. */
function openKeyboard(height: number) {
  const seen = window.visualViewport;
  if (seen === null) throw new Error('no visual viewport');
  Object.defineProperty(seen, 'height', { configurable: true, get: () => height });
  seen.dispatchEvent(new Event('resize'));
  onTestFinished(() => {
    Reflect.deleteProperty(seen, 'height');
  });
}

test('the slash menu opens below its line', async () => {
  await render(pageSession(pageSeed(...lines(3))));
  await typeSlashAt('line 0');
  const [menu, line] = [boxOf('.typed-menu'), caretLine()];
  expect(menu.top).toBeGreaterThanOrEqual(line.bottom);
  expect(menu.top - line.bottom).toBeLessThan(2 * GAP);
  expect(menu.height).toBe(336);
});

test('near the bottom of the window the slash menu opens above its line, and a list that gets shorter stays at the line', async () => {
  await render(pageSession(pageSeed(...lines(40))));
  await userEvent.click(screen.getByText('line 11', { exact: true }));
  await typeSlashAt('line 11');
  const line = caretLine();
  expect(HEIGHT - line.bottom).toBeLessThan(336);
  const menu = boxOf('.typed-menu');
  expect(Math.abs(line.top - GAP - menu.bottom)).toBeLessThan(GAP);
  expect(menu.top).toBeGreaterThanOrEqual(TOP_BAR);
  await userEvent.keyboard('head');
  await settle();
  const shorter = boxOf('.typed-menu');
  expect(shorter.height).toBeLessThan(menu.height);
  const isBelow = shorter.top >= line.bottom;
  expect(Math.abs(isBelow ? shorter.top - GAP - line.bottom : line.top - GAP - shorter.bottom)).toBeLessThan(GAP);
});

test('in a low window the list gets only the height of the larger side, and scrolls to the chosen entry', async () => {
  await screen.viewport(WIDTH, 400);
  await render(pageSession(pageSeed(...lines(30))));
  await typeSlashAt('line 2');
  const menu = boxOf('.typed-menu');
  expect(menu.height).toBeLessThan(336);
  expect(menu.height).toBeGreaterThanOrEqual(120);
  expect(menu.bottom).toBeLessThanOrEqual(400 - GAP + 1);
  await userEvent.keyboard('{ArrowUp}');
  await settle();
  const entry = boxOf('.typed-menu [aria-selected="true"]');
  expect(entry.bottom).toBeLessThanOrEqual(menu.bottom);
});

test('in a narrow window the slash menu moves left as far as it must', async () => {
  await screen.viewport(360, 740);
  await render(pageSession(pageSeed('some words that go nearly to the edge', 'more')));
  await typeSlashAt('some words that go nearly to the edge');
  const menu = boxOf('.typed-menu');
  expect([menu.left >= GAP, menu.right <= 360 - GAP]).toEqual([true, true]);
  expect(document.documentElement.scrollWidth).toBe(360);
});

test('in right-to-left text the slash menu stays at its sign and inside the window', async () => {
  await render(pageSession(pageSeed('מילים', 'words')));
  await typeSlashAt('מילים');
  const menu = boxOf('.typed-menu');
  expect(menu.right).toBeLessThanOrEqual(WIDTH - GAP);
  expect(menu.top).toBeGreaterThanOrEqual(caretLine().bottom);
});

test('above an on-screen keyboard the slash menu keeps clear of the keyboard and the format bar', async () => {
  await screen.viewport(390, 800);
  await render(pageSession(pageSeed(...lines(20))));
  await typeSlashAt('line 8');
  expect(boxOf('.typed-menu').bottom).toBeGreaterThan(460);
  openKeyboard(460);
  await settle();
  const [menu, bar] = [boxOf('.typed-menu'), boxOf('.format-bar')];
  expect(Math.round(bar.bottom)).toBe(460);
  expect(menu.bottom).toBeLessThanOrEqual(bar.top);
  expect(menu.top).toBeGreaterThanOrEqual(TOP_BAR);
});

test('the slash menu goes with its line when the page scrolls, and to the side with more room', async () => {
  await render(pageSession(pageSeed(...lines(40))));
  await typeSlashAt('line 11');
  expect(boxOf('.typed-menu').bottom).toBeLessThanOrEqual(caretLine().top);
  scrollTo(0, 300);
  await settle();
  expect(boxOf('.typed-menu').top).toBeGreaterThanOrEqual(caretLine().bottom);
});

test('the bar of a selection stands above it, below it under the page’s bar, and within the column', async () => {
  await render(pageSession(pageSeed(...lines(40))));
  await userEvent.dblClick(screen.getByText('line 5', { exact: true }), { position: { x: 8, y: 14 } });
  const bar = screen.getByRole('toolbar', { name: 'Selected text' });
  await expect.element(bar).toBeVisible();
  await settle();
  const column = boxOf('.page-body');
  expect(boxOf('.selection-bar').bottom).toBeLessThanOrEqual(caretLine().top + 4);
  expect(Math.round(boxOf('.selection-bar').left - column.left)).toBe(0);
  scrollTo(0, scrollY + caretLine().top - TOP_BAR - 10);
  await settle();
  expect(boxOf('.selection-bar').top).toBeGreaterThanOrEqual(caretLine().bottom - 4);
});

test('the bar of a selection stays beside its text while someone adds lines above', async () => {
  const seed = pageSeed('above', 'see here now');
  const [alice, bob] = [pageSession(seed), pageSession(seed)];
  connect(alice, bob);
  await render(alice);
  await userEvent.dblClick(screen.getByText('see here now'), { position: { x: 40, y: 14 } });
  await expect.element(screen.getByRole('toolbar', { name: 'Selected text' })).toBeVisible();
  await settle();
  const distance = () => Math.round(caretLine().top - boxOf('.selection-bar').bottom);
  const [before, top] = [distance(), caretLine().top];
  const above = bodyOf(bob.doc).get(0);
  const text = above instanceof Y.XmlElement ? above.get(0) : null;
  if (!(text instanceof Y.XmlText)) throw new Error('no text');
  text.insert(0, 'many words '.repeat(40));
  await expect.poll(() => caretLine().top).toBeGreaterThan(top);
  await settle();
  expect(distance()).toBe(before);
});

test('the card of a link stands below the caret’s line, or above it at the bottom of a narrow window', async () => {
  const link = { text: 'to the plan', marks: { link: { href: 'https://weft.example/a/rather/long/address' } } };
  await render(pageSession(pageSeed(...lines(8), link, ...lines(20))));
  await userEvent.click(screen.getByText('to the plan'), { position: { x: 30, y: 12 } });
  await expect.element(screen.getByRole('toolbar', { name: 'Link' })).toBeVisible();
  await settle();
  expect(boxOf('.link-card').top).toBeGreaterThanOrEqual(caretLine().bottom - 4);
  await screen.viewport(360, Math.ceil(caretLine().bottom) + 20);
  await settle();
  const card = boxOf('.link-card');
  expect(card.bottom).toBeLessThanOrEqual(caretLine().top + 4);
  expect([card.left >= GAP, card.right <= 360 - GAP]).toEqual([true, true]);
});

test('the offer of a card stands below its block, and the card of the link is not in the same place', async () => {
  await render(pageSession(pageSeed('above', '')));
  await userEvent.click(screen.getByText('above'));
  await userEvent.keyboard('{ArrowDown}');
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', 'https://weft.example/plan');
  document.activeElement?.dispatchEvent(
    new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
  );
  await expect.element(screen.getByRole('button', { name: /^Show as a card/ })).toBeVisible();
  await settle();
  const [offer, block] = [boxOf('.card-offer'), caretLine()];
  expect([Math.round(offer.left - block.left), Math.round(offer.top - block.bottom)]).toEqual([0, GAP]);
  expect(document.querySelector('.link-card')).toBeNull();
});

test('opening the link form does not scroll the page', async () => {
  const link = { text: 'to the plan', marks: { link: { href: 'https://weft.example' } } };
  await render(pageSession(pageSeed(...lines(30), link, ...lines(20))));
  screen.getByText('to the plan').element().scrollIntoView({ block: 'center' });
  await userEvent.click(screen.getByText('to the plan'), { position: { x: 30, y: 12 } });
  const top = scrollY;
  expect(top).toBeGreaterThan(200);
  await userEvent.dblClick(screen.getByText('to the plan'), { position: { x: 30, y: 12 } });
  await userEvent.keyboard('{Control>}k{/Control}');
  await expect.element(screen.getByRole('combobox', { name: 'Link address' })).toHaveFocus();
  await settle();
  expect(scrollY).toBe(top);
  const line = screen.getByText('to the plan').element().getBoundingClientRect();
  expect(boxOf('.selection-bar').bottom).toBeLessThanOrEqual(line.top + 4);
});

test('after it is stopped, neither edits nor the window cause another measurement', async () => {
  const opened = openPage(pageSession(pageSeed('words')));
  const element = opened.layer.parentElement?.appendChild(document.createElement('div'));
  if (element === undefined) throw new Error('no page');
  element.className = 'at-text';
  let measured = 0;
  const stop = floatAtText(opened.editor, element, {
    anchorOf: () => {
      measured += 1;
      return { box: new DOMRect(40, 40, 0, 20), placement: 'bottom-start' };
    },
  });
  await settle();
  opened.type('a');
  await settle();
  const whileShown = measured;
  stop();
  opened.type('b');
  dispatchEvent(new Event('resize'));
  dispatchEvent(new Event('scroll'));
  element.style.width = '90px';
  await settle();
  expect([whileShown >= 2, measured]).toEqual([true, whileShown]);
});

test('on a phone "Turn into" opens its menu, which takes the focus, and the bar stays until it closes', async () => {
  await screen.viewport(390, 800);
  const session = pageSession(pageSeed(...lines(3)));
  await render(session);
  await userEvent.click(screen.getByText('line 1', { exact: true }));
  await userEvent.click(screen.getByRole('button', { name: 'Turn into' }));
  await userEvent.click(screen.getByRole('menuitem', { name: 'Heading 1' }));
  await expect.element(screen.getByRole('heading', { name: 'line 1' })).toBeVisible();
  await expect.poll(() => document.activeElement?.getAttribute('aria-label')).toBe('Page body');
});

test('on a phone "Insert" inserts, and leaves no "/" whether something is chosen or not', async () => {
  await screen.viewport(390, 800);
  await render(pageSession(pageSeed(...lines(3))));
  await userEvent.click(screen.getByText('line 1', { exact: true }));
  const insert = screen.getByRole('button', { name: 'Insert' });
  await userEvent.click(insert);
  await expect.element(screen.getByRole('menuitem', { name: 'Table' })).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(screen.getByRole('menuitem', { name: 'Table' })).not.toBeInTheDocument();
  await userEvent.click(screen.getByText('line 1', { exact: true }));
  await userEvent.click(insert);
  await userEvent.click(screen.getByRole('menuitem', { name: 'Table' }));
  await expect.element(screen.getByRole('table')).toBeVisible();
  expect(document.querySelector('[aria-label="Page body"]')?.textContent).not.toContain('/');
});

test('on a phone the form of a link stands above the on-screen keyboard', async () => {
  await screen.viewport(390, 800);
  await render(pageSession(pageSeed(...lines(3))));
  await userEvent.click(screen.getByText('line 1', { exact: true }));
  await userEvent.keyboard('{Shift>}{Home}{/Shift}');
  await userEvent.click(screen.getByRole('toolbar', { name: 'Format' }).getByRole('button', { name: 'Link' }));
  await expect.element(screen.getByRole('combobox', { name: 'Link address' })).toBeVisible();
  openKeyboard(460);
  await settle();
  expect(boxOf('.link-form').bottom).toBeLessThanOrEqual(460);
  expect(boxOf('.link-form').top).toBeGreaterThanOrEqual(TOP_BAR);
});

test('on a phone "Link" at a caret makes the word a link, and writes the address where there is no word', async () => {
  await screen.viewport(390, 800);
  const session = pageSession(pageSeed('see quay '));
  await render(session);
  const button = screen.getByRole('toolbar', { name: 'Format' }).getByRole('button', { name: 'Link' });
  const form = screen.getByRole('combobox', { name: 'Link address' });
  await userEvent.click(screen.getByText('see quay'));
  await userEvent.keyboard('{Home}{ArrowRight}');
  await userEvent.click(button);
  await expect.element(form).toHaveFocus();
  await userEvent.keyboard('one.example{Enter}');
  expect(linesOf(session)).toEqual(['paragraph: <https://one.example:see> quay ']);

  await userEvent.keyboard('{End}');
  await userEvent.click(button);
  await expect.element(form).toHaveFocus();
  await userEvent.keyboard('two.example/tides{Enter}!');
  const written = 'paragraph: <https://one.example:see> quay <https://two.example/tides:two.example/tides>!';
  expect(linesOf(session)).toEqual([written]);

  // Going on in the text instead closes the form, and nothing changes.
  await userEvent.keyboard(' ');
  await userEvent.click(button);
  await expect.element(form).toBeVisible();
  document.querySelector<HTMLElement>('.page-body')?.focus();
  await expect.element(form).not.toBeInTheDocument();
  expect(linesOf(session)).toEqual([`${written} `]);
});
