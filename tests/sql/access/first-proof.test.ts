// An account that someone made with another person's address: the first mail that proves the address ends their password and
// sessions. Each step is a statement that Auth runs.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Person, Sql } from '../../support/database/sql.ts';
import { confirmEmail, confirmUnseen, useMail } from '../fixture/invite.ts';
import { useWorkspace } from '../fixture/use-workspace.ts';

const withWorkspace = useWorkspace();

/** The password of someone who knew the address, and a session. */
async function squat(sql: Sql, { id }: Person): Promise<void> {
  await sql.rows(`update auth.users set encrypted_password = 'squatter' where id = $1`, [id]);
  await sql.rows('insert into auth.sessions (id, user_id) values ($1, $2)', [randomUUID(), id]);
}

const change = (sql: Sql, { id }: Person, columns: string) =>
  sql.rows(`update auth.users set ${columns} where id = $1`, [id]);

/** As Auth does it for a guest where addresses are confirmed by mail. */
const sendChange = (sql: Sql, person: Person, email: string, token = 'a') =>
  change(sql, person, `email_change = '${email}', email_change_token_new = '${token}', email_change_sent_at = now()`);
const useChange = (sql: Sql, person: Person, email: string) =>
  change(sql, person, `email = '${email}', email_change = '', email_change_token_new = '', email_confirmed_at = now()`);

async function accessOf(sql: Sql, { id }: Person) {
  const { sessions, password } = await sql.row<{ sessions: string; password: string | null }>(
    `select u.encrypted_password as password, (select count(*) from auth.sessions as s where s.user_id = u.id) as sessions
     from auth.users as u where u.id = $1`,
    [id],
  );
  return { sessions: Number(sessions), password };
}

const NOTHING = { sessions: 0, password: null };

test(
  'a mail to an account whose address Auth confirmed unseen ends its password and sessions, once',
  withWorkspace(async (sql, { people: { viewer } }) => {
    await confirmUnseen(sql, viewer);
    await squat(sql, viewer);
    await sql.rows(
      `insert into auth.identities (provider_id, user_id, identity_data, provider)
       values ('own', $1, '{"email": "squatter@example.org"}', 'github'), ('mail', $1, '{"email": "viewer@example.org"}', 'email')`,
      [viewer.id],
    );
    await useMail(sql, viewer);
    expect(await accessOf(sql, viewer)).toEqual(NOTHING);
    const identities = await sql.rows('select provider from auth.identities where user_id = $1', [viewer.id]);
    expect(identities).toEqual([{ provider: 'email' }]);

    await squat(sql, viewer);
    await useMail(sql, viewer);
    expect(await accessOf(sql, viewer)).toEqual({ sessions: 1, password: 'squatter' });
  }),
);

test(
  'an address that another service vouches for is proven: a mail ends nothing',
  withWorkspace(async (sql, { people: { viewer } }) => {
    await sql.rows(
      `insert into auth.identities (provider_id, user_id, identity_data, provider)
       values ('own', $1, '{"email": "viewer@example.org", "email_verified": true}', 'google')`,
      [viewer.id],
    );
    await squat(sql, viewer);
    await useMail(sql, viewer);
    expect(await accessOf(sql, viewer)).toEqual({ sessions: 1, password: 'squatter' });
  }),
);

test(
  'a sign-in by another service that vouches for the address ends password and sessions, once',
  withWorkspace(async (sql, { people: { viewer } }) => {
    await confirmUnseen(sql, viewer);
    await squat(sql, viewer);
    const link = async (provider: string, providers: string, isVerified = true) => {
      await sql.rows(
        `insert into auth.identities (provider_id, user_id, identity_data, provider)
         values ('own', $1, jsonb_build_object('email', 'viewer@example.org', 'email_verified', $3::boolean), $2)`,
        [viewer.id, provider, isVerified],
      );
      await change(sql, viewer, `raw_app_meta_data = '{"providers": ${providers}}'`);
    };
    await link('gitlab', '["email", "gitlab"]', false);
    expect(await accessOf(sql, viewer)).toEqual({ sessions: 1, password: 'squatter' });
    await link('google', '["email", "gitlab", "google"]');
    expect(await accessOf(sql, viewer)).toEqual(NOTHING);

    await squat(sql, viewer);
    await link('github', '["email", "gitlab", "google", "github"]');
    await useMail(sql, viewer);
    expect(await accessOf(sql, viewer)).toEqual({ sessions: 1, password: 'squatter' });
  }),
);

test(
  'the mail of a sign-up keeps the password that was chosen with it; a second mail does not say whose it is',
  withWorkspace(async (sql, { people: { viewer, editor, member } }) => {
    for (const person of [viewer, editor, member]) await squat(sql, person);
    await confirmEmail(sql, viewer);
    expect(await accessOf(sql, viewer)).toEqual({ sessions: 0, password: 'squatter' });

    await change(sql, editor, `confirmation_token = 'first', confirmation_sent_at = now()`);
    await confirmEmail(sql, editor);
    expect(await accessOf(sql, editor)).toEqual(NOTHING);

    await change(sql, member, `confirmation_token = 'first', confirmation_sent_at = now()`);
    await change(sql, member, `encrypted_password = 'later'`);
    await change(sql, member, `confirmation_token = '', email_confirmed_at = now()`);
    expect(await accessOf(sql, member)).toEqual(NOTHING);
  }),
);

test(
  'a guest who sets an address and a password: their sessions end with its proof, and a password that came before its mail',
  withWorkspace(async (sql, { people: { guest, redeemedEditor } }) => {
    // Where Auth confirms unseen, the address is there at once.
    await squat(sql, guest);
    await change(sql, guest, `email = 'late@example.org', is_anonymous = false, email_confirmed_at = now()`);
    await useMail(sql, guest);
    expect(await accessOf(sql, guest)).toEqual(NOTHING);

    await squat(sql, redeemedEditor);
    await sendChange(sql, redeemedEditor, 'other@example.org');
    await sql.rows('savepoint sent');
    await useChange(sql, redeemedEditor, 'other@example.org');
    expect(await accessOf(sql, redeemedEditor)).toEqual({ sessions: 0, password: 'squatter' });

    await sql.rows('rollback to savepoint sent');
    await sendChange(sql, redeemedEditor, 'other@example.org', 'b');
    await useChange(sql, redeemedEditor, 'other@example.org');
    expect(await accessOf(sql, redeemedEditor)).toEqual(NOTHING);
  }),
);

test(
  'an account that changes its address stays signed in',
  withWorkspace(async (sql, { people: { viewer } }) => {
    await confirmEmail(sql, viewer);
    await squat(sql, viewer);
    await sendChange(sql, viewer, 'new@example.org');
    await useChange(sql, viewer, 'new@example.org');
    expect(await accessOf(sql, viewer)).toEqual({ sessions: 1, password: 'squatter' });
  }),
);
