// The comments of an open page: loaded late, kept up to date, and closed to those who may not read them.
import { expect, test } from 'vitest';
import { weftError } from 'weft-sync/protocol/errors.ts';
import type { SessionView } from 'weft-sync/session/views.ts';
import { alice, appFixture, bob, documentId, memoryListCache, northquay } from '../../support/app/app-fixture.ts';
import { PAGE_ANCHOR, commentId, memoryCommentServer, paragraph, threadId } from '../../support/app/memory-comments.ts';
import { personOf } from '../../support/app/render-in-app.tsx';
import { PAGE, commentOf, withComments } from './person-comments-fixture.ts';

/** A server on which Bob has started a thread. */
function serverOfBob() {
  const server = memoryCommentServer(() => 1_000);
  const calls = server.callsOf(bob.id);
  calls.start(PAGE, threadId(1), commentId(1), PAGE_ANCHOR, paragraph('Which tide?'));
  return { server, bobCalls: calls };
}

test('nothing of comments is asked for before the page is ready and someone looks at them', async () => {
  const fixture = appFixture({ view: { phase: 'opening' } });
  await fixture.clock.run(10);
  const me = personOf(fixture);
  const { value: page } = me.pages.acquire(PAGE);
  await fixture.clock.run(5_000);
  const loaded = me.store.get(page.commentsAtom);
  if (loaded === null) throw new Error('not loaded');
  me.store.sub(loaded.openCountAtom, () => undefined);
  await fixture.clock.run(5_000);
  expect(fixture.server.calls).not.toContain('listComments');
  expect(me.store.get(loaded.viewAtom).phase).toBe('loading');
  fixture.sessions.get(PAGE)?.setView({ phase: 'ready' });
  await fixture.clock.run(50);
  expect(fixture.server.calls).not.toContain('listComments');
  await fixture.clock.run(100);
  expect(fixture.server.calls).toContain('listComments');
  expect(me.store.get(loaded.viewAtom)).toMatchObject({ phase: 'ready', threads: [], mayComment: true });
});

test('a page that is open only to send its edits asks for no comments', async () => {
  const fixture = appFixture();
  await fixture.clock.run(10);
  personOf(fixture).pages.acquire(PAGE);
  await fixture.clock.run(10_000);
  expect(fixture.server.calls).not.toContain('listComments');
});

test('what others change arrives, and only what changed is asked for', async () => {
  const { server, bobCalls } = serverOfBob();
  const { clock, shown, tell, view, comments, me } = await withComments({ comments: server });
  expect(shown()).toEqual([[['Which tide?', 'saved']]]);
  const [first] = view().threads;
  bobCalls.start(PAGE, threadId(2), commentId(2), PAGE_ANCHOR, paragraph('And which boat?'));
  tell();
  await clock.run(1_000);
  expect(shown()).toEqual([[['Which tide?', 'saved']], [['And which boat?', 'saved']]]);
  expect(view().threads[0]).toBe(first);
  bobCalls.remove(commentId(1));
  tell();
  await clock.run(1_000);
  expect(shown()).toEqual([[['And which boat?', 'saved']]]);
  expect(me.store.get(comments().openCountAtom)).toBe(1);
  bobCalls.resolve(threadId(2), true);
  tell();
  await clock.run(1_000);
  expect(me.store.get(comments().openCountAtom)).toBe(0);
});

test('several comments on another page cause one call, for the list of pages', async () => {
  const { fixture, clock } = await withComments();
  await clock.run(60_000);
  fixture.server.calls.length = 0;
  for (let n = 0; n < 20; n++)
    fixture.stream.sendChange({ kind: 'comment', op: 'changed', id: documentId(2), workspace: northquay.id });
  await clock.run(5_000);
  expect(fixture.server.calls).toEqual(['documents']);
});

test('many changes at once cause few calls', async () => {
  const { clock, calls, tell, fixture } = await withComments();
  await clock.run(5_000);
  fixture.server.calls.length = 0;
  for (let n = 0; n < 50; n++) {
    tell();
    await clock.run(10);
  }
  await clock.run(5_000);
  expect(calls().length).toBeLessThan(5);
});

test('where many read, or no one knows how many, not all ask in the same moment', async () => {
  const { server } = serverOfBob();
  const { clock, calls, tell, setSession, fixture } = await withComments({ comments: server });
  const peer = { user: bob.id } as SessionView['peers'][number];
  const callsWithin = async (ms: number) => {
    fixture.server.calls.length = 0;
    tell();
    await clock.run(ms);
    return calls().length;
  };
  await clock.run(5_000);
  // The fixture draws the middle: 1 s of 2 s, 0.1 s of 0.2 s.
  expect(await callsWithin(900)).toBe(0);
  await clock.run(5_000);
  setSession({ peers: [peer, peer] });
  expect(await callsWithin(200)).toBe(1);
  await clock.run(5_000);
  setSession({ peers: Array.from({ length: 9 }, () => peer) });
  expect(await callsWithin(900)).toBe(0);
});

test('what was missed while the topic was lost is asked for', async () => {
  const { server, bobCalls } = serverOfBob();
  const { fixture, clock, shown } = await withComments({ comments: server });
  bobCalls.reply(threadId(1), commentId(2), paragraph('The morning one'));
  fixture.stream.catchUp();
  await clock.run(2_000);
  expect(shown()).toEqual([
    [
      ['Which tide?', 'saved'],
      ['The morning one', 'saved'],
    ],
  ]);
});

test('threads with newer comments of others are unread until they are marked, here and on other devices', async () => {
  const { server, bobCalls } = serverOfBob();
  const here = await withComments({ comments: server });
  const unread = () => Array.from(here.me.store.get(here.comments().unreadAtom));
  expect(unread()).toEqual([threadId(1)]);
  here.comments().markRead();
  expect(unread()).toEqual([]);
  await here.clock.run(100);
  here.comments().reply(threadId(1), paragraph('Mine'));
  await here.clock.run(1_000);
  expect(unread()).toEqual([]);
  bobCalls.reply(threadId(1), commentId(3), paragraph('Bob again'));
  here.tell();
  await here.clock.run(1_000);
  expect(unread()).toEqual([threadId(1)]);
  const elsewhere = await withComments({ comments: server });
  expect(elsewhere.view().readChange).toBe(1);
});

test('a tab that marked the comments as read does not ask for them again when it is told so; others do', async () => {
  const { server } = serverOfBob();
  const { fixture, clock, calls, comments, view } = await withComments({ comments: server });
  const callsAfterRead = async () => {
    fixture.server.calls.length = 0;
    fixture.personStream.sendChange({ kind: 'comment', op: 'read', id: PAGE, workspace: northquay.id });
    await clock.run(5_000);
    return calls();
  };
  await clock.run(5_000);
  expect(await callsAfterRead()).toEqual(['listComments']);
  comments().markRead();
  await clock.run(1_000);
  expect(await callsAfterRead()).toEqual([]);
  expect(view().readChange).toBe(1);
});

test('a mark that did not reach the server is sent with the next look at the list', async () => {
  const { server } = serverOfBob();
  const { clock, comments, refuse, fixture, tell } = await withComments({ comments: server });
  refuse('markCommentsRead', 'WF011');
  comments().markRead();
  await clock.run(1_000);
  fixture.server.refusals.clear();
  tell();
  await clock.run(1_000);
  expect(server.callsOf(alice.id).list(PAGE, 0).readChange).toBe(1);
});

test('who may not read comments sees none and is not asked for again and again', async () => {
  const { server } = serverOfBob();
  server.state.roles.set(alice.id, 'viewer');
  const { view, clock, calls } = await withComments({ comments: server, view: { role: 'viewer' } });
  expect(view()).toMatchObject({ phase: 'hidden', threads: [], mayComment: false });
  await clock.run(120_000);
  expect(calls()).toEqual(['listComments']);
});

test('a right that is taken away empties the list at once, also the copy on the device; one that is given fills it', async () => {
  const { server } = serverOfBob();
  const listCache = memoryListCache();
  const { view, clock, setSession } = await withComments({ comments: server, listCache });
  expect(listCache.entries.get(`comments:${PAGE}`)).toMatchObject({ change: 1 });
  server.state.roles.set(alice.id, 'viewer');
  setSession({ role: 'viewer' });
  expect(view().mayComment).toBe(false);
  await clock.run(1_000);
  expect(view()).toMatchObject({ phase: 'hidden', threads: [] });
  expect(listCache.entries.get(`comments:${PAGE}`)).toBeNull();
  server.state.roles.set(alice.id, 'commenter');
  setSession({ role: 'commenter' });
  await clock.run(1_000);
  expect(view()).toMatchObject({ phase: 'ready', mayComment: true, threads: [{ id: threadId(1) }] });
});

test('when a manager changes who reads the comments, a viewer’s open page follows the message, both ways', async () => {
  const { server } = serverOfBob();
  const listCache = memoryListCache();
  const { fixture, view, clock } = await withComments({ comments: server, listCache });
  const told = async (role: 'viewer' | 'commenter') => {
    server.state.roles.set(alice.id, role);
    fixture.stream.sendChange({ kind: 'access', op: 'changed', id: PAGE, workspace: northquay.id });
    await clock.run(2_000);
  };
  await told('viewer');
  expect(view()).toMatchObject({ phase: 'hidden', threads: [] });
  expect(listCache.entries.get(`comments:${PAGE}`)).toBeNull();
  await told('commenter');
  expect(view()).toMatchObject({ phase: 'ready', threads: [{ id: threadId(1) }] });
});

test('a page that is closed to the person shows no comments in the same moment', async () => {
  const { server } = serverOfBob();
  const { view, setSession } = await withComments({ comments: server });
  setSession({ error: weftError('WF001') });
  expect(view()).toMatchObject({ phase: 'hidden', threads: [] });
});

test('words that wait do not keep the content of a closed page on the screen', async () => {
  const { page, me, comments, fixture, setSession } = await withComments();
  fixture.goOffline();
  comments().start(PAGE_ANCHOR, paragraph('Waits'));
  setSession({ error: weftError('WF001') });
  expect(me.store.get(page.isAccessLostAtom)).toBe(true);
  expect(page.getView().unsent.edits).toBe(1);
});

test.each(['it is removed from the device', 'its page was closed to the person meanwhile'])(
  'the copy on the device leaves with that of its page: %s',
  async (why) => {
    const { server, bobCalls } = serverOfBob();
    const listCache = memoryListCache();
    const { fixture, clock, me, lease, stopLooking, workspace } = await withComments({ comments: server, listCache });
    stopLooking();
    lease.release();
    await clock.run(10_000);
    const key = `comments:${PAGE}`;
    expect(listCache.entries.get(key)).toMatchObject({ threads: [{ id: threadId(1) }] });
    if (why.startsWith('it is')) await me.cachedPages.remove(PAGE);
    else {
      fixture.server.documents = fixture.server.documents.filter(({ id }) => id !== PAGE);
      void workspace.refresh();
      await clock.run(10_000);
    }
    expect(listCache.entries.get(key)).toBeNull();
    expect(bobCalls.list(PAGE, 0).threads).toHaveLength(1);
  },
);

test('offline, the comments are those of the last visit; without a copy they are not there', async () => {
  const { server } = serverOfBob();
  const listCache = memoryListCache();
  await withComments({ comments: server, listCache });
  const offline = await withComments({ listCache, offline: true });
  expect(offline.view()).toMatchObject({ phase: 'ready', mayComment: true, threads: [{ id: threadId(1) }] });
  listCache.entries.delete(`comments:${PAGE}`);
  const bare = await withComments({ listCache, offline: true });
  expect(bare.view()).toMatchObject({ phase: 'offline', threads: [], mayComment: true });
});

test('a server that was restored from a backup is asked for everything anew', async () => {
  const { server, bobCalls } = serverOfBob();
  const restore = server.backup();
  const { comments, clock, shown, tell } = await withComments({ comments: server });
  bobCalls.reply(threadId(1), commentId(2), paragraph('Lost'));
  comments().start(PAGE_ANCHOR, paragraph('Lost too'));
  tell();
  await clock.run(2_000);
  expect(shown()).toHaveLength(2);
  restore();
  tell();
  await clock.run(2_000);
  expect(shown()).toEqual([[['Which tide?', 'saved']]]);
});

test('a restored server that has gone on since is asked for everything once the page was compared with it', async () => {
  const { server, bobCalls } = serverOfBob();
  const restore = server.backup();
  const { clock, shown, tell, setSession } = await withComments({ comments: server });
  bobCalls.reply(threadId(1), commentId(2), paragraph('Lost'));
  tell();
  await clock.run(2_000);
  restore();
  for (const n of [3, 4]) bobCalls.reply(threadId(1), commentId(n), paragraph(`New ${n}`));
  setSession({ isRestoring: true });
  setSession({ isRestoring: false });
  await clock.run(2_000);
  expect(shown()[0]?.map(([words]) => words)).toEqual(['Which tide?', 'New 3', 'New 4']);
});

test('a page that the server does not have yet takes comments, and they follow it there', async () => {
  const fixture = appFixture();
  await fixture.clock.run(10);
  const me = personOf(fixture);
  const { value: workspace } = me.workspaces.acquire(northquay.id);
  await fixture.clock.run(100);
  fixture.goOffline();
  void workspace.createPage({ parent: null }, documentId(50));
  await fixture.clock.run(2_000);
  const { value: page } = me.pages.acquire(documentId(50));
  await fixture.clock.run(100);
  const loaded = me.store.get(page.commentsAtom);
  if (loaded === null) throw new Error('not loaded');
  me.store.sub(loaded.viewAtom, () => undefined);
  expect(me.store.get(loaded.viewAtom)).toMatchObject({ phase: 'ready', mayComment: true });
  loaded.start(PAGE_ANCHOR, paragraph('On a new page'));
  fixture.goOnline();
  await fixture.clock.run(60_000);
  const sent = fixture.server.calls.filter((name) => name === 'createDocument' || name === 'startThread');
  expect(sent.slice(-2)).toEqual(['createDocument', 'startThread']);
  expect(me.store.get(loaded.viewAtom).threads).toMatchObject([{ comments: [{ state: 'saved' }] }]);
});

test('the words of a thread that stand elsewhere now are stored with the server, if the thread is there', async () => {
  const { server } = serverOfBob();
  const { comments, view, fixture, calls } = await withComments({ comments: server });
  const anchor = { kind: 'block', block: 'b', quote: 'tide' } as const;
  await comments().move(threadId(1), anchor, PAGE_ANCHOR);
  expect(view().threads).toMatchObject([{ anchor }]);
  fixture.goOffline();
  const started = comments().start(PAGE_ANCHOR, paragraph('Offline'));
  await fixture.clock.run(100);
  fixture.server.calls.length = 0;
  await comments().move(started, anchor, PAGE_ANCHOR);
  expect(view().threads.at(-1)).toMatchObject({ id: started, anchor });
  expect(calls()).not.toContain('moveThread');
});

test('people who are named in comments are loaded', async () => {
  const { server } = serverOfBob();
  const { me } = await withComments({ comments: server });
  expect(me.store.get(me.people.atom).get(bob.id)?.displayName).toBe('Bob Holm');
});

test('an edit, a reaction and a removal of a comment are shown at once and stay', async () => {
  const { clock, comments, firstThread, shown, view } = await withComments();
  comments().start(PAGE_ANCHOR, paragraph('Frist'));
  await clock.run(1_000);
  const first = commentOf(firstThread());
  comments().edit(first, paragraph('First'));
  comments().react(first, '👍', true);
  expect(shown()).toEqual([[['First', 'sending']]]);
  await clock.run(1_000);
  expect(firstThread().comments).toMatchObject([
    { body: paragraph('First'), state: 'saved', reactions: [{ emoji: '👍', by: [alice.id] }] },
  ]);
  comments().react(first, '👍', false);
  comments().resolve(firstThread().id, true);
  expect(firstThread()).toMatchObject({ resolved: { by: alice.id }, comments: [{ reactions: [] }] });
  await clock.run(1_000);
  comments().remove(first);
  expect(view().threads).toEqual([]);
  await clock.run(1_000);
  expect(view().threads).toEqual([]);
});

test('a reply is announced only while someone else is there, and its end never before its beginning', async () => {
  const { server } = serverOfBob();
  const { clock, comments, setSession } = await withComments({ comments: server });
  const peer = { user: alice.id } as SessionView['peers'][number];
  setSession({ peers: [peer] });
  await clock.run(10);
  comments().announce(threadId(1), true);
  await clock.run(10);
  expect(server.state.announced).toEqual([]);
  setSession({ peers: [peer, peer] });
  await clock.run(10);
  comments().announce(threadId(1), true);
  comments().announce(threadId(1), false);
  await clock.run(100);
  expect(server.state.announced).toEqual([
    [alice.id, threadId(1), true],
    [alice.id, threadId(1), false],
  ]);
});
