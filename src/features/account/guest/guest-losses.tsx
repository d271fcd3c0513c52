// Says what a guest loses by signing out, and offers an account that keeps it.
import { useEffect, useState } from 'react';
import { usePerson } from '../../../state/hooks.ts';
import { soleOwned } from '../../../state/person/owned-workspaces.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { toast } from '../../../ui/floating/toast.tsx';
import { BecomeAccount } from './become-account.tsx';
import './guest.css';

export function GuestLosses({ onAccount }: { readonly onAccount: () => void }) {
  const person = usePerson();
  const [owned, setOwned] = useState<readonly string[]>([]);
  const [isCreating, setCreating] = useState(false);
  useEffect(() => {
    let isCurrent = true;
    void soleOwned(person).then((all) => {
      if (isCurrent) setOwned(all.map(({ workspace }) => `“${workspace.name}”`));
    });
    return () => {
      isCurrent = false;
    };
  }, [person]);
  return (
    <div className="guest-losses">
      <p>A guest has no password, so you can’t sign in as this guest again. What you wrote stays on its pages.</p>
      {owned.length > 0 && (
        <p className="held">
          You’re the only owner of {new Intl.ListFormat('en').format(owned)}. After you sign out no one can manage{' '}
          {owned.length === 1 ? 'it' : 'them'} any more.
        </p>
      )}
      {isCreating ? (
        <BecomeAccount
          onDone={() => {
            toast('Your account is ready.');
            onAccount();
          }}
        />
      ) : (
        <Button look="primary" onClick={() => setCreating(true)}>
          Create account first
        </Button>
      )}
    </div>
  );
}
