// While many people write, watchers receive every row once and in order, in at most one message per second.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { decodeRows } from 'weft-sync/protocol/row.ts';
import { fromBase64 } from '../../../src/lib/bytes.ts';
import { type ApiConnection, useConnections } from './connections.ts';
import { findFaults } from './log-checks.ts';

const connections = useConnections(12);

/**
 * The seqs of each message with rows, in the order in which they were sent: transactions get their number while they
 * hold the head's lock.
 */
async function publishedSeqs(connection: ApiConnection, topic: string): Promise<readonly (readonly number[])[]> {
  const messages = await connection.rows<{ base64: string }>(
    `select encode(binary_payload, 'base64') as base64 from realtime.messages
     where topic = $1 and event = 'rows' order by xmin::text::bigint`,
    [topic],
  );
  return messages.map(({ base64 }) => {
    const decoded = decodeRows(fromBase64(base64.replaceAll('\n', '')) ?? new Uint8Array());
    if (!decoded.ok || decoded.value.kind !== 'rows') throw new Error('no rows');
    return decoded.value.rows.map((row) => row.seq);
  });
}

test('while twelve people write for two seconds, the view topic gets each row once and in order, at most once a second', async () => {
  const { pool, control, fixture, newPage } = connections();
  const { owner, admin, viewer } = fixture.people;
  const page = await newPage();
  await control.call(owner, 'set_document_member', { document: page, person: viewer.id, role: 'viewer' });
  await control.call(viewer, 'keep_watching', { document: page, seq: 0 });

  const from = Date.now();
  const until = from + 2300;
  let unpublished = 0;
  await Promise.all(
    pool.map(async (connection, at) => {
      const person = at % 2 === 0 ? owner : admin;
      const session = await connection.startSession(person, page, 10_000 + at);
      for (let n = 1; Date.now() < until; n++) {
        const answer = await connection.append(person, { document: page, session, nFrom: n, nTo: n, livePeers: 1 });
        if (answer.unpublished) unpublished += 1;
        // Half of them call publish_pending too early and too often. No row is published twice because of that.
        if (answer.unpublished && at % 2 === 0) await connection.call(person, 'publish_pending', { document: page });
        await sleep(20);
      }
    }),
  );
  expect(unpublished).toBeGreaterThan(0);
  await sleep(1100);
  await Promise.all(pool.map((connection) => connection.call(owner, 'publish_pending', { document: page })));

  expect(await findFaults(control, page)).toEqual([]);
  const [head] = await control.rows<{ head: number }>(
    'select head_seq as head from public.document_heads where document_id = $1',
    [page],
  );
  const [epoch] = await control.rows<{ epoch: string }>('select weft.topic_epoch($1) as epoch', [page]);
  const every = Array.from({ length: (head?.head ?? 0) - 1 }, (_, at) => at + 2);
  const messages = await publishedSeqs(control, `v:${page}:${epoch?.epoch}`);
  expect(messages.flat()).toEqual(every);
  expect(messages.length).toBeGreaterThanOrEqual(2);
  expect(messages.length).toBeLessThanOrEqual(1 + (Date.now() - from) / 1000);
  // The live topic gets each row by itself, in the order of the log.
  expect(await publishedSeqs(control, `d:${page}:${epoch?.epoch}`)).toEqual(every.map((seq) => [seq]));
});

test('twelve people who start to watch at once write the head once', async () => {
  const { pool, control, fixture, newPage } = connections();
  const page = await newPage();
  await control.rows('create table weft.head_writes (at timestamptz not null default clock_timestamp())');
  await control.rows(
    `create function weft.count_head_write() returns trigger language plpgsql security definer as
     $$ begin insert into weft.head_writes default values; return null; end $$`,
  );
  await control.rows(
    `create trigger count_head_write after update on public.document_heads
     for each row when (new.document_id = '${page}') execute function weft.count_head_write()`,
  );
  for (let round = 0; round < 3; round++) {
    await Promise.all(pool.map((one) => one.call(fixture.people.member, 'keep_watching', { document: page, seq: 0 })));
  }
  expect(await control.rows('select from weft.head_writes')).toEqual([{}]);
});
