// Comments at the same time: none is lost, each change has its own number, and limits and rights hold.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { commentAnswer, commentPage } from '../../../src/protocol/comments.ts';
import { ON_PAGE, saying } from '../fixture/comments.ts';
import { callIn, connectionAt, useConnections, waitForLocks } from './connections.ts';

const connections = useConnections(8);

async function newThread(document: string) {
  const { control, fixture } = connections();
  const thread = randomUUID();
  const args = { document, thread, comment: randomUUID(), anchor: ON_PAGE, body: saying('Who?') };
  await control.call(fixture.people.owner, 'start_thread', args);
  return thread;
}

test('replies and edits of the page at once: every reply is there, with a number of its own, and no call deadlocks', async () => {
  const { pool, control, fixture, newPage } = connections();
  const { owner, admin, member } = fixture.people;
  const document = await newPage();
  const threads = [await newThread(document), await newThread(document)];
  const session = await control.startSession(owner, document, 7000);
  const replies = Array.from({ length: 60 }, () => randomUUID());
  const changes: number[] = [];
  await Promise.all([
    ...replies.map(async (comment, at) => {
      const args = { thread: threads[at % 2], comment, body: saying(`No. ${at}`) };
      const answer = await pool[at % 7]?.ask([owner, admin, member][at % 3]!, commentAnswer, 'add_comment', args);
      changes.push(answer?.change ?? 0);
    }),
    ...Array.from({ length: 20 }, (_, at) => pool[7]?.append(owner, { document, session, nFrom: at + 1, nTo: at + 1 })),
  ]);
  const list = await control.ask(owner, commentPage, 'list_comments', { document });
  const stored = list.threads.flatMap((one) => ('removed' in one ? [] : one.comments));
  expect(stored.length).toBe(62);
  expect(list.change).toBe(62);
  expect(stored.map(({ change }) => change).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 62 }, (_, at) => at + 1),
  );
  expect(changes.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, at) => at + 3));
  const ids = new Set<string>(stored.map(({ id }) => id));
  expect(replies.filter((one) => !ids.has(one))).toEqual([]);
});

test('the same reply from two tabs at once is one', async () => {
  const { pool, control, fixture, newPage } = connections();
  const { owner } = fixture.people;
  const document = await newPage();
  const args = { thread: await newThread(document), comment: randomUUID(), body: saying('Once') };
  const answers = await Promise.all(pool.map((on) => on.ask(owner, commentAnswer, 'add_comment', args)));
  expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(1);
  expect((await control.ask(owner, commentPage, 'list_comments', { document })).change).toBe(2);
});

test('replies at once do not get past the limit of a thread, nor past a person’s pace', async () => {
  const connected = connections();
  const { control, fixture, newPage } = connected;
  const { owner, redeemedEditor: guest } = fixture.people;
  const thread = await newThread(await newPage());
  await control.rows(
    `insert into weft.comments (id, thread_id, body, change)
     select gen_random_uuid(), $1, '[]', n from generate_series(1, 990) as n`,
    [thread],
  );
  const outcomes = await Promise.all(
    Array.from({ length: 24 }, (_, at) =>
      connectionAt(connected, at).outcome(owner, 'add_comment', { thread, comment: randomUUID(), body: saying('Me') }),
    ),
  );
  expect(outcomes.filter((one) => one === 'ok').length).toBe(9);
  expect(new Set(outcomes)).toEqual(new Set(['ok', 'WF021']));

  const quotas = { comment_changes_per_hour: [5, 5] };
  await control.rows('update weft.settings set quotas = $1', [JSON.stringify(quotas)]);
  const begun = await Promise.all(
    Array.from({ length: 24 }, (_, at) =>
      connectionAt(connected, at).outcome(guest, 'start_thread', {
        document: fixture.page,
        thread: randomUUID(),
        comment: randomUUID(),
        anchor: ON_PAGE,
        body: saying('Me'),
      }),
    ),
  );
  await control.rows(`update weft.settings set quotas = '{}'`);
  expect(begun.filter((one) => one === 'ok').length).toBe(5);
  expect(new Set(begun)).toEqual(new Set(['ok', 'WF008']));
});

test('a comment that waits while its author loses the right to comment is refused', async () => {
  const connected = connections();
  const { control, fixture, newPage } = connected;
  const { owner, commenter } = fixture.people;
  const document = await newPage();
  const thread = await newThread(document);
  const give = (role: string | null) => ({ document, person: commenter.id, role });
  await control.call(owner, 'set_document_member', give('commenter'));
  let waiting: Promise<string> | undefined;
  await control.transaction(async (tx) => {
    await callIn(tx, owner, 'set_document_member', give(null));
    const args = { thread, comment: randomUUID(), body: saying('Still me') };
    waiting = connectionAt(connected, 0).outcome(commenter, 'add_comment', args);
    await waitForLocks(connectionAt(connected, 1), 1);
  });
  expect(await waiting).toBe('WF001');
});

test('a workspace is deleted after a thread that is being begun: it waits for the page’s head before it holds the page', async () => {
  const connected = connections();
  const { control, fixture } = connected;
  const { owner } = fixture.people;
  const [workspace, document] = [randomUUID(), randomUUID()];
  await control.call(owner, 'create_workspace', { id: workspace, name: 'W', document });
  await newThread(document);
  const outcomes = await control.transaction(async (tx) => {
    // The thread has locked the head, and asks for the page after its author's pace.
    await tx.query('select from weft.comment_paces where user_id = $1 for update', [owner.id]);
    const args = { document, thread: randomUUID(), comment: randomUUID(), anchor: ON_PAGE, body: saying('Me too') };
    const beginning = connectionAt(connected, 0).outcome(owner, 'start_thread', args);
    await waitForLocks(connectionAt(connected, 2), 1);
    const deleting = connectionAt(connected, 1).outcome(owner, 'delete_workspace', { workspace, name: 'W' });
    await waitForLocks(connectionAt(connected, 2), 2);
    return [beginning, deleting];
  });
  expect(await Promise.all(outcomes)).toEqual(['ok', 'ok']);
  expect(await control.rows('select from weft.comment_threads where document_id = $1', [document])).toEqual([]);
});
