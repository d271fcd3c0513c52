// Runs tests against a build with one text replaced: for mutants in adapters, which the simulation does not load.
import process from 'node:process';
import { defineConfig } from 'vitest/config';
import { ROOT } from '../../../scripts/root.mjs';
import { MUTANTS, mutated } from './mutants.ts';

const id = process.env['WEFT_MUTANT'];
const mutant = MUTANTS.find((one) => one.id === id);
if (mutant === undefined) throw new Error(`WEFT_MUTANT names no mutant: ${id}`);

export default defineConfig({
  root: ROOT,
  plugins: [
    {
      name: 'mutant',
      enforce: 'pre',
      transform: (source, file) => (file.endsWith(`/${mutant.file}`) ? mutated(mutant, source) : undefined),
    },
  ],
  test: {
    // It would hold the file as another mutant has left it.
    fsModuleCache: false,
    include: ['tests/**/*.test.ts'],
    setupFiles: ['src/yjs/install.ts'],
    globalSetup: ['tests/support/database/provide-postgres.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
