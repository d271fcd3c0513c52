// The workspaces that no one would own if a person left them. Asked before an account is deleted or a guest signs out.
import type { Workspace } from '../../protocol/answers.ts';
import type { PersonState } from './person-state.ts';

export type SoleOwned = {
  readonly workspace: Workspace;
  /** Others are members. */
  readonly hasOthers: boolean;
};

type Owner = Pick<PersonState, 'identity' | 'membership' | 'store' | 'workspacesAtom'>;

/** A workspace whose members cannot be read counts as owned by this person alone. */
export async function soleOwned({ identity, membership, store, workspacesAtom }: Owner): Promise<readonly SoleOwned[]> {
  const owned = (store.get(workspacesAtom).value ?? []).filter(({ role }) => role === 'owner');
  const all = await Promise.all(
    owned.map(async (workspace): Promise<readonly SoleOwned[]> => {
      const answer = await membership.members(workspace.id);
      const others = answer.ok ? answer.value.filter(({ user }) => user !== identity.id) : [];
      if (others.some(({ role }) => role === 'owner')) return [];
      // Guests of single pages are not members.
      return [{ workspace, hasOthers: others.some(({ via }) => via !== 'page' && via !== 'share-link') }];
    }),
  );
  return all.flat();
}
