// What an account may make in an hour and a day, and how many bytes its files may have.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { textOf, weftError } from '../../../src/protocol/errors.ts';
import { useWorkspace } from '../fixture/use-workspace.ts';
import type { WorkspaceFixture } from '../fixture/workspace-fixture.ts';

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
const refusal = (code: 'WF008' | 'WF017') => ({ code, message: textOf(weftError(code)) });

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
