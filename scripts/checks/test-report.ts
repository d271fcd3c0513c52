// Reads vitest's report strictly: a test that was skipped, marked as todo or never ran counts as failed.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import * as v from 'valibot';
import { ROOT } from '../root.mjs';

const reportSchema = v.object({
  testResults: v.array(
    v.object({
      name: v.string(),
      status: v.string(),
      message: v.optional(v.string(), ''),
      assertionResults: v.array(v.object({ fullName: v.string(), status: v.string() })),
    }),
  ),
});

export type Failure = { readonly file: string; readonly test: string; readonly reason: string };
/** `passed` has the file of each test that passed. */
export type Report = { readonly passed: readonly string[]; readonly failures: readonly Failure[] };

/** Each of `files`, which are relative to the root, must have run at least one test. */
export function readReport(root: string, path: string, files: readonly string[]): Report {
  const failures: Failure[] = [];
  const passed: string[] = [];
  const ran = new Set<string>();
  const testResults = existsSync(path) ? v.parse(reportSchema, JSON.parse(readFileSync(path, 'utf8'))).testResults : [];
  for (const result of testResults) {
    const file = relative(root, result.name).split(sep).join('/');
    if (result.assertionResults.length > 0) ran.add(file);
    for (const test of result.assertionResults) {
      if (test.status === 'passed') passed.push(file);
      else failures.push({ file, test: test.fullName, reason: test.status });
    }
    const hasFailedTest = result.assertionResults.some((test) => test.status === 'failed');
    if (result.status === 'failed' && !hasFailedTest) {
      failures.push({ file, test: 'the file itself', reason: result.message.split('\n')[0] ?? '' });
    }
  }
  for (const file of files) if (!ran.has(file)) failures.push({ file, test: 'the file itself', reason: 'ran no test' });
  return { passed, failures };
}

/** All test files below a folder, relative to the checkout. */
export function testFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.test\.tsx?$/.test(name))
    .map((name) => relative(ROOT, join(folder, name)).split(sep).join('/'));
}
