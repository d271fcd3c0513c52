// Where the focus goes when an edit ends, and the key for links in the field of a comment.
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { page as browser, userEvent } from 'vitest/browser';
import { alice } from '../../support/app/app-fixture.ts';
import { renderComments } from '../../support/app/render-comments.tsx';
import { commentOf, threadId, threadOf } from '../../support/app/shown-comments.ts';

afterEach(cleanup);
beforeEach(async () => {
  localStorage.clear();
  await browser.viewport(1440, 900);
});

const OWN = [threadOf(1, [commentOf(1, 'East or west?'), commentOf(2, 'West.', { by: alice.id })])];

const focused = async (name: string) => {
  const field = await screen.findByRole('textbox', { name });
  await waitFor(() => expect(document.activeElement).toBe(field));
  return field;
};
const openThread = async () => {
  await userEvent.click(screen.getByRole('button', { name: /East or west/ }));
  await focused('Reply');
};
const menuOfOwn = () => within(screen.getByText('West.').closest<HTMLElement>('.comment')!).getByLabelText('More');
const edit = async () => {
  await userEvent.click(menuOfOwn());
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Edit' }));
  await focused('Edit comment');
};
const gone = () => waitFor(() => expect(screen.queryByRole('textbox', { name: 'Edit comment' })).toBeNull());

test.each([
  ['Escape', () => userEvent.keyboard('{Escape}')],
  ['Cancel', () => userEvent.click(screen.getByRole('button', { name: 'Cancel' }))],
  ['Save', () => userEvent.click(screen.getByRole('button', { name: 'Save' }))],
  ['Ctrl Enter', () => userEvent.keyboard('{Control>}{Enter}{/Control}')],
])('%s ends the edit of a comment and gives the focus to its menu', async (_name, end) => {
  const { marks } = await renderComments({ threads: OWN });
  await openThread();
  await edit();
  await end();
  await gone();
  await waitFor(() => expect(document.activeElement).toBe(menuOfOwn()));
  // The thread is still open, and the words did not get the focus.
  expect(marks.seen.focused).toEqual([]);
});

test('if someone deletes the comment that is being edited, the focus goes to its thread', async () => {
  const { shown } = await renderComments({ threads: OWN });
  await openThread();
  await edit();
  const [first, own] = OWN[0]!.comments;
  shown.set({ threads: [{ ...OWN[0]!, comments: [first!, { ...own!, body: null }] }] });
  await gone();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('article', { name: /words 1/ })));
});

test('Ctrl K makes the selected words a link, to an address or to a page of the workspace, and takes it away', async () => {
  const { shown } = await renderComments({ threads: OWN });
  await openThread();
  const sent = async () => {
    await userEvent.keyboard('{Control>}{Enter}{/Control}');
    return shown.calls.at(-1);
  };
  const link = async () => {
    await userEvent.keyboard('{Shift>}{Home}{/Shift}{Control>}k{/Control}');
    const input = await screen.findByRole('combobox', { name: 'Link address' });
    await waitFor(() => expect(document.activeElement).toBe(input));
  };
  await userEvent.keyboard('the chart');
  await link();
  await userEvent.keyboard('weft.example{Enter}');
  await focused('Reply');
  const run = { text: 'the chart', link: 'https://weft.example' };
  expect(await sent()).toEqual(['reply', threadId(1), [{ kind: 'paragraph', runs: [run] }]]);
  await userEvent.keyboard('the rota');
  await link();
  await userEvent.keyboard('rota{Enter}');
  await focused('Reply');
  await link();
  expect(screen.getByRole('combobox')).toHaveProperty('value', '/w/northquay/p/boat-rota');
  await userEvent.click(screen.getByRole('button', { name: 'Remove link' }));
  await focused('Reply');
  expect(await sent()).toEqual(['reply', threadId(1), [{ kind: 'paragraph', runs: [{ text: 'the rota' }] }]]);
});

test('Escape in the form for a link gives the focus back to the field; what is no address is refused', async () => {
  const { marks } = await renderComments({ threads: OWN });
  await openThread();
  await userEvent.keyboard('words{Shift>}{Home}{/Shift}{Control>}k{/Control}');
  await screen.findByRole('combobox', { name: 'Link address' });
  await userEvent.keyboard('javascript:alert(1){Enter}');
  await screen.findByRole('alert');
  await userEvent.keyboard('{Escape}');
  await focused('Reply');
  expect(screen.queryByRole('combobox')).toBeNull();
  expect(marks.seen.focused).toEqual([]);
  await userEvent.keyboard('{Escape}');
  expect(marks.seen.focused).toEqual([threadId(1)]);
});

test('a comment that is sent closes the form for a link', async () => {
  const { shown } = await renderComments({ threads: OWN });
  await openThread();
  await userEvent.keyboard('words{Shift>}{Home}{/Shift}{Control>}k{/Control}');
  await screen.findByRole('combobox', { name: 'Link address' });
  await userEvent.click(screen.getByRole('button', { name: 'Send' }));
  await waitFor(() => expect(shown.calls).toHaveLength(1));
  await waitFor(() => expect(screen.queryByRole('combobox')).toBeNull());
});

test('without selected words, Ctrl K is left to the palette', async () => {
  await renderComments({ threads: OWN });
  await openThread();
  let isLeft = false;
  const onKey = (event: KeyboardEvent) => void (isLeft ||= event.key === 'k' && !event.defaultPrevented);
  addEventListener('keydown', onKey);
  await userEvent.keyboard('words{Control>}k{/Control}');
  removeEventListener('keydown', onKey);
  expect(isLeft).toBe(true);
  expect(screen.queryByRole('combobox')).toBeNull();
});

test('the button that sends a reply gives the focus to the thread', async () => {
  await renderComments({ threads: OWN });
  await openThread();
  await userEvent.keyboard('East.');
  screen.getByRole('button', { name: 'Send' }).focus();
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('article', { name: /words 1/ })));
});

test('below the text, a thread that is chosen from the list has the focus, not its field', async () => {
  await renderComments({ threads: OWN, hasLane: false });
  screen.getByRole('button', { name: /East or west/ }).focus();
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('article', { name: /words 1/ })));
});
