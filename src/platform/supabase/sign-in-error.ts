// Maps errors of Supabase Auth to problems that people can do something about.
import type { AuthError } from '@supabase/supabase-js';
import type { SignInError, SignInProblem } from '../../protocol/errors.ts';

const PROBLEMS: { readonly [code: string]: SignInProblem } = {
  invalid_credentials: 'credentials',
  user_already_exists: 'taken',
  email_exists: 'taken',
  weak_password: 'weakPassword',
  email_address_invalid: 'badEmail',
  email_address_not_authorized: 'cannotEmail',
  email_not_confirmed: 'unconfirmed',
  otp_expired: 'badCode',
  same_password: 'samePassword',
  signup_disabled: 'closed',
  email_provider_disabled: 'closed',
  anonymous_provider_disabled: 'closed',
  over_request_rate_limit: 'tooMany',
  over_email_send_rate_limit: 'tooMany',
};

export function toSignInError(error: AuthError): SignInError {
  const detail = `${error.code ?? error.status ?? ''} ${error.message}`.trim();
  const known = error.code === undefined ? undefined : PROBLEMS[error.code];
  if (known !== undefined) return { problem: known, detail };
  // Without a status, the request never returned. auth-js calls 502 to 504 "retryable" and gives them no code either.
  if (error.status === undefined || error.status === 0 || error.status >= 500)
    return { problem: 'unreachable', detail };
  if (error.status === 429) return { problem: 'tooMany', detail };
  if (/email/i.test(error.message) && error.code === 'validation_failed') return { problem: 'badEmail', detail };
  return { problem: 'unknown', detail };
}

/** For an emailed link that signed no one in. auth-js reports the error in the address as status 500. */
export function toLinkError(error: AuthError): SignInError {
  const { problem, detail } = toSignInError(error);
  return isAboutAddress(error) || problem === 'unknown' || problem === 'badCode'
    ? { problem: 'deadLink', detail }
    : { problem, detail };
}

const isAboutAddress = ({ name }: AuthError): boolean =>
  name === 'AuthImplicitGrantRedirectError' || name === 'AuthPKCEGrantCodeExchangeError';
