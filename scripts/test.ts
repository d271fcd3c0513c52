// `npm test`: all checks and all tests. A check counts as one test; the last line is `N passed, N failed`.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { runStep } from './checks/run-step.ts';
import { STEPS } from './checks/steps.ts';
import { readReport, testFiles } from './checks/test-report.ts';
import { ROOT } from './root.mjs';

const folder = mkdtempSync(join(tmpdir(), 'weft-test-'));
const reportFile = join(folder, 'report.json');
const passedSteps = STEPS.map(runStep).filter(Boolean).length;
const vitest = spawnSync(
  process.execPath,
  [
    join(ROOT, 'node_modules', 'vitest', 'vitest.mjs'),
    'run',
    '--allowOnly=false',
    '--reporter=default',
    `--reporter=${join(ROOT, 'scripts', 'checks', 'project-seconds.ts')}`,
    '--reporter=json',
    `--outputFile.json=${reportFile}`,
  ],
  { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] },
);
const { passed, failures } = readReport(reportFile, testFiles(join(ROOT, 'tests')));
rmSync(folder, { recursive: true, force: true });

// When a worker crashes, or an error occurs outside of any test, vitest fails although no test does.
if (vitest.status !== 0 && failures.length === 0) failures.push(`vitest ended with ${vitest.status ?? vitest.signal}`);
for (const failure of failures) process.stdout.write(`✗ ${failure}\n`);
const failed = STEPS.length - passedSteps + failures.length;
process.stdout.write(`${passedSteps + passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
