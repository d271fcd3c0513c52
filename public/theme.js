// The chosen theme, before the first paint. Written by src/platform/browser/theme.ts under the same key.
try {
  const theme = localStorage.getItem('weft:theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // storage is blocked: the system's theme
}
