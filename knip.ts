// Finds unused files, exports and packages. Style sheets count as importers, because they import the fonts.
import type { KnipConfig } from 'knip';

const config: KnipConfig = {
  workspaces: {
    '.': {
      entry: [
        'backend/cli.ts',
        'scripts/*.{ts,mjs}',
        'examples/*.ts',
        'scripts/checks/project-seconds.ts',
        'scripts/checks/unhandled-errors.ts',
        'tests/**/*.test.{ts,tsx}',
        'tests/**/*-loop.ts',
        'tests/yjs/faults-of-yjs.ts',
        'tests/sim/{run,seeds/seed-worker,mutants/{load-mutant,mutated-vitest}}.ts',
        'tests/attack/support/{attacker,broadcast-meter,own-server}.ts',
        'tests/sql/hosted/push-with-cli.ts',
        'bench/{run,client,delay-proxy,soak-wall}.ts',
        'bench/editor/page/main.tsx',
        'bench/servers/{weft,sockets,hocuspocus,y-websocket}.ts',
      ],
      project: [
        'src/**/*.{ts,tsx,css}',
        'backend/**/*.ts',
        'tests/**/*.{ts,tsx}',
        'scripts/**/*.{ts,mjs}',
        'examples/*.ts',
        'bench/**/*.{ts,tsx}',
      ],
    },
    'src/client': {
      entry: ['markdown-thread.ts', 'command/weft.ts'],
      // Layers below use them, which its package brings along; scripts/pack.ts compares what it uses with what it declares.
      ignoreDependencies: ['@supabase/supabase-js', 'lib0', 'mdast-util-.*'],
    },
    'src/document': {},
    'src/sync': {},
  },
  ignoreExportsUsedInFile: true,
  // A program of Linux. Tests use it to mount small and read-only disks, where the system allows that.
  ignoreBinaries: ['unshare'],
  compilers: {
    css: (text) =>
      Array.from(text.matchAll(/@import\s+(?:url\()?['"]([^'"]+)['"]/g), (found) => `import '${found[1]}';`).join('\n'),
  },
};

export default config;
