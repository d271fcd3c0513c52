import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { weftError } from 'weft-sync/protocol/errors.ts';
import { InboxPanel } from '../../../src/features/inbox/inbox-panel.tsx';
import type { Notification } from '../../../src/protocol/home-answers.ts';
import { parseRequestId, parseThreadId } from '../../../src/protocol/ids.ts';
import { personInbox } from '../../../src/state/person/inbox.ts';
import { PictureContext } from '../../../src/ui/people/picture-source.ts';
import {
  appFixture,
  bob,
  documentId,
  inviteId,
  memoryListCache,
  northquay,
  userId,
} from '../../support/app/app-fixture.ts';
import { notificationOf } from '../../support/app/memory-inbox.ts';
import { advance, personOf, renderInApp } from '../../support/app/render-in-app.tsx';

afterEach(cleanup);

const request = parseRequestId('00000008-0000-4000-8000-000000000001') ?? undefined;
const plan = { workspace: northquay.id, document: documentId(1), title: 'Plan for 14 June' };
const mention = notificationOf(3, 'mention', { ...plan, detail: { block: 'b1', excerpt: '@Alice can you ask?' } });
const asked = notificationOf(2, 'request', {
  ...plan,
  actorName: 'Carol Ng',
  state: 'open',
  detail: { request, role: 'editor', note: 'I do the start list.' },
});
const invited = notificationOf(1, 'invite', {
  workspaceName: 'Quayside Rowing',
  state: 'open',
  detail: { invite: inviteId(1) },
  readAt: 1,
});

type Start = Parameters<typeof appFixture>[0] & {
  readonly notifications?: readonly Notification[];
  /** The server does not answer this call. */
  readonly isUnreachable?: boolean;
};

async function renderInbox(options: Start = {}) {
  const { notifications = [mention, asked, invited], isUnreachable = false, ...start } = options;
  const fixture = appFixture(start);
  fixture.inbox.notifications = [...notifications];
  if (isUnreachable) fixture.server.refusals.set('listNotifications', weftError('WF011'));
  const inbox = personInbox(personOf(fixture));
  inbox.follow();
  const onClose = vi.fn<() => void>();
  const onJoined = vi.fn<(slug: string) => void>();
  const pictures = { watch: () => () => undefined, urlOf: (path: string) => `blob:${path}` };
  await renderInApp(
    fixture,
    <PictureContext value={pictures}>
      <InboxPanel inbox={inbox} onClose={onClose} onJoined={onJoined} />
    </PictureContext>,
  );
  await advance(fixture, 1_000);
  return { fixture, inbox, onClose, onJoined };
}

const rows = () => screen.getAllByRole('article');
const row = (text: string) => within(rows().find((one) => one.textContent.includes(text)) ?? document.body);

test('lists what happened by page, the newest first, with the number of unread ones', async () => {
  const { inbox, fixture } = await renderInbox();
  expect(screen.getAllByRole('heading').map((one) => one.textContent)).toEqual([
    'Inbox2 unread',
    'Plan for 14 JuneNorthquay2 unread',
    'Workspaces',
  ]);
  expect(rows().map((one) => one.querySelector('p')?.textContent)).toEqual([
    'Bob Holm mentioned you, unread',
    'Carol Ng wants to edit, unread',
    'Bob Holm invited you to Quayside Rowing',
  ]);
  expect(screen.getByText('@Alice can you ask?')).toBeDefined();
  expect(screen.getByRole('link', { name: 'Bob Holm mentioned you' }).getAttribute('href')).toContain('#b-b1');
  expect(personOf(fixture).store.get(inbox.unreadAtom)).toBe(2);
});

test('a reply and a mention in a comment say so, and lead to their thread', async () => {
  const thread = '00000005-0000-4000-8000-000000000001';
  const detail = { thread: parseThreadId(thread) ?? undefined, excerpt: 'East or west?' };
  await renderInbox({
    notifications: [notificationOf(2, 'reply', { ...plan, detail }), notificationOf(1, 'mention', { ...plan, detail })],
  });
  const names = ['Bob Holm replied to a comment', 'Bob Holm mentioned you in a comment'];
  for (const name of names) {
    expect(screen.getByRole('link', { name }).getAttribute('href')).toMatch(new RegExp(`#c-${thread}$`));
  }
  expect(screen.getAllByText('East or west?')).toHaveLength(2);
});

test('a reply on a page that was closed names neither person nor words', async () => {
  await renderInbox({ notifications: [notificationOf(1, 'reply', { ...plan, isReadable: false, actorName: null })] });
  expect(row('Someone replied to a comment on this page').queryByRole('link', { name: /replied/ })).not.toBeNull();
});

test('shows the picture of who did something, if they have one', async () => {
  const by = { actor: bob.id, actorName: 'Bob Holm' };
  const { fixture } = await renderInbox({ notifications: [notificationOf(1, 'mention', { ...plan, ...by })] });
  act(() => personOf(fixture).people.put({ id: bob.id, displayName: 'Bob Holm', color: 'rust', avatarPath: 'bob/1' }));
  expect(rows()[0]?.querySelector('img')?.getAttribute('src')).toBe('blob:bob/1');
});

test('the profile of a stranger who asks for access is not asked for, because they would count as gone once they got it', async () => {
  const [stranger, former] = [userId(8), userId(9)];
  const { fixture } = await renderInbox({
    notifications: [
      { ...asked, actor: stranger },
      { ...mention, actor: former },
    ],
  });
  const { store, people } = personOf(fixture);
  expect([stranger, former].map((user) => store.get(people.goneAtom).has(user))).toEqual([false, true]);
});

test('a request is allowed or denied in place, an invitation accepted', async () => {
  const { fixture, onJoined } = await renderInbox();
  fireEvent.click(row('Carol Ng').getByRole('button', { name: 'Allow' }));
  fixture.inbox.notifications = fixture.inbox.notifications.map((one) =>
    one.id === asked.id ? { ...one, state: 'accepted' } : one,
  );
  await advance(fixture, 100);
  expect(fixture.access.answered).toEqual([{ request, role: 'editor' }]);
  expect(row('Carol Ng').getByText('Allowed.')).toBeDefined();
  expect(row('Carol Ng').queryByText(/unread/)).toBe(null);
  fireEvent.click(screen.getByRole('button', { name: 'Join' }));
  await advance(fixture, 100);
  expect(onJoined).toHaveBeenCalledWith('northquay');
});

test('marks one as read, as unread, and all as read; a refusal puts it back', async () => {
  const { fixture } = await renderInbox();
  fireEvent.click(row('Bob Holm mentioned').getByRole('button', { name: 'Mark as read' }));
  expect(row('Bob Holm mentioned').queryByText(/unread/)).toBe(null);
  await advance(fixture, 100);
  fireEvent.click(row('Bob Holm mentioned').getByRole('button', { name: 'Mark as unread' }));
  await advance(fixture, 100);
  expect(screen.getAllByText('2 unread')).toHaveLength(2);
  fixture.server.refusals.set('markRead', weftError('WF011'));
  fireEvent.click(screen.getByRole('button', { name: 'Mark all as read' }));
  await advance(fixture, 100);
  expect(screen.getAllByText('2 unread')).toHaveLength(2);
  fixture.server.refusals.clear();
  fireEvent.click(screen.getByRole('button', { name: 'Mark all as read' }));
  await advance(fixture, 100);
  expect(screen.queryByText(/unread/)).toBe(null);
});

test('J and K move, E marks, Shift E marks all, Enter opens', async () => {
  const { fixture, onClose } = await renderInbox();
  const list = screen.getByRole('dialog', { name: /^Inbox/ });
  act(() => (document.activeElement instanceof HTMLElement ? document.activeElement.blur() : undefined));
  fireEvent.keyDown(list, { key: 'j' });
  expect(document.activeElement).toBe(rows()[0]);
  fireEvent.keyDown(document.activeElement ?? list, { key: 'j' });
  fireEvent.keyDown(document.activeElement ?? list, { key: 'k' });
  fireEvent.keyDown(document.activeElement ?? list, { key: 'e' });
  await advance(fixture, 100);
  expect(fixture.inbox.notifications.find(({ id }) => id === mention.id)?.readAt).not.toBe(null);
  fireEvent.keyDown(document.activeElement ?? list, { key: 'E', shiftKey: true });
  await advance(fixture, 100);
  expect(fixture.inbox.notifications.every(({ readAt }) => readAt !== null)).toBe(true);
  fireEvent.keyDown(document.activeElement ?? list, { key: 'Enter' });
  expect(onClose).toHaveBeenCalledOnce();
});

test('a page that may no longer be read says so and offers to ask for access', async () => {
  const lost = { isReadable: false, title: null, actorName: null, workspaceName: null, detail: {} };
  await renderInbox({ notifications: [{ ...mention, ...lost }] });
  expect(screen.getByText('A page that is no longer shared with you')).toBeDefined();
  expect(screen.getByRole('link', { name: 'You were mentioned on this page' })).toBeDefined();
  expect(screen.getByRole('link', { name: 'Request access' }).getAttribute('href')).toContain(documentId(1));
});

test('what arrives on the person’s stream appears without a reload, and older ones load at the end', async () => {
  const many = Array.from({ length: 40 }, (_, at) => notificationOf(at + 10, 'mention', plan));
  const { fixture } = await renderInbox({ notifications: many });
  expect(rows()).toHaveLength(30);
  fireEvent.click(screen.getByRole('button', { name: 'Show older' }));
  await advance(fixture, 100);
  expect(rows()).toHaveLength(40);
  expect(screen.queryByRole('button', { name: 'Show older' })).toBe(null);
  fixture.inbox.notifications.push(notificationOf(90, 'shared', { ...plan, detail: { role: 'commenter' } }));
  act(() => fixture.personStream.sendChange({ kind: 'notification', op: 'created', id: '', workspace: northquay.id }));
  await advance(fixture, 100);
  expect(rows()[0]?.textContent).toContain('Bob Holm shared this page with you: can comment');
  expect(rows()).toHaveLength(41);
});

test('empty, failed, and offline with the copy of this device', async () => {
  const { fixture, inbox } = await renderInbox({ notifications: [], isUnreachable: true });
  expect(screen.getByRole('heading', { name: 'Couldn’t load your inbox' })).toBeDefined();
  fixture.server.refusals.clear();
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await advance(fixture, 100);
  expect(screen.getByRole('heading', { name: 'You’re all caught up' })).toBeDefined();
  fixture.inbox.notifications = [mention];
  await act(() => inbox.load());
  cleanup();

  const listCache = memoryListCache();
  for (const [key, value] of fixture.listCache.entries) listCache.entries.set(key, value);
  await renderInbox({ notifications: [], listCache, isUnreachable: true });
  expect(screen.getByText('Offline. New notifications appear when you’re back online.')).toBeDefined();
  expect(rows()).toHaveLength(1);
});
