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
    show(theme);
    try {
      if (theme === 'system') localStorage.removeItem(KEY);
      else localStorage.setItem(KEY, theme);
    } catch {
      // Storage is blocked: the choice lasts for this visit.
    }
  },
  onChange(run) {
    addEventListener('storage', ({ key, newValue }) => {
      if (key !== KEY) return;
      show(newValue);
      run();
    });
  },
};

function show(theme: string | null): void {
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset['theme'] = theme;
  else delete document.documentElement.dataset['theme'];
}
