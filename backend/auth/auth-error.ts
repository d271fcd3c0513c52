// Error responses in the hosted Auth's two forms: `{code, error_code, msg}`, or `{code, message}` for clients that name the API
// version of 2024, as auth-js does.

const VERSION_HEADER = 'x-supabase-api-version';
const VERSION = '2024-01-01';

export class AuthError extends Error {
  readonly status: number;
  readonly code: string;
  /** More fields of the body. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(status: number, code: string, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

export function toErrorResponse({ status, code, message, details }: AuthError, requestHeaders: Headers): Response {
  const isVersioned = (requestHeaders.get(VERSION_HEADER) ?? '') >= VERSION;
  const body = isVersioned
    ? { code, message, ...details }
    : { code: status, error_code: code, msg: message, ...details };
  return Response.json(body, {
    status,
    headers: { 'x-sb-error-code': code, ...(isVersioned ? { [VERSION_HEADER]: VERSION } : {}) },
  });
}

export const validationFailed = (message: string, status = 400): AuthError =>
  new AuthError(status, 'validation_failed', message);

export const invalidCredentials = (): AuthError =>
  new AuthError(400, 'invalid_credentials', 'Invalid login credentials');

export const emailExists = (): AuthError =>
  new AuthError(422, 'email_exists', 'A user with this email address has already been registered');

export const tooManyRequests = (): AuthError =>
  new AuthError(429, 'over_request_rate_limit', 'Request rate limit reached');

/** For what this backend lacks, though a Supabase project may have it. */
export const authNotImplemented = (what: string): AuthError =>
  new AuthError(501, 'not_implemented', `The embedded backend does not support ${what}.`);

export const expiredOtp = (message: string): AuthError => new AuthError(403, 'otp_expired', message);
