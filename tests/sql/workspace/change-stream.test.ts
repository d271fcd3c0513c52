// The change stream (supabase/schemas/07_topics.sql): each person's messages on each topic, first for single changes, then
// for random ones on random trees.
import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { prng } from '../../../src/lib/prng.ts';
import { type WorkspaceChange, documentChanges, workspaceChange } from '../../../src/protocol/answers.ts';
import { type DocumentList, withChanges } from '../../../src/state/offline/document-list.ts';
import { type Message, type Person, type Sql, SqlDatabase } from '../../support/database/sql.ts';
import { useWorkspace } from '../fixture/use-workspace.ts';

const withWorkspace = useWorkspace();

const changes = (messages: readonly Message[]) =>
  messages
    .filter(({ event }) => event === 'change')
    .map(({ topic, json }) => {
      const { kind, op, id } = v.parse(workspaceChange, json);
      return [topic, kind, op, id];
    });

// --- one by one ---------------------------------------------------------------------------------------------------

test(
  'a page that is open to the workspace is published on its topic, and to people with a role on the page who are no members',
  withWorkspace(async (sql, fixture) => {
    const topics = [
      `k:${fixture.workspace}:1`,
      ...(['redeemedCommenter', 'redeemedEditor', 'viewer', 'commenter', 'editor', 'manager'] as const).map(
        (name) => `u:${fixture.people[name].id}`,
      ),
    ];
    const set = (assignment: string) =>
      sql.sentDuring(() => sql.rows(`update public.documents set ${assignment} where id = $1`, [fixture.page]));
    for (const [assignment, op] of [
      [`title = 'Harbour'`, 'changed'],
      [`icon = 'x'`, 'changed'],
      [`rank = 'a9'`, 'moved'],
      ['trashed_at = now()', 'trashed'],
      ['trashed_at = null', 'restored'],
    ] as const) {
      const sent = await set(assignment);
      expect(changes(sent).toSorted()).toEqual(topics.map((topic) => [topic, 'document', op, fixture.page]).toSorted());
      expect(sent[0]?.json).toEqual({ kind: 'document', op, id: fixture.page, workspace: fixture.workspace });
    }
    // Changes of fields that no summary shows are not published.
    expect(await set(`body_text = 'words', text_seq = 2, epoch = epoch + 1`)).toEqual([]);
  }),
);

test(
  'a restricted page is published to its own people and to the owners only',
  withWorkspace(async (sql, fixture) => {
    const { owner, viewer } = fixture.people;
    const rename = (title: string) =>
      sql.sentDuring(() =>
        sql.rows('update public.documents set title = $2 where id = $1', [fixture.secretPage, title]),
      );
    expect(changes(await rename('A'))).toEqual([[`u:${owner.id}`, 'document', 'changed', fixture.secretPage]]);
    await sql.call(owner, 'set_document_member', { document: fixture.secretPage, person: viewer.id, role: 'viewer' });
    expect(
      changes(await rename('B'))
        .map(([topic]) => topic)
        .toSorted(),
    ).toEqual([`u:${owner.id}`, `u:${viewer.id}`].toSorted());
  }),
);

test(
  'a new time of change is published at most once in 30 seconds; a title always is',
  withWorkspace(async (sql, fixture) => {
    const { editor } = fixture.people;
    let text = 0;
    const save = (title: string) =>
      sql.sentDuring(async () => {
        text += 1;
        await sql.rows(
          `update public.document_updates set created_at = now() + $2 * interval '1 second'
          where document_id = $1 and seq = 2`,
          [fixture.page, text],
        );
        await sql.call(editor, 'save_text', { document: fixture.page, seq: 2, title, body_text: `${text}` });
      });
    const ops = async (title: string) =>
      changes(await save(title))
        .filter(([topic]) => topic?.startsWith('k:') === true)
        .map(([, kind, op]) => `${kind} ${op}`);
    expect(await ops('Welcome to Weft')).toEqual(['document changed']);
    expect(await ops('Welcome to Weft')).toEqual([]);
    expect(await ops('Another title')).toEqual(['document changed']);
    expect(await ops('Another title')).toEqual([]);
    await sql.rows(`update public.documents set update_published_at = now() - interval '31 seconds'`);
    expect(await ops('Another title')).toEqual(['document changed']);
  }),
);

test(
  'a person who loses a page when it is restricted hears that it was removed; one who stays hears of its access',
  withWorkspace(async (sql, fixture) => {
    const { member, admin, owner, manager, viewer } = fixture.people;
    const sent = changes(
      await sql.sentDuring(() =>
        sql.call(manager, 'set_document_access', { document: fixture.subpage, access: 'restricted' }),
      ),
    );
    const heard = (person: Person) =>
      sent.filter(([topic]) => topic === `u:${person.id}`).map(([, kind, op]) => `${kind} ${op}`);
    for (const person of [member, admin, viewer]) expect(heard(person)).toEqual(['document removed']);
    expect(heard(owner)).toContain('access changed');
    expect(heard(manager)).toContain('access changed');
    expect(sent.filter(([topic]) => topic?.startsWith('k:') === true)).toEqual([]);
  }),
);

test(
  'changes of members and of the workspace’s name are published to the workspace and to the person',
  withWorkspace(async (sql, fixture) => {
    const { stranger, member, workspaceGuest, viewer } = fixture.people;
    const topic = `k:${fixture.workspace}:1`;
    const key = [fixture.workspace, stranger.id];
    for (const [statement, op] of [
      [`insert into public.workspace_members (workspace_id, user_id, role) values ($1, $2, 'member')`, 'created'],
      [`update public.workspace_members set role = 'guest' where workspace_id = $1 and user_id = $2`, 'changed'],
      ['delete from public.workspace_members where workspace_id = $1 and user_id = $2', 'removed'],
    ] as const) {
      const sent = changes(await sql.sentDuring(() => sql.rows(statement, key)));
      expect(sent.filter(([, kind]) => kind !== 'notification')).toEqual([
        [topic, 'member', op, stranger.id],
        [`u:${stranger.id}`, 'workspace', op, fixture.workspace],
      ]);
    }
    const profileSent = changes(
      await sql.sentDuring(() => sql.call(member, 'update_profile', { display_name: 'Renamed', color: 'rust' })),
    );
    expect(profileSent[0]).toEqual([topic, 'profile', 'changed', member.id]);
    const renamed = changes(
      await sql.sentDuring(() =>
        sql.rows(`update public.workspaces set name = 'Renamed' where id = $1`, [fixture.workspace]),
      ),
    );
    expect(renamed).toContainEqual([topic, 'workspace', 'changed', fixture.workspace]);
    for (const person of [workspaceGuest, viewer])
      expect(renamed).toContainEqual([`u:${person.id}`, 'workspace', 'changed', fixture.workspace]);
  }),
);

test(
  'only managers hear of links, and of people who come by them',
  withWorkspace(async (sql, fixture) => {
    const { stranger, manager, admin, owner } = fixture.people;
    const args = { document: fixture.page, role: 'commenter', expires_at: null };
    let link: unknown;
    const managers = [manager, admin, owner].map(({ id }) => `u:${id}`).toSorted();
    const topicsOf = (messages: readonly Message[], kind: string) =>
      changes(messages)
        .filter(([topic, one]) => one === kind && topic !== `u:${stranger.id}`)
        .map(([topic]) => topic)
        .toSorted();
    const made = await sql.sentDuring(async () => (link = await sql.call(owner, 'create_share_link', args)));
    expect(topicsOf(made, 'link')).toEqual(managers);
    const secret: unknown = Reflect.get(Object(link), 'secret');
    const redeemed = await sql.sentDuring(() => sql.call(stranger, 'redeem_share_link', { secret }));
    expect(topicsOf(redeemed, 'access')).toEqual(managers);
    expect(changes(redeemed)).toContainEqual([`u:${stranger.id}`, 'access', 'created', fixture.page]);
    const id: unknown = Reflect.get(Object(Reflect.get(Object(link), 'link')), 'id');
    const revoked = await sql.sentDuring(() => sql.call(owner, 'revoke_share_link', { link: id }));
    expect(topicsOf(revoked, 'link')).toEqual(managers);
    expect(changes(revoked)).toContainEqual([`u:${stranger.id}`, 'document', 'removed', fixture.page]);
  }),
);

test(
  'a workspace can be deleted, and its members hear it',
  withWorkspace(async (sql, fixture) => {
    const sent = await sql.sentDuring(() =>
      sql.rows('delete from public.workspaces where id = $1', [fixture.workspace]),
    );
    expect(await sql.rows('select from public.document_updates')).toEqual([]);
    expect(await sql.rows('select from weft.workspace_rights')).toEqual([]);
    expect(changes(sent)).toContainEqual([`u:${fixture.people.member.id}`, 'workspace', 'removed', fixture.workspace]);
  }),
);

// --- random changes -----------------------------------------------------------------------------------------------

type Seen = { readonly id: string; readonly parent: string | null; readonly summary: string };
/** The workspace's pages as far as each person may see them. */
type View = ReadonlyMap<string, Pages>;
type World = {
  readonly workspace: string;
  readonly people: readonly Person[];
  readonly owner: Person;
  readonly links: { readonly id: string; readonly document: string }[];
};

async function makeWorld(sql: Sql, random: () => number): Promise<World> {
  const people: Person[] = [];
  for (const name of ['owner', 'admin', 'member', 'guest', 'visitor', 'stranger'])
    people.push(await sql.signUp(`${name}-${randomUUID()}`));
  const [owner, admin, member, guest] = people;
  if (owner === undefined) throw new Error('no one');
  const workspace = randomUUID();
  await sql.call(owner, 'create_workspace', { id: workspace, name: 'W', document: randomUUID() });
  for (const [person, role] of [
    [admin, 'admin'],
    [member, 'member'],
    [guest, 'guest'],
  ] as const)
    await sql.rows('insert into public.workspace_members (workspace_id, user_id, role) values ($1, $2, $3)', [
      workspace,
      person?.id,
      role,
    ]);
  const world = { workspace, people, owner, links: [] };
  for (let n = 0; n < 12; n++) await randomChange(sql, world, random, n < 6 ? 0 : n % 3);
  return world;
}

const pick = <T>(random: () => number, of: readonly T[]): T => {
  const one = of[Math.floor(random() * of.length)];
  if (one === undefined) throw new Error('nothing to pick from');
  return one;
};

/** One random change. Returns its name. A refused one changes nothing. */
async function randomChange(
  sql: Sql,
  world: World,
  random: () => number,
  kind = Math.floor(random() * 17),
): Promise<string> {
  const { workspace, people, owner, links } = world;
  const documents = (
    await sql.rows<{ id: string }>('select id from public.documents where workspace_id = $1 order by rank, id', [
      workspace,
    ])
  ).map(({ id }) => id);
  const document = pick(random, documents);
  const person = pick(random, people);
  const other = pick(random, people.slice(1));
  const parent = random() < 0.3 ? null : pick(random, documents);
  const access = pick(random, ['inherit', 'workspace', 'restricted']);
  const role = pick(random, ['viewer', 'editor', 'manager', null]);
  const call = (name: string, args: Record<string, unknown>) => () => sql.call(owner, name, args);
  const set =
    (assignment: string, ...values: unknown[]) =>
    () =>
      sql.rows(`update public.documents set ${assignment} where id = $1`, [document, ...values]);
  const all: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['create', call('create_document', { id: randomUUID(), workspace, parent, rank: `a${documents.length}` })],
    ['access', call('set_document_access', { document, access })],
    ['role', call('set_document_member', { document, person: person.id, role })],
    ['rename', set('title = $2', randomUUID())],
    ['reorder', set('rank = $2', `b${Math.floor(random() * 1_000)}`)],
    [
      'move',
      set(
        `parent_id = $2, access = case when $2 is null and access = 'inherit' then 'workspace' else access end`,
        parent,
      ),
    ],
    ['move', set('parent_id = $2', parent)],
    ['trash', set('trashed_at = coalesce(trashed_at, now()), trashed_by = coalesce(trashed_by, $2)', owner.id)],
    ['restore', set('trashed_at = null, trashed_by = null')],
    ['edit', set('updated_at = clock_timestamp(), updated_by = $2', person.id)],
    [
      'workspace role',
      call('set_workspace_role', { workspace, person: other.id, role: pick(random, ['guest', 'member', 'admin']) }),
    ],
    [
      'join',
      () =>
        sql.rows(
          `insert into public.workspace_members (workspace_id, user_id, role) values ($1, $2, $3)
           on conflict do nothing`,
          [workspace, other.id, pick(random, ['guest', 'member'])],
        ),
    ],
    ['leave', call('remove_workspace_member', { workspace, person: other.id })],
    [
      'link',
      async () => {
        const answer = await sql.call(owner, 'create_share_link', { document, role: 'editor', expires_at: null });
        const id = String(Reflect.get(Object(Reflect.get(Object(answer), 'link')), 'id'));
        links.push({ id, document });
        await sql.call(person, 'redeem_share_link', { secret: Reflect.get(Object(answer), 'secret') });
      },
    ],
    ['revoke', call('revoke_share_link', { link: links.length === 0 ? null : pick(random, links).id })],
    [
      'profile',
      () => sql.call(person, 'update_profile', { display_name: randomUUID(), color: pick(random, ['rust', 'weld']) }),
    ],
    ['delete', () => sql.rows('delete from public.documents where id = $1', [document])],
  ];
  const [name, run] = all[kind] ?? ['nothing', async () => undefined];
  if (name === 'delete' && documents.length < 3) return 'nothing';
  await sql.rows('savepoint change');
  try {
    await run();
    return `${name} ${document} ${person.id} ${parent}`;
  } catch {
    await sql.rows('rollback to savepoint change');
    return 'refused';
  }
}

async function viewOf(sql: Sql, world: World): Promise<View> {
  const rows = await sql.rows<{ person: string; id: string; parent: string | null; summary: string }>(
    `select p.id as person, d.id, d.parent_id as parent,
       weft.document_summary(d.id, seen.role)::text as summary
     from unnest($2::uuid[]) as p (id), public.documents as d
     cross join lateral (select weft.document_role(d.id, p.id) as role) as seen
     where d.workspace_id = $1 and seen.role is not null`,
    [world.workspace, world.people.map(({ id }) => id)],
  );
  return new Map(
    world.people.map(({ id }) => [
      id,
      new Map(rows.filter(({ person }) => person === id).map((row) => [row.id, row] as const)),
    ]),
  );
}

/** The topics that each person has joined, and whose profiles they see. */
async function topicsOf(sql: Sql, world: World): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const joined = new Map<string, ReadonlySet<string>>();
  for (const person of world.people) {
    const topic = String((await sql.row('select weft.workspace_topic($1) as topic', [world.workspace]))['topic']);
    const rights = await sql.topicRights(person, topic);
    joined.set(person.id, new Set([`u:${person.id}`, ...(rights.receive ? [topic] : [])]));
  }
  return joined;
}

const seesProfiles = async (sql: Sql, world: World): Promise<ReadonlySet<string>> => {
  const ids = world.people.map(({ id }) => id);
  const rows = await sql.rows<{ pair: string }>(
    `select a.id || ' ' || b.id as pair from unnest($1::uuid[]) as a (id), unnest($1::uuid[]) as b (id)
     where weft.sees_profile(a.id, b.id)`,
    [ids],
  );
  return new Set(rows.map(({ pair }) => pair));
};

let database: SqlDatabase;
beforeAll(async () => {
  database = await SqlDatabase.open();
});
afterAll(() => database.close());

test.each([1, 2, 3, 4])(
  'on random tree %i everyone hears of what they see, gain or lose, and of nothing else; and the changes since their stamp bring each list up to date',
  async (seed) => {
    const random = prng(20_261_123 + seed);
    // Each step is a transaction of its own, so that stamps mean something.
    const step = <T>(run: (sql: Sql) => Promise<T>) => database.setUp(run);
    const world = await step((sql) => makeWorld(sql, random));
    const lists = new Map<string, DocumentList | null>();
    const fetchLists = async () => {
      for (const person of world.people) {
        const known = lists.get(person.id) ?? null;
        const fetch = (since: string | null) => async (sql: Sql) => {
          const outcome = await sql.outcome(() => sql.call(person, 'list_documents', { workspace: world.workspace }));
          if (outcome !== 'ok') return null;
          return sql.ask(person, documentChanges, 'list_documents', { workspace: world.workspace, since });
        };
        const answer = await step(fetch(known?.stamp ?? null));
        const complete = await step(fetch(null));
        const list = answer === null ? null : withChanges(known, answer);
        const sorted = (of: DocumentList | null) => of?.documents.toSorted((a, b) => (a.id < b.id ? -1 : 1)) ?? null;
        expect(sorted(list)).toEqual(sorted(complete === null ? null : withChanges(null, complete)));
        lists.set(person.id, list);
      }
    };
    await fetchLists();

    for (let n = 0; n < 25; n++) {
      const before = await step((sql) => viewOf(sql, world));
      const joined = await step((sql) => topicsOf(sql, world));
      const profilesBefore = await step((sql) => seesProfiles(sql, world));
      let what = '';
      const sent = await step((sql) =>
        sql.sentDuring(async () => {
          what = await randomChange(sql, world, random);
        }),
      );
      const after = await step((sql) => viewOf(sql, world));
      const profilesAfter = await step((sql) => seesProfiles(sql, world));

      const faults = world.people.flatMap(({ id }) => {
        const heard = sent
          .filter(({ topic, event }) => event === 'change' && joined.get(id)?.has(topic) === true)
          .map(({ json }) => v.parse(workspaceChange, json));
        const [sawBefore, seesNow] = [before.get(id) ?? NOTHING, after.get(id) ?? NOTHING];
        const isProfileSeen = (of: string) => [profilesBefore, profilesAfter].some((pairs) => pairs.has(`${id} ${of}`));
        const lacks = what.startsWith('edit') ? [] : unheardChanges(heard, sawBefore, seesNow);
        const whose = what.startsWith('profile') ? (what.split(' ')[2] ?? '') : null;
        const hears = heard.some((one) => one.kind === 'profile' && one.id === whose);
        return [
          ...heard.filter((one) => !mayHear(one, sawBefore, seesNow, isProfileSeen)).map((one) => ['heard', one]),
          ...lacks.map((page) => ['heard nothing of', page]),
          ...(whose !== null && hears !== isProfileSeen(whose) ? [['profile', whose]] : []),
        ].map((fault) => [id, ...fault]);
      });
      expect({ seed, n, what, faults }).toEqual({ seed, n, what, faults: [] });
      await fetchLists();
    }
  },
  120_000,
);

type Pages = ReadonlyMap<string, Seen>;
const NOTHING: Pages = new Map();

function mayHear(
  { kind, op, id }: WorkspaceChange,
  before: Pages,
  now: Pages,
  isProfileSeen: (of: string) => boolean,
): boolean {
  if (kind === 'profile' || kind === 'member') return isProfileSeen(id);
  if (kind === 'document' && op === 'removed') return before.has(id) && !now.has(id);
  if (kind === 'document' || kind === 'access') return now.has(id);
  return true;
}

/** The pages that changed for someone who got a message about neither them nor a page above. */
function unheardChanges(heard: readonly WorkspaceChange[], before: Pages, now: Pages): readonly string[] {
  if (heard.some(({ kind }) => kind === 'workspace')) return [];
  const all = new Set([...before.keys(), ...now.keys()]);
  return Array.from(all).filter((id) => {
    if (before.get(id)?.summary === now.get(id)?.summary) return false;
    const chain = [...chainOf(id, before), ...chainOf(id, now)];
    return !heard.some((one) => chain.includes(one.id) && (now.has(id) || one.op === 'removed' || now.has(one.id)));
  });
}

/** The page and those above it, as far as the person sees them. */
function chainOf(id: string, seen: Pages): readonly string[] {
  const chain = [id];
  for (let at = seen.get(id)?.parent ?? null; at !== null; at = seen.get(at)?.parent ?? null) chain.push(at);
  return chain;
}
