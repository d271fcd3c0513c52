// Runs the test of an adapter against a deliberately broken build of it.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import * as v from 'valibot';
import { ROOT } from '../../../scripts/root.mjs';

const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');
const CONFIG = join(import.meta.dirname, 'mutated-vitest.ts');

const assertion = v.object({ status: v.string(), fullName: v.string() });
const report = v.object({ testResults: v.array(v.object({ assertionResults: v.array(assertion) })) });

/** The titles of the tests in this file that fail. Throws if none ran: then nothing is known about the mutant. */
export async function failedTests(mutantId: string, testFile: string): Promise<readonly string[]> {
  const { testResults } = await vitestReport(mutantId, testFile);
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  if (tests.length === 0) throw new Error(`no test of ${testFile} ran with the mutant ${mutantId}`);
  return tests.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName);
}

async function vitestReport(mutantId: string, testFile: string): Promise<v.InferOutput<typeof report>> {
  const folder = await mkdtemp(join(tmpdir(), 'weft-mutant-'));
  const file = join(folder, 'report.json');
  const args = [VITEST, 'run', '--config', CONFIG, '--reporter=json', `--outputFile=${file}`, testFile];
  const env = { ...process.env, WEFT_MUTANT: mutantId };
  try {
    // Its exit code says that tests failed, as they should.
    await new Promise<void>((resolve) => void execFile(process.execPath, args, { cwd: ROOT, env }, () => resolve()));
    return v.parse(report, JSON.parse(await readFile(file, 'utf8')));
  } finally {
    await rm(folder, { recursive: true });
  }
}
