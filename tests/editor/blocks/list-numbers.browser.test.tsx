import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test } from 'vitest';
import { parseBody } from 'weft-document/body/parse-body.ts';
import { StaticBody } from '../../../src/editor/reading/static-body.tsx';
import { drawnText } from '../../support/editor/devtools.ts';
import { openPage } from '../../support/editor/opened-page.ts';
import { type PageLine, pageSeed } from '../../support/editor/page-seed.ts';
import { type PageSession, pageSession } from '../../support/editor/page-session.ts';

const step = (text: string, indent = 0): PageLine => ({ kind: 'numbered', text, ...(indent > 0 ? { indent } : {}) });
const card: PageLine = { node: 'embed', url: 'https://weft.dev/a', title: 'Weft' };

/** The text before each step: its number, and its sign where that is not a point. Steps are named `=a`, `=b`. */
async function drawnNumbers(): Promise<readonly string[]> {
  const texts = await drawnText();
  return texts.flatMap((text, at) => {
    const sign = texts[at - 1] === '.' ? '' : texts[at - 1];
    return text.startsWith('=') ? [`${texts[at - 2] ?? ''}${sign}${text}`] : [];
  });
}

function showStatic(session: PageSession) {
  const host = document.body.appendChild(document.createElement('div'));
  const root = createRoot(host);
  onTestFinished(() => {
    root.unmount();
    host.remove();
  });
  flushSync(() => root.render(<StaticBody blocks={parseBody(session.doc)} page="page" />));
}

const LINES: readonly PageLine[] = [
  step('=a'),
  step('=b'),
  'a paragraph starts a new list',
  step('=c'),
  step('=d'),
  { kind: 'paragraph', indent: 1, text: 'one inside an item does not' },
  step('=e'),
  card,
  step('=f'),
  step('=x', 1),
  step('=y', 1),
  step('=g'),
  step('=z', 1),
  { node: 'divider' },
  step('=h'),
  { kind: 'code', text: 'code' },
  step('=i'),
];
const NUMBERS = ['1=a', '2=b', '1=c', '2=d', '3=e', '4=f', 'a=x', 'b=y', '5=g', 'a=z', '1=h', '1=i'];

test('a list is numbered anew after another block at its depth', async () => {
  const session = pageSession(pageSeed(...LINES));
  openPage(session);
  expect(await drawnNumbers()).toEqual(NUMBERS);
  expect(session.localUpdates).toEqual([]);
});

test('numbers are 1, a, i by depth, then again, and go on after a picture', async () => {
  const lines = [step('=a'), step('=b', 1), step('=c', 2), step('=d', 2), step('=e', 1), step('=f')];
  openPage(pageSession(pageSeed(...lines, { node: 'image' }, step('=g'), step('=h', 3))));
  expect(await drawnNumbers()).toEqual(['1=a', 'a=b', 'i=c', 'ii=d', 'b=e', '2=f', '3=g', '1=h']);
});

test('it has the same numbers for watchers', async () => {
  showStatic(pageSession(pageSeed(...LINES)));
  expect(await drawnNumbers()).toEqual(NUMBERS);
});

test('in a long page, of which only the visible part is laid out, the numbers at its end are right', async () => {
  const filler = Array.from({ length: 1001 }, (_, at) => step(`step ${at}`));
  const page = openPage(pageSession(pageSeed(...filler, 'p', step('=a'), step('=b'), step('=x', 1), step('=c'))));
  await page.drawn();
  expect(page.editor.view.dom.hasAttribute('data-long')).toBe(true);
  page.editor.view.dom.lastElementChild?.scrollIntoView();
  await new Promise(requestAnimationFrame);
  await expect.poll(drawnNumbers).toEqual(['1=a', '2=b', 'a=x', '3=c']);
});

test('a typed number is kept where counting gives another one, and so is its sign', async () => {
  const session = pageSession(pageSeed('', step('=z')));
  const page = openPage(session);
  page.editor.commands.setTextSelection(1);
  await page.press('5) =a{Enter}=b{Enter}{Enter}7. =c{Enter}{Enter}8. =d{Enter}{Backspace}1. =e');
  const numbers = ['5)=a', '6)=b', '7=c', '8=d', '1=e', '2=z'];
  expect(await drawnNumbers()).toEqual(numbers);
  showStatic(session);
  expect(await drawnNumbers()).toEqual([...numbers, ...numbers]);
  expect(parseBody(session.doc).map((block) => (block.type === 'block' ? block.start : -1))).toEqual([
    5,
    null,
    null,
    null,
    1,
    null,
  ]);
});

test('a line before the first one takes the start of the list', async () => {
  const page = openPage(pageSession(pageSeed({ kind: 'numbered', start: 5, text: '=b' })));
  page.editor.commands.setTextSelection(1);
  await page.press('{Enter}');
  page.editor.commands.setTextSelection(1);
  await page.press('=a');
  expect(await drawnNumbers()).toEqual(['5=a', '6=b']);
});
