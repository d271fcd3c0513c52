// Requests for access: the person who asks learns nothing about the page, and its managers answer.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { requestAnswer, requestList } from '../../../src/protocol/people-answers.ts';
import type { Caller, Sql } from '../../support/database/sql.ts';
import { useWorkspace } from '../fixture/use-workspace.ts';
import type { WorkspaceFixture } from '../fixture/workspace-fixture.ts';

const withWorkspace = useWorkspace();

const ask = (sql: Sql, by: Caller, document: string, role = 'editor', note: string | null = '') =>
  sql.call(by, 'request_access', { document, role, note });
const listed = (sql: Sql, by: Caller, document: string) => sql.ask(by, requestList, 'list_requests', { document });
const answer = (sql: Sql, by: Caller, request: string, role: string | null) =>
  sql.ask(by, requestAnswer, 'answer_request', { request, role });
const idOf = async (sql: Sql, { page, people }: WorkspaceFixture) =>
  (await listed(sql, people.manager, page))[0]?.id ?? '';
const roleOn = async (sql: Sql, document: string, { id }: { readonly id: string }) =>
  (await sql.row<{ role: string | null }>('select weft.document_role($1, $2) as role', [document, id])).role;

test(
  'a page, a page in the trash, a missing page and one that the caller sees get the same answer in the same time',
  withWorkspace(async (sql, fixture) => {
    const { stranger, member, owner } = fixture.people;
    const trashed = randomUUID();
    await sql.call(owner, 'create_document', { id: trashed, workspace: fixture.workspace, parent: null, rank: 'a9' });
    await sql.rows('update public.documents set trashed_at = now() where id = $1', [trashed]);
    const took = [];
    for (const [by, document] of [
      [stranger, fixture.page],
      [stranger, fixture.secretPage],
      [stranger, trashed],
      [stranger, randomUUID()],
      [member, fixture.page],
      [member, fixture.secretPage],
    ] as const) {
      const start = performance.now();
      expect(await ask(sql, by, document)).toEqual({});
      took.push(performance.now() - start);
    }
    // Each waits for the end of a step of 200 ms; a slow machine may need a second one.
    for (const ms of took) expect(ms).toBeGreaterThan(195);
    const requests = await sql.rows('select document_id, user_id from weft.access_requests order by requested_at, id');
    expect(new Set(requests.map((row) => JSON.stringify(row)))).toEqual(
      new Set(
        [
          { document_id: fixture.page, user_id: stranger.id },
          { document_id: fixture.secretPage, user_id: stranger.id },
          { document_id: fixture.secretPage, user_id: member.id },
        ].map((row) => JSON.stringify(row)),
      ),
    );
  }),
);

test(
  'the managers get a message and the list with a name and the note; no one else does',
  withWorkspace(async (sql, fixture) => {
    const { stranger, manager, admin, owner } = fixture.people;
    const everything = await sql.sentDuring(() => ask(sql, stranger, fixture.page, 'commenter', ' Please? '));
    const sent = everything.filter(({ json }) => Reflect.get(Object(json), 'kind') === 'request');
    expect(new Set(sent.map(({ topic }) => topic))).toEqual(
      new Set([manager, admin, owner].map(({ id }) => `u:${id}`)),
    );
    const [request] = await listed(sql, manager, fixture.page);
    expect(request).toMatchObject({ user: stranger.id, displayName: 'stranger', role: 'commenter', note: 'Please?' });
    expect(sent[0]?.json).toMatchObject({ kind: 'request', op: 'created', id: request?.id });
    expect(await listed(sql, admin, fixture.subpage)).toEqual([]);
  }),
);

test(
  'an allowed request gives the role, a denied one does not, and each is answered once',
  withWorkspace(async (sql, fixture) => {
    const { stranger, guest, manager, owner } = fixture.people;
    await ask(sql, stranger, fixture.page, 'editor');
    const allowed = await idOf(sql, fixture);
    const sent = await sql.sentDuring(async () => {
      expect(await answer(sql, manager, allowed, 'viewer')).toEqual({ role: 'viewer' });
    });
    expect(sent.map(({ topic }) => topic)).toContain(`u:${stranger.id}`);
    expect(await roleOn(sql, fixture.page, stranger)).toBe('viewer');
    expect(await answer(sql, owner, allowed, null)).toEqual({ role: 'viewer' });
    expect(await roleOn(sql, fixture.page, stranger)).toBe('viewer');

    await ask(sql, guest, fixture.page, 'viewer');
    expect(await answer(sql, manager, await idOf(sql, fixture), null)).toEqual({ role: null });
    expect(await roleOn(sql, fixture.page, guest)).toBe(null);
    // No second request for a day.
    await ask(sql, guest, fixture.page, 'viewer');
    expect(await listed(sql, manager, fixture.page)).toEqual([]);
    await sql.rows(`update weft.access_requests set answered_at = answered_at - interval '25 hours'`);
    await ask(sql, guest, fixture.page, 'viewer');
    expect((await listed(sql, manager, fixture.page)).length).toBe(1);
  }),
);

test(
  'an answer lowers no role that the person got meanwhile',
  withWorkspace(async (sql, fixture) => {
    const { stranger, manager, owner } = fixture.people;
    await ask(sql, stranger, fixture.page, 'viewer');
    await sql.call(owner, 'set_document_member', { document: fixture.page, person: stranger.id, role: 'editor' });
    await answer(sql, manager, await idOf(sql, fixture), 'viewer');
    expect(await roleOn(sql, fixture.page, stranger)).toBe('editor');
  }),
);

test(
  'a second request replaces an open one, and a request can be taken back',
  withWorkspace(async (sql, fixture) => {
    const { stranger, manager } = fixture.people;
    await ask(sql, stranger, fixture.page, 'viewer', 'one');
    await ask(sql, stranger, fixture.page, 'editor', 'two');
    expect(await listed(sql, manager, fixture.page)).toMatchObject([{ role: 'editor', note: 'two' }]);
    const withdraw = (document: string) => sql.call(stranger, 'withdraw_request', { document });
    expect(await withdraw(fixture.page)).toEqual({});
    expect(await withdraw(randomUUID())).toEqual({});
    expect(await listed(sql, manager, fixture.page)).toEqual([]);
  }),
);

test(
  'above 20 a day nothing is done, whatever the page; malformed requests are refused, whatever the page',
  withWorkspace(async (sql, fixture) => {
    const { stranger, manager } = fixture.people;
    for (const document of [fixture.page, randomUUID()]) {
      const codeOf = (role: string | null, note: string) =>
        sql.outcome(() => sql.call(stranger, 'request_access', { document, role, note }));
      expect([await codeOf('manager', ''), await codeOf(null, ''), await codeOf('viewer', 'x'.repeat(501))]).toEqual([
        '22023',
        '22023',
        '22023',
      ]);
    }
    await sql.rows('insert into weft.request_attempts (user_id) select $1 from generate_series(1, 20)', [stranger.id]);
    expect(await ask(sql, stranger, fixture.page)).toEqual({});
    expect(await listed(sql, manager, fixture.page)).toEqual([]);
    await sql.rows(`update weft.request_attempts set at = at - interval '25 hours'`);
    await ask(sql, stranger, fixture.page, 'viewer', null);
    expect((await listed(sql, manager, fixture.page)).length).toBe(1);
  }),
);
