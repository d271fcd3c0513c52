// Runs vitest in a process of its own and reads what it reported.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { ROOT } from '../root.mjs';
import { type Report, readReport } from './test-report.ts';

export type VitestRun = Report & {
  /** What went wrong outside of tests: an error, a crashed worker, no report. */
  readonly outside: readonly string[];
};

const reporter = (name: string) => `--reporter=${join(ROOT, 'scripts', 'checks', name)}`;

type VitestTask = {
  readonly root: string;
  /** Each of them must run a test. */
  readonly files: readonly string[];
  /** Without any, vitest runs all that it finds. */
  readonly filters?: readonly string[];
  readonly output?: 'inherit' | 'ignore';
};

export async function runVitest({ root, files, filters = [], output = 'inherit' }: VitestTask): Promise<VitestRun> {
  const folder = mkdtempSync(join(tmpdir(), 'weft-test-'));
  const [reportFile, errorsFile] = [join(folder, 'report.json'), join(folder, 'errors')];
  const vitest = spawn(
    process.execPath,
    [
      join(ROOT, 'node_modules', 'vitest', 'vitest.mjs'),
      'run',
      ...filters,
      '--allowOnly=false',
      '--reporter=default',
      reporter('project-seconds.ts'),
      reporter('unhandled-errors.ts'),
      '--reporter=json',
      `--outputFile.json=${reportFile}`,
    ],
    { cwd: root, stdio: ['ignore', output, output], env: { ...process.env, WEFT_UNHANDLED_ERRORS: errorsFile } },
  );
  const [code, signal] = await once(vitest, 'close');
  const report = readReport(root, reportFile, files);
  const errors = existsSync(errorsFile) ? Number(readFileSync(errorsFile, 'utf8')) : null;
  rmSync(folder, { recursive: true, force: true });
  const outside: string[] = [];
  if (errors !== null && errors > 0) outside.push(`vitest saw errors outside of tests: ${errors}`);
  // Whatever else makes vitest fail although no test does.
  else if (errors === null || (code !== 0 && report.failures.length === 0))
    outside.push(`vitest ended with ${code ?? signal}`);
  return { ...report, outside };
}
