import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SLOW_FILES } from '../../scripts/checks/slow-first.ts';
import { ROOT } from '../../scripts/root.mjs';

test('every file that starts early exists', () => {
  expect(SLOW_FILES.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
});
