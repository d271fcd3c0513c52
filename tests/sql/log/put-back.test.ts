// Putting back what a restored server lost (HI4): a row of no session, whose author is the person who put it back.
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { SEED_CLIENT_ID, SEED_SESSION } from 'weft-sync/protocol/ids.ts';
import { MAX_WATCH_MESSAGE_BYTES } from 'weft-sync/protocol/limits.ts';
import { appendAnswer, watchAnswer } from 'weft-sync/protocol/log-answers.ts';
import { decodeRows, encodeRows } from 'weft-sync/protocol/row.ts';
import { toBase64 } from '../../../src/lib/bytes.ts';
import { editingSessions, historyRows } from '../../../src/protocol/history-answers.ts';
import { activityList, homeSummary } from '../../../src/protocol/home-answers.ts';
import { accountDeletion } from '../../../src/protocol/people-answers.ts';
import { type Caller, type Sql, base64 } from '../../support/database/sql.ts';
import { useWorkspace } from '../fixture/use-workspace.ts';
import { type WorkspaceFixture, append } from '../fixture/workspace-fixture.ts';

const withWorkspace = useWorkspace();

const UPDATE = base64(1, 2, 3, 4);
const argsOf = ({ page }: WorkspaceFixture, changes: Record<string, unknown> = {}) => ({
  document: page,
  known_seq: 2,
  known_at: null,
  update: UPDATE,
  schema_version: 1,
  live_peers: null,
  row_version: 4,
  ...changes,
});
const putBack = (sql: Sql, by: Caller, fixture: WorkspaceFixture, changes?: Record<string, unknown>) =>
  sql.ask(by, appendAnswer, 'put_back', argsOf(fixture, changes));
const versions = (sql: Sql, { page }: WorkspaceFixture) =>
  sql.rows<{ seq: number; name: string | null; created_by: string }>(
    `select seq::integer, name, created_by from public.document_versions
     where document_id = $1 and kind = 'putBack' order by created_at, seq`,
    [page],
  );
const head = (sql: Sql, { page }: WorkspaceFixture) =>
  sql.row('select head_seq::integer, tail_bytes::integer from public.document_heads where document_id = $1', [page]);
const edit = (sql: Sql, fixture: WorkspaceFixture, n: number) =>
  append(sql, fixture.people.editor, { document: fixture.page, session: fixture.editorSession, nFrom: n, nTo: n });

describe('[HI4] what is put back', () => {
  test(
    'is one row of no session, by the person who put it back, behind a version of the page before',
    withWorkspace(async (sql, fixture) => {
      const { member } = fixture.people;
      const before = await head(sql, fixture);
      const answer = await putBack(sql, member, fixture);
      expect(answer).toMatchObject({ seq: 3, lastN: 0, head: 3, role: 'editor', more: false, unpublished: false });
      expect(answer.rows).toMatchObject([
        { seq: 3, session: SEED_SESSION, clientId: SEED_CLIENT_ID, nFrom: 1, nTo: 1, dependencies: [] },
      ]);
      expect(answer.rows[0]?.update).toEqual(Uint8Array.of(1, 2, 3, 4));
      const stored = await sql.row(
        'select appended_by, dependencies, first_seq from public.document_updates where document_id = $1 and seq = 3',
        [fixture.page],
      );
      expect(stored).toEqual({ appended_by: member.id, dependencies: null, first_seq: null });
      expect(await head(sql, fixture)).toEqual({ head_seq: 3, tail_bytes: Number(before['tail_bytes']) + 4 });
      expect(await versions(sql, fixture)).toEqual([{ seq: 2, name: null, created_by: member.id }]);
      for (const version of [1, 2, 3]) {
        const asked = { document: fixture.page, after: 2, row_version: version };
        const { rows, putBack: notes } = await sql.ask(fixture.people.viewer, historyRows, 'history_rows', asked);
        expect(notes).toEqual([{ seq: 3, by: member.id }]);
        expect(rows).toMatchObject([{ seq: 3, session: SEED_SESSION, clientId: SEED_CLIENT_ID, nFrom: 1, nTo: 1 }]);
      }
      expect(await edit(sql, fixture, 2)).toMatchObject({ seq: 4, lastN: 2 });
    }),
  );

  test(
    'is not appended while the caller lacks a row that was put back',
    withWorkspace(async (sql, fixture) => {
      const { editor, member } = fixture.people;
      await putBack(sql, member, fixture);
      await edit(sql, fixture, 2);
      const refused = await putBack(sql, editor, fixture, { update: base64(9) });
      expect(refused).toMatchObject({ seq: null, lastN: 0, head: 4, more: false });
      expect(refused.rows.map(({ seq }) => seq)).toEqual([3, 4]);
      expect(await head(sql, fixture)).toMatchObject({ head_seq: 4 });
      expect(await putBack(sql, editor, fixture, { known_seq: 0 })).toMatchObject({ seq: null, head: 4 });
      // The rows of others do not matter.
      const second = await putBack(sql, editor, fixture, { update: base64(9), known_seq: 3 });
      expect(second.seq).toBe(5);
      expect(second.rows.map(({ seq }) => seq)).toEqual([4, 5]);
    }),
  );

  test(
    'has one version a minute before it',
    withWorkspace(async (sql, fixture) => {
      const { editor, member } = fixture.people;
      await putBack(sql, member, fixture);
      await putBack(sql, editor, fixture, { known_seq: 3 });
      expect((await versions(sql, fixture)).map(({ seq }) => seq)).toEqual([2]);
      await sql.rows(`update public.document_versions set created_at = created_at - interval '61 seconds'`);
      await putBack(sql, editor, fixture, { known_seq: 4 });
      expect((await versions(sql, fixture)).map(({ seq }) => seq)).toEqual([2, 4]);
    }),
  );

  test(
    'has a version also on a page with as many as it may have, in the place of the oldest of its kind without a name',
    withWorkspace(async (sql, fixture) => {
      const { editor } = fixture.people;
      await sql.rows('delete from public.document_versions');
      await sql.rows(
        `insert into public.document_versions (id, document_id, seq, name, kind, created_at)
         select gen_random_uuid(), $1, 1, case when n > 1 then 'Kept' end, 'putBack', now() - make_interval(days => 1001 - n)
         from generate_series(0, 999) as n`,
        [fixture.page],
      );
      await putBack(sql, editor, fixture);
      const left = await versions(sql, fixture);
      expect(left.length).toBe(1000);
      expect(left.filter(({ name }) => name === null).map(({ seq }) => seq)).toEqual([1, 2]);
    }),
  );

  test(
    'is published as an append is: on the live topic and to watchers, or as "fetch" if it is large',
    withWorkspace(async (sql, fixture) => {
      const { editor } = fixture.people;
      await sql.ask('anon', watchAnswer, 'open_watch', { secret: fixture.links.viewer.secret, since: 0 });
      let rows: unknown;
      const sent = await sql.sentDuring(async () => {
        ({ rows } = await putBack(sql, editor, fixture));
      });
      const messages = sent.filter(({ event }) => event === 'rows');
      expect(messages.map(({ topic }) => topic.slice(0, 2)).toSorted()).toEqual(['d:', 'v:', 'w:']);
      for (const { bytes } of messages)
        expect(decodeRows(bytes ?? new Uint8Array())).toMatchObject({
          ok: true,
          value: { kind: 'rows', head: 3, rows },
        });
      const large = await sql.sentDuring(() =>
        putBack(sql, editor, fixture, { known_seq: 3, update: toBase64(new Uint8Array(MAX_WATCH_MESSAGE_BYTES)) }),
      );
      // Watchers got a message less than a second ago.
      expect(
        large.filter(({ event }) => event === 'rows').map(({ topic, bytes }) => [topic.slice(0, 2), bytes]),
      ).toEqual([['d:', encodeRows({ kind: 'fetch', head: 4 })]]);
      const alone = await sql.sentDuring(() => putBack(sql, editor, fixture, { known_seq: 4, live_peers: 0 }));
      expect(alone.filter(({ event }) => event === 'rows')).toEqual([]);
    }),
  );

  test(
    'is refused on a page in the trash, by an older app and with a version that the database does not know',
    withWorkspace(async (sql, fixture) => {
      const { editor, owner } = fixture.people;
      const code = (changes: Record<string, unknown> = {}) =>
        sql.outcome(() => sql.call(editor, 'put_back', argsOf(fixture, changes)));
      expect(await code()).toBe('ok');
      await sql.rows('update public.documents set schema_version = 2 where id = $1', [fixture.page]);
      expect(await code()).toBe('WF004');
      await sql.rows('update public.documents set schema_version = 1 where id = $1', [fixture.page]);
      await sql.call(owner, 'trash_document', { document: fixture.page });
      expect(await code()).toBe('WF002');
    }),
  );
});

describe('[HI4] a row that was put back', () => {
  test(
    'is an edit of the person who put it back, in editing sessions, activity and the chart of the home',
    withWorkspace(async (sql, fixture) => {
      const { member, viewer } = fixture.people;
      await putBack(sql, member, fixture);
      const [editingSession] = await sql.ask(viewer, editingSessions, 'list_sittings', {
        document: fixture.page,
        person: member.id,
      });
      expect(editingSession?.toSeq).toBe(3);
      expect(editingSession?.passedOn).toBe(0);
      expect(editingSession?.authors).toContain(member.id);

      await sql.call(member, 'save_text', { document: fixture.page, seq: 3, title: 'T', body_text: 'B' });
      const activity = await sql.ask(viewer, activityList, 'list_activity', { workspace: fixture.workspace });
      expect(activity.filter(({ kind, actor }) => kind === 'edited' && actor === member.id)).toHaveLength(1);
      const { chart } = await sql.ask(viewer, homeSummary, 'home_summary', { workspace: fixture.workspace });
      const people = chart.find(({ document }) => document === fixture.page)?.people ?? [];
      expect(people.map(({ user }) => user)).toContain(member.id);
    }),
  );

  test(
    'has no author any more when that account is deleted',
    withWorkspace(async (sql, fixture) => {
      const { member } = fixture.people;
      await putBack(sql, member, fixture);
      expect(await sql.ask(member, accountDeletion, 'delete_account', {})).toEqual({ isDeleted: true });
      expect(
        await sql.rows('select seq::integer from public.document_updates where appended_by = $1', [member.id]),
      ).toEqual([]);
      expect(
        await sql.row('select appended_by from public.document_updates where document_id = $1 and seq = 3', [
          fixture.page,
        ]),
      ).toEqual({ appended_by: null });
    }),
  );

  test(
    'is never compacted together with others',
    withWorkspace(async (sql, fixture) => {
      await edit(sql, fixture, 2);
      const put = await putBack(sql, fixture.people.member, fixture, { known_seq: 3 });
      await sql.rows('delete from public.document_versions');
      await edit(sql, fixture, 3);
      await sql.rows(`update public.document_updates set created_at = created_at - interval '2 days'`);
      await sql.rows('update public.documents set text_seq = 5 where id = $1', [fixture.page]);
      const compact = async (first: number, last: number, parts: unknown) => {
        const { rows } = await sql.ask(fixture.people.viewer, historyRows, 'history_rows', {
          document: fixture.page,
          after: first - 1,
          row_version: 3,
        });
        const bytes = encodeRows({ kind: 'rows', head: last, rows: rows.filter(({ seq }) => seq <= last) }, 3);
        return sql.outcome(() =>
          sql.call('service', 'compact_history', {
            document: fixture.page,
            first_seq: first,
            last_seq: last,
            sha256: createHash('sha256').update(bytes).digest('hex'),
            parts: JSON.stringify(parts),
          }),
        );
      };
      const own = (nFrom: number, nTo: number) => ({ session: fixture.editorSession, nFrom, nTo, update: base64(7) });
      const foreign = { session: SEED_SESSION, nFrom: 1, nTo: 1, update: UPDATE };
      expect(put.seq).toBe(4);
      expect(await compact(2, 5, [foreign, own(1, 3)])).toBe('22023');
      expect(await compact(3, 4, [own(2, 2), foreign])).toBe('22023');
      expect(await compact(4, 5, [own(3, 3)])).toBe('22023');
      expect(await compact(2, 3, [own(1, 2)])).toBe('ok');
    }),
  );
});
