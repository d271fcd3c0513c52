// Runs a TypeScript file in its own Node process with --expose-gc, and parses the JSON that it prints.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as v from 'valibot';

const TIMEOUT_MS = 120_000;

export async function runWithGc<Schema extends v.GenericSchema>(
  schema: Schema,
  file: string,
  ...args: readonly string[]
): Promise<v.InferOutput<Schema>> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', '--no-warnings', file, ...args], {
    timeout: TIMEOUT_MS,
  });
  const answer: unknown = JSON.parse(stdout);
  return v.parse(schema, answer);
}
