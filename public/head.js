// Runs before the first paint. A file, because the content security policy forbids scripts in the page.

// The chosen theme, so that another one does not flash. src/platform/browser/theme-choice.ts stores it under the same key.
try {
  const theme = localStorage.getItem('weft:theme');
  if (theme === 'light' || theme === 'dark') {
    document.documentElement.dataset.theme = theme;
    for (const bar of document.querySelectorAll('meta[data-scheme]'))
      bar.setAttribute('media', bar.dataset.scheme === theme ? 'all' : 'not all');
  }
} catch {
  // Storage is blocked: the app follows the system's theme.
}

// What the screen at this address needs, at once instead of one after the other: scripts/build/preloads.ts lists it.
function preload(href, attributes) {
  document.head.append(
    Object.assign(document.createElement('link'), { href, crossOrigin: 'anonymous', ...attributes }),
  );
}
preload('/config.json', { rel: 'preload', as: 'fetch' });
const list = document.getElementById('preloads');
if (list !== null) {
  const [, files] = JSON.parse(list.textContent).find(([pattern]) =>
    new RegExp(pattern).test(location.pathname + location.search),
  );
  for (const file of files) {
    const isStyle = file.endsWith('.css');
    preload(file, isStyle ? { rel: 'preload', as: 'style' } : { rel: 'modulepreload' });
  }
}
