// People in comments: who is here, and who can't open the page.
import { cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { page as browser, userEvent } from 'vitest/browser';
import { alice, bob } from '../../support/app/app-fixture.ts';
import { renderComments } from '../../support/app/render-comments.tsx';
import { commentOf, threadId, threadOf } from '../../support/app/shown-comments.ts';

afterEach(cleanup);
beforeEach(async () => {
  localStorage.clear();
  await browser.viewport(1440, 900);
});

const ONE = [threadOf(1, [commentOf(1, 'East or west?'), commentOf(2, 'West.', { by: alice.id })])];
const focused = async (name: string) => {
  const field = await screen.findByRole('textbox', { name });
  await waitFor(() => expect(document.activeElement).toBe(field));
  return field;
};
const SEND = '{Control>}{Enter}{/Control}';
async function mentionBob(options: Parameters<typeof renderComments>[0]) {
  const rendered = await renderComments({ threads: ONE, ...options });
  await userEvent.click(screen.getByRole('button', { name: /East or west/ }));
  await focused('Reply');
  await userEvent.keyboard('@bo');
  return rendered;
}
const reply = [
  'reply',
  threadId(1),
  [{ kind: 'paragraph', runs: [{ text: '@Bob Holm', mention: bob.id }, { text: ' ' }] }],
];

test('“@” says who has the page open; a mention of someone who can open it is sent at once', async () => {
  const { shown } = await mentionBob({});
  await screen.findByRole('option', { name: /Bob Holm.*here now/ });
  await userEvent.keyboard(`{Enter}${SEND}`);
  await waitFor(() => expect(shown.calls).toEqual([reply]));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('“@” says who can’t open the page, and a manager is asked to give them access before it is sent', async () => {
  const { shown, fixture } = await mentionBob({ openers: [alice.id] });
  await screen.findByRole('option', { name: /Bob Holm.*can’t open this page/ });
  await userEvent.keyboard(`{Enter}${SEND}`);
  const dialog = await screen.findByRole('dialog', { name: 'Give access to this page?' });
  expect(dialog.textContent).toContain('Bob Holm can’t open this page');
  await userEvent.click(screen.getByRole('button', { name: 'Role: Can comment' }));
  await userEvent.click(await screen.findByRole('menuitemcheckbox', { name: 'Can edit' }));
  expect(shown.calls).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Give access and send' }));
  await waitFor(() => expect(shown.calls).toEqual([reply]));
  expect(fixture.access.people.people.map(({ user, role }) => [user, role])).toContainEqual([bob.id, 'editor']);
  await focused('Reply');
});

test('where only commenters read comments, “@” says which viewer can’t, and a manager may let them', async () => {
  const { shown, fixture } = await mentionBob({ commentReaders: 'commenters' });
  await screen.findByRole('option', { name: /Bob Holm.*can’t read comments/ });
  await userEvent.keyboard(`{Enter}${SEND}`);
  const dialog = await screen.findByRole('dialog', { name: 'Give access to comments?' });
  expect(dialog.textContent).toContain('Bob Holm can’t read comments on this page');
  await userEvent.click(screen.getByRole('button', { name: 'Role: Can comment' }));
  await screen.findByRole('menuitemcheckbox', { name: 'Can edit' });
  expect(screen.queryByRole('menuitemcheckbox', { name: 'Can view' })).toBeNull();
  await userEvent.keyboard('{Escape}');
  await userEvent.click(await screen.findByRole('button', { name: 'Give access and send' }));
  await waitFor(() => expect(shown.calls).toEqual([reply]));
  expect(fixture.access.people.people.map(({ user, role }) => [user, role])).toContainEqual([bob.id, 'commenter']);
});

test('sends without giving access, or goes back to the words', async () => {
  const { shown, fixture } = await mentionBob({ openers: [alice.id] });
  await screen.findByRole('option', { name: /can’t open this page/ });
  await userEvent.keyboard(`{Enter}${SEND}`);
  await screen.findByRole('dialog');
  await userEvent.keyboard('{Escape}');
  const field = await focused('Reply');
  expect(field.textContent).toBe('@Bob Holm ');
  expect(shown.calls).toEqual([]);
  await userEvent.keyboard(SEND);
  await userEvent.click(await screen.findByRole('button', { name: 'Send only' }));
  await waitFor(() => expect(shown.calls).toEqual([reply]));
  expect(fixture.access.people.people.map(({ user }) => user)).toEqual([alice.id]);
});

test('while access is given, nothing else sends; who closes the dialog meanwhile has sent nothing', async () => {
  const { shown, fixture } = await mentionBob({ openers: [alice.id] });
  const gate = Promise.withResolvers<void>();
  fixture.access.roleGate = gate.promise;
  await screen.findByRole('option', { name: /can’t open this page/ });
  await userEvent.keyboard(`{Enter}${SEND}`);
  await userEvent.click(await screen.findByRole('button', { name: 'Give access and send' }));
  await waitFor(() => expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Send only' }).disabled).toBe(true));
  await userEvent.keyboard('{Escape}');
  const field = await focused('Reply');
  gate.resolve();
  await waitFor(() => expect(fixture.access.people.people.map(({ user }) => user)).toContain(bob.id));
  await userEvent.keyboard('now');
  await waitFor(() => expect(field.textContent).toBe('@Bob Holm now'));
  expect(shown.calls).toEqual([]);
});

test('people who don’t manage the page are not asked', async () => {
  const { shown } = await mentionBob({ openers: [alice.id], role: 'commenter' });
  await screen.findByRole('option', { name: /can’t open this page/ });
  await userEvent.keyboard(`{Enter}${SEND}`);
  const sent = () => shown.calls.filter(([name]) => name !== 'announce');
  await waitFor(() => expect(sent()).toEqual([reply]));
});

test('an edited comment asks too, and the focus ends at the comment', async () => {
  const { shown } = await mentionBob({ openers: [alice.id] });
  await userEvent.keyboard('{Escape}');
  const own = screen.getByText('West.').closest<HTMLElement>('.comment');
  const more = own?.querySelector<HTMLElement>('[aria-label="More"]');
  await userEvent.click(more!);
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Edit' }));
  await focused('Edit comment');
  await userEvent.keyboard(' @bo{Enter}');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Give access and send' }));
  await waitFor(() => expect(shown.calls.map(([name]) => name)).toEqual(['edit']));
  await waitFor(() => expect(document.activeElement).toBe(more));
});
