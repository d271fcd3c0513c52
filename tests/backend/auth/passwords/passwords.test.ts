// Comparing passwords blocks nobody else, and takes as long for an account that does not exist.
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { DEFAULT_AUTH_SETTINGS } from '../../../../backend/auth/settings.ts';
import { PASSWORD, type TestBackend, startTestBackend } from '../../../support/server/backend.ts';

let backend: TestBackend;
beforeAll(async () => {
  backend = await startTestBackend({ auth: { passwordCost: DEFAULT_AUTH_SETTINGS.passwordCost } });
});
afterAll(() => backend.close());

const signIn = (email: string) => backend.anonClient().auth.signInWithPassword({ email, password: 'wrong password' });

/** The computing time of this thread, which the backend shares, in ms. Other programs of the machine do not lengthen it. */
function computedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** For how long this thread computes before each heartbeat on a WebSocket is answered, while `work` runs, in ms. */
async function heartbeatsDuring(work: () => Promise<unknown>): Promise<readonly number[]> {
  const address = `${backend.url.replace('http', 'ws')}/realtime/v1/websocket?vsn=1.0.0&apikey=${backend.server.anonKey}`;
  const socket = new WebSocket(address);
  await new Promise((resolve) => socket.once('open', resolve));
  const times: number[] = [];
  const state = { isDone: false };
  const done = work().finally(() => (state.isDone = true));
  for (let ref = 1; !state.isDone; ref++) {
    const sentAt = computedMs();
    socket.send(JSON.stringify({ topic: 'phoenix', event: 'heartbeat', payload: {}, ref: String(ref) }));
    await new Promise((resolve) => socket.once('message', resolve));
    times.push(computedMs() - sentAt);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await done;
  socket.close();
  return times;
}

describe('twenty sign-ins at the same time', () => {
  test('let the server compute for less than 250 ms before it answers a heartbeat', async () => {
    const { email } = await backend.signUp();
    const times = await heartbeatsDuring(() =>
      Promise.all(
        Array.from({ length: 20 }, () => backend.anonClient().auth.signInWithPassword({ email, password: PASSWORD })),
      ),
    );
    expect(times.length).toBeGreaterThan(5);
    expect(Math.max(...times)).toBeLessThan(250);
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
