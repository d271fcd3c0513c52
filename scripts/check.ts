// `npm run check [-- name …]`: the checks that do not run Weft. Runs all of them, even when one fails.
import process from 'node:process';
import { runStep } from './checks/run-step.ts';
import { ARCHITECTURE, STEPS } from './checks/steps.ts';

const names = process.argv.slice(2);
const all = [...STEPS, ARCHITECTURE];
const chosen = names.length === 0 ? all : all.filter((step) => names.includes(step.name));
if (chosen.length < new Set(names).size) {
  process.stderr.write(`Unknown check. The checks are: ${all.map((step) => step.name).join(', ')}.\n`);
  process.exitCode = 1;
} else if (chosen.map(runStep).includes(false)) {
  process.exitCode = 1;
}
