// The name of the author of something, as it stands after "by". The database names guests who give no name "Guest": there
// may be several, so that is no one's name.
import type { UserId } from 'weft-sync/protocol/ids.ts';
import type { PeopleById } from './people.ts';

const GUEST_NAME = 'Guest';

/** Someone who deleted their account. */
export const SOMEONE_WHO_LEFT = 'someone who left';

/** Whether a guest has not said their name yet: the database numbers several in one workspace ("Guest 2"). */
export const isUnnamedGuest = (name: string): boolean => /^Guest(?: \d+)?$/.test(name);

/** Null until the profile is loaded. */
export function authorName(
  author: UserId,
  { me, people, gone }: { readonly me: UserId; readonly people: PeopleById; readonly gone: ReadonlySet<UserId> },
): string | null {
  if (author === me) return 'you';
  const name = people.get(author)?.displayName;
  if (name !== undefined) return name === GUEST_NAME ? 'a guest' : name;
  return gone.has(author) ? SOMEONE_WHO_LEFT : null;
}

/** The words for an edit that someone's app passed on. `name` as in a sentence: "you", "Ruth Okafor". */
export const passedOnAs = (name: string): string => `passed on as ${name === 'you' ? 'yours' : `${name}’s`}`;
