import { expect, test } from 'vitest';
import { toWeftError } from 'weft-sync/supabase/to-weft-error.ts';

test.each([
  [{ code: 'WF009', message: 'This link no longer works.', details: 'revoked' }, 400, 'WF009'],
  [{ code: '', message: 'TypeError: Failed to fetch' }, 0, 'WF011'],
  [{ code: 'PGRST301', message: 'JWT expired' }, 401, 'WF003'],
  [{ code: 'PGRST303', message: 'JWT issued at future' }, 400, 'WF003'],
  [{ code: '42501', message: 'permission denied for table' }, 401, 'WF003'],
  [{ code: '42501', message: 'permission denied for table' }, 403, 'WF001'],
  [{ code: '', message: 'Too Many Requests' }, 429, 'WF008'],
  [{ code: '57014', message: 'canceling statement due to statement timeout' }, 500, 'WF011'],
  [{ code: '53300', message: 'too many connections' }, 400, 'WF011'],
  [{ code: '', message: 'Bad gateway' }, 502, 'WF011'],
  [{ code: '23514', message: 'check constraint' }, 400, 'unknown'],
  [{ code: 'WF999', message: 'not of the catalogue' }, 400, 'unknown'],
] as const)('%j with status %i is %s', (error, status, code) => {
  expect(toWeftError(error, status).code).toBe(code);
});
