import { expect, test } from 'vitest';
import { MemoryLocks } from 'weft-sync/testing/memory-locks.ts';
import { newSession } from '../contract-fixture.ts';
import { locksContract } from './locks.contract.ts';

locksContract('memory', () => {
  const locks = new MemoryLocks();
  return () => locks.tab();
});

test('[PL2] memory: a killed tab releases all its locks', async () => {
  const locks = new MemoryLocks();
  const tab = locks.tab();
  const session = newSession();
  await tab.take(session);
  tab.die();
  expect(locks.held).toBe(0);
  expect(await locks.tab().take(session)).not.toBeNull();
});
