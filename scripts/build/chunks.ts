// Cuts the build into a file for each set of first screens that load the same modules. By itself Rolldown makes a file for whatever
// any two screens share: a page came in 140 requests, a link to watch in 70.
import { fileURLToPath } from 'node:url';
import type { Rolldown } from 'vite';

export type Module = `src/${string}`;

/** What a tab may load first. */
export const FIRST_SCREENS = {
  start: ['src/app/start.ts'],
  /** The text of a link to watch, above the app until that shows the page. */
  text: ['src/app/text-first.tsx'],
  app: ['src/app/main.tsx'],
  link: ['src/screens/link/link-screen.tsx', 'src/app/wire/page-code.ts'],
  home: ['src/screens/workspace/workspace-layout.tsx', 'src/screens/workspace/home-screen.tsx'],
  page: ['src/screens/workspace/workspace-layout.tsx', 'src/screens/page/page-screen.tsx', 'src/app/wire/page-code.ts'],
} as const satisfies { readonly [screen: string]: readonly Module[] };

/** Those of most screens first: a group takes all that its modules import, unless an earlier one has it. */
const FILES = ['load', 'base', 'text', 'app', 'link-home-page', 'link-page', 'home-page', 'link', 'page'];

export const pathOf = (module: Module): string => fileURLToPath(new URL(`../../${module}`, import.meta.url));

export function chunkGroups() {
  let loaded: ReadonlyMap<string, ReadonlySet<string>> | null = null;
  const fileOf = (id: string, build: Rolldown.ChunkingContext): string => {
    // The entry uses it before the other files have come.
    if (id.includes('vite/preload-helper')) return 'load';
    loaded ??= new Map(Object.entries(FIRST_SCREENS).map(([screen, modules]) => [screen, loadedWith(modules, build)]));
    const screens = Array.from(loaded).flatMap(([screen, modules]) => (modules.has(id) ? [screen] : []));
    if (screens.length === 0) return '';
    const isText = screens.includes('text');
    // Styles are read in one order at every address: those of the entry and the text, then those of all other first screens.
    if (id.endsWith('.css')) return isText || screens.includes('start') ? 'load' : 'app';
    // The app is there before its screens, and what the text needs before the rest of a link or page.
    const isOfAll = screens.includes('app') || screens.includes('home');
    if (isText) return isOfAll ? 'base' : 'text';
    if (screens.includes('app')) return 'app';
    const file = screens.join('-');
    if (file !== 'home') return file;
    // Home has one file less than the others: what only home imports is in the same file as its screen, without a group.
    const isShared = build.getModuleInfo(id)?.importers.some((importer) => loaded?.get('home')?.has(importer) !== true);
    return isShared === true ? 'home-page' : '';
  };
  return FILES.map((file, at) => ({
    name: (id: string, build: Rolldown.ChunkingContext) => (fileOf(id, build) === file ? file : null),
    priority: FILES.length - at,
  }));
}

/** The modules and all that they import, directly or through others, but not what is imported when it is needed. */
function loadedWith(modules: readonly Module[], build: Rolldown.ChunkingContext): ReadonlySet<string> {
  const found = new Set(modules.map(pathOf));
  // It grows while it is read.
  for (const one of found) for (const to of build.getModuleInfo(one)?.importedIds ?? []) found.add(to);
  return found;
}
