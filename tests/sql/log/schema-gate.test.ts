// Pages written by a newer app: topics move, so that older apps open the page again before they receive a newer row.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { openAnswer, startAnswer } from 'weft-sync/protocol/log-answers.ts';
import type { Message, Sql } from '../../support/database/sql.ts';
import { useWorkspace } from '../fixture/use-workspace.ts';
import { type WorkspaceFixture, append, appendArgs, startSession } from '../fixture/workspace-fixture.ts';

const withWorkspace = useWorkspace();

/** Stands for the migrations of a later version of the app. */
const installNewerMigrations = (sql: Sql) =>
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
const sentTo = (messages: readonly Message[]) => messages.map(({ topic, event }) => [event, topic]);

test(
  'a newer app raises the page’s schema version and moves its topics when it registers, before its first edit',
  withWorkspace(async (sql, fixture) => {
    await installNewerMigrations(sql);
    expect(await opened(sql, fixture)).toEqual({ epoch: '1.1', schemaVersion: 1 });
    const session = randomUUID();
    const sent = await sql.sentDuring(() => start(sql, fixture, 2, session));
    expect(sentTo(sent)).toEqual([
      ['moved', `d:${fixture.page}:1.1`],
      ['moved', `v:${fixture.page}:1.1`],
    ]);
    expect(sent[0]?.json).toEqual({ epoch: '2.1' });
    expect(await opened(sql, fixture)).toEqual({ epoch: '2.1', schemaVersion: 2 });
    // A repeated call, whose first answer was lost, moves nothing again.
    expect(await sql.sentDuring(() => start(sql, fixture, 2, session))).toEqual([]);
    expect(await opened(sql, fixture)).toEqual({ epoch: '2.1', schemaVersion: 2 });
  }),
);

test(
  'rows of the newer app go to the new topic only, which no one can join without opening the page again',
  withWorkspace(async (sql, fixture) => {
    await installNewerMigrations(sql);
    const session = randomUUID();
    await start(sql, fixture, 2, session);
    const edit = { document: fixture.page, session, nFrom: 1, nTo: 1, schemaVersion: 2 };
    const sent = await sql.sentDuring(() => append(sql, fixture.people.member, edit));
    expect(sentTo(sent)).toEqual([['rows', `d:${fixture.page}:2.1`]]);
    expect((await sql.topicRights(fixture.people.editor, `d:${fixture.page}:1.1`)).receive).toBe(false);
    expect((await sql.topicRights(fixture.people.editor, `d:${fixture.page}:2.1`)).receive).toBe(true);
  }),
);

test(
  'an older app that was writing is refused from then on, whatever it sends, and can still read',
  withWorkspace(async (sql, fixture) => {
    await installNewerMigrations(sql);
    const { editor } = fixture.people;
    const old = (nFrom: number, nTo: number) =>
      appendArgs({ document: fixture.page, session: fixture.editorSession, nFrom, nTo });
    expect(await sql.call(editor, 'append_update', old(2, 2))).toMatchObject({ seq: 3 });
    await start(sql, fixture, 2);
    // New edits, a repeated append, an append after a gap.
    for (const [nFrom, nTo] of [
      [3, 3],
      [2, 2],
      [9, 9],
    ] as const)
      expect((await sql.refusal(editor, 'append_update', old(nFrom, nTo))).code).toBe('WF004');
    const another = { document: fixture.page, session: randomUUID(), client_id: 88_888, schema_version: 1 };
    expect((await sql.refusal(editor, 'start_session', another)).code).toBe('WF004');
    const read = { document: fixture.page, seq: 0, row_limit: 500 };
    expect(await sql.call(editor, 'rows_since', read)).toMatchObject({
      head: 3,
      epoch: '2.1',
      role: 'editor',
      schemaVersion: 2,
    });
  }),
);

test(
  'an append of a newer app in an older session raises the version and moves the topics too',
  withWorkspace(async (sql, fixture) => {
    await installNewerMigrations(sql);
    const { session } = await startSession(sql, fixture.people.member, fixture.page);
    const edit = { document: fixture.page, session, nFrom: 1, nTo: 1, schemaVersion: 3 };
    const sent = await sql.sentDuring(() => append(sql, fixture.people.member, edit));
    // The row itself may still go to the old topic, because an app of the session's schema wrote it.
    expect(sentTo(sent).slice(0, 2)).toEqual([
      ['moved', `d:${fixture.page}:1.1`],
      ['moved', `v:${fixture.page}:1.1`],
    ]);
    expect(await opened(sql, fixture)).toEqual({ epoch: '2.1', schemaVersion: 3 });
  }),
);

test(
  'a refused session does not raise the version',
  withWorkspace(async (sql, fixture) => {
    await installNewerMigrations(sql);
    const { viewer, stranger, editor } = fixture.people;
    const args = { document: fixture.page, session: randomUUID(), client_id: 77_777, schema_version: 2 };
    const sent = await sql.sentDuring(async () => {
      expect((await sql.refusal(viewer, 'start_session', args)).code).toBe('WF002');
      expect((await sql.refusal(stranger, 'start_session', args)).code).toBe('WF001');
      // These are refused after the raise: the client id is taken, or the session is registered for another client id.
      const taken = { ...args, client_id: fixture.editorClientId };
      expect((await sql.refusal(editor, 'start_session', taken)).code).toBe('WF006');
      const another = { ...args, session: fixture.editorSession };
      expect((await sql.refusal(editor, 'start_session', another)).code).toBe('WF005');
    });
    expect(sent).toEqual([]);
    expect(await opened(sql, fixture)).toEqual({ epoch: '1.1', schemaVersion: 1 });
  }),
);
