import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readReport, testFiles } from '../../scripts/checks/test-report.ts';
import { ROOT } from '../../scripts/root.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'weft-report-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const FILE = 'tests/lib/sample.test.ts';
const RAN_NO_TEST = { file: FILE, test: 'the file itself', reason: 'ran no test' };

function reportOf(statuses: readonly string[], file: { status: string; message?: string } = { status: 'passed' }) {
  const path = join(folder, 'report.json');
  const assertionResults = statuses.map((status, at) => ({ fullName: `test ${at}`, status }));
  writeFileSync(path, JSON.stringify({ testResults: [{ name: join(ROOT, FILE), assertionResults, ...file }] }));
  return readReport(ROOT, path, [FILE]);
}

test('counts passed tests and names failed ones', () => {
  expect(reportOf(['passed', 'failed', 'passed'], { status: 'failed' })).toEqual({
    passed: [FILE, FILE],
    failures: [{ file: FILE, test: 'test 1', reason: 'failed' }],
  });
});

test.each(['skipped', 'pending', 'todo', 'disabled'])('a test that is %s has failed', (status) => {
  expect(reportOf(['passed', status])).toEqual({
    passed: [FILE],
    failures: [{ file: FILE, test: 'test 1', reason: status }],
  });
});

test('a file that breaks before its first test counts as failed, with the reason', () => {
  expect(reportOf([], { status: 'failed', message: 'Cannot find module\n at …' }).failures).toEqual([
    { file: FILE, test: 'the file itself', reason: 'Cannot find module' },
    RAN_NO_TEST,
  ]);
});

test('a file that no project ran counts as failed', () => {
  const path = join(folder, 'report.json');
  writeFileSync(path, JSON.stringify({ testResults: [] }));
  expect(readReport(ROOT, path, [FILE])).toEqual({ passed: [], failures: [RAN_NO_TEST] });
});

test('a run without a report counts as failed', () => {
  expect(readReport(ROOT, join(folder, 'nowhere.json'), [FILE])).toEqual({ passed: [], failures: [RAN_NO_TEST] });
});

test('finds this file among the tests', () => {
  expect(testFiles(join(ROOT, 'tests'))).toContain('tests/scripts/test-report.test.ts');
});
