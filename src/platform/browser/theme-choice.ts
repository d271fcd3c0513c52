// The theme of this device: an attribute on <html>, and a key in localStorage that public/head.js reads before the
// first paint.
import type { ThemeChoice } from '../../ports/device.ts';

const KEY = 'weft:theme';

export const browserTheme: ThemeChoice = {
  get() {
    const theme = document.documentElement.dataset['theme'];
    return theme === 'light' || theme === 'dark' ? theme : 'system';
  },
  set(theme) {
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
