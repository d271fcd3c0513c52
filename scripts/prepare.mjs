// Runs before `npm start`, `npm test` and their like, also on a fresh clone where nothing is installed: plain
// Node 20 without dependencies. All it has to say goes to standard error: standard output belongs to the script.
import process from 'node:process';
import { buildWhenNeeded } from './setup/build-when-needed.mjs';
import { ensureBrowser } from './setup/ensure-browser.mjs';
import { installWhenNeeded } from './setup/install-when-needed.mjs';
import { Stop } from './setup/stop.mjs';

try {
  installWhenNeeded();
  if (process.argv.includes('--browser')) ensureBrowser();
  if (process.argv.includes('--build')) buildWhenNeeded();
} catch (error) {
  if (!(error instanceof Stop)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
