// Builds the page of `without-sync/` as the app is built (vite.config.ts), into a folder of its own.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import babel from '@rolldown/plugin-babel';
import react, { reactCompilerPreset } from '@vitejs/plugin-react';
import { build } from 'vite';

export async function buildWithoutSync(): Promise<string> {
  const outDir = await mkdtemp(join(tmpdir(), 'weft-bench-editor-'));
  // A test that runs the bench would set "test", and React would be the development build.
  process.env['NODE_ENV'] = 'production';
  await build({
    configFile: false,
    root: join(import.meta.dirname, 'without-sync'),
    logLevel: 'error',
    plugins: [react(), babel({ presets: [reactCompilerPreset()] })],
    resolve: { dedupe: ['yjs', 'y-protocols', 'lib0', 'react', 'react-dom'] },
    build: { target: 'es2022', outDir, rolldownOptions: { checks: { pluginTimings: false } } },
  });
  return outDir;
}
