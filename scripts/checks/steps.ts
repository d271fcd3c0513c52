// The checks that are not tests, as data: what `npm run check` and `npm test` run, and what each one proves.
import { join } from 'node:path';
import { ROOT } from '../root.mjs';

export type Step = {
  readonly name: string;
  /** The statement that a passed check proves. */
  readonly proves: string;
  /** The script of a package, run by this Node. */
  readonly program: string;
  readonly args: readonly string[];
};

const program = (path: string) => join(ROOT, 'node_modules', path);

export const STEPS: readonly Step[] = [
  { name: 'format', proves: 'the files are formatted', program: program('oxfmt/bin/oxfmt'), args: ['--check', '.'] },
  {
    name: 'lint',
    proves: 'no lint findings, with type information',
    program: program('oxlint/bin/oxlint'),
    args: ['--type-aware', '--deny-warnings', '.'],
  },
  { name: 'types', proves: 'the types are correct', program: program('typescript/bin/tsc'), args: ['-p', '.'] },
  {
    name: 'unused',
    proves: 'no unused file, export or package',
    program: program('knip/bin/knip.js'),
    args: ['--treat-config-hints-as-errors'],
  },
  {
    name: 'build',
    proves: 'the app builds',
    program: join(ROOT, 'scripts', 'build.mjs'),
    args: [],
  },
  { name: 'size', proves: 'script stays within its budgets', program: program('size-limit/bin.js'), args: [] },
];

/** A test, so `npm test` runs it with all others; `npm run check` runs it by itself. */
export const ARCHITECTURE: Step = {
  name: 'architecture',
  proves: 'imports follow the layout',
  program: program('vitest/vitest.mjs'),
  args: ['run', '--project=node', 'tests/architecture.test.ts'],
};
