// Comments that wait on the device: shown with a receipt, sent in order, never twice, and never lost.
import { expect, test } from 'vitest';
import { weftError } from 'weft-sync/protocol/errors.ts';
import {
  alice,
  appFixture,
  bob,
  documentId,
  memoryBrowser,
  memoryDevice,
  memoryListCache,
} from '../../support/app/app-fixture.ts';
import { PAGE_ANCHOR, commentId, memoryCommentServer, paragraph, threadId } from '../../support/app/memory-comments.ts';
import { personOf } from '../../support/app/render-in-app.tsx';
import { PAGE, commentOf, withComments, wordsOf } from './person-comments-fixture.ts';

const server = () => memoryCommentServer(() => 1_000);
/** What everyone sees of the page's comments. */
const stored = (comments: ReturnType<typeof server>) =>
  comments
    .callsOf(bob.id)
    .list(PAGE, 0)
    .threads.map((thread) => ('removed' in thread ? [] : thread.comments.map(({ body }) => wordsOf(body))));

test('a comment is shown at once, sent, and counts as an edit until the server has it', async () => {
  const comments = server();
  const { comments: page, shown, receipt, clock, me, firstThread } = await withComments({ comments });
  const started = page().start(PAGE_ANCHOR, paragraph('Which tide?'));
  expect([shown(), receipt()]).toEqual([[[['Which tide?', 'sending']]], ['sending', 1]]);
  expect(me.store.get(me.lostOnSignOutAtom)).toMatchObject([{ document: PAGE, edits: 1 }]);
  const before = firstThread().comments[0]?.id;
  await clock.run(1_000);
  expect([shown(), receipt()]).toEqual([[[['Which tide?', 'saved']]], ['saved', 0]]);
  expect(firstThread()).toMatchObject({ id: started, by: alice.id, comments: [{ id: before }] });
  expect(stored(comments)).toEqual([['Which tide?']]);
});

test('offline, comments wait on the device over a reload, and go out in order when the server is back', async () => {
  const [comments, device, listCache] = [server(), memoryDevice(), memoryListCache()];
  const before = await withComments({ comments, device, listCache });
  before.fixture.goOffline();
  const thread = before.comments().start(PAGE_ANCHOR, paragraph('One'));
  before.comments().reply(thread, paragraph('Two'));
  before.comments().resolve(thread, true);
  await before.clock.run(1_000);
  const waiting = [
    [
      ['One', 'device'],
      ['Two', 'device'],
    ],
  ];
  before.setSession({ connection: 'offline' });
  expect([before.shown(), before.receipt()]).toEqual([waiting, ['device', 3]]);
  await before.me.close();

  const after = await withComments({ comments, device, listCache, offline: true });
  await after.clock.run(1_000);
  expect(after.shown()).toEqual(waiting);
  after.fixture.goOnline();
  await after.clock.run(60_000);
  expect(stored(comments)).toEqual([['One', 'Two']]);
  expect(after.view().threads).toMatchObject([{ id: thread, resolved: { by: alice.id } }]);
  expect([after.receipt(), device.comments.size]).toEqual([['saved', 0], 0]);
  const sent = after.calls().filter((name) => name !== 'listComments');
  expect(sent.slice(-3)).toEqual(['startThread', 'addComment', 'resolveThread']);
});

test('what waits is sent, and counted, without any page on the screen', async () => {
  const [comments, device, listCache] = [server(), memoryDevice(), memoryListCache()];
  const before = await withComments({ comments, device, listCache });
  before.fixture.goOffline();
  before.comments().start(PAGE_ANCHOR, paragraph('One'));
  await before.clock.run(1_000);
  before.stopLooking();
  before.lease.release();
  await before.clock.run(10_000);
  expect(before.me.store.get(before.me.deviceReceiptAtom)).toMatchObject({ receipt: 'device', unsent: { edits: 1 } });
  before.fixture.goOnline();
  await before.clock.run(60_000);
  expect(stored(comments)).toEqual([['One']]);
  expect(before.me.store.get(before.me.deviceReceiptAtom)).toMatchObject({ receipt: 'saved', unsent: { edits: 0 } });
});

test('a comment that was sent while its page was closed is there when the page opens offline', async () => {
  const [comments, listCache] = [server(), memoryListCache()];
  const { fixture, comments: page, clock, lease, stopLooking, me } = await withComments({ comments, listCache });
  fixture.goOffline();
  page().start(PAGE_ANCHOR, paragraph('One'));
  stopLooking();
  lease.release();
  await clock.run(10_000);
  fixture.goOnline();
  await clock.run(60_000);
  fixture.goOffline();
  const { value: again } = me.pages.acquire(PAGE);
  await clock.run(10);
  const reopened = me.store.get(again.commentsAtom);
  me.store.sub(reopened?.viewAtom ?? again.viewAtom, () => undefined);
  await clock.run(1_000);
  expect(reopened && me.store.get(reopened.viewAtom)).toMatchObject({
    phase: 'ready',
    threads: [{ comments: [{ state: 'saved' }] }],
  });
});

test('a call whose answer was lost is repeated, and the comment is there once', async () => {
  const comments = server();
  const { fixture, comments: page, clock, shown } = await withComments({ comments });
  fixture.server.lostAnswers.add('startThread');
  const thread = page().start(PAGE_ANCHOR, paragraph('Once'));
  await clock.run(10);
  fixture.server.lostAnswers.add('addComment');
  page().reply(thread, paragraph('And once'));
  await clock.run(60_000);
  expect(stored(comments)).toEqual([['Once', 'And once']]);
  expect(shown()[0]).toHaveLength(2);
});

test('words that are changed before they are sent go out as they are in the end, and no one sees the first ones', async () => {
  const comments = server();
  const { fixture, comments: page, clock, firstThread, calls, shown } = await withComments({ comments });
  fixture.goOffline();
  page().start(PAGE_ANCHOR, paragraph('Frist'));
  await clock.run(1_000);
  for (const words of ['First', 'First!']) {
    page().edit(commentOf(firstThread()), paragraph(words));
    await clock.run(100);
  }
  expect(shown()).toEqual([[['First!', 'device']]]);
  fixture.server.calls.length = 0;
  fixture.goOnline();
  await clock.run(60_000);
  expect(calls()).not.toContain('editComment');
  expect(stored(comments)).toEqual([['First!']]);
  expect(firstThread().comments).toMatchObject([{ editedAt: null }]);
});

test('words that are changed after a call whose answer was lost replace those that arrived', async () => {
  const comments = server();
  const { fixture, comments: page, clock, firstThread } = await withComments({ comments });
  fixture.server.lostAnswers.add('startThread');
  page().start(PAGE_ANCHOR, paragraph('Frist'));
  await clock.run(10);
  expect(stored(comments)).toEqual([['Frist']]);
  page().edit(commentOf(firstThread()), paragraph('First'));
  await clock.run(60_000);
  expect(stored(comments)).toEqual([['First']]);
});

test('words that are changed again after the answer to a first change was lost are there as they are in the end', async () => {
  const comments = server();
  const { fixture, comments: page, clock, firstThread } = await withComments({ comments });
  fixture.server.lostAnswers.add('startThread');
  page().start(PAGE_ANCHOR, paragraph('Frist'));
  await clock.run(10);
  fixture.server.lostAnswers.add('editComment');
  page().edit(commentOf(firstThread()), paragraph('Fist'));
  await clock.run(10);
  expect(stored(comments)).toEqual([['Fist']]);
  page().edit(commentOf(firstThread()), paragraph('First'));
  await clock.run(60_000);
  expect(stored(comments)).toEqual([['First']]);
});

test('[CQ2] if a right is revoked after a comment arrived, and before its words were changed, the changed words are shown as refused', async () => {
  const comments = server();
  const { fixture, comments: page, clock, firstThread, shown, receipt, refuse } = await withComments({ comments });
  fixture.server.lostAnswers.add('startThread');
  page().start(PAGE_ANCHOR, paragraph('Frist'));
  await clock.run(10);
  refuse('editComment', 'WF002');
  page().edit(commentOf(firstThread()), paragraph('First'));
  await clock.run(60_000);
  expect([stored(comments), shown(), receipt()]).toEqual([[['Frist']], [[['First', 'refused']]], ['refused', 1, 1]]);
  page().discard(commentOf(firstThread()));
  expect([shown(), receipt()]).toEqual([[[['Frist', 'saved']]], ['saved', 0]]);
});

test('a comment that is deleted before it is sent reaches no one, whether or not a call for it has arrived', async () => {
  const comments = server();
  const { fixture, comments: page, clock, firstThread, view, receipt, calls } = await withComments({ comments });
  fixture.goOffline();
  page().start(PAGE_ANCHOR, paragraph('Never mind'));
  await clock.run(1_000);
  page().remove(commentOf(firstThread()));
  expect(view().threads).toEqual([]);
  fixture.goOnline();
  await clock.run(60_000);
  expect([calls().includes('startThread'), stored(comments), receipt()]).toEqual([true, [], ['saved', 0]]);
  expect(comments.state.threads.size).toBe(0);

  fixture.server.lostAnswers.add('startThread');
  page().start(PAGE_ANCHOR, paragraph('Never mind either'));
  await clock.run(10);
  expect(stored(comments)).toEqual([['Never mind either']]);
  page().remove(commentOf(firstThread()));
  await clock.run(60_000);
  expect([stored(comments), receipt()]).toEqual([[], ['saved', 0]]);
});

test('words that the server rejects stay, with their receipt, until the person discards them', async () => {
  const [comments, device, listCache] = [server(), memoryDevice(), memoryListCache()];
  const first = await withComments({ comments, device, listCache });
  first.refuse('startThread', 'WF021');
  first.comments().start(PAGE_ANCHOR, paragraph('Too much'));
  await first.clock.run(1_000);
  expect([first.shown(), first.receipt()]).toEqual([[[['Too much', 'refused']]], ['refused', 1, 1]]);
  // It holds up nothing, and is not sent again by itself.
  first.fixture.server.refusals.clear();
  first.comments().start(PAGE_ANCHOR, paragraph('Behind it'));
  first.me.retryAll();
  await first.clock.run(60_000);
  expect(stored(comments)).toEqual([['Behind it']]);
  expect(await first.me.unsentCopies()).toMatchObject([{ document: PAGE, comments: ['Too much'] }]);
  await first.me.close();

  const later = await withComments({ comments, device, listCache });
  await later.clock.run(60_000);
  expect(stored(comments)).toEqual([['Behind it']]);
  const refused = later.view().threads.find(({ comments: all }) => all[0]?.state === 'refused');
  if (refused === undefined) throw new Error('it is gone');
  later.comments().discard(commentOf(refused));
  expect([later.shown(), later.receipt()]).toEqual([[[['Behind it', 'saved']]], ['saved', 0]]);
  await later.clock.run(100);
  expect(device.comments.size).toBe(0);
});

test('rejected words that the person changes are sent once more', async () => {
  const comments = server();
  const { refuse, comments: page, clock, firstThread, fixture } = await withComments({ comments });
  refuse('startThread', 'WF021');
  page().start(PAGE_ANCHOR, paragraph('Too long'));
  await clock.run(1_000);
  fixture.server.refusals.clear();
  page().edit(commentOf(firstThread()), paragraph('Short'));
  await clock.run(1_000);
  expect(stored(comments)).toEqual([['Short']]);
});

test('words that are changed while a call is rejected are what stays as refused, and what is sent once more', async () => {
  const comments = server();
  const { refuse, comments: page, clock, firstThread, fixture, shown, receipt } = await withComments({ comments });
  refuse('startThread', 'WF002');
  page().start(PAGE_ANCHOR, paragraph('Frist'));
  page().edit(commentOf(firstThread()), paragraph('First'));
  await clock.run(1_000);
  expect([shown(), receipt()]).toEqual([[[['First', 'refused']]], ['refused', 1, 1]]);
  fixture.server.refusals.clear();
  page().edit(commentOf(firstThread()), paragraph('First!'));
  await clock.run(60_000);
  expect([stored(comments), shown()]).toEqual([[['First!']], [[['First!', 'saved']]]]);
});

test.each([
  ['as they were sent', 'Mine', ['saved', 0], 'saved'],
  ['after which they were changed', 'Changed', ['refused', 1, 1], 'refused'],
] as const)(
  'rejected words that got there by another call, %s, are not refused as new ones',
  async (_, words, receiptAfter, state) => {
    const comments = server();
    const { refuse, comments: page, clock, firstThread, shown, receipt, tell } = await withComments({ comments });
    refuse('startThread', 'WF002');
    const thread = page().start(PAGE_ANCHOR, paragraph('Mine'));
    await clock.run(1_000);
    const comment = commentOf(firstThread());
    if (words !== 'Mine') page().edit(comment, paragraph(words));
    await clock.run(1_000);
    expect([shown(), receipt()]).toEqual([[[[words, 'refused']]], ['refused', 1, 1]]);
    comments.callsOf(alice.id).start(PAGE, thread, comment, PAGE_ANCHOR, paragraph('Mine'));
    tell();
    await clock.run(10_000);
    expect([shown(), receipt()]).toEqual([[[[words, state]]], receiptAfter]);
    if (state === 'refused') page().discard(comment);
    expect([shown(), receipt()]).toEqual([[[['Mine', 'saved']]], ['saved', 0]]);
  },
);

test('a rejected edit stays beside the stored comment; discarding it shows that again', async () => {
  const comments = server();
  const { refuse, comments: page, clock, firstThread, shown } = await withComments({ comments });
  page().start(PAGE_ANCHOR, paragraph('Stored'));
  await clock.run(1_000);
  refuse('editComment', 'WF002');
  page().edit(commentOf(firstThread()), paragraph('Changed'));
  await clock.run(1_000);
  expect(shown()).toEqual([[['Changed', 'refused']]]);
  page().discard(commentOf(firstThread()));
  expect(shown()).toEqual([[['Stored', 'saved']]]);
});

test('what has no words is taken back if the server rejects it', async () => {
  const comments = server();
  const { refuse, comments: page, clock, firstThread, receipt } = await withComments({ comments });
  page().start(PAGE_ANCHOR, paragraph('Stored'));
  await clock.run(1_000);
  for (const call of ['resolveThread', 'deleteComment', 'setReaction']) refuse(call, 'WF002');
  page().react(commentOf(firstThread()), '👍', true);
  page().resolve(firstThread().id, true);
  page().remove(commentOf(firstThread()));
  await clock.run(1_000);
  expect(firstThread()).toMatchObject({ resolved: null, comments: [{ body: paragraph('Stored'), reactions: [] }] });
  expect(receipt()).toEqual(['saved', 0]);
});

test('a right that is revoked while comments wait keeps the words', async () => {
  const comments = server();
  const { fixture, comments: page, clock, setSession, me } = await withComments({ comments });
  fixture.goOffline();
  page().start(PAGE_ANCHOR, paragraph('Mine'));
  await clock.run(1_000);
  comments.state.roles.set(alice.id, 'viewer');
  setSession({ role: 'viewer' });
  fixture.goOnline();
  await clock.run(60_000);
  expect(stored(comments)).toEqual([]);
  expect(await me.unsentCopies()).toMatchObject([{ comments: ['Mine'] }]);
});

test('pace limits and a sign-in that has ended only delay', async () => {
  const comments = server();
  const { refuse, fixture, comments: page, clock, shown } = await withComments({ comments });
  for (const code of ['WF008', 'WF003'] as const) {
    refuse('startThread', code);
    page().start(PAGE_ANCHOR, paragraph(code));
    await clock.run(1_000);
  }
  expect(shown()).toEqual([[['WF008', 'device']], [['WF003', 'device']]]);
  fixture.server.refusals.clear();
  await clock.run(60_000);
  expect(stored(comments)).toEqual([['WF008'], ['WF003']]);
});

test('two tabs show what one of them wrote offline, and it reaches the server once', async () => {
  const [comments, browser, device, listCache] = [server(), memoryBrowser(), memoryDevice(), memoryListCache()];
  const shared = { comments, browser, device, listCache };
  const [first, second] = [await withComments(shared), await withComments(shared)];
  for (const { fixture } of [first, second]) fixture.goOffline();
  const thread = first.comments().start(PAGE_ANCHOR, paragraph('From the first tab'));
  await browser.clock.run(10_000);
  expect(second.shown()).toMatchObject([[['From the first tab', 'device']]]);
  second.comments().reply(thread, paragraph('From the second'));
  await browser.clock.run(5_000);
  expect(first.shown()[0]).toHaveLength(2);

  const lengths = new Set<number>();
  for (const { me, comments: page } of [first, second])
    me.store.sub(page().viewAtom, () => lengths.add(me.store.get(page().viewAtom).threads[0]?.comments.length ?? 0));
  first.fixture.goOnline();
  second.fixture.server.refusal = null;
  await browser.clock.run(60_000);
  expect(stored(comments)).toEqual([['From the first tab', 'From the second']]);
  for (const { shown, receipt } of [first, second]) {
    expect(shown()).toEqual([
      [
        ['From the first tab', 'saved'],
        ['From the second', 'saved'],
      ],
    ]);
    expect(receipt()).toEqual(['saved', 0]);
  }
  // Neither tab lost sight of a comment, or showed one twice, on the way.
  expect(Array.from(lengths)).toEqual([2]);
  expect(device.comments.size).toBe(0);
});

test('a rejected comment is rejected in all tabs, and discarded in all', async () => {
  const [comments, browser, device, listCache] = [server(), memoryBrowser(), memoryDevice(), memoryListCache()];
  const shared = { comments, browser, device, listCache };
  const [first, second] = [await withComments(shared), await withComments(shared)];
  first.refuse('startThread', 'WF021');
  first.comments().start(PAGE_ANCHOR, paragraph('Too much'));
  await browser.clock.run(10_000);
  expect(second.shown()).toEqual([[['Too much', 'refused']]]);
  expect(second.calls()).not.toContain('startThread');
  second.comments().discard(commentOf(second.firstThread()));
  await browser.clock.run(10_000);
  expect([first.shown(), second.shown()]).toEqual([[], []]);
});

test('on a device that stores nothing a comment waits in its tab, and the receipt says so', async () => {
  const comments = server();
  const { fixture, comments: page, clock, me, shown, receipt } = await withComments({ comments });
  fixture.device.isBroken = true;
  fixture.goOffline();
  page().start(PAGE_ANCHOR, paragraph('Here only'));
  await clock.run(1_000);
  me.retryAll();
  await clock.run(100);
  expect([shown(), receipt()]).toEqual([[[['Here only', 'device']]], ['tab', 1]]);
  fixture.goOnline();
  await clock.run(60_000);
  expect(stored(comments)).toEqual([['Here only']]);
});

test('comments of a page that the server rejected wait with it, and hold up no others', async () => {
  const comments = server();
  const { fixture, workspace, comments: page, clock, me } = await withComments({ comments });
  fixture.goOffline();
  void workspace.createPage({ parent: documentId(2) }, documentId(50));
  await clock.run(2_000);
  const { value: created } = me.pages.acquire(documentId(50));
  await clock.run(10);
  me.store.get(created.commentsAtom)?.start(PAGE_ANCHOR, paragraph('On a new page'));
  fixture.server.refusals.set('createDocument', { code: 'WF010', detail: '' });
  fixture.goOnline();
  await clock.run(60_000);
  page().start(PAGE_ANCHOR, paragraph('Elsewhere'));
  await clock.run(60_000);
  expect(stored(comments)).toEqual([['Elsewhere']]);
  fixture.server.refusals.clear();
  await workspace.moveToTop(documentId(50));
  await clock.run(60_000);
  expect(comments.callsOf(bob.id).list(documentId(50), 0).threads).toHaveLength(1);
});

test('comments of a page that can’t be created yet hold up no others, and follow when it is', async () => {
  const comments = server();
  const { fixture, workspace, comments: page, clock, me } = await withComments({ comments });
  fixture.goOffline();
  void workspace.createPage({ parent: documentId(2) }, documentId(50));
  await clock.run(2_000);
  const { value: created } = me.pages.acquire(documentId(50));
  await clock.run(10);
  const onNew = me.store.get(created.commentsAtom);
  onNew?.start(PAGE_ANCHOR, paragraph('On a new page'));
  page().start(PAGE_ANCHOR, paragraph('Elsewhere'));
  fixture.server.refusals.set('createDocument', { code: 'WF008', detail: '' });
  fixture.goOnline();
  await clock.run(60_000);
  expect(stored(comments)).toEqual([['Elsewhere']]);
  expect(onNew && me.store.get(onNew.viewAtom).threads).toMatchObject([{ comments: [{ state: 'device' }] }]);
  fixture.server.refusals.clear();
  await clock.run(120_000);
  expect(comments.callsOf(bob.id).list(documentId(50), 0).threads).toHaveLength(1);
});

/** The app starts offline on a device with a waiting comment, and shows no page. */
async function startedWithWaiting() {
  const device = memoryDevice();
  const before = await withComments({ device });
  before.fixture.goOffline();
  before.comments().start(PAGE_ANCHOR, paragraph('Not sent'));
  await before.clock.run(1_000);
  await before.me.close();
  const fixture = appFixture({ device, offline: true, signIn: { status: 'signedIn', identity: alice } });
  await fixture.clock.run(10);
  return personOf(fixture);
}

test('comments of an earlier visit are in the downloaded copy, before the app has read them by itself', async () => {
  const me = await startedWithWaiting();
  expect(await me.unsentCopies()).toMatchObject([{ document: PAGE, comments: ['Not sent'] }]);
});

test('comments of an earlier visit are counted when someone asks what signing out would delete', async () => {
  const me = await startedWithWaiting();
  await me.unsent.refresh();
  expect(me.store.get(me.lostOnSignOutAtom)).toMatchObject([{ document: PAGE, edits: 1 }]);
});

test('signing out with comments that wait names them, and deletes them', async () => {
  const { fixture, comments: page, clock, me } = await withComments();
  fixture.goOffline();
  page().start(PAGE_ANCHOR, paragraph('Lost'));
  await clock.run(1_000);
  expect(me.store.get(me.lostOnSignOutAtom)).toMatchObject([{ document: PAGE, edits: 1 }]);
  const signedOut = fixture.app.signOut();
  await clock.run(10_000);
  await signedOut;
  expect(fixture.device.comments.size).toBe(0);
});

test('discarding the unsent edits of a page discards its comments', async () => {
  const { fixture, comments: page, clock, me, lease, stopLooking } = await withComments();
  fixture.goOffline();
  page().start(PAGE_ANCHOR, paragraph('Given up'));
  stopLooking();
  lease.release();
  await clock.run(5_000);
  expect(await me.cachedPages.discard(PAGE)).toBe(true);
  await clock.run(100);
  expect([me.store.get(me.lostOnSignOutAtom), fixture.device.comments.size]).toEqual([[], 0]);
});

test('the clock of the device may be set back between two comments', async () => {
  const [comments, device] = [server(), memoryDevice()];
  const { fixture, comments: page, clock } = await withComments({ comments, device });
  fixture.goOffline();
  const thread = page().start(PAGE_ANCHOR, paragraph('One'));
  page().reply(thread, paragraph('Two'));
  await clock.run(100);
  expect(Array.from(device.comments.values(), ({ madeAt }) => madeAt).toSorted((a, b) => a - b)).toEqual([
    expect.any(Number),
    expect.any(Number),
  ]);
  fixture.goOnline();
  await clock.run(60_000);
  expect(stored(comments)).toEqual([['One', 'Two']]);
});

test('a reply to a thread that others removed meanwhile is rejected, and its words stay to be copied or discarded', async () => {
  const comments = server();
  const bobCalls = comments.callsOf(bob.id);
  bobCalls.start(PAGE, threadId(1), commentId(1), PAGE_ANCHOR, paragraph('Soon gone'));
  const { fixture, comments: page, clock, shown, receipt, firstThread } = await withComments({ comments });
  fixture.goOffline();
  page().reply(threadId(1), paragraph('An answer'));
  await clock.run(1_000);
  bobCalls.remove(commentId(1));
  fixture.goOnline();
  await clock.run(60_000);
  expect([shown(), receipt()]).toEqual([[[['An answer', 'refused']]], ['refused', 1, 1]]);
  page().discard(commentOf(firstThread()));
  expect([shown(), receipt()]).toEqual([[], ['saved', 0]]);
});

/** The server takes no pictures for now, and one waits. */
async function withPicture() {
  const comments = server();
  const all = await withComments({ comments });
  all.fixture.storage.refusal = weftError('WF011');
  const added = await all.comments().files.add(new File(['swan'], 'swan.png', { type: 'image/png' }));
  if (!added.ok || added.value.kind !== 'image') throw new Error('no picture');
  const { id: picture, width, height } = added.value;
  return {
    ...all,
    server: comments,
    picture,
    block: { kind: 'picture' as const, picture, width, height, alt: 'A swan' },
    takesPictures() {
      all.fixture.storage.refusal = null;
      all.me.retryAll();
      return all.clock.run(60_000);
    },
    uploaded: () => all.fixture.storage.calls.some((call) => call.startsWith(`upload ${picture}`)),
  };
}

test('a comment with a picture waits for its upload, and so does what is about it; other comments go on', async () => {
  const {
    comments: page,
    server: all,
    fixture,
    picture,
    block,
    takesPictures,
    uploaded,
    clock,
    shown,
  } = await withPicture();
  const thread = page().start(PAGE_ANCHOR, [block]);
  page().reply(thread, paragraph('Two'));
  page().start(PAGE_ANCHOR, paragraph('Another'));
  await clock.run(1_000);
  expect(stored(all)).toEqual([['Another']]);
  expect(shown()).toContainEqual([
    ['A picture', 'sending'],
    ['Two', 'sending'],
  ]);
  await takesPictures();
  expect(stored(all).toSorted()).toEqual([['A picture', 'Two'], ['Another']]);
  expect(uploaded()).toBe(true);
  expect(fixture.storage.calls).toContain(`create ${picture} of a comment`);
});

test('a picture taken out of a comment that waits is not uploaded; one of it alone is given up', async () => {
  const one = await withPicture();
  one.comments().start(PAGE_ANCHOR, [...paragraph('Look'), one.block]);
  one.comments().takeOut(commentOf(one.firstThread()), one.picture);
  await one.takesPictures();
  expect([stored(one.server), one.uploaded()]).toEqual([[['Look']], false]);

  const two = await withPicture();
  two.comments().start(PAGE_ANCHOR, [two.block]);
  two.comments().takeOut(commentOf(two.firstThread()), two.picture);
  await two.takesPictures();
  expect([two.shown(), stored(two.server), two.uploaded()]).toEqual([[], [], false]);
});

test('a picture taken out of an edit that has nothing else leaves the comment as it was', async () => {
  const {
    comments: page,
    server: all,
    picture,
    block,
    takesPictures,
    uploaded,
    clock,
    firstThread,
  } = await withPicture();
  page().start(PAGE_ANCHOR, paragraph('Words'));
  await clock.run(1_000);
  const comment = commentOf(firstThread());
  page().edit(comment, [block]);
  page().takeOut(comment, picture);
  await takesPictures();
  expect([stored(all), uploaded()]).toEqual([[['Words']], false]);
});

test('a first comment that waits for its picture can be deleted, and the replies to it arrive', async () => {
  const { comments: page, server: all, block, takesPictures, firstThread } = await withPicture();
  page().reply(page().start(PAGE_ANCHOR, [block]), paragraph('Two'));
  page().remove(commentOf(firstThread()));
  await takesPictures();
  expect(stored(all)).toEqual([[null, 'Two']]);
});

test('what is no picture is not added to a comment', async () => {
  const { comments: page } = await withComments({ comments: server() });
  const files = page().files;
  expect(await files.add(new File(['<svg/>'], 'a.svg', { type: 'image/svg+xml' }))).toEqual({
    ok: false,
    error: 'noPicture',
  });
});
