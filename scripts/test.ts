// `npm test`: everything that proves Weft. The checks count as tests; the last line is `N passed, N failed`.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { ROOT } from './root.mjs';
import { runStep } from './checks/run-step.ts';
import { STEPS } from './checks/steps.ts';
import { readReport, testFiles } from './checks/test-report.ts';

const scratch = mkdtempSync(join(tmpdir(), 'weft-test-'));
const report = join(scratch, 'report.json');
const passedSteps = STEPS.map(runStep).filter(Boolean).length;
const vitest = spawnSync(
  process.execPath,
  [
    join(ROOT, 'node_modules', 'vitest', 'vitest.mjs'),
    'run',
    '--allowOnly=false',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ],
  { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] },
);
const { passed, failures } = readReport(report, testFiles(join(ROOT, 'tests')));
rmSync(scratch, { recursive: true, force: true });

const steps = STEPS.length - passedSteps;
// A worker that died and an error outside of any test fail no test of their own.
if (vitest.status !== 0 && failures.length === 0) failures.push(`vitest ended with ${vitest.status ?? vitest.signal}`);
for (const failure of failures) process.stdout.write(`✗ ${failure}\n`);
const failed = steps + failures.length;
process.stdout.write(`${passedSteps + passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
