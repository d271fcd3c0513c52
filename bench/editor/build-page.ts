// Builds the page with the editor alone like the app (vite.config.ts), into a temporary folder.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import babel from '@rolldown/plugin-babel';
import react, { reactCompilerPreset } from '@vitejs/plugin-react';
import { build } from 'vite';

let built: Promise<string> | null = null;

/** Returns the folder. The benchmarks of a process share one build, which takes 11 s of a core, until `removePage`. */
export const buildPage = (): Promise<string> => (built ??= makePage());

export async function removePage(): Promise<void> {
  if (built !== null) await rm(await built, { recursive: true });
}

async function makePage(): Promise<string> {
  const outDir = await mkdtemp(join(tmpdir(), 'weft-bench-editor-'));
  // In a test of the benchmarks NODE_ENV is "test", which would select React's development build.
  process.env['NODE_ENV'] = 'production';
  await build({
    configFile: false,
    root: join(import.meta.dirname, 'page'),
    logLevel: 'error',
    plugins: [react(), babel({ presets: [reactCompilerPreset()] })],
    resolve: { dedupe: ['yjs', 'y-protocols', 'lib0', 'react', 'react-dom'] },
    build: { target: 'es2022', outDir, rolldownOptions: { checks: { pluginTimings: false } } },
  });
  return outDir;
}
