// Where to go after signing in: kept in the history entry's state, which is a border like any other storage.
import type { Location } from 'react-router';

export type Destination = { readonly to: string };

export const toDestination = ({
  pathname,
  search,
  hash,
}: Pick<Location, 'pathname' | 'search' | 'hash'>): Destination => ({
  to: `${pathname}${search}${hash}`,
});

/** An address of this app, or null. */
export function destinationOf(state: unknown): string | null {
  if (typeof state !== 'object' || state === null || !('to' in state)) return null;
  const { to } = state;
  return typeof to === 'string' && /^\/(?![/\\])/.test(to) ? to : null;
}
