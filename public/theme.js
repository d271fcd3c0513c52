// Applies the chosen theme before the first paint. src/platform/browser/theme-choice.ts stores it under the same key.
try {
  const theme = localStorage.getItem('weft:theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage is blocked: the app follows the system's theme.
}
