// Which threads the comments list, and what they say where there are none.
import { cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { page as browser, userEvent } from 'vitest/browser';
import { alice } from '../../support/app/app-fixture.ts';
import { renderComments } from '../../support/app/render-comments.tsx';
import { commentOf, threadOf } from '../../support/app/shown-comments.ts';

afterEach(cleanup);
beforeEach(async () => {
  localStorage.clear();
  await browser.viewport(1440, 900);
});

const filter = () => screen.getByRole('button', { name: /^Show: / });
const choose = async (name: string) => {
  await userEvent.click(filter());
  await userEvent.click(await screen.findByRole('menuitemcheckbox', { name }));
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
};
const listed = () =>
  screen.queryAllByRole('button', { name: /^Comment on/ }).map((one) => /“(.*?)”/.exec(one.textContent)?.[1]);
const THREADS = [
  threadOf(1, [commentOf(1, 'East or west?')]),
  threadOf(2, [commentOf(2, 'Who calls it?'), commentOf(3, 'I do.', { by: alice.id })]),
];

test('filters by whose threads they are, within open, all, resolved and unread', async () => {
  const { shown, marks } = await renderComments({ threads: THREADS });
  await choose('Mine');
  await waitFor(() => expect(listed()).toEqual(['words 2']));
  expect(filter().textContent).toBe('Mine');
  // In the text too, only what is listed is marked.
  expect(marks.seen.shown).toHaveLength(1);
  await choose('Bob Holm');
  await waitFor(() => expect(listed()).toEqual(['words 1', 'words 2']));
  shown.set({ threads: [THREADS[0]!, { ...THREADS[1]!, resolved: { by: alice.id, at: 9 } }] });
  await waitFor(() => expect(listed()).toEqual(['words 1']));
  await choose('Resolved');
  await waitFor(() => expect(filter().textContent).toBe('Resolved, by Bob Holm'));
  expect(listed()).toEqual(['words 2']);
  // Choosing the person again takes the choice back.
  await choose('Bob Holm');
  await waitFor(() => expect(filter().textContent).toBe('Resolved'));
});

test('lists what is unread under each filter, and no longer under one that is chosen after it was read', async () => {
  const { shown } = await renderComments({ threads: THREADS });
  await choose('Mine');
  await waitFor(() => expect(listed()).toEqual(['words 2']));
  const news = threadOf(3, [commentOf(1_001, 'news')], { resolved: { by: alice.id, at: 9 } });
  shown.set({ threads: [...THREADS, news] });
  await waitFor(() => expect(listed()).toEqual(['words 2', 'words 3']));
  await waitFor(() => expect(shown.calls).toEqual([['markRead']]), { timeout: 5_000 });
  shown.set({ readChange: 2_000 });
  await screen.findByText(', unread');
  expect(listed()).toEqual(['words 2', 'words 3']);
  // Also once it was opened and closed.
  await userEvent.click(screen.getByRole('button', { name: /words 3/ }));
  await screen.findByRole('article', { name: /words 3/ });
  await userEvent.click(screen.getByRole('button', { name: /words 2/ }));
  await screen.findByRole('article', { name: /words 2/ });
  expect(screen.getByRole('button', { name: /words 3/ })).toBeDefined();
  await choose('All');
  await waitFor(() => expect(listed()).toEqual([]));
  expect(screen.getByRole('article', { name: /words 2/ })).toBeDefined();
});

test('a filter that is set is cleared with ×, and the focus stays on the filter', async () => {
  await renderComments({ threads: THREADS });
  expect(screen.queryByRole('button', { name: 'Clear filter' })).toBeNull();
  await choose('Mine');
  expect(document.activeElement).toBe(filter());
  await userEvent.click(screen.getByRole('button', { name: 'Clear filter' }));
  await waitFor(() => expect(listed()).toEqual(['words 1', 'words 2']));
  expect(document.activeElement).toBe(filter());
});

test('where none are found, it says of which and leads back', async () => {
  await renderComments({ threads: [THREADS[0]!] });
  await choose('Mine');
  await screen.findByRole('heading', { name: 'No open comments that involve you' });
  await choose('Unread');
  await choose('Bob Holm');
  await screen.findByRole('heading', { name: 'No unread comments by Bob Holm' });
  await userEvent.click(screen.getByRole('button', { name: 'Back to open comments' }));
  await waitFor(() => expect(listed()).toEqual(['words 1']));
  expect(document.activeElement).toBe(filter());
});

test('offers only people who wrote a comment that is still there, without this person', async () => {
  await renderComments({ threads: [threadOf(1, [commentOf(1, 'mine', { by: alice.id })])] });
  await userEvent.click(filter());
  await screen.findByRole('menuitemcheckbox', { name: 'Mine' });
  expect(screen.getAllByRole('menuitemcheckbox').map((one) => one.textContent)).toEqual([
    'Open',
    'All',
    'Resolved',
    'Unread',
    'Mine',
  ]);
});

test('a long name fits beside the other words of the head, also on a phone', async () => {
  await browser.viewport(360, 740);
  await renderComments({ threads: THREADS, hasLane: false });
  await choose('Resolved');
  await choose('Bob Holm');
  const head = document.querySelector('.comments-head');
  expect(head?.scrollWidth).toBeLessThanOrEqual(head?.clientWidth ?? 0);
});
