// The port for comments on the embedded backend, as the app calls it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DocumentId, parseUserId } from 'weft-sync/protocol/ids.ts';
import type { Result } from '../../../src/lib/result.ts';
import { supabaseComments } from '../../../src/platform/supabase/comments.ts';
import type { Comments } from '../../../src/ports/comments.ts';
import type { CommentBody } from '../../../src/protocol/comments.ts';
import { newCommentId, newThreadId } from '../../../src/protocol/new-ids.ts';
import { type Person, type TestBackend, startTestBackend } from '../../support/server/backend.ts';
import { newPage, rpc } from '../../support/server/rpc.ts';

let backend: TestBackend;
beforeAll(async () => {
  backend = await startTestBackend({ log: () => {} });
});
afterAll(() => backend.close());

function got<T, E>(answer: Result<T, E>): T {
  if (!answer.ok) throw new Error(JSON.stringify(answer.error));
  return answer.value;
}
const codeOf = (answer: Result<unknown, { readonly code: string }>) => (answer.ok ? 'ok' : answer.error.code);

const saying = (text: string): CommentBody => [{ kind: 'paragraph', runs: [{ text }] }];
const PAGE = { kind: 'page' } as const;
const BLOCK = { kind: 'block', block: 'b1', quote: 'swan.png' } as const;

/** Of a device with a clock of its own: it counts backwards. */
const portOf = ({ client }: Person): Comments => supabaseComments(client, { toDevice: (at) => -at });

async function withReviewer(): Promise<{ document: DocumentId; author: Person; alice: Comments; bob: Comments }> {
  const [author, reviewer] = [await backend.signUp(), await backend.signUp()];
  const document = await newPage(author.client);
  await rpc(author.client, 'set_document_member', { document, person: reviewer.id, role: 'commenter' });
  return { document, author, alice: portOf(author), bob: portOf(reviewer) };
}

test('a reviewer and an author talk about a page, and each sees what the other did', async () => {
  const { document, author, alice, bob } = await withReviewer();
  const [thread, first, second] = [newThreadId(), newCommentId(), newCommentId()];
  const begun = got(await bob.start(document, thread, first, PAGE, saying('Which light?')));
  got(await alice.reply(thread, second, saying('The old one.')));
  got(await alice.edit(second, saying('The old one, in the harbour.')));
  got(await alice.react(first, '👍', true));
  got(await alice.move(thread, BLOCK, PAGE));
  got(await bob.resolve(thread, true));
  got(await bob.markRead(document, begun.change));
  got(await bob.announce(thread, true));

  const list = got(await bob.list(document, 0));
  expect(list).toMatchObject({ document, change: 6, readChange: 1, mayComment: true });
  const [talk] = list.threads;
  expect(talk).toMatchObject({
    id: thread,
    anchor: BLOCK,
    comments: [
      { id: first, body: saying('Which light?'), reactions: [{ emoji: '👍', by: [parseUserId(author.id)] }] },
      { id: second, body: saying('The old one, in the harbour.') },
    ],
  });
  expect(got(await alice.list(document, 5)).threads).toEqual([talk]);
  expect(got(await alice.list(document, 6)).threads).toEqual([]);

  if (talk === undefined || 'removed' in talk) throw new Error('no thread');
  const times = [talk.at, talk.resolved?.at, ...talk.comments.map(({ at }) => at), talk.comments[1]?.editedAt];
  expect(times.map((at) => Math.sign(at ?? 0))).toEqual([-1, -1, -1, -1, -1]);
});

test('a removed thread is in what changed, and in no complete list', async () => {
  const { document, alice, bob } = await withReviewer();
  const [thread, comment] = [newThreadId(), newCommentId()];
  got(await bob.start(document, thread, comment, PAGE, saying('Hm')));
  expect(codeOf(await bob.edit(newCommentId(), saying('Nothing')))).toBe('WF001');
  const removed = { id: thread, removed: true };
  expect(got(await alice.remove(comment))).toEqual({ change: 2, thread: removed });
  expect(codeOf(await bob.reply(thread, newCommentId(), saying('Too late')))).toBe('WF022');
  expect(got(await bob.list(document, 1)).threads).toEqual([removed]);
  expect(got(await bob.list(document, 0)).threads).toEqual([]);
});

test('a list that the database sends in several answers is one', async () => {
  const { document, alice } = await withReviewer();
  const runs = Array.from({ length: 30 }, () => ({ text: 'a', link: 'b'.repeat(1_900) }));
  const long: CommentBody = [{ kind: 'paragraph', runs }];
  const threads = [newThreadId(), newThreadId(), newThreadId()];
  for (const thread of threads) {
    got(await alice.start(document, thread, newCommentId(), PAGE, long));
    for (let n = 0; n < 9; n++) got(await alice.reply(thread, newCommentId(), long));
  }
  const list = got(await alice.list(document, 0));
  expect([list.change, list.threads.map(({ id }) => id)]).toEqual([30, threads]);
});

test('someone without a role on the page learns nothing of its comments', async () => {
  const { document, bob } = await withReviewer();
  const stranger = portOf(await backend.signUp());
  const thread = newThreadId();
  got(await bob.start(document, thread, newCommentId(), PAGE, saying('Between us')));
  expect([
    codeOf(await stranger.list(document, 0)),
    codeOf(await stranger.reply(thread, newCommentId(), saying('Hello'))),
    codeOf(await stranger.resolve(thread, true)),
    codeOf(await stranger.markRead(document, 1)),
    codeOf(await stranger.announce(thread, true)),
  ]).toEqual(['WF001', 'WF001', 'WF001', 'WF001', 'WF001']);
});

test('a comment that was removed before it came is refused when it comes', async () => {
  const { alice, document } = await withReviewer();
  const thread = newThreadId();
  got(await alice.start(document, thread, newCommentId(), PAGE, saying('Which light?')));
  const late = newCommentId();
  expect(codeOf(await alice.remove(late))).toBe('WF001');
  expect(codeOf(await alice.reply(thread, late, saying('Never mind')))).toBe('WF022');
  expect(got(await alice.list(document, 0)).threads).toHaveLength(1);
});
