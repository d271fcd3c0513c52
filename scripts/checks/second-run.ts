// Files with failures run once more, alone: a test that fails once in many runs is a defect to look into, but must not cost a
// whole run.
import type { VitestRun } from './run-vitest.ts';
import type { Failure } from './test-report.ts';

/** More files than this have failed for a reason that a second run would only hide. */
export const MOST_FILES = 3;

export type Outcome = {
  readonly passed: number;
  readonly failed: readonly string[];
  readonly atSecondRun: readonly Failure[];
};

const countOf = ({ passed }: VitestRun, file: string): number => passed.filter((name) => name === file).length;

/**
 * Runs nothing again if more than `MOST_FILES` failed, or something outside of tests, which a second run would not
 * change.
 */
export async function withSecondRun(
  first: VitestRun,
  runAlone: (file: string) => Promise<VitestRun>,
): Promise<Outcome> {
  const files = [...new Set(first.failures.map(({ file }) => file))];
  const hopeless = first.outside.length > 0 || files.length > MOST_FILES;
  let passed = first.passed.length;
  const failed = [...first.outside];
  const atSecondRun: Failure[] = [];
  for (const file of files) {
    const failures = first.failures.filter((failure) => failure.file === file);
    const second = hopeless ? null : await runAlone(file);
    if (second === null || second.outside.length > 0 || second.failures.length > 0) {
      failed.push(...failures.map(({ test, reason }) => `${file} > ${test} (${reason})`), ...(second?.outside ?? []));
    } else {
      passed += countOf(second, file) - countOf(first, file);
      atSecondRun.push(...failures);
    }
  }
  return { passed, failed, atSecondRun };
}
