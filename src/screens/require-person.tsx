// The parent route of every screen that needs a person: signed in, or known on this device after their sign-in expired.
import { Navigate, Outlet, useLocation } from 'react-router';
import { returnAddressFrom } from '../features/account/sign-in/return-address.ts';
import { HelpProvider } from '../features/help/help-provider.tsx';
import { PersonContext, useAppValue } from '../state/hooks.ts';
import { Skeleton } from '../ui/feedback/skeleton.tsx';
import { PictureContext } from '../ui/people/picture-source.ts';

export function RequirePerson() {
  const signIn = useAppValue((app) => app.signInAtom);
  const person = useAppValue((app) => app.personAtom);
  const location = useLocation();
  if (signIn.status === 'signedOut') {
    return <Navigate to="/sign-in" replace state={location.pathname === '/' ? null : returnAddressFrom(location)} />;
  }
  if (person === null) {
    return (
      <main className="standalone">
        <Skeleton label="Opening Weft" widths={['40%', '70%', '62%']} />
      </main>
    );
  }
  return (
    // The key resets the state of all components below when another person signs in.
    <PersonContext key={person.identity.id} value={person}>
      <PictureContext value={person.pictures}>
        <HelpProvider>
          <Outlet />
        </HelpProvider>
      </PictureContext>
    </PersonContext>
  );
}
