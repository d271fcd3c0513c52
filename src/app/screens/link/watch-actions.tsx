// The history, theme and sign-in buttons of somebody who watches by a link; on phones they are in a menu.
import Ellipsis from 'lucide-react/icons/ellipsis';
import { Link, useLocation, useNavigate } from 'react-router';
import { ThemeButton } from '../../../features/account/profile/theme-button.tsx';
import { useDarkTheme } from '../../../features/account/profile/use-dark-theme.ts';
import { IconButton } from '../../../ui/controls/button.tsx';
import { Menu, MenuItem } from '../../../ui/floating/menu.tsx';
import { PHONE, useMedia } from '../../../ui/browser/use-media.ts';
import { linkHistoryPath } from '../../../state/workspace/page-address.ts';
import { returnAddressFrom } from '../account/return-address.ts';

type WatchActionsProps = { readonly isSignedIn: boolean; readonly showsHistory: boolean };

export function WatchActions({ isSignedIn, showsHistory }: WatchActionsProps) {
  const location = useLocation();
  const returnAddress = returnAddressFrom(location);
  const history = showsHistory ? linkHistoryPath(location.hash) : null;
  const navigate = useNavigate();
  const isPhone = useMedia(PHONE);
  const { isDark, switchTheme } = useDarkTheme();
  if (!isPhone) {
    return (
      <>
        {history !== null && (
          <Link className="btn" to={history}>
            History
          </Link>
        )}
        <ThemeButton />
        {!isSignedIn && (
          <Link className="btn" to="/sign-in" state={returnAddress}>
            Sign in
          </Link>
        )}
      </>
    );
  }
  return (
    <Menu
      align="end"
      trigger={
        <IconButton label="More">
          <Ellipsis className="icon" />
        </IconButton>
      }
    >
      {history !== null && <MenuItem onSelect={() => void navigate(history)}>History</MenuItem>}
      <MenuItem onSelect={switchTheme}>{isDark ? 'Light theme' : 'Dark theme'}</MenuItem>
      {!isSignedIn && <MenuItem onSelect={() => void navigate('/sign-in', { state: returnAddress })}>Sign in</MenuItem>}
    </Menu>
  );
}
