// Changes that wait on this device, and what is stored of them.
import { createStore } from 'jotai/vanilla';
import { expect, test } from 'vitest';
import { type WaitingChange, waitingChanges } from '../../../src/state/offline/waiting-changes.ts';

test('a stored change that can’t be read is still shown, and not taken for one that another tab sent', async () => {
  const keys = new Set<string>();
  const gone: string[] = [];
  const store = createStore();
  const waiting = waitingChanges<WaitingChange>(
    store,
    {
      put: async ({ key }) => void keys.add(key),
      list: async () => [],
      keys: async () => new Set(keys),
      remove: async (key) => void keys.delete(key),
    },
    () => undefined,
    async (changes) => void gone.push(...changes.map(({ key }) => key)),
  );
  waiting.add({ key: 'k', madeAt: 1 }, []);
  await Promise.resolve();
  await waiting.refresh();
  expect([store.get(waiting.atom).map(({ key }) => key), gone]).toEqual([['k'], []]);
  keys.clear();
  await waiting.refresh();
  expect(gone).toEqual(['k']);
});
