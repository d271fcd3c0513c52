// Writes into index.html which files each first screen needs: what all need as tags, the rest as a list for `public/head.js`, which
// knows the address.
import type { Plugin, Rolldown } from 'vite';
import { FIRST_SCREENS, type Module, pathOf } from './chunks.ts';

const { text, app, link, home, page } = FIRST_SCREENS;

/** Patterns of path and search, of which the first that matches counts. A link loads the app after its text. */
const SCREENS: readonly (readonly [path: string, modules: readonly Module[]])[] = [
  ['^/s$', text],
  ['^/s\\?', [...app, ...link]],
  ['^/w/[^/]+/p/[^/]+$', [...app, ...page]],
  ['^/w/[^/]+$', [...app, ...home]],
  ['', app],
];

/** Files that are tags of index.html: an import that runs later need not name them. */
const OF_EVERY_PAGE = /^assets\/(?:base|load|rolldown-runtime)-/;

export const preloads = (): Plugin => ({
  name: 'weft:preloads',
  apply: 'build',
  config: () => ({
    build: {
      modulePreload: {
        resolveDependencies: (_file, files, { hostType }) =>
          hostType === 'html' ? files : files.filter((file) => !OF_EVERY_PAGE.test(file)),
      },
    },
  }),
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle = {} }) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const screens = SCREENS.map(([path, modules]) => [path, filesOf(modules, chunks)] as const);
      const all = new Set(screens.flatMap(([, files]) => files));
      const common = Array.from(all).filter((file) => screens.every(([, files]) => files.includes(file)));
      const lists = screens.map(([path, files]) => [path, files.filter((file) => !common.includes(file))]);
      const tags = common
        .filter((file) => !html.includes(file))
        .map((file) => `<link rel="modulepreload" crossorigin href="${file}">`);
      const list = `<script type="application/json" id="preloads">${JSON.stringify(lists)}</script>`;
      // Before the script that reads it, and behind the charset, which has to be in the first kilobyte.
      return html.replace('<script src="/head.js">', [...tags, list, '<script src="/head.js">'].join('\n    '));
    },
  },
});

/** The scripts and styles of the modules and of all that they import. */
function filesOf(modules: readonly Module[], chunks: readonly Rolldown.OutputChunk[]): readonly string[] {
  const paths = new Set(modules.map(pathOf));
  const has = ({ moduleIds, facadeModuleId }: Rolldown.OutputChunk) =>
    moduleIds.some((id) => paths.has(id)) || (facadeModuleId !== null && paths.has(facadeModuleId));
  const found = new Set(chunks.filter(has));
  // It grows while it is read.
  for (const { imports } of found) for (const chunk of chunks) if (imports.includes(chunk.fileName)) found.add(chunk);
  const files = Array.from(found, ({ fileName, viteMetadata }) => [fileName, ...(viteMetadata?.importedCss ?? [])]);
  return Array.from(new Set(files.flat()), (file) => `/${file}`);
}
