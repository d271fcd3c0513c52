import { afterEach, expect, test } from 'vitest';
import { quietLog } from '../../../backend/lite/quiet-log.ts';

const log = globalThis.console;
const original = { error: log.error, warn: log.warn };
let restore = () => {};
afterEach(() => {
  restore();
  Object.assign(log, original);
});

function listen(): unknown[][] {
  const heard: unknown[][] = [];
  log.error = (...parts: unknown[]) => void heard.push(parts);
  log.warn = (...parts: unknown[]) => void heard.push(parts);
  return heard;
}

const databaseError = (code: string, message: string) =>
  Object.assign(new Error(message), { severity: 'ERROR', code, params: ['secret'] });

test('refusals are silent, trouble of the database is one line without parameters', () => {
  const heard = listen();
  restore = quietLog();
  log.error(databaseError('42501', 'permission denied'));
  log.error(databaseError('53100', 'disk full'));
  log.error('Auth error:', databaseError('P0001', 'refused'));
  log.error('something else', 1);
  log.warn('EXPERIMENTAL FEATURES ENABLED: storage');
  log.warn('a warning');
  expect(heard).toEqual([
    ['53100: disk full'],
    ['Auth error:', 'P0001: refused'],
    ['something else', 1],
    ['a warning'],
  ]);
});

test('the console is itself again afterwards', () => {
  const heard = listen();
  const before = { error: log.error, warn: log.warn };
  const [endFirst, endSecond] = [quietLog(), quietLog()];
  endFirst();
  log.error(databaseError('42501', 'permission denied'));
  endSecond();
  expect({ error: log.error, warn: log.warn }).toEqual(before);
  expect(heard).toEqual([]);
});
