// Links in emails about signing in: whether one was followed, which email address it is for, and where it may lead.
import type { Location } from 'react-router';

/** The sign-in service adds a code or an error to the link; errors and old tokens may follow a `#`. */
export function isEmailLink({ search, hash }: Pick<Location, 'search' | 'hash'>): boolean {
  const [query, fragment] = [new URLSearchParams(search), new URLSearchParams(hash.slice(1))];
  return query.has('code') || query.has('error') || fragment.has('error') || fragment.has('access_token');
}

/** The email address that a link to `/reset` passed on in the history entry’s state. Empty without one. */
export function emailFromState(state: unknown): string {
  const isKnown = typeof state === 'object' && state !== null && 'email' in state;
  return isKnown && typeof state.email === 'string' ? state.email : '';
}

/** Null for an address with a `#`: that part may be a link's secret, which must not be sent by email. */
export const addressWithoutSecret = (to: string | null): string | null => (to === null || to.includes('#') ? null : to);
