// Moving pages, their icons, and the trash (supabase/schemas/09_page_tree.sql).
import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { documentChanges, documentSummary, pageCount, trashEntries } from '../../../src/protocol/answers.ts';
import type { Caller, Message, Person, Sql } from '../../support/database/sql.ts';
import { useWorkspace } from '../fixture/use-workspace.ts';
import { type WorkspaceFixture, append, attach, shareLink, startSession } from '../fixture/workspace-fixture.ts';

const withWorkspace = useWorkspace();

async function newPage(sql: Sql, fixture: WorkspaceFixture, parent: string | null, by: Caller = fixture.people.owner) {
  const id = randomUUID();
  await sql.call(by, 'create_document', { id, workspace: fixture.workspace, parent, rank: 'a5' });
  return id;
}
const moveArgs = (document: string, parent: string | null, rank = 'b') => ({ document, parent, rank });
const move = (sql: Sql, by: Caller, document: string, parent: string | null, rank?: string) =>
  sql.ask(by, documentSummary, 'move_document', moveArgs(document, parent, rank));
const moveOutcome = (sql: Sql, by: Caller, document: string, parent: string | null) =>
  sql.outcome(() => move(sql, by, document, parent));
const trash = async (sql: Sql, by: Caller, document: string) =>
  (await sql.ask(by, pageCount, 'trash_document', { document })).pages;
const restore = (sql: Sql, by: Caller, document: string) =>
  sql.ask(by, documentSummary, 'restore_document', { document });
const purge = async (sql: Sql, by: Caller, document: string) =>
  (await sql.ask(by, pageCount, 'purge_document', { document })).pages;
const empty = async (sql: Sql, fixture: WorkspaceFixture, by: Caller, documents: readonly string[]) =>
  (await sql.ask(by, pageCount, 'empty_trash', { workspace: fixture.workspace, documents })).pages;
const listTrash = (sql: Sql, fixture: WorkspaceFixture, by: Caller) =>
  sql.ask(by, trashEntries, 'list_trash', { workspace: fixture.workspace });
const restrict = (sql: Sql, fixture: WorkspaceFixture, document: string) =>
  sql.call(fixture.people.owner, 'set_document_access', { document, access: 'restricted' });
const give = (sql: Sql, fixture: WorkspaceFixture, document: string, person: Person, role: string | null) =>
  sql.call(fixture.people.owner, 'set_document_member', { document, person: person.id, role });
const roleOn = async (sql: Sql, document: string, person: Person) =>
  (await sql.row('select weft.document_role($1, $2) as role', [document, person.id]))['role'];
const epochOf = async (sql: Sql, document: string) =>
  (await sql.row('select weft.topic_epoch($1) as epoch', [document]))['epoch'];
const rowOf = (sql: Sql, document: string) =>
  sql.row('select parent_id, access, rank, trash_root from public.documents where id = $1', [document]);
const opsOn = (messages: readonly Message[], topic: string) =>
  messages.filter((one) => one.topic === topic).map(({ json }) => String(Reflect.get(Object(json), 'op')));
const idsOf = (answer: { readonly documents: readonly { readonly id: string }[] }) =>
  answer.documents.map(({ id }) => id);

// --- moving -------------------------------------------------------------------------------------------------------

test(
  'a page is moved below another and gets its rights; back at the top it is open to the workspace again',
  withWorkspace(async (sql, fixture) => {
    const { member } = fixture.people;
    const page = await newPage(sql, fixture, null);
    expect(await move(sql, member, page, fixture.page, 'c')).toMatchObject({
      id: page,
      parentId: fixture.page,
      rank: 'c',
      access: 'inherit',
      role: 'editor',
    });
    expect(await roleOn(sql, page, fixture.people.viewer)).toBe('viewer');
    expect(await move(sql, member, page, null)).toMatchObject({ parentId: null, access: 'workspace' });
    expect(await roleOn(sql, page, fixture.people.viewer)).toBe(null);
    // The same again changes nothing and publishes nothing.
    expect(await sql.sentDuring(() => move(sql, member, page, null))).toEqual([]);
  }),
);

test(
  'one needs to be an editor of the page and of the new parent; at the top, a member; for another order, of the page only',
  withWorkspace(async (sql, fixture) => {
    const { member, editor, viewer, workspaceGuest, stranger, manager } = fixture.people;
    const page = await newPage(sql, fixture, fixture.page);
    const other = await newPage(sql, fixture, null);
    expect(await moveOutcome(sql, member, page, other)).toBe('ok');
    expect(await moveOutcome(sql, stranger, page, other)).toBe('WF001');
    expect(await moveOutcome(sql, viewer, page, fixture.subpage)).toBe('WF002');
    expect(await moveOutcome(sql, editor, page, fixture.subpage)).toBe('ok');
    // A page that they do not see is none to move to.
    expect(await moveOutcome(sql, editor, page, other)).toBe('WF010');
    await give(sql, fixture, other, editor, 'viewer');
    expect(await moveOutcome(sql, editor, page, other)).toBe('WF002');
    for (const person of [editor, manager]) expect(await moveOutcome(sql, person, page, null)).toBe('WF002');
    await give(sql, fixture, page, workspaceGuest, 'editor');
    expect(await moveOutcome(sql, workspaceGuest, page, null)).toBe('WF002');
    expect(await move(sql, editor, page, fixture.page, 'z')).toMatchObject({ rank: 'z' });
    for (const rank of ['', 'ä', null]) {
      const outcome = await sql.outcome(() =>
        sql.call(member, 'move_document', { document: page, parent: null, rank }),
      );
      expect(['23514', '23502']).toContain(outcome);
    }
  }),
);

test(
  'no cycle, no thirteenth level, no parent in another workspace or in the trash; a page in the trash is not moved',
  withWorkspace(async (sql, fixture) => {
    const { owner } = fixture.people;
    const chain = [await newPage(sql, fixture, null)];
    while (chain.length < 11) chain.push(await newPage(sql, fixture, chain.at(-1) ?? null));
    const [top = '', second = ''] = chain;
    const last = chain.at(-1) ?? '';
    for (const below of [top, second, last]) expect(await moveOutcome(sql, owner, top, below)).toBe('WF010');
    const pair = await newPage(sql, fixture, null);
    const child = await newPage(sql, fixture, pair);
    expect(await moveOutcome(sql, owner, child, last)).toBe('ok');
    expect(await moveOutcome(sql, owner, pair, last)).toBe('WF010');

    const [workspace, foreign] = [randomUUID(), randomUUID()];
    await sql.call(owner, 'create_workspace', { id: workspace, name: 'Other', document: foreign });
    for (const parent of [foreign, randomUUID()]) expect(await moveOutcome(sql, owner, pair, parent)).toBe('WF010');

    await trash(sql, owner, pair);
    expect(await moveOutcome(sql, owner, top, pair)).toBe('WF010');
    expect(await moveOutcome(sql, owner, pair, top)).toBe('WF002');
    const args = { id: randomUUID(), workspace: fixture.workspace, parent: pair, rank: 'a' };
    expect((await sql.refusal(owner, 'create_document', args)).code).toBe('WF002');
  }),
);

test(
  'a move never opens a page silently: at the top a restricted page stays restricted and keeps its people, and below an open one only a manager may bring it',
  withWorkspace(async (sql, fixture) => {
    const { owner, editor, manager, member, admin } = fixture.people;
    const closed = await newPage(sql, fixture, null);
    await restrict(sql, fixture, closed);
    const inside = await newPage(sql, fixture, closed);
    const below = await newPage(sql, fixture, inside);
    for (const [person, role] of [
      [editor, 'editor'],
      [manager, 'manager'],
      [member, 'editor'],
    ] as const)
      await give(sql, fixture, closed, person, role);
    const epoch = await epochOf(sql, below);

    expect(await moveOutcome(sql, member, inside, fixture.page)).toBe('WF002');
    expect(await moveOutcome(sql, editor, inside, fixture.page)).toBe('WF002');
    expect(await moveOutcome(sql, manager, inside, fixture.page)).toBe('ok');
    expect(await moveOutcome(sql, member, inside, null)).toBe('ok');

    expect(await move(sql, member, inside, null)).toMatchObject({ access: 'restricted', parentId: null });
    for (const [person, role] of [
      [editor, 'editor'],
      [manager, 'manager'],
      [member, 'editor'],
      [admin, null],
      [owner, 'manager'],
    ] as const)
      expect(await roleOn(sql, below, person)).toBe(role);
    // No one lost anything.
    expect(await epochOf(sql, below)).toBe(epoch);
  }),
);

test(
  'a person who loses a page by a move hears that it was removed, and its topics move together with those of what inherits from it',
  withWorkspace(async (sql, fixture) => {
    const { owner, member, viewer } = fixture.people;
    const closed = await newPage(sql, fixture, null);
    await restrict(sql, fixture, closed);
    const page = await newPage(sql, fixture, fixture.page);
    const below = await newPage(sql, fixture, page);
    const own = await newPage(sql, fixture, page);
    await restrict(sql, fixture, own);
    const before = await Promise.all([page, below, own].map((one) => epochOf(sql, one)));
    const sent = await sql.sentDuring(() => move(sql, owner, page, closed));
    for (const person of [member, viewer]) {
      expect(await roleOn(sql, below, person)).toBe(null);
      expect(opsOn(sent, `u:${person.id}`)).toEqual(['removed']);
      expect(await sql.call(person, 'why_closed', { document: below })).toMatchObject({
        kind: 'restricted',
        by: owner.id,
      });
    }
    const after = await Promise.all([page, below, own].map((one) => epochOf(sql, one)));
    expect(after.map((epoch, at) => epoch !== before[at])).toEqual([true, true, false]);
    // A move among pages with the same rights moves no topics.
    const [a, b] = [await newPage(sql, fixture, null), await newPage(sql, fixture, null)];
    const epoch = await epochOf(sql, b);
    await move(sql, owner, b, a);
    expect(await epochOf(sql, b)).toBe(epoch);
  }),
);

test(
  'a delta has the page that was moved and not those below it; a move that changes rights makes it complete',
  withWorkspace(async (sql, fixture) => {
    // In one transaction every stamp is before it, so this counts what a move touches.
    const [a, b] = [await newPage(sql, fixture, null), await newPage(sql, fixture, null)];
    await newPage(sql, fixture, b);
    const touched = async (run: () => Promise<unknown>) => {
      await sql.rows(`update public.documents set changed_xid = '1'`);
      await sql.rows('delete from weft.workspace_rights');
      await run();
      const changed = await sql.rows<{ id: string }>(`select id from public.documents where changed_xid <> '1'`);
      const rights = await sql.rows('select from weft.workspace_rights');
      return [changed.map(({ id }) => id), rights.length > 0];
    };
    const { owner } = fixture.people;
    expect(await touched(() => move(sql, owner, b, a))).toEqual([[b], false]);
    expect(await touched(() => move(sql, owner, b, fixture.page))).toEqual([[b], true]);
  }),
);

test(
  'an icon is the name of a line icon, and editors change it',
  withWorkspace(async (sql, fixture) => {
    const { editor, viewer } = fixture.people;
    const set = (by: Caller, icon: unknown) =>
      sql.outcome(() => sql.call(by, 'set_document_icon', { document: fixture.page, icon }));
    expect(
      await sql.ask(editor, documentSummary, 'set_document_icon', { document: fixture.page, icon: 'book-open' }),
    ).toMatchObject({ id: fixture.page, icon: 'book-open', role: 'editor' });
    for (const icon of [null, 'a', 'x'.repeat(64), '2-up'])
      expect([icon, await set(editor, icon)]).toEqual([icon, 'ok']);
    for (const icon of ['', 'x'.repeat(65), 'Book', '📕', 'a b', '<svg>'])
      expect([icon, await set(editor, icon)]).toEqual([icon, '23514']);
    expect(await set(viewer, 'book')).toBe('WF002');
    await trash(sql, editor, fixture.page);
    expect(await set(editor, 'book')).toBe('WF002');
  }),
);

test(
  'editors make a page a template and take that back; each is a change in the lists',
  withWorkspace(async (sql, fixture) => {
    const { editor, viewer, member } = fixture.people;
    const set = (by: Caller, isTemplate: boolean) => () =>
      sql.call(by, 'set_document_template', { document: fixture.page, is_template: isTemplate });
    const kindFor = async (by: Caller) => {
      const { documents } = await sql.ask(by, documentChanges, 'list_documents', { workspace: fixture.workspace });
      return documents.find(({ id }) => id === fixture.page)?.kind;
    };
    expect((await sql.sentDuring(set(editor, true))).map(({ json }) => json)).toContainEqual(
      expect.objectContaining({ kind: 'document', op: 'changed', id: fixture.page }),
    );
    expect(await kindFor(member)).toBe('template');
    expect(await sql.sentDuring(set(editor, true))).toEqual([]);
    await set(editor, false)();
    expect(await kindFor(member)).toBe('page');
    expect(await sql.outcome(set(viewer, true))).toBe('WF002');
    await trash(sql, editor, fixture.page);
    expect(await sql.outcome(set(editor, true))).toBe('WF002');
  }),
);

// --- the trash ----------------------------------------------------------------------------------------------------

test(
  'a page goes to the trash with all below it, can be read there and not written, and comes back where it was',
  withWorkspace(async (sql, fixture) => {
    const { owner, editor, member } = fixture.people;
    const below = await newPage(sql, fixture, fixture.subpage);
    const { session } = await startSession(sql, member, below);
    const list = async () =>
      idsOf(await sql.ask(owner, documentChanges, 'list_documents', { workspace: fixture.workspace }));
    const before = await list();
    expect(await trash(sql, editor, fixture.subpage)).toBe(2);
    // A repeated call finds what the first one did.
    expect(await trash(sql, editor, fixture.subpage)).toBe(2);
    expect(await list()).toEqual(before.filter((id) => id !== below && id !== fixture.subpage));
    expect(await sql.outcome(() => append(sql, member, { document: below, session, nFrom: 1, nTo: 1 }))).toBe('WF002');
    expect(await sql.outcome(() => sql.call(member, 'open_document', { document: below, since: 0 }))).toBe('ok');

    expect(await restore(sql, member, fixture.subpage)).toMatchObject({
      parentId: fixture.page,
      trashedAt: null,
      trashedBy: null,
    });
    expect(await list()).toEqual(before);
    expect((await append(sql, member, { document: below, session, nFrom: 1, nTo: 1 })).seq).toBe(2);
    expect(await restore(sql, member, fixture.subpage)).toMatchObject({ id: fixture.subpage });
  }),
);

test(
  'one message says that a subtree went to the trash, and another that it came back; people who see a part hear of that part',
  withWorkspace(async (sql, fixture) => {
    const { owner, stranger, viewer } = fixture.people;
    const below = await newPage(sql, fixture, fixture.subpage);
    await give(sql, fixture, below, stranger, 'viewer');
    const topic = `k:${fixture.workspace}:1`;
    for (const [name, op] of [
      ['trash_document', 'trashed'],
      ['restore_document', 'restored'],
    ] as const) {
      const sent = await sql.sentDuring(() => sql.call(owner, name, { document: fixture.page }));
      const named = (to: string) =>
        sent
          .filter((one) => one.topic === to)
          .map(({ json }) => [Reflect.get(Object(json), 'op'), Reflect.get(Object(json), 'id')]);
      expect(named(topic)).toEqual([[op, fixture.page]]);
      expect(named(`u:${viewer.id}`)).toEqual([[op, fixture.page]]);
      expect(named(`u:${stranger.id}`)).toEqual([[op, below]]);
    }
  }),
);

test(
  'a page that was in the trash before stays there when the page above comes back, and comes back to the top without it',
  withWorkspace(async (sql, fixture) => {
    const { owner, viewer, manager } = fixture.people;
    const below = await newPage(sql, fixture, fixture.subpage);
    expect(await trash(sql, owner, fixture.subpage)).toBe(2);
    expect(await trash(sql, owner, fixture.page)).toBe(1);
    // Its parent is in the trash: it goes to the top and keeps its rights, those of people who are no members too.
    expect(await restore(sql, manager, fixture.subpage)).toMatchObject({
      parentId: null,
      access: 'workspace',
      role: 'manager',
    });
    expect(await roleOn(sql, below, viewer)).toBe('viewer');
    expect(await rowOf(sql, below)).toMatchObject({ parent_id: fixture.subpage, trash_root: null });
    expect(await rowOf(sql, fixture.page)).toMatchObject({ trash_root: fixture.page });
    await restore(sql, owner, fixture.page);
    expect(await rowOf(sql, fixture.page)).toMatchObject({ trash_root: null });
  }),
);

test(
  'the trash lists each page that went there by itself, with how many below it, where it comes back to, and its files',
  withWorkspace(async (sql, fixture) => {
    const { owner, member, viewer, stranger } = fixture.people;
    const below = await newPage(sql, fixture, fixture.subpage);
    await attach(sql, owner, below);
    await trash(sql, owner, fixture.subpage);
    const entry = {
      trashedBy: owner.id,
      pages: 1,
      parentTitle: 'Welcome to Weft',
      restoresToTop: false,
      files: 1,
    };
    expect(await listTrash(sql, fixture, owner)).toMatchObject([
      { document: { id: fixture.subpage, role: 'manager' }, ...entry, mayPurge: true },
    ]);
    expect(await listTrash(sql, fixture, viewer)).toMatchObject([
      { document: { id: fixture.subpage, role: 'viewer' }, ...entry, mayPurge: false },
    ]);
    // A page below that they may not see does not count, and stops them from deleting it.
    await restrict(sql, fixture, below);
    expect(await listTrash(sql, fixture, member)).toMatchObject([{ pages: 0, files: 0, mayPurge: false }]);
    await trash(sql, owner, fixture.page);
    await sql.rows(`update public.documents set trashed_at = now() - interval '1 minute' where id = $1`, [
      fixture.subpage,
    ]);
    expect(await listTrash(sql, fixture, member)).toMatchObject([
      { document: { id: fixture.page }, parentTitle: null, restoresToTop: true, pages: 0 },
      { document: { id: fixture.subpage }, parentTitle: null, restoresToTop: true },
    ]);
    expect((await sql.refusal(stranger, 'list_trash', { workspace: fixture.workspace })).code).toBe('WF001');
  }),
);

test(
  'a person who may see a page inside a subtree in the trash, but not the page that took it there, restores it alone to the top',
  withWorkspace(async (sql, fixture) => {
    const { owner, stranger } = fixture.people;
    const inside = await newPage(sql, fixture, fixture.subpage);
    const below = await newPage(sql, fixture, inside);
    await give(sql, fixture, inside, stranger, 'editor');
    await trash(sql, owner, fixture.page);
    expect(await listTrash(sql, fixture, stranger)).toMatchObject([
      { document: { id: inside }, pages: 1, parentTitle: null, restoresToTop: true, mayPurge: false },
    ]);
    expect((await listTrash(sql, fixture, owner)).map(({ document }) => document.id)).toEqual([fixture.page]);
    expect(await restore(sql, stranger, inside)).toMatchObject({ id: inside, parentId: null, role: 'editor' });
    expect(await rowOf(sql, below)).toMatchObject({ trash_root: null });
    expect(await rowOf(sql, fixture.subpage)).toMatchObject({ trash_root: fixture.page });
    expect(await listTrash(sql, fixture, stranger)).toEqual([]);
  }),
);

test(
  'managers of every page inside delete it for good; what was trashed before goes to the top of the trash first',
  withWorkspace(async (sql, fixture) => {
    const { owner, manager, editor, admin } = fixture.people;
    const inside = await newPage(sql, fixture, fixture.subpage);
    const earlier = await newPage(sql, fixture, inside);
    const secret = await newPage(sql, fixture, inside);
    await restrict(sql, fixture, secret);
    const attachment = await attach(sql, owner, inside);
    await trash(sql, owner, earlier);
    const outcome = (by: Caller) => sql.outcome(() => purge(sql, by, fixture.subpage));
    expect(await outcome(owner)).toBe('WF002'); // Not in the trash.
    await trash(sql, owner, fixture.subpage);
    expect(await outcome(editor)).toBe('WF002');
    // There is a page inside that neither of them manages.
    for (const person of [manager, admin]) expect(await outcome(person)).toBe('WF002');
    const sent = await sql.sentDuring(async () => expect(await purge(sql, owner, fixture.subpage)).toBe(3));
    expect(opsOn(sent, `k:${fixture.workspace}:1`)).toContain('removed');
    const left = await sql.rows<{ id: string }>('select id from public.documents where id = any ($1)', [
      [fixture.subpage, inside, secret, earlier],
    ]);
    expect(left).toEqual([{ id: earlier }]);
    expect(await rowOf(sql, earlier)).toMatchObject({ parent_id: null, access: 'workspace', trash_root: earlier });
    expect(await roleOn(sql, earlier, fixture.people.viewer)).toBe('viewer');
    expect(await sql.row('select document_id, purged_at from public.attachments where id = $1', [attachment])).toEqual({
      document_id: null,
      purged_at: null,
    });
    expect((await sql.refusal(owner, 'purge_document', { document: fixture.subpage })).code).toBe('WF001');
    expect(await sql.call(editor, 'why_closed', { document: inside })).toMatchObject({ kind: 'purged', by: owner.id });
  }),
);

test(
  'the trash is emptied in one call: all that was listed, or nothing; what is not there any more is left out',
  withWorkspace(async (sql, fixture) => {
    const { owner, manager, editor } = fixture.people;
    const [first, second, restored] = [
      await newPage(sql, fixture, null),
      await newPage(sql, fixture, null),
      await newPage(sql, fixture, null),
    ];
    const inside = await newPage(sql, fixture, fixture.subpage);
    const earlier = await newPage(sql, fixture, fixture.subpage);
    const later = await newPage(sql, fixture, null);
    // The calls of a test are one transaction, and with it one moment.
    const trashAt = async (document: string, minutesAgo: number) => {
      await trash(sql, owner, document);
      await sql.rows(
        `update public.documents set trashed_at = now() - $2 * interval '1 minute' where trash_root = $1`,
        [document, minutesAgo],
      );
    };
    for (const [at, page] of [earlier, first, second, restored, fixture.subpage].entries()) await trashAt(page, 9 - at);
    const listed = (await listTrash(sql, fixture, owner)).map(({ document }) => document.id);
    expect(listed).toEqual([fixture.subpage, restored, second, first, earlier]);
    // Between the question and the answer.
    await restore(sql, owner, restored);
    await purge(sql, owner, second);
    await trashAt(later, 1);
    const outcome = (by: Caller, documents: readonly string[]) => sql.outcome(() => empty(sql, fixture, by, documents));
    expect(await outcome(editor, [fixture.subpage])).toBe('WF002');
    // A manager of the one page who only reads the other.
    await give(sql, fixture, first, manager, 'viewer');
    expect(await outcome(manager, [fixture.subpage])).toBe('ok');
    expect(await outcome(manager, [fixture.subpage, first])).toBe('WF002');
    const sent = await sql.sentDuring(async () => expect(await empty(sql, fixture, owner, listed)).toBe(4));
    expect(opsOn(sent, `k:${fixture.workspace}:1`)).toContain('removed');
    // None of them was moved to the top first.
    expect(opsOn(sent, `k:${fixture.workspace}:1`)).not.toContain('moved');
    const all = [first, second, restored, fixture.subpage, inside, earlier, later];
    const left = await sql.rows<{ id: string }>('select id from public.documents where id = any ($1)', [all]);
    expect(left.map(({ id }) => id).toSorted()).toEqual([restored, later].toSorted());
    expect(await sql.call(editor, 'why_closed', { document: inside })).toMatchObject({ kind: 'purged', by: owner.id });
    // A repeated call, whose first answer was lost.
    expect(await empty(sql, fixture, owner, listed)).toBe(0);
  }),
);

test(
  'emptying the trash says nothing of pages that the caller may not see, and touches none of another workspace',
  withWorkspace(async (sql, fixture) => {
    const { owner, admin, stranger } = fixture.people;
    const secret = await newPage(sql, fixture, null);
    await restrict(sql, fixture, secret);
    await trash(sql, owner, secret);
    expect(await empty(sql, fixture, admin, [secret, randomUUID()])).toBe(0);
    const other = { id: randomUUID(), document: randomUUID() };
    await sql.call(stranger, 'create_workspace', { ...other, name: 'Other', schema_version: 1 });
    await trash(sql, stranger, other.document);
    expect(await sql.outcome(() => empty(sql, fixture, stranger, [secret]))).toBe('WF001');
    expect(await empty(sql, fixture, owner, [other.document])).toBe(0);
    expect(await empty(sql, fixture, owner, [])).toBe(0);
    const tooMany = { workspace: fixture.workspace, documents: Array.from({ length: 501 }, () => secret) };
    expect((await sql.refusal(owner, 'empty_trash', tooMany)).code).toBe('22023');
    const left = await sql.rows('select id from public.documents where id = any ($1)', [[secret, other.document]]);
    expect(left.length).toBe(2);
    // Pages below that are sent along by mistake go once.
    const below = await newPage(sql, fixture, fixture.subpage);
    await trash(sql, owner, fixture.subpage);
    expect(await empty(sql, fixture, owner, [below, fixture.subpage, below])).toBe(2);
  }),
);

test(
  'a page that went to the trash right after it was renamed gets its title there, and is empty only if that is known',
  withWorkspace(async (sql, fixture) => {
    const { owner, member, viewer } = fixture.people;
    const untouched = await newPage(sql, fixture, null);
    const renamed = await newPage(sql, fixture, null);
    await give(sql, fixture, renamed, viewer, 'viewer');
    const { session } = await startSession(sql, member, renamed);
    await append(sql, member, { document: renamed, session, nFrom: 1, nTo: 1 });
    for (const page of [untouched, renamed]) await trash(sql, owner, page);
    const listed = async () =>
      Object.fromEntries(
        (await listTrash(sql, fixture, owner)).map(({ document, isEmpty }) => [document.id, [document.title, isEmpty]]),
      );
    expect(await listed()).toEqual({ [untouched]: ['', true], [renamed]: ['', false] });
    const copy = { document: renamed, seq: 2, title: 'Ferry table', body_text: '' };
    expect((await sql.refusal(viewer, 'save_text', copy)).code).toBe('WF002');
    const sent = await sql.sentDuring(() => sql.call(member, 'save_text', copy));
    expect(opsOn(sent, `k:${fixture.workspace}:1`)).toEqual(['changed']);
    expect(await listed()).toEqual({ [untouched]: ['', true], [renamed]: ['Ferry table', true] });
    await sql.call(member, 'save_text', { ...copy, body_text: 'At 9:12' });
    expect(await listed()).toMatchObject({ [renamed]: ['Ferry table', false] });
  }),
);

test(
  'after 30 days in the trash a page is deleted with what went there with it; others stay',
  withWorkspace(async (sql, fixture) => {
    const { owner } = fixture.people;
    const [old, recent] = [await newPage(sql, fixture, null), await newPage(sql, fixture, null)];
    const below = await newPage(sql, fixture, old);
    for (const page of [old, recent]) await trash(sql, owner, page);
    const purged = async () => (await sql.row<{ n: number }>('select weft.purge_trash() as n')).n;
    expect(await purged()).toBe(0);
    await sql.rows(`update public.documents set trashed_at = now() - interval '31 days' where trash_root = $1`, [old]);
    await sql.rows(`update public.documents set trashed_at = now() - interval '29 days' where id = $1`, [recent]);
    expect(await purged()).toBe(2);
    const left = await sql.rows<{ id: string }>('select id from public.documents where id = any ($1)', [
      [old, below, recent],
    ]);
    expect(left).toEqual([{ id: recent }]);
    expect(await purged()).toBe(0);
  }),
);

test(
  'a page of before this version that is in the trash without a root is its own',
  withWorkspace(async (sql, fixture) => {
    const { owner } = fixture.people;
    await sql.rows('update public.documents set trashed_at = now() where id = $1', [fixture.subpage]);
    expect(await listTrash(sql, fixture, owner)).toMatchObject([
      { document: { id: fixture.subpage }, trashedBy: null },
    ]);
    expect(await restore(sql, owner, fixture.subpage)).toMatchObject({ trashedAt: null });
  }),
);

test(
  'links to a page in the trash open nothing, and work again when it is back',
  withWorkspace(async (sql, fixture) => {
    const { owner } = fixture.people;
    const { secret } = await shareLink(sql, owner, fixture.subpage, 'viewer');
    const open = () => sql.outcome(() => sql.call('anon', 'open_watch', { secret, since: 0 }));
    await trash(sql, owner, fixture.page);
    expect(await open()).toBe('WF009');
    await restore(sql, owner, fixture.page);
    expect(await open()).toBe('ok');
  }),
);

test(
  'the schedule of pg_cron is made where the project has it',
  withWorkspace(async (sql) => {
    const scheduled = async () => (await sql.row('select weft.schedule_purge() as made'))['made'];
    expect(await scheduled()).toBe(false);
    await sql.rows('create schema cron');
    await sql.rows('create table cron.jobs (name text, at text, command text)');
    await sql.rows(
      `create function cron.schedule(name text, at text, command text) returns bigint language sql
       as $$ insert into cron.jobs values (name, at, command) returning 1::bigint $$`,
    );
    await sql.rows('grant usage on schema cron to public');
    await sql.rows('grant insert on cron.jobs to public');
    expect(await scheduled()).toBe(true);
    const [job] = await sql.rows<{ command: string }>('select * from cron.jobs');
    expect(v.parse(v.object({ name: v.string(), at: v.string(), command: v.string() }), job)).toEqual({
      name: 'weft-purge-trash',
      at: '17 * * * *',
      command: 'select weft.purge_trash()',
    });
  }),
);
