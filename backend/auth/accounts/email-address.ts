// Checks an email address and puts it in lower case, the form in which it is stored.
import { AuthError, validationFailed } from '../auth-error.ts';

const MAX_LENGTH = 255;
/** One @ between a name and a domain, no spaces or control characters. Only sending a mail shows whether it arrives. */
const FORM =
  /^[^\s@\p{Cc}<>,;:"()[\]\\]{1,64}@[a-z0-9\u{80}-\u{10ffff}](?:[a-z0-9.\-\u{80}-\u{10ffff}]*[a-z0-9\u{80}-\u{10ffff}])?$/u;
/** RFC 2606 reserves these domains: mail to them always comes back. */
const UNDELIVERABLE = /\.invalid$/;

/** Throws an `AuthError`. */
export function parseEmail(text: string): string {
  const email = text.trim().toLowerCase();
  if (email === '') throw validationFailed('An email address is required');
  if (email.length > MAX_LENGTH) throw validationFailed('An email address is too long');
  if (!FORM.test(email) || email.includes('..') || !email.isWellFormed())
    throw validationFailed('Unable to validate email address: invalid format');
  if (UNDELIVERABLE.test(email))
    throw new AuthError(400, 'email_address_invalid', `Email address "${email}" is invalid`);
  return email;
}
