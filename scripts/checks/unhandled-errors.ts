// A reporter for vitest: writes the number of errors outside of tests, crashed workers included, which its report as JSON lacks,
// into the file that `run-vitest.ts` names in WEFT_UNHANDLED_ERRORS.
import { writeFileSync } from 'node:fs';
import process from 'node:process';
import type { Reporter } from 'vitest/node';

export default class UnhandledErrors implements Reporter {
  onTestRunEnd(_modules: unknown, errors: readonly unknown[]): void {
    writeFileSync(process.env['WEFT_UNHANDLED_ERRORS'] ?? '', String(errors.length));
  }
}
