// What addresses and history entries say of mails: whether a link from one led here, and whose it is.
import type { Location } from 'react-router';

/** The sign-in service adds a code, or why there is none; on failure behind `#` too. */
export function isEmailLink({ search, hash }: Pick<Location, 'search' | 'hash'>): boolean {
  const [query, fragment] = [new URLSearchParams(search), new URLSearchParams(hash.slice(1))];
  return query.has('code') || query.has('error') || fragment.has('error') || fragment.has('access_token');
}

export function emailFromState(state: unknown): string {
  const isKnown = typeof state === 'object' && state !== null && 'email' in state;
  return isKnown && typeof state.email === 'string' ? state.email : '';
}

/** Where a mail's link may lead: an address of this app, without what stands behind `#`, which may be a secret. */
export const addressWithoutSecret = (to: string | null): string | null => (to === null || to.includes('#') ? null : to);
