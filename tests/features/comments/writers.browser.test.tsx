// Who is writing a reply, at the foot of its thread.
import { cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { page as browser, userEvent } from 'vitest/browser';
import { setRemoteState } from 'weft-sync/live/timerless-awareness.ts';
import type { UserId } from 'weft-sync/protocol/ids.ts';
import { writingText } from '../../../src/features/comments/plain-text.ts';
import { alice, bob, documentId, userId } from '../../support/app/app-fixture.ts';
import { renderComments } from '../../support/app/render-comments.tsx';
import { commentOf, threadId, threadOf } from '../../support/app/shown-comments.ts';

afterEach(cleanup);
beforeEach(async () => {
  localStorage.clear();
  await browser.viewport(1440, 900);
});

const ONE = [threadOf(1, [commentOf(1, 'East or west?')]), threadOf(2, [commentOf(2, 'Who calls it?')])];

async function openThread(options: Parameters<typeof renderComments>[0] = {}) {
  const rendered = await renderComments({ threads: ONE, ...options });
  await userEvent.click(screen.getByRole('button', { name: /East or west/ }));
  await screen.findByRole('article', { name: 'Comment on “words 1”' });
  const awareness = rendered.fixture.sessions.get(documentId(1))!.awareness;
  return {
    ...rendered,
    own: () => awareness.getLocalState()?.['cursor'] ?? null,
    hear(session: number, user: UserId, thread: string | null) {
      const state = { cursor: { beside: thread }, session: `s${session}`, user };
      setRemoteState(awareness, 2 ** 32 + session, thread === null ? null : state);
    },
  };
}
const focused = async () => {
  const field = await screen.findByRole('textbox', { name: 'Reply' });
  await waitFor(() => expect(document.activeElement).toBe(field));
};

test('names who is writing in this thread, until they go', async () => {
  const { hear } = await openThread();
  hear(1, bob.id, threadId(1));
  await screen.findByText('Bob is writing…');
  hear(1, bob.id, threadId(2));
  await waitFor(() => expect(screen.queryByText(/writing/)).toBeNull());
  hear(1, bob.id, threadId(1));
  hear(2, userId(8), threadId(1));
  await screen.findByText('Bob and Someone are writing…');
  hear(1, bob.id, null);
  hear(2, userId(8), null);
  await waitFor(() => expect(screen.queryByText(/writing/)).toBeNull());
});

test('names at most three', () => {
  expect(writingText(['Ada'])).toBe('Ada is writing…');
  expect(writingText(['Ada', 'Mei', 'Tomás'])).toBe('Ada, Mei and Tomás are writing…');
  expect(writingText(['Ada', 'Mei', 'Tomás', 'Ruth'])).toBe('Ada, Mei, Tomás and 1 other are writing…');
  expect(writingText(['Ada', 'Mei', 'Tomás', 'Ruth', 'Ian'])).toBe('Ada, Mei, Tomás and 2 others are writing…');
});

test('an own reply is announced with its first key, until it is sent, left or emptied', async () => {
  const { own, shown } = await openThread({ role: 'editor' });
  await focused();
  expect(own()).toBeNull();
  await userEvent.keyboard('West');
  expect(own()).toEqual({ beside: threadId(1) });
  expect(screen.queryByText(/writing/)).toBeNull();
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  expect(shown.calls.map(([name]) => name)).toEqual(['reply']);
  expect(own()).toBeNull();
  await userEvent.keyboard('x');
  expect(own()).not.toBeNull();
  await userEvent.keyboard('{Backspace}');
  expect(own()).toBeNull();
  await userEvent.keyboard('again{Escape}');
  expect(own()).toBeNull();
  await userEvent.keyboard('again');
  await userEvent.click(screen.getByRole('button', { name: /Who calls it/ }));
  await waitFor(() => expect(own()).toBeNull());
});

test('people who may comment, but not edit, ask the server to announce it; viewers see it', async () => {
  const { own, hear, shown } = await openThread({ role: 'commenter' });
  await focused();
  await userEvent.keyboard('West{Backspace}{Backspace}');
  expect([own(), shown.calls]).toEqual([null, [['announce', threadId(1), true]]]);
  await userEvent.keyboard('{Backspace}{Backspace}');
  expect(shown.calls.slice(1)).toEqual([['announce', threadId(1), false]]);
  hear(1, bob.id, threadId(1));
  await screen.findByText('Bob is writing…');
  cleanup();
  const viewer = await openThread({ role: 'viewer', view: { mayComment: false } });
  viewer.hear(1, bob.id, threadId(1));
  await screen.findByText('Bob is writing…');
  viewer.hear(2, alice.id, threadId(1));
  expect(screen.getByText('Bob is writing…')).toBeDefined();
});
