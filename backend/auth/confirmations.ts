// The mails that prove an address: of a new account, of an invitation, of a link or a reset that was asked for, of a change.
import type { Queries } from '../engine.ts';
import type { Auth } from './auth.ts';
import type { Call } from './call.ts';
import { type Challenge, type FlowMethod, keepChallenge } from './mail/pkce.ts';
import { makeToken } from './mail/one-time-tokens.ts';
import { type User, updateUser } from './accounts/users.ts';

export async function sendConfirmation(
  auth: Auth,
  tx: Queries,
  user: User,
  challenge: Challenge | null,
  call: Call,
): Promise<User> {
  const token = makeToken(user.email, challenge !== null);
  await keep(tx, user, 'email/signup', challenge, auth.now());
  const changes = { confirmation_token: token.hash, confirmation_sent_at: auth.now() };
  const changed = await updateUser(tx, user.id, changes, auth.now());
  auth.mails.send('signup', user.email, token, call);
  return changed;
}

export async function sendRecovery(
  auth: Auth,
  tx: Queries,
  user: User,
  kind: 'magiclink' | 'recovery',
  challenge: Challenge | null,
  call: Call,
): Promise<void> {
  const token = makeToken(user.email, challenge !== null);
  await keep(tx, user, kind, challenge, auth.now());
  await updateUser(tx, user.id, { recovery_token: token.hash, recovery_sent_at: auth.now() }, auth.now());
  auth.mails.send(kind, user.email, token, call);
}

/** To the new address, and to the old one when there is one and it has a say. */
export async function sendEmailChange(
  auth: Auth,
  tx: Queries,
  user: User,
  newEmail: string,
  challenge: Challenge | null,
  call: Call,
): Promise<User> {
  const toNew = makeToken(newEmail, challenge !== null);
  const asksOld = auth.settings.secureEmailChange && user.email !== '';
  const toOld = asksOld ? makeToken(user.email, challenge !== null) : null;
  await keep(tx, user, 'email_change', challenge, auth.now());
  const changed = await updateUser(
    tx,
    user.id,
    {
      email_change: newEmail,
      email_change_token_new: toNew.hash,
      email_change_token_current: toOld?.hash ?? null,
      email_change_sent_at: auth.now(),
      email_change_confirm_status: 0,
    },
    auth.now(),
  );
  if (toOld !== null) auth.mails.send('email_change_current', user.email, toOld, call, newEmail);
  auth.mails.send('email_change', newEmail, toNew, call);
  return changed;
}

async function keep(tx: Queries, user: User, flow: FlowMethod, challenge: Challenge | null, now: string) {
  if (challenge !== null) await keepChallenge(tx, user.id, flow, challenge, now);
}
