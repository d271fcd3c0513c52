// For CI, before the tests: `npm start` as in the README. Waits until Weft is ready, asks for the page and makes an account,
// and stops it. Plain Node 20: nothing is installed yet.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { createInterface } from 'node:readline';

/** A fresh clone installs packages and builds the app first. */
const READY_WITHIN_MS = 15 * 60_000;
const ENDS_WITHIN_MS = 60_000;

// npm's own settings would be inherited.
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
const weft = spawn('npm', ['start', '--', '--port', '0'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
const exited = once(weft, 'exit');

try {
  const url = await Promise.race([
    readyUrl(),
    exited.then(([code, signal]) => fail(`it ended with ${code ?? signal} before it was ready`)),
    after(READY_WITHIN_MS, 'it was not ready in time'),
  ]);
  await ask(url);
  weft.kill('SIGTERM');
  const [code, signal] = await Promise.race([exited, after(ENDS_WITHIN_MS, 'it did not stop on SIGTERM')]);
  if (code !== 0) fail(`it ended with ${code ?? signal} on SIGTERM`);
  process.stdout.write('npm start: ready, answered, stopped\n');
  process.exit(0);
} catch (error) {
  process.stderr.write(`npm start: ${error instanceof Error ? error.message : String(error)}\n`);
  weft.kill('SIGTERM');
  process.exit(1);
}

/** @returns {Promise<string>} */
async function readyUrl() {
  for await (const line of createInterface({ input: weft.stdout })) {
    process.stdout.write(`${line}\n`);
    const [, url] = /^Weft ready: (http:\S+)$/.exec(line) ?? [];
    if (url !== undefined) return url;
  }
  return new Promise(() => {});
}

/** @param {string} url */
async function ask(url) {
  if (!(await answer(url)).includes('<div id="root">')) fail('its page is not the app');
  const { anonKey } = JSON.parse(await answer(`${url}/config.json`));
  const account = { email: `ci-${Date.now()}@example.com`, password: 'a password of CI' };
  const headers = { apikey: anonKey, 'content-type': 'application/json' };
  const reply = await answer(`${url}/auth/v1/signup`, { method: 'POST', headers, body: JSON.stringify(account) });
  if (!reply.includes(account.email)) fail(`it made no account: ${reply}`);
}

/**
 * @param {string} url
 * @param {RequestInit} [request]
 */
async function answer(url, request) {
  const response = await fetch(url, { ...request, signal: AbortSignal.timeout(30_000) });
  const text = await response.text();
  if (!response.ok) fail(`${url} answered ${response.status}: ${text}`);
  return text;
}

/**
 * @param {number} ms
 * @param {string} reason
 * @returns {Promise<never>}
 */
function after(ms, reason) {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new Error(reason)), ms);
  });
}

/**
 * @param {string} reason
 * @returns {never}
 */
function fail(reason) {
  throw new Error(reason);
}
