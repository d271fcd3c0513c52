// Sign-in with an account of another service (OAuth): names of the services, and why it failed, in words. A part of the
// error catalogue of its own, because it loads with the buttons and not with the first screen.
import type { SignInProblem } from '../protocol/errors.ts';
import { SIGN_IN_TEXTS } from './sign-in-texts.ts';

/** The services of Supabase Auth, by their ids there. */
export const PROVIDER_NAMES = {
  apple: 'Apple',
  azure: 'Microsoft',
  bitbucket: 'Bitbucket',
  discord: 'Discord',
  facebook: 'Facebook',
  figma: 'Figma',
  fly: 'Fly.io',
  github: 'GitHub',
  gitlab: 'GitLab',
  google: 'Google',
  kakao: 'Kakao',
  keycloak: 'Keycloak',
  linkedin: 'LinkedIn',
  linkedin_oidc: 'LinkedIn',
  notion: 'Notion',
  slack: 'Slack',
  slack_oidc: 'Slack',
  spotify: 'Spotify',
  twitch: 'Twitch',
  twitter: 'X',
  workos: 'WorkOS',
  x: 'X',
  zoom: 'Zoom',
} as const;

export type Provider = keyof typeof PROVIDER_NAMES;

export const isProvider = (id: string | null): id is Provider => id !== null && Object.hasOwn(PROVIDER_NAMES, id);

const PROVIDER_TEXTS = {
  cancelled: 'The sign-in was cancelled, or the other service refused it.',
  belongsToAnother: 'Another account already signs in this way. Sign out here to use that one.',
  linkingOff: 'This server doesn’t let guests become accounts this way. Use an email address and a password.',
  tookTooLong: 'The sign-in took too long, or was opened twice. Try again.',
} as const;

export type ProviderProblem = keyof typeof PROVIDER_TEXTS | SignInProblem;

export const providerText = (problem: ProviderProblem): string => ({ ...SIGN_IN_TEXTS, ...PROVIDER_TEXTS })[problem];

const PROBLEMS: { readonly [code: string]: ProviderProblem } = {
  access_denied: 'cancelled',
  identity_already_exists: 'belongsToAnother',
  email_exists: 'belongsToAnother',
  user_already_exists: 'belongsToAnother',
  manual_linking_disabled: 'linkingOff',
  provider_disabled: 'closed',
  oauth_provider_not_supported: 'closed',
  signup_disabled: 'closed',
  user_banned: 'closed',
  provider_email_needs_verification: 'unconfirmed',
  bad_oauth_state: 'tookTooLong',
  bad_oauth_callback: 'tookTooLong',
  flow_state_expired: 'tookTooLong',
  flow_state_not_found: 'tookTooLong',
  over_request_rate_limit: 'tooMany',
};

/** The problem behind an error code of Supabase Auth, if a sign-in with another service may end with it; else null. */
export const providerProblem = (code: string | null | undefined): ProviderProblem | null =>
  code !== null && code !== undefined && Object.hasOwn(PROBLEMS, code) ? (PROBLEMS[code] ?? null) : null;

/** Why the address that the service led back to signed no one in; null if it names no error. */
export function providerProblemIn({
  search,
  hash,
}: {
  readonly search: string;
  readonly hash: string;
}): ProviderProblem | null {
  const [query, fragment] = [new URLSearchParams(search), new URLSearchParams(hash.slice(1))];
  const read = (name: string) => query.get(name) ?? fragment.get(name);
  if (read('error') === null && read('error_code') === null) return null;
  // The code is the more exact one, but is missing where the other service refused.
  return providerProblem(read('error_code')) ?? providerProblem(read('error')) ?? 'unknown';
}
