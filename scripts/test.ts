// `npm test`: all checks and all tests. A check counts as one test; the last line is `N passed, N failed`.
import { join } from 'node:path';
import process from 'node:process';
import { runStep } from './checks/run-step.ts';
import { runVitest } from './checks/run-vitest.ts';
import { withSecondRun } from './checks/second-run.ts';
import { STEPS } from './checks/steps.ts';
import { testFiles } from './checks/test-report.ts';
import { ROOT } from './root.mjs';

const passedSteps = STEPS.map(runStep).filter(Boolean).length;
const failedSteps = STEPS.length - passedSteps;
const first = await runVitest({ root: ROOT, files: testFiles(join(ROOT, 'tests')) });
const { passed, failed, atSecondRun } = await withSecondRun(first, (file) =>
  runVitest({ root: ROOT, files: [file], filters: [file] }),
);

for (const failure of failed) process.stdout.write(`✗ ${failure}\n`);
for (const { file, test } of atSecondRun) process.stdout.write(`passed at the second run: ${file} > ${test}\n`);
process.stdout.write(`${passedSteps + passed} passed, ${failedSteps + failed.length} failed\n`);
process.exitCode = failedSteps + failed.length === 0 ? 0 : 1;
