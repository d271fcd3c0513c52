// Light or dark, for people without an account menu.
import Moon from 'lucide-react/icons/moon';
import Sun from 'lucide-react/icons/sun';
import { useApp, useAppValue } from '../../state/hooks.ts';
import { IconButton } from '../../ui/button.tsx';
import { useMedia } from '../../ui/use-media.ts';

export function ThemeButton() {
  const { setTheme } = useApp();
  const theme = useAppValue((app) => app.themeAtom);
  const isSystemDark = useMedia('(prefers-color-scheme: dark)');
  const isDark = theme === 'system' ? isSystemDark : theme === 'dark';
  return (
    <IconButton label={isDark ? 'Light theme' : 'Dark theme'} onClick={() => setTheme(isDark ? 'light' : 'dark')}>
      {isDark ? <Sun className="icon" /> : <Moon className="icon" />}
    </IconButton>
  );
}
