// Checks an email address as the hosted Auth does and puts it in lower case, the form in which it is stored.
import { validationFailed } from '../auth-error.ts';

const MAX_BYTES = 255;
/** The form that browsers accept in `<input type="email">`: ASCII only, no blanks. Only sending a mail shows whether it arrives. */
const FORM =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;

/** Throws an `AuthError`. */
export function parseEmail(text: string): string {
  if (text === '') throw validationFailed('An email address is required');
  if (Buffer.byteLength(text) > MAX_BYTES) throw validationFailed('An email address is too long');
  // Before toLowerCase, which makes an ASCII letter of the Kelvin sign.
  if (!FORM.test(text)) throw validationFailed('Unable to validate email address: invalid format');
  return text.toLowerCase();
}
