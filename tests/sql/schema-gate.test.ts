// A page written by a newer app: older apps are told to ask anew before any of its rows reaches them.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { openAnswer, startAnswer } from '../../src/protocol/answers.ts';
import type { Message, Sql } from '../support/database/sql.ts';
import { useWorld } from './use-world.ts';
import { type World, append, appendArgs, startSession } from './world.ts';

const trial = useWorld();

/** The migrations of a later version of the app. */
const knowsNewer = (sql: Sql) =>
  sql.rows(`create or replace function weft.newest_schema() returns integer language sql as 'select 9'`);
const start = (sql: Sql, world: World, version: number, session = randomUUID(), clientId = 77_777) =>
  sql.ask(world.people.member, startAnswer, 'start_session', {
    document: world.page,
    session,
    client_id: clientId,
    schema_version: version,
  });
const opened = async (sql: Sql, world: World) => {
  const { epoch, schemaVersion } = await sql.ask(world.people.viewer, openAnswer, 'open_document', {
    document: world.page,
    since: 0,
  });
  return { epoch, schemaVersion };
};
const heard = (messages: readonly Message[]) => messages.map(({ topic, event }) => [event, topic]);

test(
  'a newer app raises the page when it registers, before its first edit, and moves the topics in the same breath',
  trial(async (sql, world) => {
    await knowsNewer(sql);
    expect(await opened(sql, world)).toEqual({ epoch: '1.1', schemaVersion: 1 });
    const session = randomUUID();
    const sent = await sql.sentDuring(() => start(sql, world, 2, session));
    expect(heard(sent)).toEqual([
      ['moved', `d:${world.page}:1.1`],
      ['moved', `v:${world.page}:1.1`],
    ]);
    expect(sent[0]?.json).toEqual({ epoch: '2.1' });
    expect(await opened(sql, world)).toEqual({ epoch: '2.1', schemaVersion: 2 });
    // Again, because the answer was lost: nothing moves twice.
    expect(await sql.sentDuring(() => start(sql, world, 2, session))).toEqual([]);
    expect(await opened(sql, world)).toEqual({ epoch: '2.1', schemaVersion: 2 });
  }),
);

test(
  'its rows go to the new topic alone, where nobody is who has not asked since',
  trial(async (sql, world) => {
    await knowsNewer(sql);
    const session = randomUUID();
    await start(sql, world, 2, session);
    const edit = { document: world.page, session, nFrom: 1, nTo: 1, schemaVersion: 2 };
    const sent = await sql.sentDuring(() => append(sql, world.people.member, edit));
    expect(heard(sent)).toEqual([['rows', `d:${world.page}:2.1`]]);
    expect((await sql.admission(world.people.editor, `d:${world.page}:1.1`)).hear).toBe(false);
    expect((await sql.admission(world.people.editor, `d:${world.page}:2.1`)).hear).toBe(true);
  }),
);

test(
  'an older app that was writing is refused from then on, whatever it sends, and reads on',
  trial(async (sql, world) => {
    await knowsNewer(sql);
    const { editor } = world.people;
    const old = (nFrom: number, nTo: number) =>
      appendArgs({ document: world.page, session: world.editorSession, nFrom, nTo });
    expect(await sql.call(editor, 'append_update', old(2, 2))).toMatchObject({ seq: 3 });
    await start(sql, world, 2);
    // New edits, a repeat, a gap.
    for (const [nFrom, nTo] of [
      [3, 3],
      [2, 2],
      [9, 9],
    ] as const)
      expect((await sql.refusal(editor, 'append_update', old(nFrom, nTo))).code).toBe('WF004');
    const another = { document: world.page, session: randomUUID(), client_id: 88_888, schema_version: 1 };
    expect((await sql.refusal(editor, 'start_session', another)).code).toBe('WF004');
    const read = { document: world.page, seq: 0, limit: 500 };
    expect(await sql.call(editor, 'rows_since', read)).toMatchObject({
      head: 3,
      epoch: '2.1',
      role: 'editor',
      schemaVersion: 2,
    });
  }),
);

test(
  'what a newer app sends of an older session raises and moves as well',
  trial(async (sql, world) => {
    await knowsNewer(sql);
    const { session } = await startSession(sql, world.people.member, world.page);
    const edit = { document: world.page, session, nFrom: 1, nTo: 1, schemaVersion: 3 };
    const sent = await sql.sentDuring(() => append(sql, world.people.member, edit));
    // The row itself may still be heard in the old topic: an app of that session's schema wrote it.
    expect(heard(sent).slice(0, 2)).toEqual([
      ['moved', `d:${world.page}:1.1`],
      ['moved', `v:${world.page}:1.1`],
    ]);
    expect(await opened(sql, world)).toEqual({ epoch: '2.1', schemaVersion: 3 });
  }),
);

test(
  'who may not start a session raises nothing',
  trial(async (sql, world) => {
    await knowsNewer(sql);
    const { viewer, stranger, editor } = world.people;
    const args = { document: world.page, session: randomUUID(), client_id: 77_777, schema_version: 2 };
    const sent = await sql.sentDuring(async () => {
      expect((await sql.refusal(viewer, 'start_session', args)).code).toBe('WF002');
      expect((await sql.refusal(stranger, 'start_session', args)).code).toBe('WF001');
      // Refused after the raise: the client id is taken, the session is another's.
      const taken = { ...args, client_id: world.editorClientId };
      expect((await sql.refusal(editor, 'start_session', taken)).code).toBe('WF006');
      const another = { ...args, session: world.editorSession };
      expect((await sql.refusal(editor, 'start_session', another)).code).toBe('WF005');
    });
    expect(sent).toEqual([]);
    expect(await opened(sql, world)).toEqual({ epoch: '1.1', schemaVersion: 1 });
  }),
);
