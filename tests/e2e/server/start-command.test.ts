// `npm start` prints one line when the app is ready, and one sentence when it cannot start.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { type Server, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from '../../../scripts/root.mjs';
import { temporaryFolder } from '../../support/server/temporary-folder.ts';
import { WeftServer } from '../../support/server/weft-server.ts';

let scratch: string;
beforeAll(async () => {
  scratch = await temporaryFolder('start');
});
afterAll(async () => {
  await WeftServer.stopAll();
  for (const child of started) child.kill('SIGTERM');
  await rm(scratch, { recursive: true, force: true, maxRetries: 3 });
});

const started = new Set<ChildProcess>();

type Run = { child: ChildProcess; out: () => string; err: () => string };

function npmStart(...options: string[]): Run {
  // Drop the environment of the npm that runs the tests: its settings would be inherited.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
  const child = spawn('npm', ['start', '--', ...options], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
  started.add(child);
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  return { child, out: () => out, err: () => err };
}

async function failedStart(...options: string[]): Promise<{ code: unknown; out: string; sentences: string[] }> {
  const run = npmStart(...options);
  const [code] = await once(run.child, 'close');
  return { code, out: run.out(), sentences: run.err().trim().split('\n') };
}

test('prints exactly one line, and the app answers at the address in it', async () => {
  const run = npmStart('--port', '0', '--data', join(scratch, 'data'));
  await expect.poll(run.out, { timeout: 60_000 }).toMatch(/\n/);
  const [, url] = /^Weft ready: (http:\/\/127\.0\.0\.1:\d+)\n$/.exec(run.out()) ?? [];
  expect(run.out()).toBe(`Weft ready: ${url}\n`);

  const page = await fetch(`${url}/`);
  expect(page.headers.get('content-type')).toContain('text/html');
  expect(await page.text()).toContain('<div id="root">');
  expect(await (await fetch(`${url}/config.json`)).json()).toMatchObject({ anonKey: expect.any(String) });
  // An address of the app typed by hand opens the app.
  expect(await (await fetch(`${url}/sign-in`)).text()).toContain('<div id="root">');

  const closed = once(run.child, 'close');
  run.child.kill('SIGTERM');
  await closed;
  await expect.poll(() => fetch(`${url}/`).then(String, () => 'gone')).toBe('gone');
  expect(run.out().split('\n')).toHaveLength(2);
});

test('a busy port ends with one sentence that names it', async () => {
  const busy: Server = createServer().listen(0, '127.0.0.1');
  await once(busy, 'listening');
  const address = busy.address();
  const port = typeof address === 'object' && address !== null ? String(address.port) : '';
  const { code, out, sentences } = await failedStart('--port', port, '--data', join(scratch, 'busy'));
  busy.close();
  expect({ code, out, lines: sentences.length }).toEqual({ code: 1, out: '', lines: 1 });
  expect(sentences[0]).toContain(port);
});

test('a data directory that cannot be written ends with one sentence that names it', async () => {
  const file = join(scratch, 'a-file');
  await writeFile(file, '');
  const folder = join(file, 'data');
  const { code, out, sentences } = await failedStart('--port', '0', '--data', folder);
  expect({ code, out, lines: sentences.length }).toEqual({ code: 1, out: '', lines: 1 });
  expect(sentences[0]).toContain(folder);
});

test('a data directory that is in use ends with one sentence that names it', async () => {
  const folder = join(scratch, 'in-use');
  const first = await WeftServer.start({ folder });
  const { code, out, sentences } = await failedStart('--port', '0', '--data', folder);
  await first.stop();
  expect({ code, out, lines: sentences.length }).toEqual({ code: 1, out: '', lines: 1 });
  expect(sentences[0]).toContain(folder);
});
