// Script budgets, gzip: what the browser loads for each first screen. The build's manifest says which files an entry imports.
import { readFileSync } from 'node:fs';
import { FIRST_SCREENS } from './scripts/build/chunks.ts';

/** @type {Record<string, { file: string, imports?: string[] }>} */
const manifest = JSON.parse(readFileSync(new URL('dist/.vite/manifest.json', import.meta.url), 'utf8'));

/** The scripts of the modules and of all that they import. @param {readonly string[]} modules */
function scriptsOf(...modules) {
  const keys = new Set(modules);
  for (const key of keys) {
    const chunk = manifest[key];
    if (chunk === undefined) throw new Error(`The build has no chunk of its own for ${key}.`);
    for (const next of chunk.imports ?? []) keys.add(next);
  }
  return new Set(Array.from(keys, (key) => `dist/${manifest[key]?.file}`).filter((file) => file.endsWith('.js')));
}

const { text, app, link, home, page } = FIRST_SCREENS;
const first = scriptsOf('index.html', ...app);
const firstText = scriptsOf('index.html', ...text);

/** @param {string} name @param {Set<string>} files @param {string} limit */
const budget = (name, files, limit) => ({ name, path: [...files], limit, gzip: true });

export default [
  budget('the text of a link', firstText, '141.6 kB'),
  budget('first screen', first, '226.4 kB'),
  budget('home, beside it', scriptsOf(...home).difference(first), '110.1 kB'),
  budget('a page, beside it', scriptsOf(...page).difference(first), '399 kB'),
  budget(
    'a link to watch, beside it and its text',
    scriptsOf(...link)
      .difference(first)
      .difference(firstText),
    '118.5 kB',
  ),
];
