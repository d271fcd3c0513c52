// The comments beside the text and below it, with the real field for writing, on comments and marks in memory.
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { page as browser, userEvent } from 'vitest/browser';
import type { DocumentRole } from 'weft-sync/protocol/roles.ts';
import { CommentsOfPage } from '../../../src/features/comments/comments-of-page.tsx';
import type { ThreadId } from '../../../src/protocol/ids.ts';
import type { CommentsView } from '../../../src/state/comments/page-comments.ts';
import type { ShownThread } from '../../../src/state/comments/shown-threads.ts';
import { PageContext } from '../../../src/state/hooks.ts';
import { Toasts } from '../../../src/ui/floating/toast.tsx';
import { alice, appFixture, bob, documentId } from '../../support/app/app-fixture.ts';
import { personOf, renderInApp } from '../../support/app/render-in-app.tsx';
import {
  aboutWords,
  commentId,
  commentOf,
  saying,
  shownComments,
  shownMarks,
  threadId,
  threadOf,
} from '../../support/app/shown-comments.ts';
import '../../support/app/patient-queries.ts';
import '../../../src/ui/theme/tokens.css';
import '../../../src/ui/theme/base.css';
import '../../../src/ui/controls/controls.css';
import '../../../src/editor/carets/carets.css';
import '../../../src/ui/floating/floating.css';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});
beforeEach(async () => {
  localStorage.clear();
  await browser.viewport(1440, 900);
});

type Options = {
  readonly threads?: readonly ShownThread[];
  readonly view?: Partial<CommentsView>;
  readonly hasLane?: boolean;
  readonly isShown?: boolean;
  readonly thread?: ThreadId | null;
  readonly tops?: Readonly<Record<string, number | null>>;
  readonly role?: DocumentRole;
};

const PLAN = 'https://weft.example/w/northquay/p/plan';
const TWO = [
  threadOf(1, [commentOf(1, 'East or west?'), commentOf(2, 'West.', { by: alice.id })]),
  threadOf(2, [commentOf(3, 'Who calls it?')]),
];

async function renderComments(options: Options = {}) {
  const {
    threads = TWO,
    view = {},
    hasLane = true,
    isShown = true,
    thread = null,
    tops = {},
    role = 'manager',
  } = options;
  const fixture = appFixture();
  await fixture.clock.run(10);
  const person = personOf(fixture);
  const { value: page } = person.pages.acquire(documentId(1));
  await fixture.clock.run(10);
  fixture.sessions.get(documentId(1))?.setView({ role });
  const shown = shownComments(person.store, threads, view);
  const marks = shownMarks(tops);
  const wanted: boolean[] = [];
  const people = [{ id: bob.id, name: 'Bob Holm' }];
  await renderInApp(
    fixture,
    <PageContext value={page}>
      <div className="page-area" style={{ height: 800 }}>
        <div className="page-column" />
        <button type="button" className="comments-button">
          Comments
        </button>
        <CommentsOfPage
          comments={shown.comments}
          // The comments use no other tools.
          tools={marks.tools as Parameters<typeof CommentsOfPage>[0]['tools']}
          names={{ people, pages: [] }}
          address={PLAN}
          thread={thread}
          hasLane={hasLane}
          isShown={isShown}
          onShow={(show) => void wanted.push(show)}
        />
        <Toasts />
      </div>
    </PageContext>,
  );
  if (isShown) await waitFor(() => screen.getByRole('complementary', { name: 'Comments' }));
  await fixture.clock.run(100);
  return { fixture, shown, marks, wanted };
}

const card = (name: RegExp | string) => screen.getByRole('button', { name });
const openCard = (words: string) => screen.findByRole('article', { name: `Comment on “${words}”` });
const field = (name: string) => screen.findByRole('textbox', { name });
/** The field takes the focus a moment after it has appeared. */
const focusedField = async (name: string) => {
  const found = await field(name);
  await waitFor(() => expect(document.activeElement).toBe(found));
  return found;
};
const empty = async (name: string) => {
  const found = await focusedField(name);
  await userEvent.keyboard('{Shift>}{Home}{/Shift}{Backspace}');
  expect(found.textContent).toBe('');
};

test('lists the open threads at the lines of their words, with who wrote and how many replies', async () => {
  const { marks } = await renderComments();
  await waitFor(() => expect(card(/East or west/).textContent).toContain('Bob Holm'));
  expect(card(/East or west/).textContent).toContain('1 reply');
  expect(marks.seen.shown.map(({ id }) => id)).toEqual([threadId(1), threadId(2)]);
  const topOf = (name: RegExp) =>
    card(name).getBoundingClientRect().top - (document.querySelector('.page-area')?.getBoundingClientRect().top ?? 0);
  await waitFor(() => expect([topOf(/East/), topOf(/Who/)]).toEqual([92, 192]));
});

test('a thread opens with its comments and the focus in the reply, which Ctrl Enter sends', async () => {
  const { shown, marks } = await renderComments();
  await userEvent.click(card(/East or west/));
  const open = within(await openCard('words 1'));
  expect(open.getByText('West.')).toBeDefined();
  expect(marks.seen.revealed).toEqual([threadId(1)]);
  await focusedField('Reply');
  await userEvent.keyboard('Agreed, **both** of them{Control>}{Enter}{/Control}');
  expect(shown.calls).toEqual([
    [
      'reply',
      threadId(1),
      [{ kind: 'paragraph', runs: [{ text: 'Agreed, ' }, { text: 'both', bold: true }, { text: ' of them' }] }],
    ],
  ]);
  expect((await field('Reply')).textContent).toBe('');
});

test('what was typed stays over a reload until it is sent', async () => {
  await renderComments();
  await userEvent.click(card(/East or west/));
  await focusedField('Reply');
  await userEvent.keyboard('Half a thought');
  cleanup();
  const { shown } = await renderComments();
  await userEvent.click(card(/East or west/));
  await waitFor(async () => expect((await field('Reply')).textContent).toBe('Half a thought'));
  await userEvent.click(screen.getByRole('button', { name: 'Send' }));
  expect(shown.calls).toEqual([['reply', threadId(1), saying('Half a thought')]]);
  expect(Object.keys(localStorage).filter((name) => name.startsWith('weft-comment-drafts:'))).toEqual([]);
});

test('a draft that another tab sent cannot be sent again; other words stay', async () => {
  const { shown } = await renderComments();
  await userEvent.click(card(/East or west/));
  const reply = await focusedField('Reply');
  await userEvent.keyboard('Sent');
  const [name = ''] = Object.keys(localStorage).filter((one) => one.startsWith('weft-comment-drafts:'));
  const elsewhere = (text: string | null) => {
    if (text === null) localStorage.removeItem(name);
    else localStorage.setItem(name, text);
    dispatchEvent(new StorageEvent('storage', { key: name }));
  };
  elsewhere(null);
  await waitFor(() => expect(reply.textContent).toBe(''));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Send' })).toHaveProperty('disabled', true));
  await userEvent.keyboard('Kept');
  elsewhere(JSON.stringify(saying('Theirs')));
  elsewhere(null);
  elsewhere(JSON.stringify(saying('Theirs')));
  expect(reply.textContent).toBe('Kept');
  await userEvent.click(screen.getByRole('button', { name: 'Send' }));
  expect(shown.calls).toEqual([['reply', threadId(1), saying('Kept')]]);
  expect(localStorage.getItem(name)).toBe(JSON.stringify(saying('Theirs')));
});

test('Escape gives the focus back to the words', async () => {
  const { marks } = await renderComments();
  await userEvent.click(card(/East or west/));
  await focusedField('Reply');
  await userEvent.keyboard('{Escape}');
  expect(marks.seen.focused).toEqual([threadId(1)]);
});

test('a new comment on the selected words, with a mention, a list and a link', async () => {
  const { shown, marks, wanted } = await renderComments({ threads: [] });
  expect(screen.getByText('No comments yet')).toBeDefined();
  marks.ask();
  const written = await field('Comment on “selected words”');
  await waitFor(() => expect(document.activeElement).toBe(written));
  await waitFor(() => expect(marks.seen.draft).toEqual(marks.seen.selection));
  expect(wanted).toEqual([true]);
  await focusedField('Comment on “selected words”');
  await userEvent.keyboard('Ask @bo');
  await waitFor(() => screen.getByRole('option', { name: 'Bob Holm' }));
  await userEvent.keyboard('{Enter}first{Enter}- one{Enter}two{Enter}{Enter}see https://weft.example/a.');
  await userEvent.click(screen.getByRole('button', { name: 'Comment' }));
  expect(shown.calls).toEqual([
    [
      'start',
      marks.seen.selection,
      [
        { kind: 'paragraph', runs: [{ text: 'Ask ' }, { text: '@Bob Holm', mention: bob.id }, { text: ' first' }] },
        { kind: 'bullet', runs: [{ text: 'one' }] },
        { kind: 'bullet', runs: [{ text: 'two' }] },
        {
          kind: 'paragraph',
          runs: [{ text: 'see ' }, { text: 'https://weft.example/a', link: 'https://weft.example/a' }, { text: '.' }],
        },
      ],
    ],
  ]);
  await waitFor(() => expect(marks.seen.draft).toBeNull());
  await waitFor(() => expect(marks.seen.focused).toEqual([threadId(90)]));
});

test('a new comment closes the open thread, and an open thread leaves it where it is', async () => {
  const { marks } = await renderComments();
  await userEvent.click(card(/East or west/));
  await openCard('words 1');
  marks.ask();
  await field('Comment on “selected words”');
  expect(screen.queryByRole('article', { name: 'Comment on “words 1”' })).toBeNull();
  await userEvent.click(card(/East or west/));
  await openCard('words 1');
  await field('Comment on “selected words”');
});

test('a new comment that was begun is there after a reload, with its words; Cancel discards it', async () => {
  const first = await renderComments({ threads: [] });
  first.marks.ask();
  await focusedField('Comment on “selected words”');
  await userEvent.keyboard('Unsent');
  cleanup();
  const { marks } = await renderComments({ threads: [] });
  expect((await field('Comment on “selected words”')).textContent).toBe('Unsent');
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(marks.seen.draft).toBeNull());
  expect(Object.keys(localStorage).filter((name) => name.startsWith('weft-comment-drafts:'))).toEqual([]);
});

test('own comments can be edited and deleted, a manager deletes any, and others only read', async () => {
  const { shown } = await renderComments();
  await userEvent.click(card(/East or west/));
  const open = within(await openCard('words 1'));
  const [, own] = open.getAllByRole('button', { name: 'More' });
  await userEvent.click(own ?? document.body);
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Edit' }));
  const edited = await focusedField('Edit comment');
  expect(edited.textContent).toBe('West.');
  await userEvent.keyboard(' Surely');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(shown.calls).toEqual([['edit', commentId(2), saying('West. Surely')]]);
  await waitFor(() => expect(open.queryByRole('textbox', { name: 'Edit comment' })).toBeNull());
});

test('an edit that was begun does not take the caret out of the words', async () => {
  const { marks } = await renderComments();
  await userEvent.click(card(/East or west/));
  const [, own] = within(await openCard('words 1')).getAllByRole('button', { name: 'More' });
  await userEvent.click(own ?? document.body);
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Edit' }));
  const edited = await field('Edit comment');
  await waitFor(() => expect(document.activeElement).toBe(edited));
  await userEvent.keyboard(' Surely{Escape}');
  marks.activate(threadId(2));
  await openCard('words 2');
  marks.activate(threadId(1));
  const kept = await field('Edit comment');
  expect(kept.textContent).toBe('West. Surely');
  expect(document.activeElement).not.toBe(kept);
});

test('a new comment that was begun takes the focus once, not when its page opens or it is seen again', async () => {
  await browser.viewport(360, 740);
  const { marks } = await renderComments({ hasLane: false });
  marks.ask();
  const written = await field('Comment on “selected words”');
  await waitFor(() => expect(document.activeElement).toBe(written));
  await userEvent.keyboard('Unsent');
  marks.activate(threadId(1));
  await openCard('words 1');
  marks.activate(null);
  expect((await field('Comment on “selected words”')).textContent).toBe('Unsent');
  expect(document.activeElement).toBe(document.body);
  cleanup();
  await renderComments({ hasLane: false });
  expect((await field('Comment on “selected words”')).textContent).toBe('Unsent');
  expect(document.activeElement).toBe(document.body);
});

test('Escape and Cancel in a new comment give the focus back to its words; what is written stays', async () => {
  const { marks } = await renderComments({ threads: [] });
  marks.ask();
  await focusedField('Comment on “selected words”');
  await userEvent.keyboard('Unsent{Escape}');
  await waitFor(() => expect(marks.seen.focused).toEqual(['draft']));
  expect((await field('Comment on “selected words”')).textContent).toBe('Unsent');
  await empty('Comment on “selected words”');
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(marks.seen.focused).toEqual(['draft', 'draft']));
  await waitFor(() => expect(marks.seen.draft).toBeNull());
  marks.ask();
  await focusedField('Comment on “selected words”');
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(marks.seen.focused).toEqual(['draft', 'draft', 'draft']));
});

test('the key for a comment goes from commented words into the reply, as often as it is pressed', async () => {
  const { marks, wanted } = await renderComments();
  marks.activate(threadId(1));
  await openCard('words 1');
  expect(document.activeElement).toBe(document.body);
  marks.seen.atCaret = threadId(1);
  const reply = await field('Reply');
  marks.ask();
  await waitFor(() => expect(document.activeElement).toBe(reply));
  reply.blur();
  marks.ask();
  await waitFor(() => expect(document.activeElement).toBe(reply));
  expect(wanted.length).toBeGreaterThan(0);
  expect(marks.seen.draft).toBeNull();
});

test('people who may not comment read, without fields and buttons', async () => {
  await renderComments({ view: { mayComment: false } });
  await userEvent.click(card(/East or west/));
  const open = within(await openCard('words 1'));
  expect(open.queryByRole('textbox')).toBeNull();
  expect(open.queryByRole('button', { name: 'Resolve' })).toBeNull();
  expect(open.queryByRole('button', { name: 'React' })).toBeNull();
});

test('resolving closes the thread, and the toast takes it back', async () => {
  const { shown } = await renderComments();
  await userEvent.click(card(/East or west/));
  await userEvent.click(within(await openCard('words 1')).getByRole('button', { name: 'Resolve' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(shown.calls).toEqual([
    ['resolve', threadId(1), true],
    ['resolve', threadId(1), false],
  ]);
  expect(screen.queryByRole('article')).toBeNull();
});

test('the focus stays near a thread that goes: at its words, else on the next card, else on the button in the bar', async () => {
  const last = threadOf(2, [commentOf(3, 'Who calls it?', { by: alice.id })]);
  const { shown, marks } = await renderComments({ threads: [...TWO.slice(0, 1), last] });
  const bar = document.querySelector<HTMLElement>('.comments-button');
  await userEvent.click(card(/East or west/));
  within(await openCard('words 1'))
    .getByRole('button', { name: 'Resolve' })
    .focus();
  await userEvent.keyboard('{Enter}');
  expect(marks.seen.focused).toEqual([threadId(1)]);
  await userEvent.click(card(/East or west/));
  await field('Reply');
  shown.set({ threads: [last] });
  await waitFor(() => expect(document.activeElement).toBe(card(/Who calls it/)));
  await userEvent.click(card(/Who calls it/));
  vi.spyOn(shown.comments, 'remove').mockImplementation(() => shown.set({ threads: [] }));
  await userEvent.click(within(await openCard('words 2')).getByRole('button', { name: 'More' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(document.activeElement).toBe(bar));
});

test('a comment is deleted once that was confirmed, and the focus stays in its thread', async () => {
  const { shown } = await renderComments();
  await userEvent.click(card(/East or west/));
  const thread = await openCard('words 1');
  const ask = async () => {
    await userEvent.click(within(thread).getAllByRole('button', { name: 'More' })[1]!);
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete' }));
    await screen.findByRole('dialog', { name: 'Delete this comment?' });
  };
  await ask();
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(thread.contains(document.activeElement)).toBe(true));
  expect(shown.calls).toEqual([]);
  await ask();
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }));
  expect(shown.calls).toEqual([['remove', commentId(2)]]);
  await waitFor(() => expect(thread.contains(document.activeElement)).toBe(true));
});

test('a long name makes no thread wider than its card', async () => {
  await renderComments();
  await userEvent.click(card(/East or west/));
  const thread = await openCard('words 1');
  for (const name of thread.querySelectorAll('header > b')) name.textContent = 'Maximiliane '.repeat(9);
  expect(thread.scrollWidth).toBe(thread.clientWidth);
});

test('closing the comments gives the focus to the words of the open thread, else to the button in the bar', async () => {
  const { marks, wanted } = await renderComments();
  await userEvent.click(screen.getByRole('button', { name: 'Close comments' }));
  expect(wanted).toEqual([false]);
  expect(document.activeElement).toBe(document.querySelector('.comments-button'));
  await userEvent.click(card(/East or west/));
  await openCard('words 1');
  await userEvent.click(screen.getByRole('button', { name: 'Close comments' }));
  expect(marks.seen.focused).toEqual([threadId(1)]);
});

test('in the sheet, a new comment that was begun leaves the way to the other threads, and to close them', async () => {
  await browser.viewport(360, 740);
  const { marks, wanted } = await renderComments({ hasLane: false });
  marks.ask();
  await focusedField('Comment on “selected words”');
  await userEvent.keyboard('Unsent');
  await userEvent.click(card(/Who calls it/));
  await openCard('words 2');
  await userEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect((await field('Comment on “selected words”')).textContent).toBe('Unsent');
  await userEvent.click(screen.getByRole('button', { name: 'Close comments' }));
  expect(wanted).toEqual([true, false]);
});

test('in the sheet, a new comment on a page with many has room for its field and buttons, and its words are shown', async () => {
  await browser.viewport(390, 700);
  const many = Array.from({ length: 16 }, (_, at) => threadOf(at + 1, [commentOf(at + 1, `comment ${at}`)]));
  const { marks } = await renderComments({ hasLane: false, threads: many });
  marks.ask();
  await focusedField('Comment on “selected words”');
  const send = screen.getByRole('button', { name: 'Comment' });
  const { left, bottom } = send.getBoundingClientRect();
  expect(send.contains(document.elementFromPoint(left + 20, bottom - 4))).toBe(true);
  expect(screen.getByRole('complementary').getBoundingClientRect().top).toBeGreaterThan(270);
  expect(marks.seen.revealed).toEqual(['draft']);
});

test('the head of the lane stays below a banner, and names of people beside the text do not reach the cards', async () => {
  await renderComments();
  await userEvent.click(card(/East or west/));
  const area = document.querySelector<HTMLElement>('.page-area')!;
  const head = () => getComputedStyle(document.querySelector('.comments-head')!).top;
  area.parentElement!.className = 'main';
  area.insertAdjacentHTML('beforebegin', '<header class="top"><div class="bar"></div></header>');
  expect(head()).toBe('48px');
  document.querySelector('.top')!.insertAdjacentHTML('beforeend', '<div class="banner"></div>');
  expect(head()).toBe('88px');
  const column = document.querySelector<HTMLElement>('.page-column')!;
  column.style.position = 'relative';
  column.innerHTML =
    '<div class="caret-layer"><div class="loose-ends" style="position: absolute"><span class="loose-end">Ada Northcott</span></div></div>';
  const end = column.querySelector('.loose-ends')!.getBoundingClientRect();
  const openedCard = (await openCard('words 1')).getBoundingClientRect();
  expect(end.width).toBeGreaterThan(8);
  expect(end.right).toBeLessThan(openedCard.left);
});

test('in the sheet, Close gives the focus to the card of the thread in the list', async () => {
  await browser.viewport(360, 740);
  await renderComments({ hasLane: false });
  await userEvent.click(card(/Who calls it/));
  await openCard('words 2');
  await userEvent.click(screen.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(document.activeElement).toBe(card(/Who calls it/)));
});

test('reacts with an emoji, from a few or by name, and takes it back', async () => {
  const reactions = [{ emoji: '🎉', by: [alice.id, bob.id] }];
  const { shown } = await renderComments({ threads: [threadOf(1, [commentOf(1, 'Done', { reactions })])] });
  await userEvent.click(card(/Done/));
  const open = within(await openCard('words 1'));
  const own = await open.findByRole('button', { name: /🎉 You, Bob Holm/ });
  expect(own.getAttribute('aria-pressed')).toBe('true');
  await userEvent.click(own);
  await userEvent.click(open.getByRole('button', { name: 'React' }));
  await userEvent.fill(await screen.findByRole('searchbox', { name: 'Find an emoji' }), 'rocket');
  await userEvent.click(await screen.findByRole('button', { name: /rocket/i }));
  expect(shown.calls).toEqual([
    ['react', commentId(1), '🎉', false],
    ['react', commentId(1), '🚀', true],
  ]);
});

test('says where a comment is that the server does not have, and offers to copy or discard a refused one', async () => {
  const { shown } = await renderComments({
    threads: [
      threadOf(1, [
        commentOf(1, 'a'),
        commentOf(2, 'b', { state: 'device', by: alice.id }),
        commentOf(3, 'c', { state: 'refused', by: alice.id }),
      ]),
    ],
  });
  await userEvent.click(card(/a/));
  const open = within(await openCard('words 1'));
  expect(open.getByText('On this device')).toBeDefined();
  expect(open.getByRole('alert').textContent).toBe('The server rejected this.');
  expect(open.getByRole('button', { name: 'Copy text' })).toBeDefined();
  await userEvent.click(open.getByRole('button', { name: 'Discard' }));
  expect(shown.calls).toEqual([['discard', commentId(3)]]);
});

test('a thread without its words says so and shows them, and one without any text left too', async () => {
  await renderComments({
    threads: [threadOf(1, [commentOf(1, 'gone')]), threadOf(2, [commentOf(2, 'x', { body: null }), commentOf(3, 'y')])],
    tops: { [threadId(1)]: null },
  });
  await waitFor(() => expect(card(/gone/).textContent).toContain('The words were deleted'));
  expect(card(/gone/).textContent).toContain('words 1');
  await userEvent.click(card(/Deleted/));
  expect((await openCard('words 2')).textContent).toContain('Deleted');
});

test('filters; what was unread stays marked until it is opened, and the server learns that it was read', async () => {
  const { shown } = await renderComments({
    threads: [
      ...TWO,
      threadOf(3, [commentOf(1_001, 'news')]),
      threadOf(4, [commentOf(4, 'old')], { resolved: { by: bob.id, at: 1 } }),
    ],
  });
  const choose = async (name: string) => {
    await userEvent.click(screen.getByRole('button', { name: /^Show/ }));
    await userEvent.click(await screen.findByRole('menuitemcheckbox', { name }));
  };
  const listed = () =>
    screen.getAllByRole('button', { name: /^Comment on/ }).map((one) => one.textContent.slice(12, 21));
  expect(listed()).toEqual(['words 1”:', 'words 2”:', 'words 3”:']);
  await choose('Unread');
  await waitFor(() => expect(listed()).toEqual(['words 3”:']));
  await waitFor(() => expect(shown.calls).toEqual([['markRead']]), { timeout: 5_000 });
  shown.set({ readChange: 2_000 });
  await choose('Resolved');
  await waitFor(() => expect(card(/old/).textContent).toContain('Resolved by Bob Holm'));
  await choose('All');
  await waitFor(() => expect(listed()).toHaveLength(4));
  expect(card(/news/).textContent).toMatch(/unread$/);
  await userEvent.click(card(/news/));
  await userEvent.click(card(/Who calls/));
  await waitFor(() => expect(card(/news/).textContent).not.toMatch(/unread$/));
});

test('what arrives in a tab in the background is read once the tab was in front for a while', async () => {
  let visibility: DocumentVisibilityState = 'hidden';
  const shows = vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visibility);
  onTestFinished(() => shows.mockRestore());
  const wait = globalThis.setTimeout;
  const waiting: (() => void)[] = [];
  const timers = vi.spyOn(globalThis, 'setTimeout').mockImplementation((run: () => void, ms?: number) => {
    if (ms === 2_000) waiting.push(run);
    return wait(ms === 2_000 ? () => undefined : run, ms);
  });
  onTestFinished(() => timers.mockRestore());
  const twoSecondsPass = () => {
    for (const run of waiting.splice(0)) run();
  };
  const { shown } = await renderComments({ threads: [threadOf(3, [commentOf(1_001, 'news')])] });
  await waitFor(() => card(/news/));
  twoSecondsPass();
  expect(shown.calls).toEqual([]);
  visibility = 'visible';
  document.dispatchEvent(new Event('visibilitychange'));
  twoSecondsPass();
  expect(shown.calls).toEqual([['markRead']]);
});

test('Alt with the arrows goes to the next and the previous thread', async () => {
  await renderComments();
  await userEvent.click(card(/East or west/));
  await openCard('words 1');
  await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}');
  await openCard('words 2');
  await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}');
  expect(await openCard('words 1')).toBeDefined();
});

test('on a Mac, Alt with the arrows moves the caret in what is written', async () => {
  vi.spyOn(navigator, 'platform', 'get').mockReturnValue('MacIntel');
  await renderComments();
  await userEvent.click(card(/East or west/));
  await openCard('words 1');
  await focusedField('Reply');
  await userEvent.keyboard('Two lines{Alt>}{ArrowUp}{/Alt}');
  expect(document.activeElement).toBe(await field('Reply'));
  await openCard('words 1');
  expect(screen.queryByRole('article', { name: 'Comment on “words 2”' })).toBeNull();
  await empty('Reply');
  await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}');
  await openCard('words 2');
});

test('an address opens its thread; one that is gone says so', async () => {
  const { marks, wanted } = await renderComments({ thread: threadId(2) });
  await openCard('words 2');
  expect(marks.seen.revealed).toContain(threadId(2));
  expect(wanted).toEqual([true]);
  cleanup();
  await renderComments({ thread: threadId(7) });
  await screen.findByText('That comment is no longer on this page.', undefined, { timeout: 10_000 });
});

test('a comment that an address names is missed only once the list has loaded', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  const { shown, marks } = await renderComments({
    threads: [],
    view: { phase: 'loading', isFresh: false },
    thread: threadId(2),
  });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(screen.queryByText(/no longer on this page/)).toBeNull();
  shown.set({ threads: TWO, phase: 'ready', isFresh: true });
  await openCard('words 2');
  expect(marks.seen.revealed).toEqual([threadId(2)]);
});

test('an address of a resolved thread shows its words, once they are marked', async () => {
  const resolved = threadOf(4, [commentOf(4, 'old')], { resolved: { by: bob.id, at: 1 } });
  const { marks } = await renderComments({ threads: [...TWO, resolved], thread: threadId(4) });
  await openCard('words 4');
  await waitFor(() => expect(marks.seen.revealed).toEqual([threadId(4)]));
  marks.seen.isDrawn = false;
  await userEvent.click(card(/Who calls/));
  await openCard('words 2');
  expect(marks.seen.revealed).toEqual([threadId(4)]);
  marks.seen.isDrawn = true;
  marks.move();
  marks.move();
  expect(marks.seen.revealed).toEqual([threadId(4), threadId(2)]);
});

test('hidden comments stay hidden while a caret passes through commented words, and come with a click', async () => {
  const { marks, wanted } = await renderComments({ isShown: false });
  await waitFor(() => expect(marks.seen.shown).toHaveLength(2));
  await userEvent.keyboard('{ArrowRight}');
  marks.activate(threadId(1));
  expect(wanted).toEqual([]);
  await userEvent.click(document.body);
  marks.activate(threadId(1));
  expect(wanted).toEqual([true]);
});

test('new comments of others are announced in a pause of typing; own ones are not', async () => {
  const { shown } = await renderComments();
  const log = screen.getByRole('log', { name: 'New comments' });
  shown.set({ threads: [...TWO, threadOf(3, [commentOf(5, 'mine', { by: alice.id }), commentOf(6, 'Look here')])] });
  await userEvent.keyboard('x');
  expect(log.textContent).toBe('');
  await waitFor(() => expect(log.textContent).toBe('Bob Holm replied on “words 3”: Look here'), { timeout: 6_000 });
});

test.each([
  ['editor', true, [threadId(1), threadId(2)]],
  ['commenter', true, [threadId(2)]],
  ['viewer', false, []],
] as const)(
  'a tab of a %s reports where words went only if the server takes it',
  async (role, mayComment, reported) => {
    const [ofBob, mine] = [threadOf(1, [commentOf(1, 'a')]), threadOf(2, [commentOf(2, 'b')], { by: alice.id })];
    const { shown, marks } = await renderComments({ threads: [ofBob, mine], view: { mayComment }, role });
    for (const { id, anchor } of [ofBob, mine]) marks.report(id, aboutWords('elsewhere'), anchor);
    expect(shown.calls.map(([name, id]) => [name, id])).toEqual(reported.map((id) => ['move', id]));
  },
);

test('comments since the last visit are not announced, and of many at once only the number', async () => {
  const { shown } = await renderComments({ view: { isFresh: false } });
  const log = screen.getByRole('log', { name: 'New comments' });
  const since = [...TWO, threadOf(3, [commentOf(5, 'since the last visit')])];
  shown.set({ threads: since, isFresh: true });
  await waitFor(() => card(/since the last visit/));
  shown.set({
    threads: [
      ...since,
      threadOf(
        4,
        [6, 7, 8, 9].map((n) => commentOf(n, 'new')),
      ),
    ],
  });
  await waitFor(() => expect(log.textContent).toBe('4 new comments'), { timeout: 6_000 });
});

test('without room beside the text: a list at the bottom, then one thread with previous and next', async () => {
  await browser.viewport(360, 740);
  const { marks } = await renderComments({ hasLane: false });
  await userEvent.click(card(/East or west/));
  expect(screen.getByRole('heading', { name: 'Comment 1 of 2' })).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Next comment' }));
  await openCard('words 2');
  expect(marks.seen.revealed).toEqual([threadId(1), threadId(2)]);
  const sheet = screen.getByRole('complementary').getBoundingClientRect();
  expect([sheet.left, sheet.right, sheet.bottom]).toEqual([0, 360, 740]);
});

test.each([
  ['loading', 'Loading comments'],
  ['offline', 'The comments of this page are not on this device yet.'],
] as const)('says that comments are %s', async (phase, text) => {
  await renderComments({ threads: [], view: { phase } });
  expect(screen.queryByText(text) ?? screen.queryByLabelText(text)).not.toBeNull();
});
