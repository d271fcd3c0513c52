// The people and pages that the SQL tests start with: one workspace, one open page, one restricted page, and a person
// for every row of the table of roles in SPECIFICATION.md, point 6.
import { randomInt, randomUUID } from 'node:crypto';
import { appendAnswer, createdLink, startAnswer } from '../../src/protocol/answers.ts';
import { type Caller, type Person, type Sql, base64 } from '../support/database/sql.ts';

export const PEOPLE = [
  'stranger',
  'guest',
  'redeemedViewer',
  'redeemedCommenter',
  'redeemedEditor',
  'viewer',
  'commenter',
  'editor',
  'manager',
  'workspaceGuest',
  'member',
  'admin',
  'owner',
] as const;
export type PersonName = (typeof PEOPLE)[number];

/** Everybody who can call the API, including the two keys without a person. */
export const CALLERS = ['anon', ...PEOPLE, 'service'] as const;
export type CallerName = (typeof CALLERS)[number];

export type SharedLink = { readonly id: string; readonly secret: string; readonly topicKey: string };

export type WorkspaceFixture = {
  readonly people: Readonly<Record<PersonName, Person>>;
  readonly caller: (name: CallerName) => Caller;
  readonly workspace: string;
  readonly slug: string;
  /**
   * Open to the workspace. Given and redeemed roles are on this page. Its head is 2: the seed and one row of `editor`.
   */
  readonly page: string;
  /** Restricted and without members: only the owner can open it. */
  readonly secretPage: string;
  /** A page below `page`, created by `manager`. */
  readonly subpage: string;
  readonly editorSession: string;
  readonly editorClientId: number;
  /** On `page`, uploaded by `editor`; Storage has its object. */
  readonly attachment: string;
  readonly links: Readonly<Record<'viewer' | 'commenter' | 'editor', SharedLink>>;
};

export async function buildWorkspace(sql: Sql): Promise<WorkspaceFixture> {
  const people = {
    stranger: await sql.signUp('stranger'),
    guest: await sql.signUp('guest', { guest: true }),
    redeemedViewer: await sql.signUp('redeemedViewer'),
    redeemedCommenter: await sql.signUp('redeemedCommenter'),
    redeemedEditor: await sql.signUp('redeemedEditor', { guest: true }),
    viewer: await sql.signUp('viewer'),
    commenter: await sql.signUp('commenter'),
    editor: await sql.signUp('editor'),
    manager: await sql.signUp('manager'),
    workspaceGuest: await sql.signUp('workspaceGuest'),
    member: await sql.signUp('member'),
    admin: await sql.signUp('admin'),
    owner: await sql.signUp('owner'),
  };
  const { owner, manager, editor } = people;

  const workspace = randomUUID();
  const page = randomUUID();
  const slug = `harbour-${workspace.slice(0, 8)}`;
  await sql.call(owner, 'create_workspace', { id: workspace, name: slug, document: page });
  const join = 'insert into public.workspace_members (workspace_id, user_id, role) values ($1, $2, $3)';
  await sql.rows(join, [workspace, people.admin.id, 'admin']);
  await sql.rows(join, [workspace, people.member.id, 'member']);
  await sql.rows(join, [workspace, people.workspaceGuest.id, 'guest']);

  for (const role of ['viewer', 'commenter', 'editor', 'manager'] as const) {
    await sql.call(owner, 'set_document_member', { document: page, person: people[role].id, role });
  }
  const links = {
    viewer: await shareLink(sql, owner, page, 'viewer'),
    commenter: await shareLink(sql, owner, page, 'commenter'),
    editor: await shareLink(sql, owner, page, 'editor'),
  };
  await sql.call(people.redeemedViewer, 'redeem_share_link', { secret: links.viewer.secret });
  await sql.call(people.redeemedCommenter, 'redeem_share_link', { secret: links.commenter.secret });
  await sql.call(people.redeemedEditor, 'redeem_share_link', { secret: links.editor.secret });

  const subpage = randomUUID();
  await sql.call(manager, 'create_document', { id: subpage, workspace, parent: page, rank: 'a0' });
  const secretPage = randomUUID();
  await sql.call(owner, 'create_document', { id: secretPage, workspace, parent: null, rank: 'a1' });
  await sql.rows(`update public.documents set access = 'restricted' where id = $1`, [secretPage]);

  const { session, clientId } = await startSession(sql, editor, page);
  await append(sql, editor, { document: page, session, nFrom: 1, nTo: 1, update: base64(1, 2, 3) });
  await sql.rows(
    `insert into public.document_snapshots (document_id, seq, state, sha256) values ($1, 1, '\\x01', 'made up')`,
    [page],
  );
  await sql.rows('update public.document_heads set snapshot_seq = 1, snapshot_bytes = 1 where document_id = $1', [
    page,
  ]);
  const attachment = await attach(sql, editor, page);
  return {
    people,
    attachment,
    caller: (name) => (name === 'anon' || name === 'service' ? name : people[name]),
    workspace,
    slug,
    page,
    secretPage,
    subpage,
    editorSession: session,
    editorClientId: clientId,
    links,
  };
}

/** Creates an attachment and its object, as Storage does. */
export async function attach(sql: Sql, by: Caller, document: string): Promise<string> {
  const id = randomUUID();
  await sql.call(by, 'create_attachment', { id, document, name: 'swan.png', mime: 'image/png', bytes: 12 });
  await sql.rows(`insert into storage.objects (bucket_id, name) values ('attachments', $1)`, [`${document}/${id}`]);
  return id;
}

export async function shareLink(
  sql: Sql,
  by: Caller,
  document: string,
  role: string,
  expiresAt: string | null = null,
): Promise<SharedLink> {
  const created = await sql.ask(by, createdLink, 'create_share_link', { document, role, expires_at: expiresAt });
  const { topic_key: topicKey } = await sql.row<{ topic_key: string }>(
    'select topic_key from public.share_links where id = $1',
    [created.link.id],
  );
  return { id: created.link.id, secret: created.secret, topicKey };
}

export async function startSession(sql: Sql, by: Caller, document: string) {
  const session = randomUUID();
  const clientId = randomInt(1024, 2 ** 32);
  await sql.ask(by, startAnswer, 'start_session', { document, session, client_id: clientId, schema_version: 1 });
  return { session, clientId };
}

export type AppendOptions = {
  readonly document: string;
  readonly session: string;
  readonly nFrom: number;
  readonly nTo: number;
  readonly update?: string;
  readonly dependencies?: unknown;
  readonly knownSeq?: number;
  readonly schemaVersion?: number;
  readonly livePeers?: number | null;
};

export const appendArgs = (options: AppendOptions) => ({
  document: options.document,
  session: options.session,
  n_from: options.nFrom,
  n_to: options.nTo,
  update: options.update ?? base64(options.nFrom & 0xff, options.nTo & 0xff),
  dependencies: options.dependencies ?? [],
  known_seq: options.knownSeq ?? 0,
  schema_version: options.schemaVersion ?? 1,
  live_peers: options.livePeers === undefined ? null : options.livePeers,
});

export const append = (sql: Sql, by: Caller, options: AppendOptions) =>
  sql.ask(by, appendAnswer, 'append_update', appendArgs(options));
