// The theme of this device: an attribute on <html>, the color of the browser's bar, and a key in localStorage that
// public/head.js reads before the first paint.
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
  const isChosen = theme === 'light' || theme === 'dark';
  if (isChosen) document.documentElement.dataset['theme'] = theme;
  else delete document.documentElement.dataset['theme'];
  // The colors of the browser's own bar.
  for (const bar of document.querySelectorAll<HTMLMetaElement>('meta[data-scheme]')) {
    const { scheme } = bar.dataset;
    const media = isChosen ? (scheme === theme ? 'all' : 'not all') : `(prefers-color-scheme: ${scheme})`;
    bar.setAttribute('media', media);
  }
}
