// Invitations in tests: made through the API, as the app makes them.
import { createdInvite } from '../../src/protocol/people-answers.ts';
import type { Caller, Person, Sql } from '../support/database/sql.ts';

type Options = {
  readonly role?: string;
  readonly email?: string;
  readonly document?: string;
  readonly documentRole?: string;
  readonly maxUses?: number;
  readonly expiresAt?: string;
};

export const inviteArgs = (workspace: string, options: Options = {}) => ({
  workspace,
  role: options.role ?? (options.document === undefined ? 'member' : 'guest'),
  email: options.email ?? null,
  document: options.document ?? null,
  document_role: options.documentRole ?? (options.document === undefined ? null : 'viewer'),
  expires_at: options.expiresAt ?? null,
  max_uses: options.maxUses ?? null,
});

export const invite = (sql: Sql, by: Caller, { workspace }: { readonly workspace: string }, options: Options = {}) =>
  sql.ask(by, createdInvite, 'create_invite', inviteArgs(workspace, options));

/** People of the tests sign up as `name@example.org`; Auth confirms the address when they open the link of its email. */
export async function confirmEmail(sql: Sql, { id }: Person): Promise<void> {
  await sql.rows('update auth.users set email_confirmed_at = now() where id = $1', [id]);
}
