// `npm run build`: builds dist/ when its sources have changed.
import process from 'node:process';
import { buildWhenNeeded } from './setup/build-when-needed.mjs';
import { SetupError } from './setup/setup-error.mjs';

try {
  await buildWhenNeeded();
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
