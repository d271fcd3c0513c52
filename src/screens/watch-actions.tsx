// The theme and the links at the end of the bar of a watched page; on phones they are in a menu.
import { Link, type To, useNavigate } from 'react-router';
import { ThemeButton } from '../features/account/profile/theme-button.tsx';
import { useDarkTheme } from '../features/account/profile/use-dark-theme.ts';
import { PHONE, useMedia } from '../ui/browser/use-media.ts';
import { MenuItem } from '../ui/floating/menu.tsx';
import { MoreMenu } from '../ui/floating/more-menu.tsx';

type WatchActionsProps = {
  readonly links: readonly { readonly name: string; readonly to: To; readonly state?: unknown }[];
};

export function WatchActions({ links }: WatchActionsProps) {
  const navigate = useNavigate();
  const isPhone = useMedia(PHONE);
  const { isDark, switchTheme } = useDarkTheme();
  if (!isPhone) {
    return (
      <>
        <ThemeButton />
        {links.map(({ name, ...link }) => (
          <Link key={name} className="btn" {...link}>
            {name}
          </Link>
        ))}
      </>
    );
  }
  return (
    <MoreMenu>
      <MenuItem onSelect={switchTheme}>{isDark ? 'Light theme' : 'Dark theme'}</MenuItem>
      {links.map(({ name, to, state }) => (
        <MenuItem key={name} onSelect={() => void navigate(to, { state })}>
          {name}
        </MenuItem>
      ))}
    </MoreMenu>
  );
}
