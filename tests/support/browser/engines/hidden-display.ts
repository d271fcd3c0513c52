// An X display that no one sees: WebKitGTK has no headless mode.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { WINDOW } from './engine-tab.ts';

type HiddenDisplay = { readonly name: string; readonly close: () => Promise<void> };

const START_WITHIN_MS = 15_000;

/** Xvfb chooses a free display and writes its number to the file descriptor that we name. */
export async function startDisplay(program: string): Promise<HiddenDisplay> {
  const size = `${WINDOW.width + 20}x${WINDOW.height + 120}x24`;
  const process = spawn(program, ['-displayfd', '3', '-screen', '0', size, '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const numbers = process.stdio[3];
  if (numbers === null || numbers === undefined) throw new Error('Xvfb has no output');
  const [line] = (await once(numbers, 'data', { signal: AbortSignal.timeout(START_WITHIN_MS) })) as [Buffer];
  return { name: `:${line.toString().trim()}`, close: () => endProcess(process) };
}

export async function endProcess(process: ChildProcess): Promise<void> {
  if (process.exitCode !== null || process.signalCode !== null) return;
  process.kill();
  await once(process, 'exit');
}
