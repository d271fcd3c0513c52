// Finds in the locations of a workspace's present members who has which page open.
import type { DocumentId, UserId } from 'weft-sync/protocol/ids.ts';
import type { MemberLocation } from '../../ports/streams.ts';

/** The page that someone has open, null if none or unknown. */
export const pageOf = (present: readonly MemberLocation[] | null, person: UserId): DocumentId | null =>
  present?.find(({ user, document }) => user === person && document !== null)?.document ?? null;

/** The people on a page who have not edited it lately, in any of their tabs. */
export function readersOn(present: readonly MemberLocation[] | null, document: DocumentId): ReadonlySet<UserId> {
  const here = (present ?? []).filter((one) => one.document === document);
  const editing = new Set(here.filter(({ isReading }) => isReading !== true).map(({ user }) => user));
  return new Set(here.map(({ user }) => user).filter((user) => !editing.has(user)));
}

/** Everyone on a page except one person, in order of arrival. Someone with two tabs counts once. */
export function othersOn(
  present: readonly MemberLocation[] | null,
  document: DocumentId,
  me: UserId,
): readonly UserId[] {
  const users = (present ?? []).filter((one) => one.document === document && one.user !== me).map(({ user }) => user);
  return Array.from(new Set(users));
}
