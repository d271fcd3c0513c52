// The theme of this device (the `ThemeChoice` port of src/state): an attribute on <html>, and a key in localStorage
// that public/theme.js reads before the first paint.
const KEY = 'weft:theme';

type Theme = 'system' | 'light' | 'dark';

export const browserTheme = {
  get(): Theme {
    const theme = document.documentElement.dataset['theme'];
    return theme === 'light' || theme === 'dark' ? theme : 'system';
  },
  set(theme: Theme): void {
    if (theme === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme;
    try {
      if (theme === 'system') localStorage.removeItem(KEY);
      else localStorage.setItem(KEY, theme);
    } catch {
      // Storage is blocked: the choice lasts for this visit.
    }
  },
};
