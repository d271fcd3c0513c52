// Yjs looks at all updates again for each struct that it writes, so it merges only a few at a time.
import { expect, test, vi } from 'vitest';
import { mergeUpdates } from 'weft-sync/updates/merge-updates.ts';
import * as Y from 'yjs';

const merges = vi.hoisted(() => ({ sizes: new Array<number>() }));
vi.mock('yjs', async (original) => {
  const yjs = await original<typeof Y>();
  const counted = (updates: Uint8Array[]) => {
    merges.sizes.push(updates.length);
    return yjs.mergeUpdates(updates);
  };
  return { ...yjs, mergeUpdates: counted };
});

test('[D2] a long time without network is merged in groups: the work grows with it, not with its square', () => {
  const doc = new Y.Doc();
  const updates: Uint8Array<ArrayBuffer>[] = [];
  doc.on('update', (update: Uint8Array) => updates.push(new Uint8Array(update)));
  for (let i = 0; i < 5_000; i++) doc.getText('t').insert(i % 3 === 0 ? 0 : i, 'x');
  const copy = new Y.Doc();
  Y.applyUpdate(copy, mergeUpdates(updates));
  expect(copy.getText('t').toString()).toBe(doc.getText('t').toString());
  expect(Math.max(...merges.sizes)).toBeLessThanOrEqual(16);
  expect(merges.sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(1.1 * updates.length);
});
