// Accounts that were signed in on this device and never signed out: the server no longer accepts them, for example because it was
// restored from an earlier state. Their pages can be moved to this account, which offers them as a file, or deleted.
import { useState } from 'react';
import type { Identity } from '../../../ports/account.ts';
import { usePerson, useValue } from '../../../state/hooks.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Dialog } from '../../../ui/floating/dialog.tsx';

export function FormerAccountList() {
  const { former } = usePerson();
  const accounts = useValue(former.atom);
  const [deleted, setDeleted] = useState<Identity | null>(null);
  const [isMoving, setMoving] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  if (accounts.length === 0) return null;
  const move = async (account: Identity) => {
    setMoving(true);
    const isMoved = await former.move(account);
    setMoving(false);
    setProblem(isMoved ? null : 'Not everything could be moved. It’s still on this device: try again.');
  };
  return (
    <>
      <p>Pages of accounts that were signed in here before are still on this device.</p>
      {problem !== null && <p role="alert">{problem}</p>}
      <ul className="device-list" aria-label="Other accounts on this device">
        {accounts.map((account) => (
          <li key={account.id}>
            <bdi className="grow truncate">{nameOf(account)}</bdi>
            <Button
              size="small"
              disabled={isMoving}
              aria-label={`Move pages of ${nameOf(account)} to this account`}
              onClick={() => void move(account)}
            >
              Move to this account
            </Button>
            <Button
              size="small"
              look="plain-danger"
              aria-label={`Delete pages of ${nameOf(account)}`}
              onClick={() => setDeleted(account)}
            >
              Delete…
            </Button>
          </li>
        ))}
      </ul>
      {deleted !== null && (
        <Dialog
          title={`Delete ${nameOf(deleted)}’s data from this device?`}
          open
          size="small"
          onOpenChange={() => setDeleted(null)}
        >
          <section>
            <p>
              Edits that never reached the server, and pages that it has lost, can’t be brought back. To download them,
              move them to this account first.
            </p>
          </section>
          <footer>
            <Button onClick={() => setDeleted(null)}>Cancel</Button>
            <Button
              look="danger"
              onClick={() => {
                void former.discard(deleted);
                setDeleted(null);
              }}
            >
              Delete
            </Button>
          </footer>
        </Dialog>
      )}
    </>
  );
}

const nameOf = ({ email }: Identity): string => email ?? 'a guest';
