// Finds the line of PostgreSQL's log that explains why it ended.
import { expect, test } from 'vitest';
import { ServerLog } from '../../../backend/postgres/server-log.ts';

const READY = 'LOG:  database system is ready to accept connections';
const CRASH = 'LOG:  all server processes terminated; reinitializing';

/** The explanation after these lines, each with the time and the process id that PostgreSQL puts before it. */
function complaintAfter(...lines: readonly string[]): string | null {
  const log = new ServerLog(null, () => {});
  for (const line of lines) log.add(Buffer.from(`2026-11-22 16:00:00.000 UTC [42] ${line}\n`));
  return log.complaint;
}

test('the first error of a start that fails explains it, because the later ones follow from it', () => {
  expect(complaintAfter('PANIC:  could not locate a valid checkpoint record', 'FATAL:  startup failed')).toBe(
    'could not locate a valid checkpoint record',
  );
});

test('an error from before PostgreSQL was ready does not explain a later end', () => {
  expect(complaintAfter('FATAL:  could not open file "x"', READY)).toBeNull();
});

test('an error that ended one connection does not explain the end of the server', () => {
  expect(complaintAfter(READY, 'FATAL:  sorry, too many clients already')).toBeNull();
  expect(complaintAfter('FATAL:  the database system is starting up')).toBeNull();
  expect(complaintAfter('FATAL:  the database system is in recovery mode')).toBeNull();
  expect(complaintAfter('FATAL:  the database system is not yet accepting connections')).toBeNull();
});

test('an error after many refused connections is still found', () => {
  const refused = Array.from({ length: 100 }, () => 'FATAL:  the database system is starting up');
  expect(complaintAfter(...refused, 'FATAL:  could not write to file: No space left on device')).toBe(
    'could not write to file: No space left on device',
  );
});

test('an error while PostgreSQL recovers from a crash explains its end', () => {
  expect(complaintAfter(READY, CRASH, 'FATAL:  could not write to file: No space left on device')).toBe(
    'could not write to file: No space left on device',
  );
  expect(complaintAfter(READY, 'PANIC:  could not fsync file', CRASH, 'FATAL:  startup failed')).toBe(
    'could not fsync file',
  );
  expect(complaintAfter(READY, 'PANIC:  could not fsync file', CRASH, READY)).toBeNull();
});
