// How Weft is built, served while developing, and tested. One build for every project: addresses and keys are read
// at run time from /config.json, never from the environment of the build.
import babel from '@rolldown/plugin-babel';
import react, { reactCompilerPreset } from '@vitejs/plugin-react';
import { playwright } from '@vitest/browser-playwright';
import { VitePWA } from 'vite-plugin-pwa';
import { defineConfig } from 'vitest/config';
import { findBrowser, playwrightFlags } from './scripts/setup/find-browser.mjs';

/** Lanes whose tests need neither a document nor a browser. */
const PURE = 'lib,protocol,document,sync,sim,contract,memory,platform,state,sql,backend,scripts,bench';
/** Lanes whose tests render into a simulated DOM. */
const RENDERED = 'ui,editor,editor-dom,features,app';
const IN_BROWSER = 'tests/**/*.browser.test.{ts,tsx}';

/** On two cores: tests without a browser wait a good deal. One figure for all projects of a group. */
const NODE_WORKERS = 3;
/** Files of one worker share their process and its modules: loading the backend anew for each takes a good part of the time. */
const ON_NODE = { isolate: false, maxWorkers: NODE_WORKERS };

const browser = findBrowser();

export default defineConfig({
  plugins: [
    react(),
    babel({ presets: [reactCompilerPreset()] }),
    VitePWA({
      // Asking for a reload in the middle of a sentence is a surprise: the new version waits for the next start.
      registerType: 'prompt',
      injectRegister: null,
      manifest: false,
      workbox: {
        globPatterns: ['**/*.{html,js,css,svg,webmanifest}', 'assets/*-latin-{opsz,wght}-normal-*.woff2'],
        maximumFileSizeToCacheInBytes: 4 * 1024 * 1024,
        cleanupOutdatedCaches: true,
        // The tab of the very first visit too: what it loads when it is needed must come without network.
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
            // Italics, code and other scripts: kept once they were needed. Their names change with their contents, which is
            // about never. No `expiration`: it writes when which font was used into a database that outlives a sign-out.
            urlPattern: ({ url, sameOrigin }) => sameOrigin && /^\/assets\/.*\.woff2$/.test(url.pathname),
            handler: 'CacheFirst',
            options: { cacheName: 'fonts' },
          },
        ],
      },
    }),
  ],
  // Two copies of Yjs in one page break every instanceof in it.
  resolve: { dedupe: ['yjs', 'y-protocols', 'lib0', 'react', 'react-dom'] },
  // `:dir()` (4, `Features.DirSelector` of lightningcss) would be written as `:lang(ar), …`, which no page of ours says.
  css: { lightningcss: { exclude: 4 } },
  build: {
    target: 'es2022',
    // A small font would become a `data:` address in the style sheet, which our own policy forbids (`font-src`).
    assetsInlineLimit: (file) => (/\.(?:woff2?|ttf)$/.test(file) ? false : undefined),
    manifest: true,
    sourcemap: false,
    // `size-limit` holds the budgets, per screen and compressed; Vite would warn about single files above 500 kB.
    chunkSizeWarningLimit: 1000,
    // Says on every build that the React Compiler takes most of the time; it does.
    rolldownOptions: { checks: { pluginTimings: false } },
  },
  server: { host: '127.0.0.1' },
  test: {
    // Two cores, which browsers use up: more workers only slow each other.
    maxWorkers: 2,
    // How long something that will come may take on a machine with other work; a second is vitest's own.
    expect: { poll: { timeout: 10_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          environment: 'node',
          include: ['tests/*.test.ts', `tests/{${PURE}}/**/*.test.{ts,tsx}`],
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
          setupFiles: ['tests/support/app/dom-setup.ts'],
          exclude: [IN_BROWSER],
          maxWorkers: NODE_WORKERS,
          testTimeout: 15_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        // Found before the first test runs: a dependency found later reloads the page under the tests (on a fresh clone).
        // The app's own too: whatever asks for a script that is not there gets index.html, and Vite reads what that needs.
        optimizeDeps: { entries: [IN_BROWSER, 'index.html'] },
        test: {
          name: 'browser',
          include: [IN_BROWSER],
          testTimeout: 30_000,
          sequence: { groupOrder: 2 },
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({
              launchOptions: { args: playwrightFlags(), ...(browser === null ? {} : { executablePath: browser }) },
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          environment: 'node',
          include: ['tests/e2e/**/*.test.ts'],
          globalSetup: ['tests/support/browser/built-app.ts'],
          testTimeout: 180_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
