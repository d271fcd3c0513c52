// The number of things that an account may make in an hour and a day, and how many bytes its files may have.
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { weftError } from 'weft-sync/protocol/errors.ts';
import { textOf } from '../../../src/texts/error-texts.ts';
import type { Caller, Sql } from '../../support/database/sql.ts';
import { useWorkspace } from '../fixture/use-workspace.ts';
import { type WorkspaceFixture, appendArgs, startSession } from '../fixture/workspace-fixture.ts';

const withWorkspace = useWorkspace();
const MIB = 1024 * 1024;

const file = ({ page }: WorkspaceFixture, bytes: number) => ({
  id: randomUUID(),
  document: page,
  name: 'a.png',
  mime: 'image/png',
  bytes,
});
const workspace = () => ({ id: randomUUID(), name: 'Mine', document: randomUUID() });
const refusal = (code: 'WF008' | 'WF017' | 'WF018') => ({ code, message: textOf(weftError(code)) });

test(
  'the files of a guest have 50 MiB, those of an account 5 GiB; a removed file makes room again',
  withWorkspace(async (sql, fixture) => {
    const { redeemedEditor: guest, manager } = fixture.people;
    const first = file(fixture, 25 * MIB);
    await sql.call(guest, 'create_attachment', first);
    await sql.call(guest, 'create_attachment', file(fixture, 25 * MIB));
    expect(await sql.refusal(guest, 'create_attachment', file(fixture, 1))).toMatchObject(refusal('WF017'));
    await sql.call(guest, 'create_attachment', first);
    await sql.rows('delete from public.attachments where id = $1', [first.id]);
    await sql.call(guest, 'create_attachment', file(fixture, 1));

    await sql.rows(
      `insert into public.attachments (id, document_id, workspace_id, path, name, mime, bytes, created_by, created_at)
       select gen_random_uuid(), $1, $2, gen_random_uuid(), 'a', 'a/b', $4, $3, now() - interval '2 days'
       from generate_series(1, 204)`,
      [fixture.page, fixture.workspace, manager.id, 25 * MIB],
    );
    await sql.call(manager, 'create_attachment', file(fixture, 20 * MIB));
    expect(await sql.refusal(manager, 'create_attachment', file(fixture, 1))).toMatchObject(refusal('WF017'));
  }),
);

test(
  'a guest makes three workspaces in an hour and five in a day; a repeated call is not counted',
  withWorkspace(async (sql, { people: { guest } }) => {
    const refused = () => sql.refusal(guest, 'create_workspace', workspace());
    const first = workspace();
    for (const args of [first, workspace(), workspace(), first]) await sql.call(guest, 'create_workspace', args);
    expect(await refused()).toMatchObject(refusal('WF008'));
    await sql.call(guest, 'create_workspace', first);

    const age = (by: string) =>
      sql.rows('update public.workspaces set created_at = created_at - $2::interval where created_by = $1', [
        guest.id,
        by,
      ]);
    await age('1 hour');
    for (const args of [workspace(), workspace()]) await sql.call(guest, 'create_workspace', args);
    expect(await refused()).toMatchObject(refusal('WF008'));
    await age('1 day');
    await sql.call(guest, 'create_workspace', workspace());
  }),
);

test(
  'the owner of the project sets other numbers; pages and files have theirs',
  withWorkspace(async (sql, fixture) => {
    const { redeemedEditor: guest, member } = fixture.people;
    const numbers = { pages_per_hour: [1, 2], files_per_day: [1, 2] };
    await sql.rows('update weft.settings set quotas = $1', [JSON.stringify(numbers)]);
    const page = () => ({ id: randomUUID(), workspace: fixture.workspace, parent: fixture.page, rank: 'a0' });
    for (const [person, allowed] of [
      [guest, 1],
      [member, 2],
    ] as const) {
      for (let made = 0; made < allowed; made++) {
        await sql.call(person, 'create_document', page());
        await sql.call(person, 'create_attachment', file(fixture, 0));
      }
      expect(await sql.refusal(person, 'create_document', page())).toMatchObject(refusal('WF008'));
      expect(await sql.refusal(person, 'create_attachment', file(fixture, 0))).toMatchObject(refusal('WF008'));
    }
  }),
);

describe('the text of a day', () => {
  const KIB = 1024;
  const textOfBytes = (bytes: number) => Buffer.alloc(bytes, 7).toString('base64');
  const setQuota = (sql: Sql, guest: number, account: number) =>
    sql.rows('update weft.settings set quotas = $1', [JSON.stringify({ text_bytes_per_day: [guest, account] })]);
  const written = (sql: Sql, { id }: { readonly id: string }) =>
    sql.row('select own::integer, passed_on::integer from weft.texts_written where user_id = $1', [id]);

  /** Appends that each hold one edit of this many bytes. */
  async function writer(sql: Sql, { page }: WorkspaceFixture, by: Caller) {
    const { session } = await startSession(sql, by, page);
    let n = 0;
    const next = (bytes: number, dependencies: unknown = []) => {
      n += 1;
      return appendArgs({ document: page, session, nFrom: n, nTo: n, update: textOfBytes(bytes), dependencies });
    };
    const relay = (part: unknown) =>
      appendArgs({ document: page, session, nFrom: 0, nTo: 0, update: '', dependencies: [part] });
    return { session, next, relay };
  }
  const restored = ({ page }: WorkspaceFixture, knownSeq: number) => ({
    document: page,
    known_seq: knownSeq,
    known_at: null,
    update: textOfBytes(100 * KIB),
    schema_version: 1,
    live_peers: null,
  });

  test(
    'a guest has 16 MiB, an account 2 GiB',
    withWorkspace(async (sql, { people: { guest, member } }) => {
      const most = await sql.row(
        `select weft.quota('text_bytes_per_day', $1)::integer as guest, weft.quota('text_bytes_per_day', $2) as account`,
        [guest.id, member.id],
      );
      expect(most).toEqual({ guest: 16 * MIB, account: 2048 * MIB });
    }),
  );

  test(
    'beyond it an append is refused for the day, and a repeated one is not counted',
    withWorkspace(async (sql, fixture) => {
      const { redeemedEditor: guest, member } = fixture.people;
      await setQuota(sql, 100 * KIB, 200 * KIB);
      for (const [person, allowed] of [
        [guest, 2],
        [member, 4],
      ] as const) {
        const { next } = await writer(sql, fixture, person);
        for (let made = 0; made < allowed; made++) {
          const args = next(50 * KIB);
          await sql.call(person, 'append_update', args);
          await sql.call(person, 'append_update', args);
        }
        const over = next(50 * KIB);
        expect(await sql.refusal(person, 'append_update', over)).toMatchObject(refusal('WF018'));
        // However small it is, and also when it is not drawn to be counted.
        const small = { ...over, update: textOfBytes(1) };
        for (let tried = 0; tried < 20; tried++)
          expect(await sql.refusal(person, 'append_update', small)).toMatchObject(refusal('WF018'));
        await sql.rows('update weft.texts_written set day = day - 1 where user_id = $1', [person.id]);
        await sql.call(person, 'append_update', over);
        expect(await written(sql, person)).toEqual({ own: 50 * KIB + 256, passed_on: 0 });
      }
    }),
  );

  test(
    'a small row is counted now and then, for more: on average for what it takes in the table',
    withWorkspace(async (sql, fixture) => {
      const { redeemedEditor: guest } = fixture.people;
      const { next } = await writer(sql, fixture, guest);
      for (let made = 0; made < 400; made++)
        await sql.call(guest, 'append_update', { ...next(768), known_seq: made + 3 });
      const { own } = await written(sql, guest);
      // 400 KiB in steps of 16: 25 on average; outside of 5 and 55 once in 100,000 runs.
      expect(Number(own) / (16 * KIB)).toBeGreaterThan(5);
      expect(Number(own) / (16 * KIB)).toBeLessThan(55);
    }),
  );

  test(
    'what others wrote and someone passes on is counted apart, so no one uses up the quota of a member',
    withWorkspace(async (sql, fixture) => {
      const { redeemedEditor: guest, member } = fixture.people;
      await setQuota(sql, 100 * KIB, 100 * KIB);
      const author = await writer(sql, fixture, guest);
      const { next, relay } = await writer(sql, fixture, member);
      const part = (n: number) => ({
        session: author.session,
        nFrom: n,
        nTo: n,
        update: textOfBytes(100 * KIB),
      });
      await sql.call(member, 'append_update', relay(part(1)));
      expect(await sql.refusal(member, 'append_update', relay(part(2)))).toMatchObject(refusal('WF018'));
      const refused = next(1, [part(2)]);
      expect(await sql.refusal(member, 'append_update', refused)).toMatchObject(refusal('WF018'));
      await sql.call(member, 'append_update', { ...refused, dependencies: [] });
    }),
  );

  test(
    'what a restored server lost is counted; members may put back sixteen times the quota',
    withWorkspace(async (sql, fixture) => {
      const { redeemedEditor: guest, editor, member } = fixture.people;
      await setQuota(sql, 50 * KIB, 50 * KIB);
      let seq = 2;
      const putBack = () => restored(fixture, seq++);
      await sql.call(member, 'put_back', putBack());
      await sql.call(member, 'put_back', putBack());
      expect(await written(sql, member)).toEqual({ own: 0, passed_on: 2 * (100 * KIB + 256) });
      for (const person of [guest, editor]) {
        await sql.call(person, 'put_back', putBack());
        expect(await sql.refusal(person, 'put_back', restored(fixture, seq))).toMatchObject(refusal('WF018'));
      }
      const { next } = await writer(sql, fixture, member);
      await sql.call(member, 'append_update', next(20 * KIB));
      await setQuota(sql, 50 * KIB, 12 * KIB);
      expect(await sql.refusal(member, 'put_back', restored(fixture, seq + 1))).toMatchObject(refusal('WF018'));
    }),
  );
});
