// POST /signup: an account with address and password, or a guest.
import * as v from 'valibot';
import { confirmAccount, createAccount, createGuest } from './create-account.ts';
import type { Auth } from '../auth.ts';
import { AuthError, validationFailed } from '../auth-error.ts';
import { type Call, metadataField, parseBody, textField } from '../call.ts';
import { sendConfirmation } from '../confirmations.ts';
import { parseEmail } from './email-address.ts';
import { type Challenge, parseChallenge } from '../mail/pkce.ts';
import { checkPassword } from '../passwords/passwords.ts';
import { type Metadata, describeUser, lockUser } from './users.ts';

const schema = v.object({
  email: textField,
  phone: textField,
  password: textField,
  data: metadataField,
  code_challenge: textField,
  code_challenge_method: textField,
});

export async function signUp(auth: Auth, call: Call): Promise<Response> {
  const body = parseBody(schema, call);
  const data = body.data ?? {};
  if (body.phone !== '') throw new AuthError(400, 'phone_provider_disabled', 'Phone signups are disabled');
  if (body.email === '' && body.password === '') {
    auth.limits.take('guests', call.peer);
    return auth.pg.transaction(async (tx) =>
      auth.signIn(tx, await createGuest(tx, data, auth.now()), 'anonymous', call),
    );
  }
  const challenge = parseChallenge(body.code_challenge, body.code_challenge_method);
  if (body.password === '') throw validationFailed('Signup requires a valid password', 422);
  checkPassword(body.password, auth.settings.minPasswordLength);
  const email = parseEmail(body.email);
  auth.limits.take('signUps', call.peer);
  // Before anything is known of the address: a taken one must not answer sooner.
  const passwordHash = await auth.passwords.hash(body.password);
  return auth.settings.confirmEmails
    ? askToConfirm(auth, call, { email, passwordHash, data }, challenge)
    : auth.pg.transaction(async (tx) => {
        const known = await lockUser(tx, 'email', email);
        if (known !== null) throw new AuthError(422, 'user_already_exists', 'User already registered');
        const user = await createAccount(tx, { email, passwordHash, data }, auth.now());
        return auth.signIn(tx, await confirmAccount(tx, user, auth.now()), 'password', call);
      });
}

/** Tells nobody whether there is such an account: who has one learns it by no mail coming. */
async function askToConfirm(
  auth: Auth,
  call: Call,
  account: { readonly email: string; readonly passwordHash: string; readonly data: Metadata },
  challenge: Challenge | null,
): Promise<Response> {
  auth.limits.take('mails', call.peer);
  auth.limits.mail('confirmation', account.email);
  return auth.pg.transaction(async (tx) => {
    const known = await lockUser(tx, 'email', account.email);
    if (known !== null && known.email_confirmed_at !== null) return Response.json(imagined(account, auth.now()));
    // An account that nobody confirmed stays as it was: who asks now need not be who asked then.
    const user = known ?? (await createAccount(tx, account, auth.now()));
    return Response.json(await describeUser(tx, await sendConfirmation(auth, tx, user, challenge, call)));
  });
}

/** What a new account of this address would look like. */
const imagined = ({ email, data }: { readonly email: string; readonly data: Metadata }, now: string) => ({
  id: crypto.randomUUID(),
  aud: 'authenticated',
  role: 'authenticated',
  email,
  phone: '',
  confirmation_sent_at: now,
  app_metadata: { provider: 'email', providers: ['email'] },
  user_metadata: data,
  identities: [],
  created_at: now,
  updated_at: now,
  is_anonymous: false,
});
