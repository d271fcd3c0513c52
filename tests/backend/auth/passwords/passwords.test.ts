// Comparing passwords blocks no one else, and takes as long for an account that does not exist.
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Passwords } from '../../../../backend/auth/passwords/passwords.ts';
import { DEFAULT_AUTH_SETTINGS } from '../../../../backend/auth/settings.ts';
import { PASSWORD, type TestBackend, startTestBackend } from '../../../support/server/backend.ts';

let backend: TestBackend;
beforeAll(async () => {
  backend = await startTestBackend({ auth: { passwordCost: DEFAULT_AUTH_SETTINGS.passwordCost } });
});
afterAll(() => backend.close());

const signIn = (email: string) => backend.anonClient().auth.signInWithPassword({ email, password: 'wrong password' });

/** The part of this process's computing time that falls to this thread while `work` runs. The backend answers on it. */
async function shareOfThisThread(work: () => Promise<unknown>): Promise<number> {
  const [threadBefore, processBefore] = [process.threadCpuUsage(), process.cpuUsage()];
  await work();
  const [thread, all] = [process.threadCpuUsage(threadBefore), process.cpuUsage(processBefore)];
  return (thread.user + thread.system) / (all.user + all.system);
}

describe('twenty sign-ins at the same time', () => {
  test('compute on other threads than the one that answers everyone', async () => {
    const { email } = await backend.signUp();
    const share = await shareOfThisThread(() =>
      Promise.all(
        Array.from({ length: 20 }, () => backend.anonClient().auth.signInWithPassword({ email, password: PASSWORD })),
      ),
    );
    expect(share).toBeLessThan(0.5);
  });
});

describe('a wrong password', () => {
  test('is refused no sooner for an account that does not exist', async () => {
    const { email } = await backend.signUp();
    const known: number[] = [];
    const unknown: number[] = [];
    // Alternating, so that other load on the machine affects both.
    for (let i = 0; i < 12; i++) {
      for (const [address, times] of [
        [email, known],
        ['nobody@example.com', unknown],
      ] as const) {
        const startedAt = performance.now();
        await signIn(address);
        times.push(performance.now() - startedAt);
      }
    }
    // bcrypt takes some 90 % of the time: without it, the refusal would take a tenth. On a busy machine even the fastest of
    // twelve is up to twice as slow.
    const fastest = (times: readonly number[]) => Math.min(...times);
    expect(fastest(unknown) / fastest(known)).toBeGreaterThan(1 / 3);
    expect(fastest(unknown) / fastest(known)).toBeLessThan(3);
  });
});

test('a password that comes right after the worker has crashed is checked by the next worker', async () => {
  const passwords = new Passwords(4);
  const notText: string = JSON.parse('1');
  await expect(passwords.hash(notText)).rejects.toThrow('Passwords cannot be checked now');
  expect(await passwords.matches('a password', null)).toBe(false);
  await passwords.close();
});
