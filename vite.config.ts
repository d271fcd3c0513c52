// Builds, serves and tests Weft. One build serves every project: the app reads addresses and keys at run time from
// /config.json, never from the environment of the build.
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import babel from '@rolldown/plugin-babel';
import react, { reactCompilerPreset } from '@vitejs/plugin-react';
import { playwright } from '@vitest/browser-playwright';
import { VitePWA } from 'vite-plugin-pwa';
import { defineConfig } from 'vitest/config';
import packageJson from './package.json' with { type: 'json' };
import { chunkGroups } from './scripts/build/chunks.ts';
import { cutFonts } from './scripts/build/cut-fonts.ts';
import { preloads } from './scripts/build/preloads.ts';
import { forgetServers } from './scripts/checks/forget-servers.ts';
import { moveTemporaryFiles } from './scripts/checks/memory-folder.ts';
import { SlowFirst } from './scripts/checks/slow-first.ts';
import { findHeadlessBrowser, playwrightFlags } from './scripts/setup/find-browser.mjs';
import { engineProvider } from './tests/support/browser/engines/engine-provider.ts';
import { ENGINES } from './tests/support/browser/engines/engine-tab.ts';

/** Folders of tests that need neither a DOM nor a browser. */
const PURE =
  'lib,protocol,document,yjs,sync,sim,contract,memory,platform,state,sessions,sql,backend,scripts,bench,attack,client';
/** Folders of tests that render into a simulated DOM. */
const RENDERED = 'ui,editor,editor-dom,shell,features,screens,app';
const IN_BROWSER = 'tests/**/*.browser.test.{ts,tsx}';
/** Tests run with the same Yjs as the app. */
const INSTALL_YJS = 'src/yjs/install.ts';
/** Vite does not follow `new Worker(…)` when it looks for dependencies. */
const WORKERS = 'src/**/*-worker.ts';

/** One more than the two cores, because tests without a browser often wait. All projects of a group need the same number. */
const NODE_WORKERS = 3;
/** The files of a worker share a process and its modules: loading the backend again for each file would take long. */
const ON_NODE = { isolate: false, maxWorkers: NODE_WORKERS };

/** Measured: a file uses 0.6 of a core and else waits for people who type, and for timers of the app. */
const E2E_WORKERS = 3;

const browser = findHeadlessBrowser();
/** `npm run test:browsers` names another engine for the tests of the editor that need no driver. */
const engine = ENGINES.find((name) => name === process.env['WEFT_ENGINE']);

if (process.env['VITEST'] !== undefined) {
  moveTemporaryFiles();
  forgetServers(process.env);
  // Many tests run commands in processes of their own, and reading and compiling takes half of such a start.
  process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('node_modules/.cache/weft', import.meta.url));
}

export default defineConfig({
  plugins: [
    react(),
    babel({ presets: [reactCompilerPreset()] }),
    cutFonts(),
    preloads(),
    VitePWA({
      // The new version waits for the next start: a reload in the middle of a sentence would be a surprise.
      registerType: 'prompt',
      injectRegister: null,
      manifest: false,
      workbox: {
        globPatterns: ['**/*.{html,js,css,svg,webmanifest}', 'assets/*-latin-{opsz,wght}-normal-*.woff2'],
        maximumFileSizeToCacheInBytes: 4 * 1024 * 1024,
        cleanupOutdatedCaches: true,
        // Controls the tab of the very first visit too, so that its later imports work offline.
        clientsClaim: true,
        navigateFallback: '/index.html',
        navigateFallbackDenylist: [/^\/(?:auth|rest|storage|realtime)\/v1\//, /^\/__mail/, /^\/config\.json$/],
        runtimeCaching: [
          {
            urlPattern: ({ url, sameOrigin }) => sameOrigin && url.pathname === '/config.json',
            handler: 'NetworkFirst',
            options: { cacheName: 'config', networkTimeoutSeconds: 3 },
          },
          {
            // Italics, code and other scripts are cached at their first use. Their names contain a hash of their contents.
            // No `expiration`: it would record the use of each font in a database that outlives a sign-out.
            urlPattern: ({ url, sameOrigin }) => sameOrigin && /^\/assets\/.*\.woff2$/.test(url.pathname),
            handler: 'CacheFirst',
            options: { cacheName: 'fonts' },
          },
        ],
      },
    }),
  ],
  resolve: {
    // Two copies of Yjs in one page break every instanceof in it.
    dedupe: ['yjs', 'y-protocols', 'lib0', 'react', 'react-dom'],
    // Its version for browsers needs a document, and Vite takes that one for workers too.
    alias: {
      'decode-named-character-reference': fileURLToPath(
        new URL('node_modules/decode-named-character-reference/index.js', import.meta.url),
      ),
    },
  },
  // Keeps `:dir()` (4 is lightningcss's `Features.DirSelector`): it would become `:lang(ar), …`, and our pages set no `lang`
  // for the direction of their text.
  css: { lightningcss: { exclude: 4 } },
  define: { WEFT_VERSION: JSON.stringify(packageJson.version) },
  build: {
    target: 'es2022',
    // Keeps small fonts out of the style sheet: our content security policy forbids `data:` fonts (`font-src`).
    assetsInlineLimit: (file) => (/\.(?:woff2?|ttf)$/.test(file) ? false : undefined),
    manifest: true,
    sourcemap: false,
    // `size-limit` holds the budgets, per screen and compressed; Vite would warn about single files above 500 kB.
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      // Copies constants into the entry: `ROW_VERSION` would make it wait for a whole file.
      optimization: { inlineConst: { mode: 'all' } },
      // Switches off a warning, which every build would print: the React Compiler takes most of the time.
      checks: { pluginTimings: false },
      output: { codeSplitting: { groups: chunkGroups() } },
    },
  },
  server: { host: '127.0.0.1' },
  test: {
    // One per core of a machine with two: browsers use a whole core, so more workers would only slow each other.
    maxWorkers: 2,
    sequence: { sequencer: SlowFirst },
    // On a busy machine an expected event may take long; vitest's default is one second.
    expect: { poll: { timeout: 10_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          environment: 'node',
          include: ['tests/*.test.ts', `tests/{${PURE}}/**/*.test.{ts,tsx}`],
          setupFiles: [INSTALL_YJS],
          exclude: [IN_BROWSER],
          ...ON_NODE,
          globalSetup: ['tests/support/database/provide-postgres.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'dom',
          environment: 'happy-dom',
          include: [`tests/{${RENDERED}}/**/*.test.{ts,tsx}`],
          setupFiles: ['tests/support/app/dom-setup.ts', INSTALL_YJS],
          exclude: [IN_BROWSER],
          maxWorkers: NODE_WORKERS,
          testTimeout: 15_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        // Vite must find all dependencies before the first test runs: one that it finds later (on a fresh clone) reloads the
        // page under the tests. index.html counts, because Vite serves it for a missing script and then needs its imports.
        optimizeDeps: { entries: [IN_BROWSER, 'index.html', WORKERS] },
        test: {
          name: 'browser',
          include: [IN_BROWSER],
          setupFiles: [INSTALL_YJS],
          testTimeout: 30_000,
          // The browser does not have the variables of this process.
          env: { WEFT_ATTACK: process.env['WEFT_ATTACK'] ?? '' },
          sequence: { groupOrder: 2 },
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider:
              engine === undefined
                ? playwright({
                    launchOptions: {
                      args: playwrightFlags(),
                      ...(browser === null ? {} : { executablePath: browser }),
                    },
                  })
                : engineProvider(engine),
            instances: [{ browser: engine ?? 'chromium' }],
          },
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          environment: 'node',
          include: ['tests/{e2e,browsers}/**/*.test.ts'],
          // As above: Playwright and Yjs are loaded once in each worker, and most files share its server and its browser.
          isolate: false,
          maxWorkers: E2E_WORKERS,
          globalSetup: ['tests/support/browser/built-app.ts'],
          testTimeout: 180_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
