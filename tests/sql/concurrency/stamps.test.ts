// The stamps of list_documents while transactions run: a transaction that began before a stamp and commits after it is not
// missed, whatever the order.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { prng } from '../../../src/lib/prng.ts';
import { type DocumentChanges, documentChanges } from '../../../src/protocol/answers.ts';
import { type DocumentList, withChanges } from '../../../src/state/offline/document-list.ts';
import type { Person } from '../../support/database/sql.ts';
import { ON_PAGE, saying } from '../fixture/comments.ts';
import { callIn, useConnections } from './connections.ts';

const connections = useConnections(4);

const listOf = (by: Person, since: string | null): Promise<DocumentChanges> => {
  const { control, fixture } = connections();
  return control.ask(by, documentChanges, 'list_documents', { workspace: fixture.workspace, since });
};
/**
 * A stamp after which nothing has changed. Transactions of other databases on the same server hold stamps back for as long as
 * they run.
 */
async function settledStamp(by: Person): Promise<string> {
  for (;;) {
    const { stamp } = await listOf(by, null);
    const next = await listOf(by, stamp);
    if (!next.isComplete && next.documents.length === 0) return stamp;
  }
}
const rename = `update public.documents set title = $2 where id = $1`;

test('a change that was not committed at the stamp is in the next delta, even if later changes were committed before', async () => {
  const { pool, control, fixture, newPage } = connections();
  const [early] = pool;
  const { owner } = fixture.people;
  const [slow, quick, untouched] = [await newPage(), await newPage(), await newPage()];
  const start = await settledStamp(owner);

  let stamped: DocumentChanges | undefined;
  await early?.transaction(async (tx) => {
    await tx.query(rename, [slow, 'slow']);
    await control.rows(rename, [quick, 'quick']);
    stamped = await listOf(owner, start);
    expect(stamped.documents.map(({ title }) => title)).toContain('quick');
    expect(stamped.documents.map(({ title }) => title)).not.toContain('slow');
  });
  const next = await listOf(owner, stamped?.stamp ?? null);
  expect(next.isComplete).toBe(false);
  expect(next.documents.find(({ id }) => id === slow)?.title).toBe('slow');
  expect(next.documents.some(({ id }) => id === untouched)).toBe(false);
  // Once the transaction is over, so is the repetition.
  const settled = await settledStamp(owner);
  expect((await listOf(owner, settled)).documents).toEqual([]);
});

test('a transaction that began before the stamp and writes after it is in the next delta', async () => {
  const { pool, fixture, newPage } = connections();
  const [early] = pool;
  const { owner } = fixture.people;
  const page = await newPage();
  await settledStamp(owner);
  let stamp = '';
  await early?.transaction(async (tx) => {
    await tx.query('select count(*) from public.documents');
    ({ stamp } = await listOf(owner, null));
    await tx.query(rename, [page, 'late']);
  });
  const next = await listOf(owner, stamp);
  expect([next.isComplete, next.documents.map(({ title }) => title)]).toEqual([false, ['late']]);
});

test('a comment, and that someone read it, are in the next delta', async () => {
  const { control, fixture, newPage } = connections();
  const { owner, member } = fixture.people;
  const page = await newPage();
  await control.call(member, 'mark_visited', { document: page, seq: 1 });
  const numbersSince = async (stamp: string) => {
    const { documents } = await listOf(member, stamp);
    return documents.map(({ id, openThreads, unreadThreads }) => ({ id, openThreads, unreadThreads }));
  };
  const before = await settledStamp(member);
  const ids = { thread: randomUUID(), comment: randomUUID() };
  await control.call(owner, 'start_thread', { document: page, ...ids, anchor: ON_PAGE, body: saying('Who?') });
  expect(await numbersSince(before)).toEqual([{ id: page, openThreads: 1, unreadThreads: 1 }]);
  const unread = await settledStamp(member);
  expect(await numbersSince(unread)).toEqual([]);
  await control.call(member, 'mark_comments_read', { document: page, change: 1 });
  expect(await numbersSince(unread)).toEqual([{ id: page, openThreads: 1, unreadThreads: 0 }]);
});

test('a change of rights that was not committed at the stamp makes the next list of that person complete, and no one else’s', async () => {
  const { pool, fixture, newPage } = connections();
  const [early] = pool;
  const { owner, viewer, member } = fixture.people;
  const page = await newPage();
  for (const person of [viewer, member]) await settledStamp(person);
  const stamps = { viewer: '', member: '' };
  await early?.transaction(async (tx) => {
    await callIn(tx, owner, 'set_document_member', { document: page, person: viewer.id, role: 'viewer' });
    stamps.viewer = (await listOf(viewer, null)).stamp;
    stamps.member = (await listOf(member, null)).stamp;
  });
  const next = await listOf(viewer, stamps.viewer);
  expect([next.isComplete, next.documents.some(({ id }) => id === page)]).toEqual([true, true]);
  expect((await listOf(member, stamps.member)).isComplete).toBe(false);
});

test('a stamp of another run of the database, of the future or of no one gets a complete list; so does one before a link expired', async () => {
  const { control, fixture } = connections();
  const { owner, redeemedCommenter } = fixture.people;
  const stamp = await settledStamp(owner);
  const [scope = '', xid = '', at = ''] = stamp.split('/');
  for (const wrong of [
    '',
    'x',
    `${'0'.repeat(32)}/${xid}/${at}`,
    `${scope}/${Number(xid) + 1_000}/${at}`,
    `${scope}/99999999999999999999/${at}`,
    `${scope}/-1/${at}`,
  ]) {
    expect([wrong, (await listOf(owner, wrong)).isComplete]).toEqual([wrong, true]);
  }
  expect((await listOf(owner, stamp)).isComplete).toBe(false);

  const link = fixture.links.commenter.id;
  await control.rows(`update public.share_links set expires_at = now() + interval '1 hour' where id = $1`, [link]);
  const before = await settledStamp(redeemedCommenter);
  expect((await listOf(redeemedCommenter, before)).isComplete).toBe(false);
  // Make the stamp an hour old, and let the link have expired half an hour ago.
  await control.rows('alter table public.share_links disable trigger publish_link_change');
  await control.rows(`update public.share_links set expires_at = now() - interval '30 minutes' where id = $1`, [link]);
  const [, , now = ''] = before.split('/');
  const older = before.replace(now, `${Number(now) - 3_600_000}`);
  const outcome = await control.outcome(redeemedCommenter, 'list_documents', {
    workspace: fixture.workspace,
    since: older,
  });
  expect(outcome).toBe('WF001');
});

test('a list that is kept up to date by deltas alone lacks nothing, while four connections create, rename and share pages', async () => {
  const { pool, fixture, newPage, control } = connections();
  const { owner, member } = fixture.people;
  const random = prng(20_261_123);
  const pages = await Promise.all([newPage(), newPage(), newPage(), newPage()]);
  const writers = pool.map(async (connection, at) => {
    for (let n = 0; n < 25; n++) {
      const wait = random() * 20;
      await connection.transaction(async (tx) => {
        if (n % 8 === 7)
          await callIn(tx, owner, 'set_document_member', { document: pages[at], person: member.id, role: 'viewer' });
        else await tx.query(rename, [pages[at], `${at}.${n}`]);
        await new Promise((resolve) => setTimeout(resolve, wait));
      });
    }
  });
  const stop = new AbortController();
  const finished = Promise.all(writers).then(() => stop.abort());
  let list: DocumentList | null = null;
  let deltas = 0;
  const update = async () => {
    const answer: DocumentChanges = await listOf(member, list?.stamp ?? null);
    if (!answer.isComplete) deltas++;
    list = withChanges(list, answer);
    return list;
  };
  while (!stop.signal.aborted) await update();
  await finished;
  const last = await update();
  const complete = await listOf(member, null);
  const sorted = (of: readonly { readonly id: string }[]) => of.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  expect(sorted(last.documents)).toEqual(sorted(complete.documents));
  expect(deltas).toBeGreaterThan(5);
  // Only the newest transactions are remembered.
  const [rows] = await control.rows<{ n: number }>('select count(*)::int as n from weft.workspace_rights');
  expect(rows?.n).toBeLessThan(30);
});
