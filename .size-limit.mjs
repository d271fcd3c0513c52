// Script budgets, gzip. Which files belong to a screen is read from the build's manifest: what its entry imports at once.
import { readFileSync } from 'node:fs';

/** @type {Record<string, { file: string, imports?: string[], isEntry?: boolean, isDynamicEntry?: boolean }>} */
const manifest = JSON.parse(readFileSync(new URL('dist/.vite/manifest.json', import.meta.url), 'utf8'));

/** The module whose chunk a page brings with it when it is opened. */
const PAGE_ENTRY = Object.keys(manifest).find((key) => /^src\/(?:screens|features)\/.*page-screen\.tsx$/.test(key));

/**
 * @param {string} key
 * @param {Set<string>} seen
 */
function closure(key, seen = new Set()) {
  if (seen.has(key)) return seen;
  seen.add(key);
  for (const next of manifest[key]?.imports ?? []) closure(next, seen);
  return seen;
}

/** @param {Iterable<string>} keys */
const scripts = (keys) =>
  Array.from(keys, (key) => `dist/${manifest[key]?.file}`).filter((file) => file.endsWith('.js'));

/** What a link to watch brings with it. */
const WATCH_ENTRY = 'src/screens/link/link-screen.tsx';

const first = closure('index.html');
if (PAGE_ENTRY === undefined) throw new Error('The build has no chunk of its own for a page.');

export default [
  // 1 kB more since a list may lack pages that a restored server has lost: what the device holds of them must not be thrown away.
  // 1 kB more since an error in a part of the screen stays in it: that has to be there when nothing can be fetched.
  // 1 kB more since a device files what it holds under the identity of the database, and 1 kB for what it says of a limit or a restore.
  // 1 kB more since the focus stays where a part of the screen failed.
  // 1 kB more since what was done to pages in the tree can be taken back.
  // 0.1 kB more since a page that got its title offline is created with it.
  // 0.6 kB less since what measures pictures comes with the first picture.
  // 4 kB less since it is one file.
  // 0.3 kB more since an open workspace and the queues of the device are made of parts that can be read alone.
  // 0.1 kB less since what reads recovered text comes with the page.
  { name: 'first screen', path: scripts(first), limit: '222.5 kB', gzip: true },
  // 1 kB more since a view of a page that fails takes neither the others nor its session with it, and
  // 1 kB more since a session can start anew after a restore of the server (HI3): that has to be there when nothing can be fetched.
  // 1 kB more since a link's form finds pages, and a table's menus show what they act on.
  // 2 kB more since lost text and carets are followed into rows, columns and cells too.
  // 1 kB more since HTML and Markdown of other programs are read as they mean it.
  // 2 kB more since lists keep their numbers and callouts hold blocks.
  // 2 kB more since pages are created from the text of others, offline too, and 1 kB since a page lists its subpages.
  // 6 kB less since the binding of editor and document is ours.
  // 0.6 kB more since it brings what reads recovered text, and 0.2 kB since find and the menus are made of parts that can be
  // read alone.
  { name: 'opening a page', path: scripts(closure(PAGE_ENTRY).difference(first)), limit: '333.1 kB', gzip: true },
  // 86 kB less since it brings no editor.
  { name: 'a link to watch', path: scripts(closure(WATCH_ENTRY).difference(first)), limit: '144 kB', gzip: true },
];
