// `npm run build`: builds dist/ when the sources changed.
import process from 'node:process';
import { buildWhenNeeded } from './build-when-needed.mjs';
import { Stop } from './stop.mjs';

try {
  buildWhenNeeded();
} catch (error) {
  if (!(error instanceof Stop)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
