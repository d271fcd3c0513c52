// Shows on standard error how long a step has been running. Standard output belongs to the command itself.
import process from 'node:process';

/**
 * On a terminal one line counts the seconds ("Building the app … 9 s"). Elsewhere, in a log, a line announces the step
 * and another says how long it took.
 * @template T
 * @param {string} label
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function showProgress(label, work) {
  const { stderr } = process;
  const started = performance.now();
  const line = () => `${label} … ${Math.round((performance.now() - started) / 1000)} s`;
  const show = () => stderr.write(`\r${line()}`);
  stderr.write(stderr.isTTY ? `${label} …` : `${label} …\n`);
  const timer = stderr.isTTY ? setInterval(show, 1000) : undefined;
  try {
    return await work();
  } finally {
    clearInterval(timer);
    stderr.write(stderr.isTTY ? `\r${line()}\n` : `${line()}\n`);
  }
}
