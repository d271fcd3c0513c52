// A port that loads at its first call (`lazy-port.ts`).
import { expect, test } from 'vitest';
import { ok } from '../../../src/lib/result.ts';
import { lazyPort } from '../../../src/platform/supabase/lazy-port.ts';

const load = async () => ({ count: async (upTo: number) => ok(upTo) });

test('a call loads the port and answers with what it answers', async () => {
  expect(await lazyPort(load).count(3)).toEqual(ok(3));
});

test('a port that does not load answers that the server cannot be reached', async () => {
  const port = lazyPort<Awaited<ReturnType<typeof load>>>(() => Promise.reject(new Error('no chunk')));
  expect(await port.count(3)).toMatchObject({ ok: false, error: { code: 'WF011' } });
});

test('methods of its own stand beside those that load', async () => {
  const port = lazyPort(load, { open: (name: string) => `open ${name}` });
  expect(port.open('page')).toBe('open page');
  expect(await port.count(2)).toEqual(ok(2));
});
