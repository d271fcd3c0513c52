// A hosted project of the first release, with people and pages, gets the migrations since.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { documentChanges, documentSummary, trashEntries } from '../../../src/protocol/answers.ts';
import { appendAnswer, openAnswer } from '../../../src/protocol/log-answers.ts';
import { ROW_VERSION } from '../../../src/protocol/row.ts';
import { databaseUrl } from '../../support/database/database-names.ts';
import { dropDatabase, serverUrl } from '../../support/database/databases.ts';
import { makeEmptyProject, migrateProject } from '../../support/database/hosted-project.ts';
import { PgConnection } from '../../support/database/pg-connection.ts';
import { Sql, base64 } from '../../support/database/sql.ts';
import { buildWorkspace } from '../fixture/workspace-fixture.ts';

/** The migrations of the first release end here. */
const isOfFirstRelease = (file: string) => file < '20261123';

/** Roles that links to watch gave end here. */
const ENDS_ROLES_OF_WATCH_LINKS = '20261128100000';

let url: string;
let connection: PgConnection;
beforeAll(async () => {
  const server = await serverUrl();
  url = databaseUrl(server, await makeEmptyProject(server));
  await migrateProject(url, isOfFirstRelease);
  connection = await PgConnection.open(url);
});
afterAll(async () => {
  await connection.close();
  await dropDatabase(url);
});

test('its pages are listed and changed as before, and its changes are counted from the update on', async () => {
  const step = <T>(run: (sql: Sql) => Promise<T>) => connection.transaction((tx) => run(new Sql(tx)));
  const { fixture, before } = await step(async (sql) => {
    const built = await buildWorkspace(sql, { hasVersions: false });
    // At that time a link to watch gave a role.
    await sql.call(built.people.linkWatcher, 'redeem_share_link', { secret: built.links.viewer.secret });
    await sql.rows('update public.documents set trashed_at = now() where id = $1', [built.subpage]);
    const list: unknown = await sql.call(built.people.owner, 'list_documents', { workspace: built.workspace });
    return { fixture: built, before: list };
  });
  const { workspace, people } = fixture;
  const rolesByLink = () =>
    step((sql) =>
      sql.rows(
        `select m.role, d.epoch from public.document_members as m join public.documents as d on d.id = m.document_id
         where m.via_link is not null order by m.role`,
      ),
    );
  await migrateProject(url, (file) => !isOfFirstRelease(file) && file < ENDS_ROLES_OF_WATCH_LINKS);
  const [byWatchLink, ...others] = await rolesByLink();
  expect(byWatchLink).toMatchObject({ role: 'viewer' });
  const epoch = Number(byWatchLink?.['epoch']);
  await migrateProject(url, (file) => file.startsWith(ENDS_ROLES_OF_WATCH_LINKS));
  expect(await rolesByLink()).toEqual(others.map((one) => ({ ...one, epoch: epoch + 1 })));
  await migrateProject(url, (file) => !isOfFirstRelease(file) && file.slice(0, 14) > ENDS_ROLES_OF_WATCH_LINKS);

  const list = (since: string | null) =>
    step((sql) => sql.ask(people.owner, documentChanges, 'list_documents', { workspace, since }));
  const first = await list(null);
  const ids = (answer: unknown): unknown[] => {
    const documents: unknown = Reflect.get(Object(answer), 'documents');
    return Array.isArray(documents) ? documents.map((one: unknown) => Reflect.get(Object(one), 'id')) : [];
  };
  expect(ids(first)).toEqual(ids(before));
  expect(first.documents.length).toBe(2);
  // A stamp is as old as the oldest transaction that runs on the server, and other tests have some there.
  let { stamp } = first;
  const changedSince = async () => {
    ({ stamp } = await list(null));
    return ids(await list(stamp));
  };
  await expect.poll(changedSince, { timeout: 20_000 }).toEqual([]);
  const id = randomUUID();
  await step((sql) => sql.call(people.member, 'create_document', { id, workspace, parent: fixture.page, rank: 'a7' }));
  const next = await list(stamp);
  expect([next.isComplete, ids(next)]).toEqual([false, [id]]);

  // Rows from before are known by their times, and what a backup of them lacks can be put back.
  const log = await step((sql) =>
    sql.ask(people.editor, openAnswer, 'open_document', { document: fixture.page, since: 1, row_version: ROW_VERSION }),
  );
  const knownAt = log.rows.at(-1)?.at;
  const putBack = (at: number | undefined) => ({
    document: fixture.page,
    known_seq: 2,
    known_at: at,
    update: base64(0, 0),
    schema_version: 1,
    live_peers: 0,
  });
  const refusal = await step((sql) => sql.refusal(people.editor, 'put_back', putBack((knownAt ?? 0) + 1)));
  expect(refusal.code).toBe('WF016');
  const answer = await step((sql) => sql.ask(people.editor, appendAnswer, 'put_back', putBack(knownAt)));
  expect([log.head, answer.seq]).toEqual([2, 3]);

  const trash = await step((sql) => sql.ask(people.owner, trashEntries, 'list_trash', { workspace }));
  expect(ids({ documents: trash.map(({ document }) => document) })).toEqual([fixture.subpage]);
  const restored = await step((sql) =>
    sql.ask(people.owner, documentSummary, 'restore_document', { document: fixture.subpage }),
  );
  expect(restored).toMatchObject({ parentId: fixture.page, trashedAt: null });
});
