#!/usr/bin/env node
// `weft …`: installs the packages on a fresh clone, then runs the TypeScript of src/client as it is, which takes Node 22.22.
import process from 'node:process';
import { installWhenNeeded } from './setup/install-when-needed.mjs';
import { SetupError } from './setup/setup-error.mjs';

try {
  await installWhenNeeded();
  const { keepCompiled } = await import('../backend/start/compile-cache.ts');
  keepCompiled();
  await import('../src/client/command/weft.ts');
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
