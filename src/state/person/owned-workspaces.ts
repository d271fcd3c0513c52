// The workspaces that no one would own if a person left them.
import type { Workspace } from '../../protocol/answers.ts';
import type { UserId } from 'weft-sync/protocol/ids.ts';
import type { Membership } from '../../ports/workspace.ts';

export type SoleOwned = {
  readonly workspace: Workspace;
  /** Others are members. */
  readonly hasOthers: boolean;
};

/** A workspace whose members cannot be read counts as owned by this person alone. */
export async function soleOwned(
  person: UserId,
  workspaces: readonly Workspace[],
  membership: Pick<Membership, 'members'>,
): Promise<readonly SoleOwned[]> {
  const owned = workspaces.filter(({ role }) => role === 'owner');
  const all = await Promise.all(
    owned.map(async (workspace): Promise<readonly SoleOwned[]> => {
      const answer = await membership.members(workspace.id);
      const others = answer.ok ? answer.value.filter(({ user }) => user !== person) : [];
      if (others.some(({ role }) => role === 'owner')) return [];
      // Guests of single pages are not members.
      return [{ workspace, hasOthers: others.some(({ via }) => via !== 'page' && via !== 'share-link') }];
    }),
  );
  return all.flat();
}
