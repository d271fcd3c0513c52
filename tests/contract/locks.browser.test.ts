import { expect, test } from 'vitest';
import { browserClock, browserRandom } from '../../src/platform/browser/clock.ts';
import { browserLocks, heartbeatLocks } from '../../src/platform/browser/locks.ts';
import { browserSurroundings } from '../../src/platform/browser/surroundings.ts';
import { newSession } from './stage.ts';
import { locksContract } from './locks.contract.ts';

locksContract('Web Locks', () => () => browserLocks());
locksContract('heartbeats', () => () => heartbeatLocks(localStorage));

test('[PL2] heartbeats: a tab that has not been heard of for long is gone', async () => {
  const session = newSession();
  localStorage.setItem(`weft-session:${session}`, String(Date.now() - 10 * 60_000));
  const release = await heartbeatLocks(localStorage).take(session);
  expect(release).not.toBeNull();
  release?.();
  expect(localStorage.getItem(`weft-session:${session}`)).toBeNull();
});

test('[SY10] the browser draws sessions and numbers, with and without crypto.randomUUID', () => {
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  expect(browserRandom.session()).toMatch(uuid);
  const own = Object.getOwnPropertyDescriptor(Crypto.prototype, 'randomUUID');
  Object.defineProperty(Crypto.prototype, 'randomUUID', { value: undefined, configurable: true });
  expect(browserRandom.session()).toMatch(uuid);
  if (own !== undefined) Object.defineProperty(Crypto.prototype, 'randomUUID', own);
  for (let i = 0; i < 1_000; i++) expect(browserRandom.next()).toSatisfy((next: number) => next >= 0 && next < 1);
});

test('[I9] surroundings tell what happens and are silent once cancelled', () => {
  const said: string[] = [];
  const cancel = browserSurroundings.onChange((fact) => said.push(fact));
  for (const event of ['offline', 'online', 'pagehide']) dispatchEvent(new Event(event));
  document.dispatchEvent(new Event('visibilitychange'));
  dispatchEvent(new PageTransitionEvent('pageshow', { persisted: false }));
  dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
  expect(said).toEqual(['offline', 'online', 'hidden', 'visible', 'visible']);
  cancel();
  dispatchEvent(new Event('online'));
  expect(said.length).toBe(5);
});

test('[I9] a cancelled timer does not run', async () => {
  let ran = 0;
  browserClock.after(5, () => void ran++)();
  browserClock.after(5, () => void (ran += 10));
  await new Promise((resolve) => setTimeout(resolve, 40));
  expect(ran).toBe(10);
  expect(Math.abs(browserClock.now() - Date.now())).toBeLessThan(50);
});
