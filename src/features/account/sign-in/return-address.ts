// The address to return to after signing in. It is stored in the history entry's state, and parsed when it is read back.
import type { Location } from 'react-router';

export type ReturnAddress = { readonly to: string };

export const returnAddressFrom = ({
  pathname,
  search,
  hash,
}: Pick<Location, 'pathname' | 'search' | 'hash'>): ReturnAddress => ({
  to: `${pathname}${search}${hash}`,
});

/** Returns an address of this app, or null for anything else: `//host` or `/\host` would lead to another site. */
export function parseReturnAddress(state: unknown): string | null {
  if (typeof state !== 'object' || state === null || !('to' in state)) return null;
  const { to } = state;
  return typeof to === 'string' && /^\/(?![/\\])/.test(to) ? to : null;
}
