import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ROOT } from '../../scripts/root.mjs';
import { readReport, testFiles } from '../../scripts/checks/test-report.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'weft-report-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const FILE = 'tests/lib/sample.test.ts';

function reportOf(statuses: readonly string[], file: { status: string; message?: string } = { status: 'passed' }) {
  const path = join(folder, 'report.json');
  const assertionResults = statuses.map((status, at) => ({ fullName: `test ${at}`, status }));
  writeFileSync(path, JSON.stringify({ testResults: [{ name: join(ROOT, FILE), assertionResults, ...file }] }));
  return readReport(path, [FILE]);
}

test('counts passed tests and names failed ones', () => {
  expect(reportOf(['passed', 'failed', 'passed'], { status: 'failed' })).toEqual({
    passed: 2,
    failures: [`${FILE}: test 1 (failed)`],
  });
});

test.each(['skipped', 'pending', 'todo', 'disabled'])('a test that is %s has failed', (status) => {
  expect(reportOf(['passed', status])).toEqual({ passed: 1, failures: [`${FILE}: test 1 (${status})`] });
});

test('a file that breaks before its first test counts as failed, with the reason', () => {
  expect(reportOf([], { status: 'failed', message: 'Cannot find module\n at …' }).failures).toEqual([
    `${FILE}: Cannot find module`,
    `${FILE}: ran no test`,
  ]);
});

test('a file that no project ran counts as failed', () => {
  const path = join(folder, 'report.json');
  writeFileSync(path, JSON.stringify({ testResults: [] }));
  expect(readReport(path, [FILE])).toEqual({ passed: 0, failures: [`${FILE}: ran no test`] });
});

test('a run without a report counts as failed', () => {
  expect(readReport(join(folder, 'nowhere.json'), [FILE]).failures).toEqual(['vitest wrote no report']);
});

test('finds this file among the tests', () => {
  expect(testFiles(join(ROOT, 'tests'))).toContain('tests/scripts/test-report.test.ts');
});
