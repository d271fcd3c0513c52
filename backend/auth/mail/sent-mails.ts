// The newest mail to each address: hashes of its code and its link, what it is for, and how many wrong codes were tried. An
// address without an account has a row too, so that a request for a mail does the same work and gets the same answers.
import * as v from 'valibot';
import type { Queries } from '../../engine.ts';
import { type OneTimeToken, hashOfCode, hashOfLink } from './one-time-tokens.ts';
import type { Challenge } from './pkce.ts';

export type MailKind = 'signup' | 'magiclink' | 'recovery';

export type MailRequest = {
  readonly email: string;
  readonly kind: MailKind;
  readonly token: OneTimeToken;
  /** Null: no PKCE. */
  readonly challenge: Challenge | null;
};

/** How many expired rows a request removes; one request adds at most one. */
const PRUNED_ROWS = 20;

/**
 * Stores the mail in place of the address's last one. If that was requested less than `intervalSeconds` ago, stores nothing and
 * returns the seconds to wait; otherwise 0.
 */
export async function storeMail(
  tx: Queries,
  { email, kind, token, challenge }: MailRequest,
  { intervalSeconds, lifetimeSeconds, now }: { intervalSeconds: number; lifetimeSeconds: number; now: string },
): Promise<number> {
  await tx.query(
    `delete from weft_backend.sent_mails where email in (
       select email from weft_backend.sent_mails where sent_at < $1::timestamptz - make_interval(secs => $2)
       order by sent_at limit $3 for update skip locked)`,
    [now, lifetimeSeconds, PRUNED_ROWS],
  );
  const { rows } = await tx.query<{ email: string }>(
    `insert into weft_backend.sent_mails as sent
       (email, kind, link_hash, code_hash, code_challenge, code_challenge_method, sent_at)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (email) do update set
       kind = $2, link_hash = $3, code_hash = $4, wrong_codes = 0, code_challenge = $5, code_challenge_method = $6, sent_at = $7
     where sent.sent_at <= $7::timestamptz - make_interval(secs => $8)
     returning email`,
    [
      ...[email, kind, hashOfLink(token.link), hashOfCode(email, token.code)],
      ...[challenge?.challenge ?? null, challenge?.method ?? null, now, intervalSeconds],
    ],
  );
  if (rows.length > 0) return 0;
  const { rows: stored } = await tx.query<{ wait: number }>(
    `select ceil(extract(epoch from sent_at - $2::timestamptz) + $3)::int as wait
     from weft_backend.sent_mails where email = $1`,
    [email, now, intervalSeconds],
  );
  return Math.max(1, stored[0]?.wait ?? 1);
}

const rowSchema = v.object({
  email: v.string(),
  kind: v.picklist(['signup', 'magiclink', 'recovery']),
  code_hash: v.nullable(v.string()),
  wrong_codes: v.number(),
  code_challenge: v.nullable(v.string()),
  code_challenge_method: v.nullable(v.picklist(['s256', 'plain'])),
  sent_at: v.string(),
});

export type SentMail = {
  readonly email: string;
  readonly kind: MailKind;
  readonly challenge: Challenge | null;
  /** ISO 8601. */
  readonly sentAt: string;
};

/** The mail whose link has this token, locked until the end of the transaction. */
export async function lockMailByLink(tx: Queries, token: string): Promise<SentMail | null> {
  const { rows } = await tx.query('select * from weft_backend.sent_mails where link_hash = $1 for update', [
    hashOfLink(token),
  ]);
  return rows[0] === undefined ? null : describeMail(v.parse(rowSchema, rows[0]));
}

/**
 * The mail to this address if `code` is in it, locked until the end of the transaction. Counts the try first: after
 * `maxWrongCodes` the right code is refused too, to everyone. The transaction must be committed, or nothing is counted.
 */
export async function lockMailByCode(
  tx: Queries,
  email: string,
  code: string,
  maxWrongCodes: number,
): Promise<SentMail | null> {
  const { rows } = await tx.query(
    'update weft_backend.sent_mails set wrong_codes = wrong_codes + 1 where email = $1 and code_hash is not null returning *',
    [email],
  );
  if (rows[0] === undefined) return null;
  const row = v.parse(rowSchema, rows[0]);
  return row.wrong_codes <= maxWrongCodes && row.code_hash === hashOfCode(email, code) ? describeMail(row) : null;
}

/** Neither code nor link work any more. The row stays: it says when the next mail may be requested. */
export async function endMail(tx: Queries, { email }: SentMail): Promise<void> {
  await tx.query('update weft_backend.sent_mails set code_hash = null, link_hash = null where email = $1', [email]);
}

/**
 * Sets and clears the account's token, for triggers that want to know whether a mail was used. A hosted project sets it when it
 * sends the mail. Here the request would then take longer for an address with an account, and so reveal that there is one.
 */
export async function markMailUsed(tx: Queries, userId: string, { sentAt }: SentMail): Promise<void> {
  await tx.query(`update auth.users set recovery_token = 'used', recovery_sent_at = $2 where id = $1`, [
    userId,
    sentAt,
  ]);
  await tx.query(`update auth.users set recovery_token = '' where id = $1`, [userId]);
}

export const isExpired = ({ sentAt }: SentMail, seconds: number, now: number): boolean =>
  Date.parse(sentAt) + seconds * 1000 < now;

function describeMail(row: v.InferOutput<typeof rowSchema>): SentMail {
  const { code_challenge: challenge, code_challenge_method: method } = row;
  const isPkce = challenge !== null && method !== null;
  return {
    email: row.email,
    kind: row.kind,
    challenge: isPkce ? { challenge, method } : null,
    sentAt: row.sent_at,
  };
}
