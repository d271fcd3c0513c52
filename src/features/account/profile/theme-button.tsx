// Switches between light and dark, on screens without an account menu.
import Moon from 'lucide-react/icons/moon';
import Sun from 'lucide-react/icons/sun';
import { IconButton } from '../../../ui/controls/button.tsx';
import { useDarkTheme } from './use-dark-theme.ts';

export function ThemeButton() {
  const { isDark, switchTheme } = useDarkTheme();
  return (
    <IconButton label={isDark ? 'Light theme' : 'Dark theme'} onClick={switchTheme}>
      {isDark ? <Sun className="icon" /> : <Moon className="icon" />}
    </IconButton>
  );
}
