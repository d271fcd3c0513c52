// The rules of the layout as data, checked on every file: which folder may import which, the purity of the sync core, which
// packages are used where, and what may never be committed.
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ERROR_TEXTS } from '../src/texts/error-texts.ts';
import {
  ROOT,
  type Source,
  importCycles,
  loadedWith,
  parseSource,
  readSource,
  sourcesBelow,
} from './support/sources.ts';

/** The folders of src. A folder imports from folders with a lower number and from itself, never from another with its number. */
const LAYERS: Record<string, number> = {
  lib: 0,
  sync: 1,
  protocol: 2,
  texts: 3,
  document: 3,
  yjs: 3,
  ports: 4,
  platform: 5,
  state: 5,
  ui: 5,
  editor: 6,
  sessions: 7,
  shell: 8,
  features: 9,
  screens: 10,
  app: 11,
  client: 11,
};

/**
 * The parts of a large folder, mostly its subfolders, lowest first. A part imports only from parts on lower lines and from
 * itself, never from a part on its own line. '.' stands for the files directly in the folder; a file named here is a part of
 * its own.
 */
const PARTS: Record<string, readonly (readonly string[])[]> = {
  'src/document': [
    ['.'],
    ['blocks'],
    ['tables', 'html'],
    ['body', 'markdown'],
    ['formats', 'recovered-text', 'changes'],
    ['history'],
    ['comments'],
    ['weft-document.ts'],
  ],
  'src/sync': [
    ['protocol'],
    ['ports.ts'],
    ['updates'],
    ['state', 'connection'],
    ['session-event.ts'],
    ['session-context.ts'],
    ['log', 'snapshot'],
    ['live', 'recovery'],
    ['session'],
    ['supabase', 'browser', 'testing'],
    ['weft-sync.ts'],
  ],
  'src/sync/supabase': [['realtime'], ['.']],
  'src/sync/browser': [['tabs'], ['storage'], ['.']],
  'src/yjs': [['integration'], ['.']],
  'src/platform': [['supabase', 'browser']],
  'src/platform/supabase': [['realtime'], ['.'], ['inspection']],
  'src/platform/browser': [['snapshots', 'tabs'], ['storage'], ['.']],
  'src/state': [['store.ts'], ['offline'], ['people', 'files'], ['comments'], ['page', 'workspace'], ['person'], ['.']],
  'src/state/workspace': [['tree', 'pending', 'access'], ['search'], ['.']],
  'src/editor': [
    ['schema'],
    ['title', 'binding', 'code', 'math', 'html', 'floating', 'subpages'],
    ['blocks'],
    ['carets', 'tables', 'files', 'find', 'typing'],
    ['outline', 'recovered-text', 'announcements', 'typed-menu', 'changes'],
    ['links'],
    ['paste', 'menus', 'reading', 'following', 'comments'],
    ['.'],
  ],
  'src/ui': [
    ['theme', 'browser', 'blocks', 'mark', 'page-icon', 'people'],
    ['controls'],
    ['feedback'],
    ['floating'],
    ['following'],
  ],
  'src/shell': [['receipts'], ['.']],
  'src/features/account': [['profile', 'sign-in', 'deletion'], ['guest'], ['unsent'], ['.']],
  'src/sessions': [['.'], ['history', 'since']],
  'src/screens': [['.'], ['errors', 'palette'], ['page', 'link', 'workspace']],
  'src/app': [['config', 'diagnostics'], ['wire'], ['.']],
  'src/client': [['.'], ['command']],
  backend: [
    ['start-error.ts', 'engine.ts', 'fetch.ts', 'json-inspector.ts', 'sync-directory.ts'],
    ['keys', 'engine', 'postgres', 'bootstrap'],
    ['gateway', 'database', 'data-directory', 'realtime', 'rest', 'storage'],
    ['auth'],
    ['api.ts'],
    ['database.ts'],
    ['backup'],
    ['http'],
    ['start'],
    ['.'],
  ],
  'backend/auth': [
    ['auth-error.ts', 'settings.ts'],
    ['call.ts', 'rate-limits.ts', 'passwords'],
    ['accounts', 'mail'],
    ['sessions'],
    ['auth.ts'],
    ['handlers'],
    ['.'],
  ],
  'backend/realtime': [['wire', 'limits'], ['topic'], ['messages'], ['channel'], ['socket'], ['.']],
  'tests/support': [['.', 'process', 'database'], ['server'], ['browser'], ['editor'], ['app']],
  'tests/sql': [['fixture'], ['log', 'access', 'workspace', 'comments', 'concurrency', 'hosted'], ['.']],
  'tests/e2e': [
    [
      'access',
      'accounts',
      'appearance',
      'comments',
      'device',
      'editing',
      'offline',
      'server',
      'tabs',
      'watching',
      'workspace',
    ],
  ],
  'tests/sim': [['checks'], ['world'], ['phases'], ['seeds'], ['mutants'], ['.']],
};

/** With fewer imports, the parser of imports is broken. */
const MIN_EDGES = 1000;

/** The folders that may import a package; a package that is not named here is free for every layer. */
const PACKAGE_HOMES: Record<string, readonly string[]> = {
  '@supabase/supabase-js': ['src/sync/supabase/', 'src/platform/supabase/'],
  idb: ['src/sync/browser/', 'src/platform/browser/'],
  jotai: ['src/state/', 'src/ui/', 'src/editor/', 'src/shell/', 'src/features/', 'src/screens/', 'src/app/'],
  react: ['src/state/hooks.ts', 'src/ui/', 'src/editor/', 'src/shell/', 'src/features/', 'src/screens/', 'src/app/'],
  'react-dom': ['src/ui/', 'src/editor/', 'src/shell/', 'src/features/', 'src/screens/', 'src/app/'],
  'react-router': ['src/shell/', 'src/features/', 'src/screens/', 'src/app/'],
};

/** Packages that the project is built on. Each must be imported somewhere. */
const CORE_PACKAGES = [
  'react',
  'react-dom',
  'vite',
  '@supabase/supabase-js',
  'yjs',
  'y-protocols',
  'jotai',
  'react-router',
  'vitest',
  '@testing-library/react',
];

/** Globals that the sync core must not use, because it gets all of this through its ports. */
const FORBIDDEN_GLOBALS = [
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'requestAnimationFrame',
  'requestIdleCallback',
  'Date',
  'performance',
  'crypto',
  'fetch',
  'WebSocket',
  'BroadcastChannel',
  'window',
  'document',
  'navigator',
  'location',
  'localStorage',
  'sessionStorage',
  'indexedDB',
  'process',
];

const src = sourcesBelow('src');
const backend = sourcesBelow('backend');
const tests = sourcesBelow('tests');
const tools = [...sourcesBelow('bench'), ...sourcesBelow('scripts')];
const all = [...src, ...backend, ...tests, ...tools, readSource('vite.config.ts')];
const layerOf = (path: string) => /^src\/([^/]+)\//.exec(path)?.[1] ?? '';
const packageOf = (name: string) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name;
const edges = all.flatMap((source) => source.imports.map((edge) => ({ from: source.path, ...edge })));
/** The part of a file inside `folder`, '.' for a file directly in it, undefined for a file outside it. */
function partOf(folder: string, path: string): string | undefined {
  if (!path.startsWith(`${folder}/`)) return undefined;
  const inside = path.slice(folder.length + 1);
  if (PARTS[folder]?.flat().includes(inside) === true) return inside;
  return /^([^/]+)\//.exec(inside)?.[1] ?? '.';
}
const show = ({ from, to }: { from: string; to: string }) => `${from} → ${to}`;

describe('layers', () => {
  test('the parser finds the imports', () => {
    expect(edges.length).toBeGreaterThan(MIN_EDGES);
  });

  test('the parser distinguishes imports, imports of types and globals', () => {
    const { imports, globals } = parseSource(
      'src/sync/sample.ts',
      `import type { A } from '../lib/a.ts';
       import { b, type C } from 'yjs';
       export { d } from './d.ts';
       const later = () => import('../ui/e.ts');
       export function f(document: A, { now = Date.now() }: { readonly window: C }) {
         return [b, document.location, later, now, setTimeout(() => {}, 1)];
       }`,
    );
    expect(imports).toEqual([
      { to: 'src/lib/a.ts', isPackage: false, isType: true, isLate: false },
      { to: 'yjs', isPackage: true, isType: false, isLate: false },
      { to: 'src/sync/d.ts', isPackage: false, isType: false, isLate: false },
      { to: 'src/ui/e.ts', isPackage: false, isType: false, isLate: true },
    ]);
    expect(FORBIDDEN_GLOBALS.filter((name) => globals.has(name))).toEqual(['setTimeout', 'Date']);
  });

  test('every file of src belongs to a layer', () => {
    expect(src.map(({ path }) => path).filter((path) => !(layerOf(path) in LAYERS))).toEqual([]);
  });

  test('a layer imports from lower layers and itself', () => {
    const wrong = edges.filter(({ from, to, isPackage }) => {
      if (isPackage || !from.startsWith('src/')) return false;
      const [own, other] = [layerOf(from), layerOf(to)];
      return own !== other && (LAYERS[other] ?? Number.POSITIVE_INFINITY) >= (LAYERS[own] ?? 0);
    });
    expect(wrong.map(show)).toEqual([]);
  });

  test('the command and the library for Node contain no code of the browser app', () => {
    const reached = new Set<string>();
    const follow = (path: string) => {
      if (reached.has(path)) return;
      reached.add(path);
      for (const { from, to, isPackage, isType } of edges) if (from === path && !isPackage && !isType) follow(to);
    };
    for (const { path } of src) if (path.startsWith('src/client/')) follow(path);
    const wrong = Array.from(reached).filter((path) =>
      /^src\/(?:state|ui|editor|shell|features|screens|app)\//.test(path),
    );
    expect(reached.size).toBeGreaterThan(50);
    expect(wrong).toEqual([]);
  });

  test.each(['src/document', 'src/sync'])('the files of %s are imported by the name of the package', (folder) => {
    const relatively = all.filter(({ path, text }) => {
      const up = relative(dirname(path), folder).split(sep).join('/');
      return !path.startsWith(`${folder}/`) && new RegExp(`(?:from|import\\() ?'${up}/`).test(text);
    });
    expect(relatively.map(({ path }) => path)).toEqual([]);
    const byName = edges.filter(({ from, to }) => !from.startsWith(folder) && to.startsWith(folder));
    expect(byName.length).toBeGreaterThan(500);
  });

  test('a feature imports no other feature', () => {
    const featureOf = (path: string) => /^src\/features\/([^/]+)\//.exec(path)?.[1];
    const wrong = edges.filter(({ from, to }) => {
      const [own, other] = [featureOf(from), featureOf(to)];
      return own !== undefined && other !== undefined && own !== other;
    });
    expect(wrong.map(show)).toEqual([]);
  });

  test('of src the backend imports only the protocols and lib, and src imports nothing outside src', () => {
    const wrong = edges.filter(({ from, to, isPackage }) => {
      if (isPackage) return false;
      if (from.startsWith('backend/'))
        return to.startsWith('src/') && !/^src\/(?:sync\/protocol|protocol|lib)\//.test(to);
      return from.startsWith('src/') && !to.startsWith('src/');
    });
    expect(wrong.map(show)).toEqual([]);
  });
});

describe.each(Object.entries(PARTS))('the parts of %s', (folder, lines) => {
  const levelOf = new Map(lines.flatMap((parts, level) => parts.map((part) => [part, level] as const)));

  test('are all in the table, and every part in the table has files', () => {
    const found = new Set(all.map(({ path }) => partOf(folder, path)).filter((part) => part !== undefined));
    expect([...found].toSorted()).toEqual([...levelOf.keys()].toSorted());
  });

  test('import only from lower parts and from themselves', () => {
    const wrong = edges.filter(({ from, to }) => {
      const [own, other] = [partOf(folder, from), partOf(folder, to)];
      if (own === undefined || other === undefined || own === other) return false;
      return (levelOf.get(other) ?? Number.POSITIVE_INFINITY) >= (levelOf.get(own) ?? 0);
    });
    expect(wrong.map(show)).toEqual([]);
  });
});

describe('cycles of imports', () => {
  test('the search finds a cycle, also one through types only', () => {
    const sample = [
      parseSource('src/a.ts', `import './b.ts'; import './c.ts';`),
      parseSource('src/b.ts', `import type { C } from './c.ts';`),
      parseSource('src/c.ts', `export { B } from './b.ts';`),
    ];
    expect(importCycles(sample)).toEqual([['src/b.ts', 'src/c.ts']]);
  });

  test('do not exist, types included', () => {
    expect(importCycles(all)).toEqual([]);
  });
});

describe('exported names', () => {
  const sharedNames = (sources: readonly Source[]) =>
    Array.from(
      Map.groupBy(
        sources.flatMap(({ path, exports }) => Array.from(exports, (name) => ({ path, name }))),
        ({ name }) => name,
      ),
    ).flatMap(([name, places]) => (places.length < 2 ? [] : [`${name}: ${places.map(({ path }) => path).join(', ')}`]));

  test('the search finds a name in two files, and none that is only passed on', () => {
    const sample = [
      parseSource('src/a.ts', `export const one = 1; export type Two = 2;`),
      parseSource('src/b.ts', `export { one } from './a.ts'; export type Two = 'two'; export function three() {}`),
    ];
    expect(sharedNames(sample)).toEqual(['Two: src/a.ts, src/b.ts']);
  });

  test('stand in one file of src and backend each: a search for a name finds one thing', () => {
    expect(sharedNames([...src, ...backend])).toEqual([]);
  });
});

describe('packages', () => {
  test('are imported only in their folders', () => {
    const wrong = edges.filter(({ from, to, isPackage }) => {
      const homes = PACKAGE_HOMES[packageOf(to)];
      if (!isPackage || homes === undefined || !/^(?:src|backend)\//.test(from)) return false;
      return !homes.some((home) => from.startsWith(home));
    });
    expect(wrong.map(show)).toEqual([]);
  });

  test.each(CORE_PACKAGES)('%s is really used', (name) => {
    const users = edges.filter(({ to, isPackage, isType }) => isPackage && !isType && packageOf(to) === name);
    expect(users).not.toEqual([]);
  });
});

describe('error boundaries', () => {
  const LAYERS = /^@base-ui\/react\/(?:dialog|alert-dialog|drawer|menu|context-menu|popover)$/;
  const DIALOGS = ['src/ui/floating/dialog.tsx', 'src/ui/floating/confirm-dialog.tsx'];

  test('stand in every dialog, panel, menu and popover: those of ui/floating have one, and there are no others', () => {
    const users = edges.filter(({ to, isType }) => LAYERS.test(to) && !isType).map(({ from }) => from);
    expect(users.toSorted()).toEqual([
      'src/ui/floating/dialog-layer.tsx',
      'src/ui/floating/menu.tsx',
      'src/ui/floating/popover.tsx',
    ]);
    for (const path of users) {
      const { text } = readSource(path);
      const popups = text.match(/<Base\.Popup/g)?.length;
      expect(popups).toBeGreaterThan(0);
      expect([path, text.match(/<ErrorBoundary/g)?.length]).toEqual([path, popups]);
    }
  });

  test('stand around every component that is a dialog: it is loaded late, or mounted inside of one', () => {
    const isDialog = (path: string) => edges.some(({ from, to }) => from === path && DIALOGS.includes(to));
    const guards = (text: string) => /<(?:LayerBoundary|ErrorBoundary)\b/.test(text);
    const static_ = src.flatMap(({ path, text }) =>
      Array.from(text.matchAll(/^import \{[^}]*\} from '(\..*?)';$/gm), ([, to = '']) => ({
        from: path,
        to: join(path, '..', to),
        text,
      })),
    );
    const wrong = static_.filter(
      ({ from, to, text }) =>
        /dialog|name-version/.test(to) && isDialog(to) && !DIALOGS.includes(to) && !guards(text) && !isLate(from),
    );
    expect(wrong.map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
  });

  /** A component that itself loads late, such as `AskedWords`, is inside of a boundary. */
  function isLate(path: string): boolean {
    return src.some(({ text }) => new RegExp(`latePart\\([^;]*/${basename(path)}'`).test(text));
  }
});

describe('the sync core', () => {
  const isCore = (path: string) => /^src\/sync\/(?!(?:supabase|browser|testing)\/)/.test(path);
  const core = src.filter(({ path }) => isCore(path));

  test('uses clock, network, DOM and randomness only through its ports', () => {
    const used = core.flatMap(({ path, globals }) =>
      FORBIDDEN_GLOBALS.filter((name) => globals.has(name)).map((name) => `${path}: ${name}`),
    );
    // `Date.parse` reads no clock.
    const allowed = ['src/sync/protocol/shapes.ts: Date'];
    expect(core.length).toBeGreaterThan(5);
    expect(used).toEqual(allowed);
  });

  test('does not call Math.random', () => {
    expect(core.filter(({ text }) => /\bMath\.random\b/.test(text)).map(({ path }) => path)).toEqual([]);
  });

  test('imports Yjs and parsers, but not React, Supabase or the editor', () => {
    const wrong = edges.filter(
      ({ from, to, isPackage }) => isCore(from) && isPackage && !/^(?:yjs|y-protocols|lib0|valibot)(?:\/|$)/.test(to),
    );
    expect(wrong.map(show)).toEqual([]);
  });
});

describe('what src/yjs replaces in Yjs', () => {
  const INSTALL = 'src/yjs/install.ts';
  const NEW_DOC = 'src/sync/updates/new-doc.ts';
  const IS_TEST = /^tests\/.*\.test\.tsx?$/;
  const sources = new Map(all.map((source) => [source.path, source]));
  const loads = (path: string, other: string) => loadedWith(path, sources).has(other);

  test('is installed by every program, worker and chunk that loads the documents of src/sync', () => {
    const isInTests = (path: string) => path.startsWith('tests/');
    // Tests import what programs begin with, too.
    const atOnce = edges.filter(
      ({ from, to, isType, isLate }) => !isType && !isLate && (isInTests(to) || !isInTests(from)),
    );
    const importedAtOnce = new Set(atOnce.map(({ to }) => to));
    const chunks = edges.filter(({ isLate }) => isLate).map(({ to }) => to);
    const programs = all.map(({ path }) => path).filter((path) => !importedAtOnce.has(path) && !IS_TEST.test(path));
    const beginnings = Array.from(new Set([...programs, ...chunks])).filter((path) => loads(path, NEW_DOC));
    expect(beginnings).toEqual(
      expect.arrayContaining([
        'scripts/compact.ts',
        'src/platform/browser/snapshots/snapshot-worker.ts',
        'src/app/text-first.tsx',
        'src/app/wire/page-code.ts',
        'src/client/watch.ts',
        'tests/sim/seeds/seed-worker.ts',
      ]),
    );
    // Whoever takes the package decides for their program.
    const packages = ['src/sync/weft-sync.ts'];
    expect(beginnings.filter((path) => !loads(path, INSTALL))).toEqual(packages);
  });

  test('is installed in every project of tests that needs it', () => {
    const [, ...projects] = readSource('vite.config.ts').text.split(/^ {10}name: '/m);
    const nameOf = (project: string) => project.slice(0, project.indexOf("'"));
    const installing = projects.filter((project) => /setupFiles: \[.*INSTALL_YJS\]/.test(project));
    expect(projects.map(nameOf)).toEqual(['node', 'dom', 'browser', 'e2e']);
    expect(installing.map(nameOf)).toEqual(['node', 'dom', 'browser']);
    const endToEnd = tests.filter(({ path }) => /^tests\/(?:e2e|browsers)\//.test(path));
    expect(endToEnd.filter(({ path }) => loads(path, NEW_DOC)).map(({ path }) => path)).toEqual([]);
  });

  test('is imported for its effect only, through install.ts', () => {
    const importers = edges.filter(({ from, to }) => to.startsWith('src/yjs/') && !/^(?:src\/yjs|tests)\//.test(from));
    expect(importers.filter(({ to }) => to !== INSTALL).map(show)).toEqual([]);
    for (const { from } of importers)
      expect(readSource(from).text).toMatch(/^import '[./]+(?:src\/)?yjs\/install\.ts';$/m);
  });
});

describe('files', () => {
  const named = (sources: readonly Source[], wrong: (source: Source) => boolean) =>
    sources.filter(wrong).map(({ path }) => path);

  test('have kebab-case names, and no vague ones like utils', () => {
    const form = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.(?:browser|contract))?(?:\.(?:test|contract|d))?\.(?:tsx?|mjs)$/;
    const vague = /^(?:index|utils?|helpers?|common|types|misc|shared)\.(?:tsx?|mjs)$/;
    expect(named(all, ({ path }) => path !== 'vite.config.ts' && !form.test(basename(path)))).toEqual([]);
    expect(named(src, ({ path }) => vague.test(basename(path)))).toEqual([]);
  });

  test('start with a comment', () => {
    expect(named([...src, ...backend], ({ text }) => !/^(?:#!.*\n)?\/[/*]/.test(text))).toEqual([]);
  });

  test('disable no check and skip no test', () => {
    const off = /@ts-(?:ignore|nocheck|expect-error)|(?:eslint|oxlint)-disable|\.(?:only|skip|todo)\(/;
    expect(named(all, ({ path, text }) => path !== 'tests/architecture.test.ts' && off.test(text))).toEqual([]);
  });

  test('take error texts from src/texts', () => {
    const texts = Object.values(ERROR_TEXTS);
    const outside = [...src, ...backend].filter(({ path }) => !path.startsWith('src/texts/'));
    expect(named(outside, ({ text }) => texts.some((one) => text.includes(one)))).toEqual([]);
  });
});

describe('times of a machine', () => {
  /** Tests that hold a difference of clocks against a limit, with why a slow machine does not make them fail. */
  const ARGUED: Record<string, string> = {
    'tests/attack/frames.test.ts': 'only in npm run attack',
    'tests/attack/free-plan.test.ts': 'only in npm run attack',
    'tests/attack/requests.test.ts': 'only in npm run attack',
    'tests/attack/return-after-outage.test.ts': 'only in npm run attack',
    'tests/backend/auth/passwords/passwords.test.ts': 'a ratio to a control, in turns',
    'tests/contract/locks/locks.browser.test.ts': 'two clocks read one after the other: a minute',
    'tests/sql/access/link-secrecy.test.ts': 'a ratio of the fastest of many, in turns',
    'tests/sql/concurrency/publishing.test.ts': 'messages per second that passed: the slower, the more are allowed',
    'tests/sql/log/presenting.test.ts': 'messages per second that passed: the slower, the more are allowed',
  };
  const DIFFERENCE = /\b(?:performance|Date)\.now\(\)\)? - [a-z]|- (?:performance|Date)\.now\(\)|[cC]puUsage\(/;

  test('no test asserts them, apart from a few with a reason', () => {
    const found = sourcesBelow('tests')
      .filter(({ path, text }) => /\.test\.tsx?$/.test(path) && !path.startsWith('tests/e2e/') && DIFFERENCE.test(text))
      .filter(({ text }) => text.includes('toBeLessThan'));
    expect(found.map(({ path }) => path).toSorted()).toEqual(Object.keys(ARGUED).toSorted());
  });
});

describe('what is committed', () => {
  test('no two migrations have one number: a new database would not start', () => {
    const numbers = readdirSync(join(ROOT, 'supabase/migrations')).map((file) => file.split('_')[0]);
    expect(numbers.filter((number, at) => numbers.indexOf(number) !== at)).toEqual([]);
  });

  const NEVER: Record<string, RegExp> = {
    'an absolute path of a machine': /(?<![\w.:/*-])\/(?:root|home\/[a-z]|Users\/[A-Za-z]|work\/(?:main|shared))\b/,
    'the host of a registry': /registry\.(?:npmjs|yarnpkg|npmmirror)\.|deb\.debian\.org|"resolved":\s"http/,
    'a signed token': /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{20,}/,
    'a secret key':
      /\bsb_secret_[A-Za-z0-9]{12,}|\bAKIA[0-9A-Z]{16}\b|\bgh[pousr]_\w{30,}|-----BEGIN [A-Z ]*PRIVATE KEY/,
  };
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0').filter(Boolean);

  test.each(Object.entries(NEVER))('never contains %s', (_, form) => {
    const found = files.filter((file) => {
      const bytes = contentsOf(file);
      return bytes !== null && !bytes.includes(0) && form.test(bytes.toString('utf8'));
    });
    expect(files.length).toBeGreaterThan(50);
    expect(found).toEqual([]);
  });
});

/** Null for a file that is tracked but was deleted and not yet committed. */
function contentsOf(file: string): Buffer | null {
  try {
    return readFileSync(join(ROOT, file));
  } catch {
    return null;
  }
}
