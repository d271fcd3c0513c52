// Installs the packages, and if asked a browser and the build, where they are missing. Runs before `npm start`, `npm
// test` and the like, also on a fresh clone where nothing is installed: plain Node 20 without dependencies.
import process from 'node:process';
import { buildWhenNeeded } from './setup/build-when-needed.mjs';
import { ensureBrowser } from './setup/ensure-browser.mjs';
import { installWhenNeeded } from './setup/install-when-needed.mjs';
import { SetupError } from './setup/setup-error.mjs';

try {
  await installWhenNeeded();
  if (process.argv.includes('--browser')) await ensureBrowser();
  if (process.argv.includes('--build')) await buildWhenNeeded();
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
