// A reporter for vitest: writes how many errors occurred outside of tests, and crashed workers, which its report as JSON lacks.
import { writeFileSync } from 'node:fs';
import process from 'node:process';
import type { Reporter } from 'vitest/node';

export default class UnhandledErrors implements Reporter {
  onTestRunEnd(_modules: unknown, errors: readonly unknown[]): void {
    writeFileSync(process.env['WEFT_UNHANDLED_ERRORS'] ?? '', String(errors.length));
  }
}
