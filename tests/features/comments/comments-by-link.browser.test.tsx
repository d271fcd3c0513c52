// The comments of a page behind a link, in a real page that is drawn for reading.
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { useSyncExternalStore } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { page as browser } from 'vitest/browser';
import { bodyViewOf } from 'weft-document/body/body-view.ts';
import { blockAnchor } from 'weft-document/comments/make-anchor.ts';
import { bodyOf } from 'weft-document/names.ts';
import { deleteRows } from 'weft-document/tables/table-grid.ts';
import * as Y from 'yjs';
import { StaticBody } from '../../../src/editor/reading/static-body.tsx';
import { CommentsByLink } from '../../../src/features/comments/by-link/comments-by-link.tsx';
import { Subscribable } from '../../../src/lib/subscribable.ts';
import type { PageFiles } from '../../../src/ports/files.ts';
import type { Anchor, LinkThread } from '../../../src/protocol/comments.ts';
import type { LinkCommentsView } from '../../../src/state/comments/link-comments.ts';
import { commentId, saying, threadId } from '../../support/app/shown-comments.ts';
import { anchorOn } from '../../support/editor/anchored-page.ts';
import { pageSeed } from '../../support/editor/page-seed.ts';
import { tableOf, tableSeed } from '../../support/editor/tables.ts';
import '../../support/app/patient-queries.ts';
import '../../../src/ui/theme/tokens.css';
import '../../../src/ui/theme/base.css';
import '../../../src/ui/controls/controls.css';

afterEach(cleanup);
beforeEach(() => browser.viewport(1440, 900));

const threadOn = (n: number, anchor: Anchor, more: Partial<LinkThread> = {}): LinkThread => ({
  id: threadId(n),
  anchor,
  at: n * 1_000,
  resolved: null,
  change: n,
  comments: [
    {
      id: commentId(n),
      author: 1,
      at: n * 1_000,
      editedAt: null,
      body: saying(`Comment ${n}`),
      change: n,
      reactions: [{ emoji: '👍', count: 2 }],
    },
  ],
  ...more,
});

const Page = ({ doc }: { readonly doc: Y.Doc }) => {
  const body = bodyViewOf(doc);
  return <StaticBody blocks={useSyncExternalStore(body.subscribe, body.get)} page="p" />;
};

const LINES = pageSeed('The course leaves the slip.', 'The light is on. The light is off.');

async function renderPage(
  threadsOf: (doc: Y.Doc) => readonly LinkThread[],
  seed = LINES,
  files: PageFiles | null = null,
) {
  const doc = new Y.Doc();
  Y.applyUpdate(doc, seed);
  const changes = new Subscribable();
  let view: LinkCommentsView = { phase: 'ready', threads: threadsOf(doc) };
  const comments = { getView: () => view, subscribe: changes.subscribe, close: () => undefined };
  render(
    <div className="watch">
      <CommentsByLink comments={comments} doc={doc} files={files} />
      <main>
        <Page doc={doc} />
      </main>
    </div>,
  );
  await waitFor(() => expect(document.querySelector('.block')).not.toBeNull());
  return {
    doc,
    setView(next: LinkCommentsView) {
      view = next;
      act(() => changes.notify());
    },
  };
}

function textOf(doc: Y.Doc, block: number): Y.XmlText {
  const element = bodyOf(doc).get(block);
  const text: unknown = element instanceof Y.XmlElement ? element.get(0) : null;
  if (!(text instanceof Y.XmlText)) throw new Error('no text');
  return text;
}

function anchorOnBlock(doc: Y.Doc): Anchor {
  const anchor = blockAnchor(doc, bodyViewOf(doc).get()[0]?.id ?? '');
  if (anchor === null) throw new Error('no block');
  return anchor;
}

/** As a link sends it that does not show the page's history. */
const withoutQuote = (anchor: Anchor): Anchor => ({
  ...anchor,
  ...(anchor.kind === 'text' && { quote: '', before: '', after: '' }),
  ...(anchor.kind === 'block' && { quote: '' }),
});

/** The words that the browser paints as commented on, and as those of the chosen thread. */
const painted = () =>
  ['commented', 'commented-active'].map((name) => Array.from(CSS.highlights.get(name) ?? [], (range) => String(range)));
const panel = () => screen.findByRole('complementary', { name: 'Comments' });
const cards = () => screen.getAllByRole('article').map((one) => one.getAttribute('aria-label'));

test('the words are marked, and the button opens the threads in the order of the text, without names or a field', async () => {
  await renderPage((doc) => [
    threadOn(1, anchorOn(doc, 'off')),
    threadOn(2, anchorOn(doc, 'leaves')),
    threadOn(3, { kind: 'page' }),
  ]);
  await waitFor(() => expect(painted()).toEqual([['off', 'leaves'], []]));
  fireEvent.click(screen.getByRole('button', { name: 'Comments: 3 open' }));
  const shown = within(await panel());
  expect(cards()).toEqual(['Comment on the page', 'Comment on “leaves”', 'Comment on “off”']);
  expect(shown.getByText('You can read comments here, not write them.')).toBeDefined();
  expect(shown.getAllByText('Person 1')).toHaveLength(3);
  expect(shown.queryByRole('textbox')).toBeNull();
  expect(shown.getAllByRole('button').map((one) => one.textContent || one.title)).toEqual([
    'Close comments',
    'leaves',
    'off',
  ]);
});

test('a click on the words opens their thread, and the thread’s words are where the page has them now', async () => {
  const { doc } = await renderPage((page) => [threadOn(1, anchorOn(page, 'light is off'))]);
  await waitFor(() => expect(painted()).toEqual([['light is off'], []]));
  const [range] = Array.from(CSS.highlights.get('commented') ?? []) as Range[];
  const box = range?.getBoundingClientRect();
  fireEvent.click(screen.getByText(/The light/), {
    clientX: (box?.left ?? 0) + 5,
    clientY: (box?.top ?? 0) + 5,
  });
  await panel();
  expect(painted()).toEqual([[], ['light is off']]);
  const text = textOf(doc, 1);
  act(() => text.insert(0, 'Look! '));
  await waitFor(() => expect(painted()).toEqual([[], ['light is off']]));
  act(() => text.delete(text.toString().indexOf('light is off'), 'light is off'.length));
  await waitFor(() => expect(painted()).toEqual([[], []]));
  await screen.findByText('The words were deleted');
});

test('without quotes, a thread shows the words that the page has now, and no words once they are deleted', async () => {
  const { doc } = await renderPage((page) => [
    threadOn(1, withoutQuote(anchorOn(page, 'light is off'))),
    threadOn(2, withoutQuote(anchorOnBlock(page))),
  ]);
  fireEvent.click(screen.getByRole('button', { name: 'Comments: 2 open' }));
  const shown = within(await panel());
  await waitFor(() => expect(cards()).toEqual(['Comment on a block', 'Comment on “light is off”']));
  expect(painted()).toEqual([['light is off'], []]);
  fireEvent.click(shown.getByRole('button', { name: 'light is off' }));
  expect(painted()).toEqual([[], ['light is off']]);
  expect(shown.getByRole('button', { name: 'Go to the block' })).toBeDefined();
  const text = textOf(doc, 1);
  act(() => text.delete(text.toString().indexOf('light is off'), 'light is off'.length));
  await shown.findByText('The words were deleted');
  expect(cards()).toEqual(['Comment on a block', 'Comment on deleted words']);
  expect(document.querySelector('q')).toBeNull();
});

test('while someone writes on and on, words that were drawn anew are marked again within a second', async () => {
  const { doc } = await renderPage((page) => [threadOn(1, anchorOn(page, 'light is off'))]);
  await waitFor(() => expect(painted()).toEqual([['light is off'], []]));
  const writer = setInterval(() => act(() => textOf(doc, 0).insert(0, 'a')), 40);
  try {
    act(() => textOf(doc, 1).insert(0, 'Look! '));
    expect(painted()).not.toEqual([['light is off'], []]);
    await waitFor(() => expect(painted()).toEqual([['light is off'], []]), { timeout: 3_000 });
  } finally {
    clearInterval(writer);
  }
});

test('words in a table are marked in their own cell, whatever equal words the cells before it have', async () => {
  const rows = ['Berth Free', 'one yes', 'two yes', 'three yes'];
  const { doc } = await renderPage((page) => [threadOn(1, anchorOn(page, 'yes', 2))], tableSeed(rows));
  const markedCells = () =>
    Array.from(CSS.highlights.get('commented') ?? [], ({ startContainer, endContainer }) =>
      [startContainer, endContainer].map((node) => node.parentElement?.closest('tr')?.textContent),
    );
  await waitFor(() => expect(markedCells()).toEqual([['threeyes', 'threeyes']]));
  expect(painted()).toEqual([['yes'], []]);
  act(() => deleteRows(tableOf({ doc }), 1, 2));
  await waitFor(() => expect(document.querySelectorAll('tr')).toHaveLength(3));
  await waitFor(() => expect(markedCells()).toEqual([['threeyes', 'threeyes']]));
});

test('threads in a table are in the order of its cells', async () => {
  const seed = tableSeed(['Berth Free', 'one yes']);
  await renderPage((page) => [threadOn(1, anchorOn(page, 'yes')), threadOn(2, anchorOn(page, 'ree'))], seed);
  fireEvent.click(screen.getByRole('button', { name: 'Comments: 2 open' }));
  await panel();
  await waitFor(() => expect(cards()).toEqual(['Comment on “ree”', 'Comment on “yes”']));
});

test('a thread about a block outlines the block; a resolved one is shown on request', async () => {
  await renderPage((doc) => [
    threadOn(1, anchorOnBlock(doc)),
    threadOn(2, anchorOn(doc, 'leaves'), { resolved: 5_000 }),
  ]);
  await waitFor(() => expect(document.querySelectorAll('[data-commented]')).toHaveLength(1));
  fireEvent.click(screen.getByRole('button', { name: 'Comments: 1 open' }));
  await panel();
  expect(cards()).toHaveLength(1);
  fireEvent.click(screen.getByRole('button', { name: 'Show resolved' }));
  await waitFor(() => expect(cards()).toHaveLength(2));
  await waitFor(() => expect(painted()[0]).toEqual(['leaves']));
});

test('when the link shows them no more, button, threads and marks are gone', async () => {
  const { setView } = await renderPage((doc) => [threadOn(1, anchorOn(doc, 'off'))]);
  fireEvent.click(screen.getByRole('button', { name: 'Comments: 1 open' }));
  await panel();
  setView({ phase: 'hidden', threads: [] });
  expect(screen.queryByRole('button', { name: /^Comments/ })).toBeNull();
  expect(screen.queryByRole('complementary')).toBeNull();
  await waitFor(() => expect(painted()).toEqual([[], []]));
});

test('Escape closes them and gives the focus back to the button', async () => {
  await renderPage((doc) => [threadOn(1, anchorOn(doc, 'off'))]);
  const button = screen.getByRole('button', { name: 'Comments: 1 open' });
  fireEvent.click(button);
  fireEvent.keyDown(within(await panel()).getByRole('button', { name: 'Close comments' }), { key: 'Escape' });
  expect(screen.queryByRole('complementary')).toBeNull();
  expect(document.activeElement).toBe(button);
});
