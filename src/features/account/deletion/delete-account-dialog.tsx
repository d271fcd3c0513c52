// Deletes the account once the person has typed their email address, or a guest their name.
import { useCallback, useEffect, useState } from 'react';
import { Link } from 'react-router';
import { useApp, useIdentity, usePerson, useValue } from '../../../state/hooks.ts';
import { type SoleOwned, soleOwned } from '../../../state/person/owned-workspaces.ts';
import { membersPath } from '../../../state/workspace/page-address.ts';
import { textOf } from '../../../texts/error-texts.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { Dialog } from '../../../ui/floating/dialog.tsx';

export function DeleteAccountDialog({ onClose }: { readonly onClose: () => void }) {
  const app = useApp();
  const person = usePerson();
  const { people, ownAccount, unsent, lostOnSignOutAtom } = person;
  const identity = useIdentity();
  const profile = useValue(people.atom).get(identity.id);
  const unsentPages = useValue(lostOnSignOutAtom);
  const [owned, setOwned] = useState<readonly SoleOwned[] | null>(null);
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const load = useCallback(() => soleOwned(person).then(setOwned), [person]);
  useEffect(() => {
    void load();
    void unsent.refresh();
  }, [load, unsent]);

  const me = identity.email ?? profile?.displayName ?? 'Guest';
  const orphaned = owned?.filter(({ hasOthers }) => hasOthers) ?? [];
  const deleted = owned?.filter(({ hasOthers }) => !hasOthers) ?? [];
  const remove = async () => {
    if (profile === undefined) return;
    setBusy(true);
    setProblem(null);
    const answer = await ownAccount.deleteAccount(profile);
    if (answer.ok) return app.signOut();
    setBusy(false);
    setProblem(textOf(answer.error));
    // Another owner may have left meanwhile.
    if (answer.error.code === 'WF014') await load();
  };

  return (
    <Dialog title="Delete your account?" open size="small" onOpenChange={onClose}>
      <section className="delete-account">
        {orphaned.length > 0 ? (
          <OrphanedWorkspaces workspaces={orphaned} />
        ) : (
          <>
            <p>
              You’re signed out everywhere. What you wrote in shared workspaces stays, credited to “Deleted account”.
              This can’t be undone.
            </p>
            {deleted.length > 0 && (
              <p>
                {namesOf(deleted)}{' '}
                {deleted.length === 1 ? 'has no other member and is' : 'have no other member and are'} deleted with all
                pages.
              </p>
            )}
            {unsentPages.length > 0 && (
              <p className="held">Some of your edits are only on this device. They are deleted too.</p>
            )}
            <TextField
              label={`Type “${me}” to confirm`}
              value={typed}
              autoComplete="off"
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
          </>
        )}
        {problem !== null && <p role="alert">{problem}</p>}
      </section>
      <footer>
        <Button onClick={onClose}>Cancel</Button>
        {orphaned.length === 0 && (
          <Button
            look="danger"
            disabled={isBusy || owned === null || profile === undefined || typed.trim() !== me}
            onClick={() => void remove()}
          >
            Delete account
          </Button>
        )}
      </footer>
    </Dialog>
  );
}

const namesOf = (owned: readonly SoleOwned[]): string =>
  new Intl.ListFormat('en').format(owned.map(({ workspace }) => `“${workspace.name}”`));

/** Lists the workspaces whose members would be left without an owner, which prevents the deletion (WF014). */
function OrphanedWorkspaces({ workspaces }: { readonly workspaces: readonly SoleOwned[] }) {
  return (
    <>
      <p>
        {namesOf(workspaces)} would be left without an owner. Transfer {workspaces.length === 1 ? 'it' : 'them'} to
        another member, or delete {workspaces.length === 1 ? 'it' : 'them'}, then delete your account.
      </p>
      <ul>
        {workspaces.map(({ workspace }) => (
          <li key={workspace.id}>
            <Link className="text-link" to={membersPath(workspace.slug)}>
              Members of {workspace.name}
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
