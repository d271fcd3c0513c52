import { expect, test } from 'vitest';
import { coalesced } from '../../src/lib/async/coalesced.ts';

test('calls during a run share the next one, and each waits for a run that began after it', async () => {
  const ends: (() => void)[] = [];
  const call = coalesced(() => new Promise((resolve) => ends.push(resolve)));
  const done: string[] = [];
  const note = (name: string, promise: Promise<void>) => promise.then(() => done.push(name));
  const all = [note('a', call()), note('b', call()), note('c', call())];
  expect(ends).toHaveLength(1);
  ends[0]?.();
  await all[0];
  expect(done).toEqual(['a']);
  expect(ends).toHaveLength(2);
  // A call during the second run waits for a third.
  all.push(note('d', call()));
  ends[1]?.();
  await all[2];
  expect(done).toEqual(['a', 'b', 'c']);
  expect(ends).toHaveLength(3);
  ends[2]?.();
  await all[3];
  // Nothing runs any more: the next call begins at once.
  const last = call();
  expect(ends).toHaveLength(4);
  ends[3]?.();
  await last;
});
