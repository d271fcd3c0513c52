import { expect, test, vi } from 'vitest';
import { askToPersistOnce } from '../../../../src/platform/browser/storage/persistence.ts';

function profile(answer: () => Promise<boolean>) {
  const stored = new Map<string, string>();
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  };
  const persist = vi.fn<() => Promise<boolean>>(answer);
  return { storage, persist, ask: () => askToPersistOnce(storage, { persist }) };
}

test('a browser is asked once, whatever it answers', async () => {
  for (const answer of [async () => true, async () => false, () => Promise.reject(new Error('no'))]) {
    const { ask, persist } = profile(answer);
    ask();
    ask();
    await Promise.resolve();
    ask();
    expect(persist).toHaveBeenCalledOnce();
  }
});

test('a question that the person leaves open is not asked again by the next page', () => {
  const { ask, persist, storage } = profile(() => new Promise(() => undefined));
  ask();
  askToPersistOnce(storage, { persist });
  expect(persist).toHaveBeenCalledOnce();
});

test('nothing is asked if the browser does not support it or could not remember it', () => {
  const { persist, storage } = profile(async () => true);
  askToPersistOnce(storage, undefined);
  const full = {
    getItem: () => null,
    setItem: () => {
      throw new Error('full');
    },
  };
  askToPersistOnce(full, { persist });
  expect(persist).not.toHaveBeenCalled();
});
