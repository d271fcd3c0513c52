// append_update, the only way into the log (rules D1–D4, I1 and I8 of src/sync/SPEC.md).
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { MAX_ANSWER_BYTES, MAX_UPDATE_BYTES } from 'weft-sync/protocol/limits.ts';
import { rowsAnswer } from 'weft-sync/protocol/log-answers.ts';
import { decodeRows } from 'weft-sync/protocol/row.ts';
import { SCHEMA_VERSION } from '../../../src/protocol/limits.ts';
import { type Person, type Sql, base64 } from '../../support/database/sql.ts';
import { useWorkspace } from '../fixture/use-workspace.ts';
import { type WorkspaceFixture, append, appendArgs, startSession } from '../fixture/workspace-fixture.ts';

const withWorkspace = useWorkspace();

/** The stored rows of a page, in order. */
const log = (sql: Sql, document: string) =>
  sql.rows(
    `select seq, session, n_from, n_to, appended_by, encode(update, 'hex') as update, dependencies is not null as has_dependencies
     from public.document_updates where document_id = $1 order by seq`,
    [document],
  );
const head = (sql: Sql, document: string) =>
  sql.row<{ head_seq: number; tail_bytes: number; published_seq: number }>(
    'select * from public.document_heads where document_id = $1',
    [document],
  );
const bytesOf = (size: number) => Buffer.alloc(size, 7).toString('base64');
const part = (session: string, nFrom: number, nTo: number, ...bytes: number[]) => ({
  session,
  nFrom,
  nTo,
  update: base64(...bytes),
});
const relay = (fixture: WorkspaceFixture, session: string, dependencies: unknown) =>
  appendArgs({ document: fixture.page, session, nFrom: 0, nTo: 0, update: '', dependencies });
const revoke = (sql: Sql, fixture: WorkspaceFixture, person: Person) =>
  sql.call(fixture.people.owner, 'set_document_member', { document: fixture.page, person: person.id, role: null });

test(
  '[D1] an append writes the next row and returns it',
  withWorkspace(async (sql, fixture) => {
    const { editor } = fixture.people;
    const session = fixture.editorSession;
    const answer = await append(sql, editor, { document: fixture.page, session, nFrom: 2, nTo: 4, knownSeq: 2 });

    const row = {
      seq: 3,
      session,
      clientId: fixture.editorClientId,
      nFrom: 2,
      nTo: 4,
      update: Uint8Array.of(2, 4),
      dependencies: [],
    };
    expect(answer).toEqual({
      seq: 3,
      lastN: 4,
      head: 3,
      epoch: '1.1',
      role: 'editor',
      rows: [row],
      more: false,
      unpublished: false,
      snapshotWanted: false,
      publishIn: 0,
    });
    expect((await log(sql, fixture.page)).at(-1)).toEqual({
      seq: 3,
      session,
      n_from: 2,
      n_to: 4,
      appended_by: editor.id,
      update: '0204',
      has_dependencies: false,
    });
    // A reader gets the same bytes later.
    const read = await sql.ask(editor, rowsAnswer, 'rows_since', { document: fixture.page, seq: 2, row_limit: 500 });
    expect(read.rows).toEqual([row]);
  }),
);

test(
  '[D1] a repeated append writes nothing and returns the row that holds the edits',
  withWorkspace(async (sql, fixture) => {
    const { editor } = fixture.people;
    const send = { document: fixture.page, session: fixture.editorSession, nFrom: 2, nTo: 4, knownSeq: 2 };
    const first = await append(sql, editor, send);
    await append(sql, editor, { ...send, nFrom: 5, nTo: 5 });
    const before = await log(sql, fixture.page);

    const again = await append(sql, editor, { ...send, knownSeq: 4 });
    expect(again).toEqual({ ...first, seq: 3, lastN: 5, head: 4, rows: [] });
    const inner = await append(sql, editor, { ...send, nFrom: 3, nTo: 3, knownSeq: 4 });
    expect(inner.seq).toBe(3);
    expect(await log(sql, fixture.page)).toEqual(before);
    expect((await head(sql, fixture.page)).head_seq).toBe(4);
  }),
);

test(
  '[D1] [HI9] an append that overlaps the log writes nothing again: it is asked for the rest',
  withWorkspace(async (sql, fixture) => {
    const { editor } = fixture.people;
    const send = { document: fixture.page, session: fixture.editorSession, knownSeq: 2 };
    await append(sql, editor, { ...send, nFrom: 2, nTo: 4 });
    const overlap = await append(sql, editor, { ...send, nFrom: 2, nTo: 6, knownSeq: 3 });
    expect(overlap).toMatchObject({ seq: null, lastN: 4, head: 3, rows: [] });
    const rest = await append(sql, editor, { ...send, nFrom: 5, nTo: 6, knownSeq: 3 });
    expect(rest).toMatchObject({ seq: 4, lastN: 6, head: 4 });
  }),
);

test(
  '[D1] an append after a gap writes nothing and returns the number to continue from',
  withWorkspace(async (sql, fixture) => {
    const { editor } = fixture.people;
    const before = await log(sql, fixture.page);
    const gap = await append(sql, editor, {
      document: fixture.page,
      session: fixture.editorSession,
      nFrom: 3,
      nTo: 4,
      knownSeq: 2,
    });
    expect(gap).toMatchObject({ seq: null, lastN: 1, head: 2, rows: [], unpublished: false });
    expect(await log(sql, fixture.page)).toEqual(before);
  }),
);

test(
  '[D1] two writers get consecutive rows, and each answer has the rows its sender lacks',
  withWorkspace(async (sql, fixture) => {
    const { editor, member } = fixture.people;
    const theirs = await startSession(sql, member, fixture.page);
    await append(sql, editor, {
      document: fixture.page,
      session: fixture.editorSession,
      nFrom: 2,
      nTo: 2,
      knownSeq: 2,
    });
    const answer = await append(sql, member, {
      document: fixture.page,
      session: theirs.session,
      nFrom: 1,
      nTo: 1,
      knownSeq: 1,
    });
    expect(answer.rows.map((row) => [row.seq, row.clientId])).toEqual([
      [2, fixture.editorClientId],
      [3, fixture.editorClientId],
      [4, theirs.clientId],
    ]);
    expect(answer).toMatchObject({ seq: 4, lastN: 1, head: 4, role: 'editor', more: false });
  }),
);

test(
  '[D1] an answer has at most 500 rows and 1 MiB, and says if there are more',
  withWorkspace(async (sql, fixture) => {
    const { editor } = fixture.people;
    await sql.rows(
      `insert into public.document_updates (document_id, seq, session, n_from, n_to, update)
       select $1, n, $2, n, n, '\\x01' from generate_series(3, 700) as n`,
      [fixture.page, fixture.editorSession],
    );
    await sql.rows('update public.document_heads set head_seq = 700 where document_id = $1', [fixture.page]);
    await sql.rows('update public.document_sessions set last_n = 700 where session = $1', [fixture.editorSession]);
    const many = await append(sql, editor, {
      document: fixture.page,
      session: fixture.editorSession,
      nFrom: 701,
      nTo: 701,
      knownSeq: 0,
    });
    expect([many.rows.length, many.rows.at(-1)?.seq, many.more, many.head]).toEqual([500, 500, true, 701]);

    const send = { document: fixture.page, session: fixture.editorSession, knownSeq: 701 };
    for (let n = 702; n <= 704; n++) {
      await append(sql, editor, { ...send, nFrom: n, nTo: n, update: bytesOf(400 * 1024) });
    }
    const large = await append(sql, editor, { ...send, nFrom: 705, nTo: 705 });
    expect(large.rows.map((row) => row.seq)).toEqual([702, 703]);
    expect(large.more).toBe(true);
    expect(large.rows.reduce((sum, row) => sum + row.update.length, 0)).toBeLessThanOrEqual(MAX_ANSWER_BYTES);
  }),
);

test(
  '[D1] a row larger than the limit of an answer is returned alone',
  withWorkspace(async (sql, fixture) => {
    const { editor } = fixture.people;
    const send = { document: fixture.page, session: fixture.editorSession, knownSeq: 2 };
    await append(sql, editor, { ...send, nFrom: 2, nTo: 2, update: bytesOf(MAX_UPDATE_BYTES) });
    const answer = await append(sql, editor, { ...send, nFrom: 3, nTo: 3 });
    expect(answer.rows.map((row) => [row.seq, row.update.length])).toEqual([[3, MAX_UPDATE_BYTES]]);
    expect(answer.more).toBe(true);
  }),
);

test(
  '[I10] an append does not write to the row of the document',
  withWorkspace(async (sql, fixture) => {
    const page = () => sql.row('select xmin::text, ctid::text from public.documents where id = $1', [fixture.page]);
    const before = await page();
    await append(sql, fixture.people.editor, {
      document: fixture.page,
      session: fixture.editorSession,
      nFrom: 2,
      nTo: 2,
    });
    expect(await page()).toEqual(before);
  }),
);

test(
  'tail_bytes counts the bytes of own edits and of dependencies',
  withWorkspace(async (sql, fixture) => {
    const { editor, member } = fixture.people;
    const theirs = await startSession(sql, member, fixture.page);
    const before = (await head(sql, fixture.page)).tail_bytes;
    await append(sql, editor, {
      document: fixture.page,
      session: fixture.editorSession,
      nFrom: 2,
      nTo: 2,
      update: base64(1, 2, 3, 4, 5),
    });
    expect((await head(sql, fixture.page)).tail_bytes).toBe(before + 5);
    await append(sql, editor, {
      document: fixture.page,
      session: fixture.editorSession,
      nFrom: 3,
      nTo: 3,
      update: base64(1),
      dependencies: [part(theirs.session, 1, 1, 9, 9)],
    });
    const encoded = 2 + 36 + 2; // The count, the part's fields, its update.
    expect((await head(sql, fixture.page)).tail_bytes).toBe(before + 5 + 1 + encoded);
  }),
);

test(
  '[D3] dependencies go into the same row, without those the log has, and do not advance their author’s numbers',
  withWorkspace(async (sql, fixture) => {
    const { editor, member } = fixture.people;
    const theirs = await startSession(sql, member, fixture.page);
    const answer = await append(sql, editor, {
      document: fixture.page,
      session: fixture.editorSession,
      nFrom: 2,
      nTo: 2,
      knownSeq: 2,
      dependencies: [part(theirs.session, 1, 2, 8), part(theirs.session, 3, 3, 9)],
    });
    const dependencies = [
      { session: theirs.session, clientId: theirs.clientId, nFrom: 1, nTo: 2, update: Uint8Array.of(8) },
      { session: theirs.session, clientId: theirs.clientId, nFrom: 3, nTo: 3, update: Uint8Array.of(9) },
    ];
    expect(answer.rows.map((row) => row.dependencies)).toEqual([dependencies]);
    const read = await sql.ask(member, rowsAnswer, 'rows_since', { document: fixture.page, seq: 2, row_limit: 1 });
    expect(read.rows[0]?.dependencies).toEqual(dependencies);

    // Their author still has to append them: none of their edits is acknowledged.
    const own = await append(sql, member, {
      document: fixture.page,
      session: theirs.session,
      nFrom: 1,
      nTo: 3,
      knownSeq: 3,
    });
    expect(own).toMatchObject({ seq: 4, lastN: 3 });

    // Now the log has them, so they are left out.
    const later = await append(sql, editor, {
      document: fixture.page,
      session: fixture.editorSession,
      nFrom: 3,
      nTo: 3,
      knownSeq: 4,
      dependencies: [part(theirs.session, 1, 2, 8), part(theirs.session, 3, 3, 9)],
    });
    expect(later.rows.map((row) => [row.seq, row.dependencies])).toEqual([[5, []]]);

    // The log has the first part up to its last edit, and lacks the second.
    const mixed = await append(sql, editor, {
      document: fixture.page,
      session: fixture.editorSession,
      nFrom: 4,
      nTo: 4,
      knownSeq: 5,
      dependencies: [part(theirs.session, 3, 3, 9), part(theirs.session, 4, 4, 10)],
    });
    expect(mixed.rows.map((row) => row.dependencies.map((one) => one.nFrom))).toEqual([[4]]);
  }),
);

test(
  '[I8] dependencies of an own edit are stored under the appender’s name even after their author lost access',
  withWorkspace(async (sql, fixture) => {
    const { editor, redeemedEditor } = fixture.people;
    const gone = await startSession(sql, redeemedEditor, fixture.page);
    await revoke(sql, fixture, redeemedEditor);
    const answer = await append(sql, editor, {
      document: fixture.page,
      session: fixture.editorSession,
      nFrom: 2,
      nTo: 2,
      knownSeq: 2,
      dependencies: [part(gone.session, 1, 1, 8)],
    });
    expect(answer.rows[0]?.dependencies.map((one) => one.session)).toEqual([gone.session]);
    expect((await log(sql, fixture.page)).at(-1)).toMatchObject({ appended_by: editor.id, has_dependencies: true });
  }),
);

test(
  '[D7] a relay appends edits of others without own ones, and none of them twice',
  withWorkspace(async (sql, fixture) => {
    const { editor, member } = fixture.people;
    const theirs = await startSession(sql, member, fixture.page);
    const args = relay(fixture, fixture.editorSession, [part(theirs.session, 1, 2, 8)]);
    expect(await sql.call(editor, 'append_update', { ...args, known_seq: 2 })).toMatchObject({
      seq: 3,
      lastN: 1,
      head: 3,
    });
    expect((await log(sql, fixture.page)).at(-1)).toMatchObject({
      n_from: 0,
      n_to: 0,
      update: '',
      has_dependencies: true,
    });

    await append(sql, member, { document: fixture.page, session: theirs.session, nFrom: 1, nTo: 2 });
    expect(await sql.call(editor, 'append_update', args)).toMatchObject({ seq: 4, head: 4 });
    expect((await log(sql, fixture.page)).length).toBe(4);
  }),
);

test(
  '[D7] a relay is refused once the author of its edits may no longer edit',
  withWorkspace(async (sql, fixture) => {
    const { editor, redeemedEditor } = fixture.people;
    const gone = await startSession(sql, redeemedEditor, fixture.page);
    const args = relay(fixture, fixture.editorSession, [part(gone.session, 1, 1, 8)]);
    expect(await sql.outcome(() => sql.call(editor, 'append_update', args))).toBe('ok');
    await revoke(sql, fixture, redeemedEditor);
    expect(await sql.refusal(editor, 'append_update', args)).toMatchObject({
      code: 'WF005',
      detail: 'dependencies: its author may no longer edit',
    });
  }),
);

test(
  '[I8] after a person’s role is revoked, none of their appends is accepted, not even a repeated one',
  withWorkspace(async (sql, fixture) => {
    const { redeemedEditor } = fixture.people;
    const { session } = await startSession(sql, redeemedEditor, fixture.page);
    const send = appendArgs({ document: fixture.page, session, nFrom: 1, nTo: 1 });
    expect(await sql.call(redeemedEditor, 'append_update', send)).toMatchObject({ seq: 3 });
    await revoke(sql, fixture, redeemedEditor);
    expect((await sql.refusal(redeemedEditor, 'append_update', send)).code).toBe('WF001');
    await sql.call(fixture.people.owner, 'set_document_member', {
      document: fixture.page,
      person: redeemedEditor.id,
      role: 'viewer',
    });
    expect((await sql.refusal(redeemedEditor, 'append_update', send)).code).toBe('WF002');
  }),
);

test(
  'an update is refused if it is empty, too large or not base64, and accepted at the limits',
  withWorkspace(async (sql, fixture) => {
    const { editor } = fixture.people;
    const send = (update: string) => {
      const args = appendArgs({ document: fixture.page, session: fixture.editorSession, nFrom: 2, nTo: 2, update });
      return sql.outcome(() => sql.call(editor, 'append_update', args));
    };
    expect(await send(base64(0))).toBe('ok');
    expect(await send(bytesOf(MAX_UPDATE_BYTES))).toBe('ok');
    for (const update of ['', bytesOf(MAX_UPDATE_BYTES + 1), bytesOf(3_000_000), 'ä', '*', 'AAA', 'A===', '-_-_']) {
      expect([update.slice(0, 8), await send(update)]).toEqual([update.slice(0, 8), 'WF005']);
    }
  }),
);

test(
  'impossible numbers, versions and seqs are refused',
  withWorkspace(async (sql, fixture) => {
    const { editor } = fixture.people;
    const valid = appendArgs({ document: fixture.page, session: fixture.editorSession, nFrom: 2, nTo: 2 });
    const code = (change: Record<string, unknown>) =>
      sql.outcome(() => sql.call(editor, 'append_update', { ...valid, ...change }));
    expect(await code({})).toBe('ok');
    for (const change of [
      { n_from: 0 },
      { n_to: 1 },
      { n_from: -1, n_to: -1 },
      { n_from: null },
      { n_to: null },
      { update: null },
      { known_seq: -1 },
      { known_seq: null },
      { schema_version: 0 },
      { schema_version: null },
      { n_from: 0, n_to: 0 },
      { n_from: 0, n_to: 0, update: '' },
    ]) {
      expect([change, await code(change)]).toEqual([change, 'WF005']);
    }
    expect(await code({ session: null })).toBe('WF016');
    expect(await code({ document: null })).toBe('WF001');
    expect(await code({ document: randomUUID() })).toBe('WF001');
  }),
);

test(
  '[HI7] dependencies are refused if they are malformed, or if their session is unknown or of another page',
  withWorkspace(async (sql, fixture) => {
    const { editor, member } = fixture.people;
    const theirs = await startSession(sql, member, fixture.page);
    const elsewhere = await startSession(sql, member, fixture.subpage);
    const code = (dependencies: unknown) =>
      sql.outcome(() =>
        sql.call(
          editor,
          'append_update',
          appendArgs({ document: fixture.page, session: fixture.editorSession, nFrom: 2, nTo: 2, dependencies }),
        ),
      );
    const valid = part(theirs.session, 1, 1, 8);
    expect(await code([valid])).toBe('ok');
    expect(await code([])).toBe('ok');
    expect(await code(Array.from({ length: 1000 }, () => valid))).toBe('ok');
    for (const dependencies of [
      {},
      '"x"',
      '1',
      [1],
      ['x'],
      [{}],
      [{ ...valid, session: 'x' }],
      [{ ...valid, session: null }],
      [{ ...valid, nFrom: 0 }],
      [{ ...valid, nFrom: 1.5 }],
      [{ ...valid, nTo: 0 }],
      [{ ...valid, nTo: 99_999_999_999 }],
      [{ ...valid, update: '' }],
      [{ ...valid, update: '*' }],
      [{ ...valid, update: null }],
      [{ ...valid, update: bytesOf(MAX_UPDATE_BYTES + 1) }],
      Array.from({ length: 1001 }, () => valid),
      Array.from({ length: 5 }, () => ({ ...valid, update: bytesOf(MAX_UPDATE_BYTES) })),
    ]) {
      const shown = JSON.stringify(dependencies).slice(0, 90);
      expect([shown, await code(dependencies)]).toEqual([shown, 'WF005']);
    }
    for (const session of [randomUUID(), elsewhere.session, '00000000-0000-0000-0000-000000000000']) {
      expect([session, await code([{ ...valid, session }])]).toEqual([session, 'WF016']);
    }
  }),
);

test(
  '[HI7] a session is refused if it is someone else’s, and as lost by the server if it is unknown here',
  withWorkspace(async (sql, fixture) => {
    const { editor, member } = fixture.people;
    const theirs = await startSession(sql, member, fixture.page);
    const elsewhere = await startSession(sql, editor, fixture.subpage).catch(() => null);
    expect(elsewhere).not.toBeNull();
    const code = (session: string) =>
      sql.outcome(() =>
        sql.call(editor, 'append_update', appendArgs({ document: fixture.page, session, nFrom: 1, nTo: 1 })),
      );
    expect(await code(fixture.editorSession)).toBe('ok');
    expect(await code(theirs.session)).toBe('WF005');
    for (const session of [elsewhere?.session ?? '', randomUUID(), '00000000-0000-0000-0000-000000000000']) {
      expect(await code(session)).toBe('WF016');
    }
  }),
);

test(
  'a schema version that the database does not know is refused, so no one can lock a page with one',
  withWorkspace(async (sql, fixture) => {
    const { redeemedEditor, editor } = fixture.people;
    const { session } = await startSession(sql, redeemedEditor, fixture.page);
    const send = appendArgs({ document: fixture.page, session, nFrom: 1, nTo: 1 });
    for (const version of [SCHEMA_VERSION + 1, 10_000, 2_147_483_647]) {
      const code = (call: string, args: Record<string, unknown>) =>
        sql.outcome(() => sql.call(redeemedEditor, call, { ...args, schema_version: version }));
      // Not WF005, with which the app would give up: the database may get newer migrations soon.
      expect(await code('append_update', send)).toBe('55000');
      const start = { document: fixture.page, session: randomUUID(), client_id: 77_777 };
      expect(await code('start_session', start)).toBe('55000');
    }
    expect(await sql.call(redeemedEditor, 'append_update', send)).toMatchObject({ seq: 3 });
    const after = appendArgs({ document: fixture.page, session: fixture.editorSession, nFrom: 2, nTo: 2 });
    expect(await sql.call(editor, 'append_update', after)).toMatchObject({ seq: 4 });
  }),
);

test(
  'the first append of a newer app raises the page’s schema version, and an older app never writes after it',
  withWorkspace(async (sql, fixture) => {
    await sql.rows(`create or replace function weft.newest_schema() returns integer language sql as 'select 9'`);
    const { editor, member } = fixture.people;
    const theirs = await startSession(sql, member, fixture.page);
    const version = () => sql.row('select schema_version from public.documents where id = $1', [fixture.page]);
    const newer = await append(sql, editor, {
      document: fixture.page,
      session: fixture.editorSession,
      nFrom: 2,
      nTo: 2,
      schemaVersion: 3,
    });
    expect(newer.seq).toBe(3);
    expect(await version()).toEqual({ schema_version: 3 });

    const old = appendArgs({ document: fixture.page, session: theirs.session, nFrom: 1, nTo: 1, schemaVersion: 2 });
    expect((await sql.refusal(member, 'append_update', old)).code).toBe('WF004');
    // Edits of an old session, sent by the app after its update.
    expect(await sql.call(member, 'append_update', { ...old, schema_version: 3 })).toMatchObject({ seq: 4 });
    expect(await version()).toEqual({ schema_version: 3 });

    // A repeated append and one after a gap do not raise the version.
    await sql.call(member, 'append_update', { ...old, schema_version: 9 });
    await sql.call(member, 'append_update', { ...old, n_from: 5, n_to: 5, schema_version: 9 });
    expect(await version()).toEqual({ schema_version: 3 });
  }),
);

test(
  'no one can write to a page in the trash, and its readers can still read it',
  withWorkspace(async (sql, fixture) => {
    const { editor, owner } = fixture.people;
    const args = appendArgs({ document: fixture.page, session: fixture.editorSession, nFrom: 2, nTo: 2 });
    expect(await sql.outcome(() => sql.call(editor, 'append_update', args))).toBe('ok');
    await sql.rows('update public.documents set trashed_at = now() where id = $1', [fixture.page]);
    for (const person of [editor, owner]) {
      expect(await sql.refusal(person, 'append_update', args)).toMatchObject({
        code: 'WF002',
        detail: 'the page is in the trash',
      });
      await sql.ask(person, rowsAnswer, 'rows_since', { document: fixture.page, seq: 0, row_limit: 500 });
    }
  }),
);

test(
  'the row is published on the live topic, or "fetch" if it is too large, and nothing if the sender is alone there',
  withWorkspace(async (sql, fixture) => {
    const { editor } = fixture.people;
    const send = { document: fixture.page, session: fixture.editorSession };
    for (const [n, livePeers] of [
      [2, null],
      [3, 1],
      [4, 30],
    ] as const) {
      const sent = await sql.sentDuring(() => append(sql, editor, { ...send, nFrom: n, nTo: n, livePeers }));
      expect(sent.map((message) => [message.topic, message.event])).toEqual([[`d:${fixture.page}:1.1`, 'rows']]);
      const decoded = decodeRows(sent[0]?.bytes ?? new Uint8Array());
      expect(decoded).toMatchObject({
        ok: true,
        value: { kind: 'rows', head: n + 1, rows: [{ seq: n + 1, nFrom: n, nTo: n }] },
      });
    }
    expect(await sql.sentDuring(() => append(sql, editor, { ...send, nFrom: 5, nTo: 5, livePeers: 0 }))).toEqual([]);

    const large = await sql.sentDuring(() =>
      append(sql, editor, { ...send, nFrom: 6, nTo: 6, update: bytesOf(201 * 1024) }),
    );
    expect(decodeRows(large[0]?.bytes ?? new Uint8Array())).toEqual({ ok: true, value: { kind: 'fetch', head: 7 } });
    // A repeated append and one after a gap publish nothing.
    const repeated = await sql.sentDuring(async () => {
      await append(sql, editor, { ...send, nFrom: 6, nTo: 6 });
      await append(sql, editor, { ...send, nFrom: 9, nTo: 9 });
    });
    expect(repeated).toEqual([]);
  }),
);
