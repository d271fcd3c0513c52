// Snapshots and the copies of title and text: claim_snapshot, save_snapshot, save_text.
import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { openAnswer } from 'weft-sync/protocol/log-answers.ts';
import { ROW_VERSION } from 'weft-sync/protocol/row.ts';
import { MAX_TITLE_LENGTH } from '../../../src/protocol/limits.ts';
import { type Caller, type Sql, base64 } from '../../support/database/sql.ts';
import { useWorkspace } from '../fixture/use-workspace.ts';
import { type WorkspaceFixture, append } from '../fixture/workspace-fixture.ts';

const withWorkspace = useWorkspace();

const claimed = v.strictObject({
  granted: v.boolean(),
  until: v.pipe(v.string(), v.isoTimestamp()),
  head: v.number(),
  snapshotSeq: v.number(),
});
const claim = (sql: Sql, by: Caller, fixture: WorkspaceFixture) =>
  sql.ask(by, claimed, 'claim_snapshot', { document: fixture.page });

const state = Uint8Array.of(1, 2, 3, 4);
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const snapshot = (fixture: WorkspaceFixture, seq: number, bytes = state) => ({
  document: fixture.page,
  seq,
  state: Buffer.from(bytes).toString('base64'),
  sha256: sha256(bytes),
});
const head = (sql: Sql, fixture: WorkspaceFixture) =>
  sql.row('select * from public.document_heads where document_id = $1', [fixture.page]);
const stored = async (sql: Sql, fixture: WorkspaceFixture) =>
  (
    await sql.rows<{ seq: number }>('select seq from public.document_snapshots where document_id = $1 order by seq', [
      fixture.page,
    ])
  ).map((row) => row.seq);
const edit = (sql: Sql, fixture: WorkspaceFixture, n: number, ...bytes: number[]) =>
  append(sql, fixture.people.editor, {
    document: fixture.page,
    session: fixture.editorSession,
    nFrom: n,
    nTo: n,
    update: base64(...bytes),
  });

test(
  'one person holds the claim for 30 seconds and may renew it; when it ends, the next person gets it',
  withWorkspace(async (sql, fixture) => {
    const { editor, member } = fixture.people;
    const first = await claim(sql, editor, fixture);
    expect(first).toMatchObject({ granted: true, head: 2, snapshotSeq: 1 });
    const { lasts } = await sql.row<{ lasts: boolean }>(
      `select $1::timestamptz between date_trunc('milliseconds', now()) + interval '30 seconds'
         and clock_timestamp() + interval '30 seconds' as lasts`,
      [first.until],
    );
    expect(lasts).toBe(true);

    expect(await claim(sql, member, fixture)).toMatchObject({ granted: false, until: first.until });
    expect((await claim(sql, editor, fixture)).granted).toBe(true);
    await sql.rows(`update public.document_heads set snapshot_claimed_until = now() - interval '1 second'`);
    expect((await claim(sql, member, fixture)).granted).toBe(true);
    expect((await claim(sql, editor, fixture)).granted).toBe(false);
  }),
);

test(
  'saving a snapshot stores it for opening the page, resets tail_bytes and gives the claim back',
  withWorkspace(async (sql, fixture) => {
    const { editor, viewer } = fixture.people;
    await edit(sql, fixture, 2, 1, 1, 1, 1);
    await edit(sql, fixture, 3, 1, 1);
    await claim(sql, editor, fixture);
    expect(await sql.call(editor, 'save_snapshot', snapshot(fixture, 3))).toEqual({ seq: 3 });
    expect(await head(sql, fixture)).toMatchObject({
      head_seq: 4,
      tail_bytes: 2,
      snapshot_seq: 3,
      snapshot_bytes: 4,
      snapshot_claimed_by: null,
      snapshot_claimed_until: null,
    });
    const opened = await sql.ask(viewer, openAnswer, 'open_document', {
      document: fixture.page,
      since: 0,
      row_version: ROW_VERSION,
    });
    expect(opened.snapshot).toEqual({ seq: 3, at: opened.rows[0]?.follows, state, sha256: sha256(state) });
    expect(opened.rows.map((row) => row.seq)).toEqual([4]);
    expect((await claim(sql, fixture.people.member, fixture)).granted).toBe(true);
  }),
);

test(
  'a snapshot is refused without a claim, or after the claim has ended',
  withWorkspace(async (sql, fixture) => {
    const { editor, member } = fixture.people;
    const code = (by: Caller) => sql.outcome(() => sql.call(by, 'save_snapshot', snapshot(fixture, 2)));
    expect(await code(editor)).toBe('WF005');
    await claim(sql, editor, fixture);
    expect(await code(editor)).toBe('ok');
    expect(await code(member)).toBe('WF005');
    await sql.rows(`update public.document_heads set snapshot_claimed_until = now() - interval '1 second'`);
    expect(await code(editor)).toBe('WF005');
  }),
);

test(
  'a snapshot is refused if its row is not in the log, its sha256 is wrong, or it is empty or too large',
  withWorkspace(async (sql, fixture) => {
    const { editor } = fixture.people;
    await claim(sql, editor, fixture);
    const code = (change: Record<string, unknown>) =>
      sql.outcome(() => sql.call(editor, 'save_snapshot', { ...snapshot(fixture, 2), ...change }));
    expect(await code({})).toBe('ok');
    expect(await code({ seq: 1 })).toBe('ok');
    const empty = { state: '', sha256: sha256(new Uint8Array()) };
    for (const change of [
      { seq: 3 },
      { seq: 0 },
      { seq: null },
      { sha256: sha256(Uint8Array.of(9)) },
      { sha256: sha256(state).toUpperCase() },
      { sha256: null },
      { state: '*' },
      { state: null },
      empty,
    ]) {
      expect([change, await code(change)]).toEqual([change, 'WF005']);
    }
    const large = new Uint8Array(20 * 1024 * 1024 + 1);
    expect(await code(snapshot(fixture, 2, large))).toBe('WF005');
    expect(await code(snapshot(fixture, 2, large.subarray(1)))).toBe('ok');
  }),
);

test(
  'an older snapshot is not stored, but gives the claim back',
  withWorkspace(async (sql, fixture) => {
    const { editor } = fixture.people;
    await claim(sql, editor, fixture);
    await sql.call(editor, 'save_snapshot', snapshot(fixture, 2));
    const before = await head(sql, fixture);
    await claim(sql, editor, fixture);
    expect(await sql.call(editor, 'save_snapshot', snapshot(fixture, 1, Uint8Array.of(9)))).toEqual({ seq: 2 });
    expect(await head(sql, fixture)).toEqual(before);
    expect(await stored(sql, fixture)).toEqual([1, 2]);
  }),
);

test(
  'the database keeps the last three snapshots and the last one of each day',
  withWorkspace(async (sql, fixture) => {
    const { editor } = fixture.people;
    await sql.rows('delete from public.document_snapshots where document_id = $1', [fixture.page]);
    for (let n = 2; n <= 9; n++) await edit(sql, fixture, n, 1);
    const old = `insert into public.document_snapshots (document_id, seq, state, sha256, created_at)
      values ($1, $2, '\\x01', 'x', $3)`;
    const day = new Date(Date.now() - 20 * 86_400_000).toISOString().slice(0, 10);
    const next = new Date(Date.now() - 19 * 86_400_000).toISOString().slice(0, 10);
    await sql.rows(old, [fixture.page, 1, `${day}T10:00:00Z`]);
    await sql.rows(old, [fixture.page, 2, `${day}T23:59:00Z`]);
    await sql.rows(old, [fixture.page, 3, `${next}T00:01:00Z`]);
    for (const seq of [4, 5, 6, 7]) await sql.rows(old, [fixture.page, seq, new Date().toISOString()]);
    await claim(sql, editor, fixture);
    await sql.call(editor, 'save_snapshot', snapshot(fixture, 8));
    expect(await stored(sql, fixture)).toEqual([2, 3, 6, 7, 8]);
  }),
);

test(
  'the database keeps the last one of each month when a month has passed',
  withWorkspace(async (sql, fixture) => {
    await sql.rows('delete from public.document_snapshots where document_id = $1', [fixture.page]);
    await sql.rows(
      `insert into public.document_snapshots (document_id, seq, state, sha256, created_at)
       select $1, n, '\\x01', 'x', now() - interval '1 day' * (1825 - n) from generate_series(1, 1825) as n`,
      [fixture.page],
    );
    // Of every month the last one, and all that are not older than 31 days. Counted by another way than the database's.
    const days = await sql.rows<{ n: number; month: string }>(
      `select n::integer, to_char((now() - interval '1 day' * (1825 - n)) at time zone 'UTC', 'YYYY-MM') as month
       from generate_series(1, 1825) as n order by n`,
    );
    const wanted = days.filter(({ n, month }, at) => n >= 1825 - 31 || days[at + 1]?.month !== month).map(({ n }) => n);
    expect(await stored(sql, fixture)).toEqual(wanted);
    expect(wanted.length).toBeLessThan(32 + 61);
  }),
);

const text = (fixture: WorkspaceFixture, seq: number, title: string, body = `${title} body`) => ({
  document: fixture.page,
  seq,
  title,
  body_text: body,
});
const copies = (sql: Sql, fixture: WorkspaceFixture) =>
  sql.row('select title, body_text, text_seq, updated_by from public.documents where id = $1', [fixture.page]);

test(
  'copies of title and text of the newest row win, in whatever order they arrive',
  withWorkspace(async (sql, fixture) => {
    const { editor, member } = fixture.people;
    await edit(sql, fixture, 2, 1);
    expect(await sql.call(editor, 'save_text', text(fixture, 3, 'Third'))).toEqual({ textSeq: 3 });
    expect(await sql.call(member, 'save_text', text(fixture, 2, 'Second'))).toEqual({ textSeq: 3 });
    const third = { title: 'Third', body_text: 'Third body', text_seq: 3, updated_by: editor.id };
    expect(await copies(sql, fixture)).toEqual(third);
    expect(await sql.call(editor, 'save_text', text(fixture, 3, 'Third, corrected'))).toEqual({ textSeq: 3 });
    expect(await copies(sql, fixture)).toMatchObject({ title: 'Third, corrected' });
  }),
);

test(
  'opening a page returns the seq of its text copy, and saving a newer copy does not count as an edit',
  withWorkspace(async (sql, fixture) => {
    const { editor, member } = fixture.people;
    await edit(sql, fixture, 2, 1);
    const opened = () => sql.call(member, 'open_document', { document: fixture.page, since: 3 });
    expect(await opened()).toMatchObject({ head: 3, textSeq: 0 });
    await sql.rows(`update public.document_updates set created_at = '2026-01-02' where document_id = $1 and seq = 3`, [
      fixture.page,
    ]);
    await sql.call(member, 'save_text', text(fixture, 3, 'Third'));
    expect(await copies(sql, fixture)).toMatchObject({ title: 'Third', text_seq: 3, updated_by: editor.id });
    const opening = await opened();
    expect(opening).toMatchObject({ head: 3, textSeq: 3, document: { updatedBy: editor.id } });
    expect(JSON.stringify(opening)).toContain('"updatedAt":"2026-01-02T');
    // If the author’s profile or the row is gone, the person who copies takes their place.
    await sql.rows('update public.document_updates set appended_by = gen_random_uuid() where document_id = $1', [
      fixture.page,
    ]);
    await sql.call(member, 'save_text', text(fixture, 3, 'Third, corrected'));
    expect(await copies(sql, fixture)).toMatchObject({ updated_by: member.id });
    await sql.rows('delete from public.document_updates where document_id = $1', [fixture.page]);
    await sql.call(editor, 'save_text', text(fixture, 3, 'Third, once more'));
    expect(await copies(sql, fixture)).toMatchObject({ updated_by: editor.id });
  }),
);

test(
  'a copy of a row that does not exist yet is refused, because it would block all later copies',
  withWorkspace(async (sql, fixture) => {
    const { editor } = fixture.people;
    const code = (change: Record<string, unknown>) =>
      sql.outcome(() => sql.call(editor, 'save_text', { ...text(fixture, 2, 'T'), ...change }));
    expect(await code({})).toBe('ok');
    expect(await code({ seq: 3 })).toBe('WF005');
    expect(await code({ seq: null })).toBe('WF005');
    expect(await code({ title: 'ü'.repeat(MAX_TITLE_LENGTH) })).toBe('ok');
    expect(await code({ title: 'x'.repeat(MAX_TITLE_LENGTH + 1) })).toBe('WF005');
    expect(await code({ title: '' })).toBe('ok');
    expect(await code({ title: null })).toBe('WF005');
    expect(await code({ body_text: null })).toBe('WF005');
    // In the trash too: rows that are in the log need their copy, and nothing else can be written there.
    await sql.rows('update public.documents set trashed_at = now() where id = $1', [fixture.page]);
    expect(await code({ seq: 3 })).toBe('WF005');
    expect(await code({})).toBe('ok');
    expect(await sql.outcome(() => sql.call(fixture.people.viewer, 'save_text', text(fixture, 2, 'T')))).toBe('WF002');
  }),
);

test(
  'saving the same text again writes nothing',
  withWorkspace(async (sql, fixture) => {
    const { editor, member } = fixture.people;
    await sql.call(editor, 'save_text', text(fixture, 2, 'Same'));
    const version = () =>
      sql.row('select xmin::text, ctid::text, updated_by from public.documents where id = $1', [fixture.page]);
    const before = await version();
    await sql.call(member, 'save_text', text(fixture, 2, 'Same'));
    expect(await version()).toEqual(before);
  }),
);
