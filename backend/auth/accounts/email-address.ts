// What counts as an e-mail address, and how it is kept: in lower case.
import { AuthError, validationFailed } from '../auth-error.ts';

const MAX_LENGTH = 255;
/** One @ between a name and a domain, no spaces or control characters: whether mail arrives is known only by sending it. */
const FORM =
  /^[^\s@\p{Cc}<>,;:"()[\]\\]{1,64}@[a-z0-9\u{80}-\u{10ffff}](?:[a-z0-9.\-\u{80}-\u{10ffff}]*[a-z0-9\u{80}-\u{10ffff}])?$/u;
/** Names that RFC 2606 keeps out of the world: what is sent there comes back. */
const NOWHERE = /\.invalid$/;

/** Throws an `AuthError`. */
export function parseEmail(text: string): string {
  const email = text.trim().toLowerCase();
  if (email === '') throw validationFailed('An email address is required');
  if (email.length > MAX_LENGTH) throw validationFailed('An email address is too long');
  if (!FORM.test(email) || email.includes('..') || !email.isWellFormed())
    throw validationFailed('Unable to validate email address: invalid format');
  if (NOWHERE.test(email)) throw new AuthError(400, 'email_address_invalid', `Email address "${email}" is invalid`);
  return email;
}
