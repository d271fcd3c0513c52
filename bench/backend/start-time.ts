// Measures the time from starting the backend to the line that says it is ready, on an empty data directory ("cold") and
// on a used one ("warm").
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { ROOT } from '../../scripts/root.mjs';
import { temporaryFolder } from '../../tests/support/server/temporary-folder.ts';

export type StartTimes = { readonly coldMs: number; readonly warmMs: readonly number[] };

export async function measureStarts(warmStarts: number): Promise<StartTimes> {
  const dir = await temporaryFolder('bench');
  try {
    const coldMs = await start(join(dir, 'data'));
    const warmMs: number[] = [];
    while (warmMs.length < warmStarts) warmMs.push(await start(join(dir, 'data')));
    return { coldMs, warmMs };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

async function start(dir: string): Promise<number> {
  const command = [join(ROOT, 'backend/cli.ts'), 'backend', '--port', '0', '--data', dir, '--json'];
  const begun = performance.now();
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  const isReady = await Promise.race([once(child.stdout, 'data').then(() => true), ended.then(() => false)]);
  const ms = performance.now() - begun;
  if (!isReady) throw new Error('the backend ended before it was ready');
  child.kill();
  await ended;
  return ms;
}
