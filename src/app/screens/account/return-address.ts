// Where to go after signing in: kept in the history entry's state, which is a border like any other storage.
import type { Location } from 'react-router';

export type ReturnAddress = { readonly to: string };

export const returnAddressFrom = ({
  pathname,
  search,
  hash,
}: Pick<Location, 'pathname' | 'search' | 'hash'>): ReturnAddress => ({
  to: `${pathname}${search}${hash}`,
});

/** An address of this app, or null. */
export function parseReturnAddress(state: unknown): string | null {
  if (typeof state !== 'object' || state === null || !('to' in state)) return null;
  const { to } = state;
  return typeof to === 'string' && /^\/(?![/\\])/.test(to) ? to : null;
}
