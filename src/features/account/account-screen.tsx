// `/account`: fills the account page's slots with links, and sends what waits on this device.
import { useEffect } from 'react';
import { Link } from 'react-router';
import { LoadWarning } from '../../shell/load-warning.tsx';
import { PersonScreen } from '../../shell/person-screen.tsx';
import { usePerson } from '../../state/hooks.ts';
import { Toasts } from '../../ui/floating/toast.tsx';
import { AccountPage } from './account-page.tsx';

export function AccountScreen() {
  const person = usePerson();
  useEffect(() => person.sendUnsent(), [person]);
  return (
    <>
      <PersonScreen title="Your account">
        <AccountPage
          passwordLink={
            <Link className="btn" to="/reset" state={{ email: person.identity.email }}>
              Choose a new password
            </Link>
          }
          statusLink={
            <Link className="btn" to="/status">
              Check how the server is set up
            </Link>
          }
        />
      </PersonScreen>
      <Toasts />
      <LoadWarning />
    </>
  );
}
