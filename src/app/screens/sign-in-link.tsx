// The way to the sign-in page and back to where one was.
import { Link, useLocation } from 'react-router';
import { toDestination } from '../destination.ts';

export function SignInLink() {
  const location = useLocation();
  return (
    <Link className="btn" to="/sign-in" state={toDestination(location)}>
      Sign in
    </Link>
  );
}
