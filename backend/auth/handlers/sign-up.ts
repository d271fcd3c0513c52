// POST /signup: an account with an email address and a password, or a guest. Either is signed in at once.
import * as v from 'valibot';
import { confirmAccount, createAccount, createGuest } from '../accounts/create-account.ts';
import { parseEmail } from '../accounts/email-address.ts';
import type { Metadata } from '../accounts/metadata.ts';
import { lockUser } from '../accounts/users.ts';
import { AuthError, validationFailed } from '../auth-error.ts';
import type { Auth } from '../auth.ts';
import { type AuthCall, metadataField, parseAuthBody, textField } from '../call.ts';
import { checkPassword } from '../passwords/passwords.ts';

const schema = v.object({ email: textField, phone: textField, password: textField, data: metadataField });

export async function signUp(auth: Auth, call: AuthCall): Promise<Response> {
  const body = parseAuthBody(schema, call);
  const data = body.data ?? {};
  if (body.phone !== '') throw new AuthError(400, 'phone_provider_disabled', 'Phone signups are disabled');
  if (!auth.settings.allowsSignUps)
    throw new AuthError(422, 'signup_disabled', 'Signups not allowed for this instance');
  if (body.email === '' && body.password === '') return signUpGuest(auth, call, data);
  if (body.password === '') throw validationFailed('Signup requires a valid password');
  checkPassword(body.password, auth.settings.minPasswordLength);
  const email = parseEmail(body.email);
  auth.limits.take('signUps', call.peer);
  // Before the account is looked up: otherwise the refusal of a taken address would come sooner.
  const passwordHash = await auth.passwords.hash(body.password);
  return auth.pg.transaction(async (tx) => {
    const known = await lockUser(tx, 'email', email);
    if (known !== null) throw new AuthError(422, 'user_already_exists', 'User already registered');
    const user = await createAccount(tx, { email, passwordHash, data }, auth.now());
    return auth.signIn(tx, await confirmAccount(tx, user, auth.now()), 'password', call);
  });
}

async function signUpGuest(auth: Auth, call: AuthCall, data: Metadata): Promise<Response> {
  if (!auth.settings.allowsGuests)
    throw new AuthError(422, 'anonymous_provider_disabled', 'Anonymous sign-ins are disabled');
  auth.limits.take('guests', call.peer);
  return auth.pg.transaction(async (tx) => auth.signIn(tx, await createGuest(tx, data, auth.now()), 'anonymous', call));
}
