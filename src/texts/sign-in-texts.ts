// Texts of sign-ins: why one failed, and what to do after a sign-up.
import type { SignInProblem } from '../protocol/errors.ts';

export const SIGN_IN_TEXTS = {
  credentials: 'Incorrect email or password.',
  taken: 'There is already an account with this email. Sign in instead.',
  weakPassword: 'Use at least 8 characters, and not a very common password.',
  badEmail: 'This doesn’t look like an email address.',
  unconfirmed: 'Open the link in the email we sent you, then sign in.',
  cannotEmail:
    'This server can’t send email to this address: it has no email service of its own (SMTP). Ask the person who runs it.',
  badCode: 'This code is wrong or has expired. Use the newest email.',
  deadLink: 'This link was already used, or it has expired.',
  otherBrowser: 'A sign-in link works only in the browser that requested it.',
  samePassword: 'This is already your password.',
  closed: 'This server doesn’t accept new accounts this way.',
  tooMany: 'Too many tries. Wait a minute, then try again.',
  unreachable: 'Can’t reach the server. Check the connection and try again.',
  unknown: 'Something went wrong.',
} as const satisfies Record<SignInProblem, string>;

/** Shown after a sign-up that waits for its email. The server answers the same when the address has an account. */
export const SIGN_UP_SENT =
  'Open the link in the email we sent you, then sign in. No email? You may have an account already: sign in, or choose a new password.';
