import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { weftError } from 'weft-sync/protocol/errors.ts';
import { ClosedPage } from '../../../src/features/closed-pages/closed-page.tsx';
import type { Closure } from '../../../src/protocol/people-answers.ts';
import { appFixture, documentId, memoryListCache, userId } from '../../support/app/app-fixture.ts';
import { notificationOf } from '../../support/app/memory-inbox.ts';
import { advance, renderInApp } from '../../support/app/render-in-app.tsx';

afterEach(cleanup);

const page = documentId(77);

async function renderClosed(closure: Closure = null, unsentEdits = 0, listCache = memoryListCache()) {
  const fixture = appFixture({ listCache });
  await renderInApp(
    fixture,
    <ClosedPage
      document={page}
      closure={closure}
      unsentEdits={unsentEdits}
      download={<button type="button">Download a copy</button>}
      wayOut={<a href="/w/northquay">Go to Northquay</a>}
    />,
  );
  await advance(fixture, 100);
  return fixture;
}

const ask = async (fixture: Awaited<ReturnType<typeof renderClosed>>) => {
  fireEvent.click(screen.getByRole('button', { name: 'Request access' }));
  await advance(fixture, 100);
};

test('asks for access with a role and a message, says so after a reload too, and takes it back', async () => {
  const listCache = memoryListCache();
  const fixture = await renderClosed(null, 0, listCache);
  expect(screen.getByRole('heading', { level: 1, name: 'You can’t open this page.' })).toBeDefined();
  expect(screen.getByText(/You’re signed in as alice@weft.example/)).toBeDefined();
  fireEvent.change(screen.getByLabelText('Message'), { target: { value: ' I do the start list. ' } });
  fireEvent.click(screen.getByRole('button', { name: 'Access: Can view' }));
  fireEvent.click(await screen.findByRole('menuitemcheckbox', { name: 'Can edit' }));
  await ask(fixture);
  expect(fixture.access.asked.get(page)).toEqual({ role: 'editor', note: 'I do the start list.' });
  expect(screen.getByRole('heading', { level: 1, name: 'Request sent' })).toBeDefined();
  cleanup();
  const again = await renderClosed(null, 0, listCache);
  expect(screen.getByRole('heading', { level: 1, name: 'Request sent' })).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'Withdraw request' }));
  await advance(again, 100);
  expect(again.server.calls).toContain('withdrawRequest');
  expect(screen.getByRole('button', { name: 'Request access' })).toBeDefined();
});

test('a message that is too long says so and is not sent; a failure keeps it', async () => {
  const fixture = await renderClosed();
  const message = screen.getByLabelText<HTMLTextAreaElement>('Message');
  fireEvent.change(message, { target: { value: 'x'.repeat(501) } });
  expect(screen.getByRole('alert').textContent).toBe('At most 500 characters.');
  await ask(fixture);
  expect(fixture.server.calls).not.toContain('requestAccess');
  fireEvent.change(message, { target: { value: 'Please' } });
  fixture.server.refusals.set('requestAccess', weftError('WF011'));
  await ask(fixture);
  expect(screen.getByRole('alert').textContent).toMatch(/Can’t reach the server/);
  expect(message.value).toBe('Please');
});

test('a denial arrives without a reload', async () => {
  const fixture = await renderClosed();
  await ask(fixture);
  const denial = { document: page, isReadable: false, actorName: 'Ada', detail: { role: null } };
  fixture.inbox.notifications.push({ ...notificationOf(1, 'answered', denial), at: fixture.clock.now() + 1 });
  act(() => fixture.personStream.sendChange({ kind: 'request', op: 'changed', id: '', workspace: null }));
  await advance(fixture, 100);
  expect(screen.getByRole('heading', { level: 1, name: 'Ada denied your request.' })).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Request access' })).toBe(null);
  cleanup();

  // The server ignores requests for a day, so a reload, or another device, offers none.
  const reload = async (deniedAgoMs: number) => {
    const again = appFixture();
    again.inbox.notifications.push({ ...notificationOf(1, 'answered', denial), at: again.clock.now() - deniedAgoMs });
    const closed = <ClosedPage document={page} closure={null} unsentEdits={0} download={null} wayOut={null} />;
    await renderInApp(again, closed);
    await advance(again, 100);
  };
  await reload(23 * 3_600_000);
  expect(screen.getByRole('heading', { level: 1, name: 'Ada denied your request.' })).toBeDefined();
  expect(screen.getByText('You can ask again tomorrow.')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Request access' })).toBe(null);
  cleanup();
  await reload(25 * 3_600_000);
  expect(screen.getByRole('button', { name: 'Request access' })).toBeDefined();
});

test('who lost access reads who took it and what was not saved; a page that was deleted takes no request', async () => {
  const removed = { kind: 'removed', by: userId(2), byName: 'Ada', at: 1 } as const;
  await renderClosed(removed, 5);
  expect(screen.getByRole('heading', { level: 1, name: 'Ada removed your access.' })).toBeDefined();
  expect(screen.getByText(/5 edits weren’t saved\./)).toBeDefined();
  expect(screen.getByRole('button', { name: 'Download a copy' })).toBeDefined();
  expect(screen.getByRole('button', { name: 'Access: Can edit' })).toBeDefined();
  cleanup();
  await renderClosed({ ...removed, kind: 'purged' }, 1);
  expect(screen.getByRole('heading', { level: 1, name: 'Ada deleted this page permanently.' })).toBeDefined();
  expect(screen.getByText(/1 edit wasn’t saved\./)).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Request access' })).toBe(null);
});

test('who was given access and lost it again can ask again', async () => {
  const listCache = memoryListCache();
  const fixture = await renderClosed(null, 0, listCache);
  await ask(fixture);
  cleanup();
  const again = appFixture({ listCache });
  const granted = { document: page, detail: { role: 'editor' } };
  again.inbox.notifications.push({ ...notificationOf(1, 'answered', granted), at: Date.now() * 2 });
  await renderInApp(again, <ClosedPage document={page} closure={null} unsentEdits={0} download={null} wayOut={null} />);
  await advance(again, 100);
  expect(screen.getByRole('button', { name: 'Request access' })).toBeDefined();
});
