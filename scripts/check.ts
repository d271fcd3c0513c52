// `npm run check [-- name …]`: everything that can be known without running Weft. All checks run, whatever fails.
import process from 'node:process';
import { runStep } from './checks/run-step.ts';
import { ARCHITECTURE, STEPS } from './checks/steps.ts';

const names = process.argv.slice(2);
const all = [...STEPS, ARCHITECTURE];
const chosen = names.length === 0 ? all : all.filter((step) => names.includes(step.name));
if (chosen.length < new Set(names).size) {
  process.stderr.write(`There is no such check; there are: ${all.map((step) => step.name).join(', ')}.\n`);
  process.exitCode = 1;
} else if (chosen.map(runStep).includes(false)) {
  process.exitCode = 1;
}
