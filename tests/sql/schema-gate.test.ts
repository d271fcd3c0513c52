// A page written by a newer app: older apps are told to ask anew before any of its rows reaches them.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { openAnswer, startAnswer } from '../../src/protocol/answers.ts';
import type { Message, Sql } from '../support/database/sql.ts';
import { useWorkspace } from './use-workspace.ts';
import { type WorkspaceFixture, append, appendArgs, startSession } from './workspace-fixture.ts';

const withWorkspace = useWorkspace();

/** The migrations of a later version of the app. */
const knowsNewer = (sql: Sql) =>
  sql.rows(`create or replace function weft.newest_schema() returns integer language sql as 'select 9'`);
const start = (sql: Sql, fixture: WorkspaceFixture, version: number, session = randomUUID(), clientId = 77_777) =>
  sql.ask(fixture.people.member, startAnswer, 'start_session', {
    document: fixture.page,
    session,
    client_id: clientId,
    schema_version: version,
  });
const opened = async (sql: Sql, fixture: WorkspaceFixture) => {
  const { epoch, schemaVersion } = await sql.ask(fixture.people.viewer, openAnswer, 'open_document', {
    document: fixture.page,
    since: 0,
  });
  return { epoch, schemaVersion };
};
const heard = (messages: readonly Message[]) => messages.map(({ topic, event }) => [event, topic]);

test(
  'a newer app raises the page when it registers, before its first edit, and moves the topics in the same breath',
  withWorkspace(async (sql, fixture) => {
    await knowsNewer(sql);
    expect(await opened(sql, fixture)).toEqual({ epoch: '1.1', schemaVersion: 1 });
    const session = randomUUID();
    const sent = await sql.sentDuring(() => start(sql, fixture, 2, session));
    expect(heard(sent)).toEqual([
      ['moved', `d:${fixture.page}:1.1`],
      ['moved', `v:${fixture.page}:1.1`],
    ]);
    expect(sent[0]?.json).toEqual({ epoch: '2.1' });
    expect(await opened(sql, fixture)).toEqual({ epoch: '2.1', schemaVersion: 2 });
    // Again, because the answer was lost: nothing moves twice.
    expect(await sql.sentDuring(() => start(sql, fixture, 2, session))).toEqual([]);
    expect(await opened(sql, fixture)).toEqual({ epoch: '2.1', schemaVersion: 2 });
  }),
);

test(
  'its rows go to the new topic alone, where nobody is who has not asked since',
  withWorkspace(async (sql, fixture) => {
    await knowsNewer(sql);
    const session = randomUUID();
    await start(sql, fixture, 2, session);
    const edit = { document: fixture.page, session, nFrom: 1, nTo: 1, schemaVersion: 2 };
    const sent = await sql.sentDuring(() => append(sql, fixture.people.member, edit));
    expect(heard(sent)).toEqual([['rows', `d:${fixture.page}:2.1`]]);
    expect((await sql.admission(fixture.people.editor, `d:${fixture.page}:1.1`)).hear).toBe(false);
    expect((await sql.admission(fixture.people.editor, `d:${fixture.page}:2.1`)).hear).toBe(true);
  }),
);

test(
  'an older app that was writing is refused from then on, whatever it sends, and reads on',
  withWorkspace(async (sql, fixture) => {
    await knowsNewer(sql);
    const { editor } = fixture.people;
    const old = (nFrom: number, nTo: number) =>
      appendArgs({ document: fixture.page, session: fixture.editorSession, nFrom, nTo });
    expect(await sql.call(editor, 'append_update', old(2, 2))).toMatchObject({ seq: 3 });
    await start(sql, fixture, 2);
    // New edits, a repeat, a gap.
    for (const [nFrom, nTo] of [
      [3, 3],
      [2, 2],
      [9, 9],
    ] as const)
      expect((await sql.refusal(editor, 'append_update', old(nFrom, nTo))).code).toBe('WF004');
    const another = { document: fixture.page, session: randomUUID(), client_id: 88_888, schema_version: 1 };
    expect((await sql.refusal(editor, 'start_session', another)).code).toBe('WF004');
    const read = { document: fixture.page, seq: 0, limit: 500 };
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
  withWorkspace(async (sql, fixture) => {
    await knowsNewer(sql);
    const { session } = await startSession(sql, fixture.people.member, fixture.page);
    const edit = { document: fixture.page, session, nFrom: 1, nTo: 1, schemaVersion: 3 };
    const sent = await sql.sentDuring(() => append(sql, fixture.people.member, edit));
    // The row itself may still be heard in the old topic: an app of that session's schema wrote it.
    expect(heard(sent).slice(0, 2)).toEqual([
      ['moved', `d:${fixture.page}:1.1`],
      ['moved', `v:${fixture.page}:1.1`],
    ]);
    expect(await opened(sql, fixture)).toEqual({ epoch: '2.1', schemaVersion: 3 });
  }),
);

test(
  'who may not start a session raises nothing',
  withWorkspace(async (sql, fixture) => {
    await knowsNewer(sql);
    const { viewer, stranger, editor } = fixture.people;
    const args = { document: fixture.page, session: randomUUID(), client_id: 77_777, schema_version: 2 };
    const sent = await sql.sentDuring(async () => {
      expect((await sql.refusal(viewer, 'start_session', args)).code).toBe('WF002');
      expect((await sql.refusal(stranger, 'start_session', args)).code).toBe('WF001');
      // Refused after the raise: the client id is taken, the session is another's.
      const taken = { ...args, client_id: fixture.editorClientId };
      expect((await sql.refusal(editor, 'start_session', taken)).code).toBe('WF006');
      const another = { ...args, session: fixture.editorSession };
      expect((await sql.refusal(editor, 'start_session', another)).code).toBe('WF005');
    });
    expect(sent).toEqual([]);
    expect(await opened(sql, fixture)).toEqual({ epoch: '1.1', schemaVersion: 1 });
  }),
);
