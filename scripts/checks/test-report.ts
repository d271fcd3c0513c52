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

export type Report = { readonly passed: number; readonly failures: string[] };

/** `files` are all test files, relative to the checkout. Each one must have run at least one test. */
export function readReport(path: string, files: readonly string[]): Report {
  if (!existsSync(path)) return { passed: 0, failures: ['vitest wrote no report'] };
  const { testResults } = v.parse(reportSchema, JSON.parse(readFileSync(path, 'utf8')));
  const failures: string[] = [];
  const ran = new Set<string>();
  let passed = 0;
  for (const file of testResults) {
    const name = relative(ROOT, file.name);
    if (file.assertionResults.length > 0) ran.add(name);
    for (const test of file.assertionResults) {
      if (test.status === 'passed') passed++;
      else failures.push(`${name}: ${test.fullName} (${test.status})`);
    }
    const hasFailedTest = file.assertionResults.some((test) => test.status === 'failed');
    if (file.status === 'failed' && !hasFailedTest) failures.push(`${name}: ${file.message.split('\n')[0] ?? ''}`);
  }
  for (const file of files) if (!ran.has(file)) failures.push(`${file}: ran no test`);
  return { passed, failures };
}

/** All test files below a folder, relative to the checkout. */
export function testFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.test\.tsx?$/.test(name))
    .map((name) => relative(ROOT, join(folder, name)).split(sep).join('/'));
}
