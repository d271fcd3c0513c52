// A hook that returns whether the app is dark now, and a function that switches the theme.
import { useApp, useAppValue } from '../../../state/hooks.ts';
import { useMedia } from '../../../ui/browser/use-media.ts';

export function useDarkTheme(): { readonly isDark: boolean; readonly switchTheme: () => void } {
  const { setTheme } = useApp();
  const theme = useAppValue((app) => app.themeAtom);
  const isSystemDark = useMedia('(prefers-color-scheme: dark)');
  const isDark = theme === 'system' ? isSystemDark : theme === 'dark';
  return { isDark, switchTheme: () => setTheme(isDark ? 'light' : 'dark') };
}
