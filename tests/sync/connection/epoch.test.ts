import { expect, test } from 'vitest';
import { isNewerEpoch } from 'weft-sync/connection/epoch.ts';

test('[L6] an epoch is newer when one of its numbers is higher; late answers of an older one mean nothing', () => {
  expect(isNewerEpoch('2.1', '1.1')).toBe(true);
  expect(isNewerEpoch('1.2', '1.1')).toBe(true);
  expect(isNewerEpoch('10.1', '9.1')).toBe(true);
  expect(isNewerEpoch('1.1', '1.1')).toBe(false);
  expect(isNewerEpoch('1.1', '2.1')).toBe(false);
  expect(isNewerEpoch('1.1', '1.2')).toBe(false);
});
