// Following a person in a real editor: their caret stays about a third from the top of the window, until this person moves.
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { page as browser, userEvent } from 'vitest/browser';
import { bodyOf } from 'weft-document/names.ts';
import type { Place } from 'weft-sync/protocol/place.ts';
import * as Y from 'yjs';
import { editorPlaces } from '../../../src/editor/following/editor-places.ts';
import { FollowPerson } from '../../../src/features/following/follow-person.tsx';
import { openPage, wait } from '../../support/editor/opened-page.ts';
import { pageSeed } from '../../support/editor/page-seed.ts';
import { type PageSession, connect, pageSession, testUser } from '../../support/editor/page-session.ts';

const BOB = { id: testUser(2), name: 'Bob Holm', color: 'rust' };

beforeEach(async () => {
  await browser.viewport(1000, 800);
  scrollTo({ top: 0, behavior: 'instant' });
});

const lines = (count: number): Uint8Array => pageSeed(...Array.from({ length: count }, (_, at) => `line ${at}`));

async function following(seed: Uint8Array, presented: Place | null = null) {
  const [alice, bob] = [pageSession(seed), pageSession(seed)];
  connect(alice, bob);
  const opened = openPage(alice);
  await opened.drawn();
  const places = editorPlaces(opened.editor, opened.carets);
  const main = opened.editor.view.dom.closest('.page-column');
  if (main === null) throw new Error('no page');
  const root = document.body.appendChild(document.createElement('div'));
  const react = createRoot(root);
  let stops = 0;
  const render = (place: Place | null) =>
    flushSync(() =>
      react.render(
        <FollowPerson
          person={BOB}
          presented={place}
          places={places}
          page={main}
          onStop={() => {
            stops += 1;
            react.render(null);
          }}
        />,
      ),
    );
  onTestFinished(() => {
    react.unmount();
    root.remove();
  });
  return {
    alice,
    bob,
    opened,
    root,
    places,
    start: () => render(presented),
    present: render,
    stops: () => stops,
    /** Bob's caret goes into a block. */
    caret: (block: number, offset = 0) => alice.showCaret(1, 2, cursorIn(bob, block, offset)),
    noCaret: () => alice.showCaret(1, 2, null),
    /** From the top of the window, as a share of its height. */
    heightOf(block: number) {
      const { top } = opened.editor.view.dom.children[block]?.getBoundingClientRect() ?? { top: Number.NaN };
      return top / innerHeight;
    },
  };
}

function cursorIn({ doc }: PageSession, block: number, offset: number): unknown {
  const node = bodyOf(doc).get(block);
  const text = node instanceof Y.XmlElement ? node.get(0) : null;
  if (!(text instanceof Y.XmlText)) throw new Error('no text');
  const at: unknown = Y.relativePositionToJSON(Y.createRelativePositionFromTypeIndex(text, offset, -1));
  return { anchor: at, head: at };
}

/** A share of the window's height. */
const A_LINE = 0.05;
const expectAtThird = (heightOf: () => number) => expect.poll(() => Math.abs(heightOf() - 1 / 3)).toBeLessThan(A_LINE);

test('the page goes where the person’s caret is, stays calm near it, and follows to the other end of a page of 5,000 blocks', async () => {
  const { caret, start, heightOf, stops } = await following(lines(5_000));
  caret(4_000);
  start();
  await expectAtThird(() => heightOf(4_000));
  // Blocks that come near the window take their height, and the page is put right again.
  let top = Number.NaN;
  const isAtRest = () => {
    const before = top;
    top = scrollY;
    return top === before;
  };
  await expect.poll(isAtRest, { interval: 400 }).toBe(true);
  caret(4_001, 3);
  await wait(300);
  expect(scrollY).toBe(top);
  caret(30);
  await expectAtThird(() => heightOf(30));
  caret(4_990);
  await expect.poll(() => heightOf(4_990)).toBeLessThan(1);
  expect(stops()).toBe(0);
});

test('lines that someone writes above move neither the place nor end the following; the own caret stays', async () => {
  const { alice, bob, opened, caret, start, heightOf, stops } = await following(lines(200));
  opened.caret(3, 2);
  scrollTo({ top: 0, behavior: 'instant' });
  const { selection } = opened.editor.state;
  caret(100);
  start();
  await expectAtThird(() => heightOf(100));
  await wait(350);
  const text = (bodyOf(bob.doc).get(20) as Y.XmlElement).get(0) as Y.XmlText;
  for (let at = 0; at < 20; at++) {
    text.insert(0, 'a long line that wraps at the width of this window '.repeat(8));
    await wait(30);
  }
  await wait(300);
  expect(heightOf(100)).toBeGreaterThan(0.15);
  expect(heightOf(100)).toBeLessThan(0.55);
  expect(stops()).toBe(0);
  expect(opened.editor.state.selection.eq(selection)).toBe(true);
  expect(alice.localUpdates).toEqual([]);
});

test.each<[string, (page: Awaited<ReturnType<typeof following>>) => Promise<void> | void]>([
  ['the wheel', ({ opened }) => void opened.editor.view.dom.dispatchEvent(new WheelEvent('wheel', { bubbles: true }))],
  ['a scrollbar', () => scrollBy({ top: 300, behavior: 'instant' })],
  ['a click in the text', ({ opened }) => userEvent.click(opened.editor.view.dom.children[100] ?? opened.layer)],
  ['PageDown', () => userEvent.keyboard('{PageDown}')],
  [
    'typing',
    ({ opened }) => {
      opened.caret(100, 1);
      return opened.press('a');
    },
  ],
  ['Escape', () => userEvent.keyboard('{Escape}')],
  ['the button', () => userEvent.click(browser.getByRole('button', { name: 'Stop following' }))],
])('%s ends the following', async (_name, act) => {
  const page = await following(lines(200));
  page.caret(100);
  page.start();
  await expectAtThird(() => page.heightOf(100));
  await wait(350);
  expect(page.stops()).toBe(0);
  await act(page);
  await expect.poll(page.stops).toBe(1);
  page.caret(10);
  await wait(100);
  expect(page.heightOf(10)).toBeLessThan(0);
});

test('with the caret in the text, Escape ends the following and selects no block', async () => {
  const page = await following(lines(200));
  page.opened.caret(100, 1);
  page.caret(100);
  page.start();
  await expectAtThird(() => page.heightOf(100));
  const { selection } = page.opened.editor.state;
  await page.opened.press('{Escape}');
  await expect.poll(page.stops).toBe(1);
  expect(page.opened.editor.state.selection.eq(selection)).toBe(true);
});

test('the tab names the person, and says that they read while they have no caret', async () => {
  const { start, caret, noCaret, root } = await following(lines(5));
  const status = () => root.querySelector('[role="status"]')?.textContent;
  start();
  await expect.poll(status).toBe('Following BobBob is readingEsc to stop');
  caret(2);
  await expect.poll(status).toBe('Following BobEsc to stop');
  noCaret();
  await expect.poll(status).toBe('Following BobBob is readingEsc to stop');
});

test('a presented place is followed instead of the caret', async () => {
  const { places, present, caret, heightOf, opened } = await following(lines(300));
  const id: unknown = opened.editor.state.doc.child(200).attrs['id'];
  caret(10);
  present({ block: String(id), offset: 2 });
  await expectAtThird(() => heightOf(200));
  await expect.poll(places.own).toEqual({ block: id, offset: 0 });
});

test('two who follow each other come to rest', async () => {
  const page = await following(lines(300));
  page.caret(150);
  page.start();
  page.opened.caret(40, 0);
  await expectAtThird(() => page.heightOf(150));
  await wait(400);
  const tops = [];
  for (let at = 0; at < 5; at++) {
    tops.push(scrollY);
    await wait(50);
  }
  expect(new Set(tops).size).toBe(1);
});
