import { expect, test } from 'vitest';
import { browserClock, browserRandom } from 'weft-sync/browser/clock.ts';
import { browserEnvironment } from 'weft-sync/browser/environment.ts';
import { connectionLocks, sweepConnectionLocks } from 'weft-sync/browser/tabs/connection-locks.ts';
import { browserLocks } from 'weft-sync/browser/tabs/locks.ts';
import { newSession } from '../contract-fixture.ts';
import { locksContract } from './locks.contract.ts';

locksContract('Web Locks', () => () => browserLocks());
locksContract('held connections', () => () => connectionLocks());

/** Another tab. Its locks are released when it closes. */
async function otherTab(): Promise<{ readonly hold: (name: string) => Promise<void>; readonly kill: () => void }> {
  const code = `onmessage = ({ data }) => {
    const request = indexedDB.open(data, 7);
    request.onsuccess = () => postMessage('held');
  };`;
  const worker = new Worker(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })));
  return {
    hold: (name) =>
      new Promise((resolve) => {
        worker.addEventListener('message', () => resolve(), { once: true });
        worker.postMessage(name);
      }),
    kill: () => worker.terminate(),
  };
}

test('[PL2] held connections: a tab that cannot answer keeps its lock until it is gone', async () => {
  const session = newSession();
  const silent = await otherTab();
  await silent.hold(`weft-session:${session}`);
  expect(await connectionLocks().take(session)).toBeNull();
  // Ask again, from other tabs too, while the first request still waits.
  const [again, another] = [connectionLocks(), connectionLocks()];
  expect(await Promise.all([again.take(session), another.take(session)])).toEqual([null, null]);
  silent.kill();
  await expect.poll(async () => (await again.take(session)) !== null, { timeout: 10_000 }).toBe(true);
  expect(await another.take(session)).toBeNull();
});

test('[PL2] held connections: if ten tabs ask for a dead tab’s lock, one gets it, every time', async () => {
  for (let round = 0; round < 5; round++) {
    const session = newSession();
    const dead = await otherTab();
    await dead.hold(`weft-session:${session}`);
    dead.kill();
    const tabs = Array.from({ length: 10 }, () => connectionLocks());
    const owners: (() => void)[] = [];
    const ask = async () => {
      const asked = await Promise.all(tabs.map((tab) => tab.take(session)));
      owners.push(...asked.flatMap((release) => release ?? []));
      return owners.length;
    };
    await expect.poll(ask, { timeout: 10_000 }).toBeGreaterThan(0);
    expect(owners.length).toBe(1);
    for (const release of owners) release();
  }
});

test('[PL2] held connections: a held lock answers quickly, even when many ask', async () => {
  const session = newSession();
  const release = await connectionLocks().take(session);
  for (let n = 0; n < 10; n++) expect(await connectionLocks().take(session)).toBeNull();
  release?.();
});

test('[PL2] held connections: the sweep deletes what dead tabs left and keeps what is in use', async () => {
  const [left, held] = [newSession(), newSession()];
  const dead = await otherTab();
  await dead.hold(`weft-session:${left}`);
  dead.kill();
  const release = await connectionLocks().take(held);
  const names = async () => (await indexedDB.databases()).map(({ name }) => name);
  expect(await names()).toEqual(expect.arrayContaining([`weft-session:${left}`, `weft-session:${held}`]));
  await sweepConnectionLocks(1_000);
  await expect.poll(names).not.toContain(`weft-session:${left}`);
  expect(await names()).toContain(`weft-session:${held}`);
  expect(await connectionLocks().take(held)).toBeNull();
  release?.();
  await expect.poll(names).not.toContain(`weft-session:${held}`);
});

test('[SY10] the browser generates session ids and random numbers, with and without crypto.randomUUID', () => {
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  expect(browserRandom.session()).toMatch(uuid);
  const own = Object.getOwnPropertyDescriptor(Crypto.prototype, 'randomUUID');
  Object.defineProperty(Crypto.prototype, 'randomUUID', { value: undefined, configurable: true });
  expect(browserRandom.session()).toMatch(uuid);
  if (own !== undefined) Object.defineProperty(Crypto.prototype, 'randomUUID', own);
  for (let i = 0; i < 1_000; i++) expect(browserRandom.next()).toSatisfy((next: number) => next >= 0 && next < 1);
});

test('[I9] the environment reports changes, and nothing after it is cancelled', () => {
  const changes: string[] = [];
  const cancel = browserEnvironment.onChange((fact) => changes.push(fact));
  for (const event of ['offline', 'online', 'pagehide']) dispatchEvent(new Event(event));
  document.dispatchEvent(new Event('visibilitychange'));
  dispatchEvent(new PageTransitionEvent('pageshow', { persisted: false }));
  dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
  expect(changes).toEqual(['offline', 'online', 'hidden', 'visible', 'visible']);
  cancel();
  dispatchEvent(new Event('online'));
  expect(changes.length).toBe(5);
});

test('[I9] a cancelled timer does not run', async () => {
  let ran = 0;
  browserClock.after(5, () => void ran++)();
  browserClock.after(5, () => void (ran += 10));
  await new Promise((resolve) => setTimeout(resolve, 40));
  expect(ran).toBe(10);
  // They count from the same year; both are wall clocks, which may be set.
  expect(Math.abs(browserClock.now() - Date.now())).toBeLessThan(60_000);
});
