// Names without characters that no one sees: of people, workspaces, pages in lists, and what else has a name.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { documentChanges } from '../../../src/protocol/answers.ts';
import { useWorkspace } from '../fixture/use-workspace.ts';

const withWorkspace = useWorkspace();

/** The text as it is sent, and as it is stored. */
const NAMES: readonly (readonly [sent: string, stored: string])[] = [
  ['Ada\u202egnp.exe', 'Adagnp.exe'],
  ['\u2067Ada\u2069\u202c', 'Ada'],
  ['A\u200bd\u2060a\ufeff\u00ad', 'Ada'],
  ['A\u200dd\u200ca', 'Ada'],
  ['\u200e Ada \u200f', 'Ada'],
  ['\u3164Ada\u2800', 'Ada'],
  // Joiners that scripts and emoji need.
  ['\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645', '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645'],
  ['\u{1f468}\u200d\u{1f469}\u200d\u{1f467} Ada', '\u{1f468}\u200d\u{1f469}\u200d\u{1f467} Ada'],
  ['\u{1f468}\u200d\u200d\u{1f469}\u200d', '\u{1f468}\u200d\u{1f469}'],
  [
    '\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f} Ada\u0301',
    '\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f} Ada\u0301',
  ],
];
const EMPTY = ['\u200b', '\u202e\u2066', '\u200d\u200d\u200d', '\u3164 \u2800', '\ufeff \u00ad'];

test(
  'a person’s and a workspace’s name lose what no one sees, and must have something else',
  withWorkspace(async (sql, { people: { owner }, workspace }) => {
    const profile = (display_name: string) => sql.call(owner, 'update_profile', { display_name, color: 'rust' });
    const rename = (name: string) => sql.call(owner, 'rename_workspace', { workspace, name });
    for (const [sent, stored] of NAMES) {
      expect(await profile(sent)).toMatchObject({ displayName: stored });
      await rename(sent);
      expect(await sql.row('select name from public.workspaces where id = $1', [workspace])).toEqual({ name: stored });
    }
    for (const name of EMPTY) {
      expect(await sql.outcome(() => profile(name))).toBe('23514');
      expect(await sql.outcome(() => rename(name))).toBe('23514');
    }
  }),
);

test(
  'a new account with such a name gets it without them, or another one',
  withWorkspace(async (sql) => {
    const nameOf = async (name: string) => {
      const id = randomUUID();
      await sql.rows('insert into auth.users (id, email, raw_user_meta_data) values ($1, $2, $3)', [
        id,
        `ada-${id}@example.org`,
        { display_name: name },
      ]);
      const { display_name } = await sql.row('select display_name from public.profiles where id = $1', [id]);
      return [display_name, `ada-${id}`];
    };
    expect((await nameOf('Ada\u202egnp.exe'))[0]).toBe('Adagnp.exe');
    const [named, mailbox] = await nameOf('\u200b\u202e');
    expect(named).toBe(mailbox);
  }),
);

test(
  'the titles in lists, and the names of files, versions and links, too',
  withWorkspace(async (sql, fixture) => {
    const { page, workspace, people } = fixture;
    const { owner, editor } = people;
    const hidden = 'Plan\u202egnp\u200b';
    await sql.call(editor, 'save_text', { document: page, seq: 2, title: hidden, body_text: '' });
    const { documents } = await sql.ask(owner, documentChanges, 'list_documents', { workspace });
    expect(documents.find(({ id }) => id === page)?.title).toBe('Plangnp');
    const file = { id: randomUUID(), document: page, name: hidden, mime: 'a/b', bytes: 1 };
    expect(await sql.call(editor, 'create_attachment', file)).toMatchObject({ name: 'Plangnp' });
    const version = { id: randomUUID(), document: page, seq: 1, name: hidden };
    expect(await sql.call(editor, 'name_version', version)).toMatchObject({ name: 'Plangnp' });
    await sql.call(owner, 'create_share_link', { document: page, role: 'viewer', expires_at: null, name: hidden });
    const links = await sql.rows('select name from public.share_links where document_id = $1 and name is not null', [
      page,
    ]);
    expect(links).toEqual([{ name: 'Plangnp' }]);
  }),
);
