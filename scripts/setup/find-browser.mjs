// Finds the browsers for the tests, and says with which flags Chromium starts. Plain Node without dependencies, because
// it also runs before anything is installed.
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import process from 'node:process';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome'];

/** Chromium without windows, as Debian and Google name its program. */
export const HEADLESS_SHELL = ['chromium-headless-shell', 'chrome-headless-shell'];

/** The names of Firefox's program. */
export const FIREFOX = ['firefox-esr', 'firefox'];

const APPLICATIONS =
  process.platform === 'darwin'
    ? [
        '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
        '/Applications/Chromium.app/Contents/MacOS/Chromium',
      ]
    : [];

/**
 * The browser's program, in this order: CHROMIUM_PATH, the system's Chromium or Chrome, Playwright's own download.
 * @returns {string | null} null when there is none
 */
export function findBrowser() {
  const named = process.env['CHROMIUM_PATH'];
  if (named !== undefined && named !== '') return isProgram(named) ? named : null;
  return findProgram(NAMES) ?? [...APPLICATIONS, ...playwrightBrowsers()].find(isProgram) ?? null;
}

/**
 * The browser for tests without a window: Chromium's headless shell where it is installed. It is the same engine without menus,
 * tab strip and address bar, which took half of a core beside two end-to-end tests (Chromium 156).
 * @returns {string | null} null when there is no browser
 */
export function findHeadlessBrowser() {
  const named = process.env['CHROMIUM_PATH'] ?? '';
  return (named === '' ? findProgram(HEADLESS_SHELL) : null) ?? findBrowser();
}

/**
 * Looks for each name in turn, in all folders of PATH.
 * @param {readonly string[]} names
 * @returns {string | null} its path
 */
export function findProgram(names) {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram) ?? null;
}

/**
 * The suggestions of the address bar: each window loads them as pages of their own, which takes 0.7 s of a core
 * (Chromium 156).
 */
const ADDRESS_BAR_FEATURES = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'];
/** The features that Playwright 1.65 switches off. Its list is lost when we pass another, so ours repeats it. */
const PLAYWRIGHT_FEATURES = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'TcpPortRandomizationWin',
  'ThirdPartyStoragePartitioning',
];

/** The flags for a browser that Playwright starts. */
export const playwrightFlags = () => browserFlags(PLAYWRIGHT_FEATURES);

/**
 * The flags of every Chromium under test. It does not start its sandbox as root; without most of the others it contacts
 * Google's hosts at each start, and a closed network refuses each of those requests.
 * @param {readonly string[]} disabled further features
 * @returns {string[]}
 */
export function browserFlags(disabled = []) {
  const flags = [
    `--disable-features=${[...ADDRESS_BAR_FEATURES, ...disabled].join(',')}`,
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-gpu',
    '--disable-quic',
    '--disable-sync',
    // The headless shell would draw text with full hinting, unlike a window.
    '--font-render-hinting=slight',
    '--no-first-run',
  ];
  return process.getuid?.() === 0 ? ['--no-sandbox', ...flags] : flags;
}

/** By their folders' names backwards: headless shells before whole browsers, and of each the newest first. */
function playwrightBrowsers() {
  const cache =
    process.env['PLAYWRIGHT_BROWSERS_PATH'] ??
    (process.platform === 'darwin'
      ? join(homedir(), 'Library', 'Caches', 'ms-playwright')
      : join(homedir(), '.cache', 'ms-playwright'));
  if (!existsSync(cache)) return [];
  return readdirSync(cache)
    .filter((name) => name.startsWith('chromium'))
    .toSorted()
    .toReversed()
    .flatMap((name) => [
      join(cache, name, 'chrome-linux', 'chrome'),
      join(cache, name, 'chrome-linux64', 'chrome'),
      join(cache, name, 'chrome-linux', 'headless_shell'),
      join(cache, name, 'chrome-mac', 'Chromium.app', 'Contents', 'MacOS', 'Chromium'),
    ]);
}

/** @param {string} path */
function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
