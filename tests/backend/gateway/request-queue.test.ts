// Turns of one caller's requests: how many run at a time, in which order, and that other callers do not wait.
import { expect, test } from 'vitest';
import { RequestQueue } from '../../../backend/gateway/request-queue.ts';

/** Requests that run until they are finished by hand. */
class Requests {
  readonly started: string[] = [];
  readonly #finish = new Map<string, () => void>();
  readonly #queue: RequestQueue;

  constructor(queue: RequestQueue) {
    this.#queue = queue;
  }

  send(caller: string | null, name: string): Promise<string> {
    return this.#queue.run(caller, async () => {
      this.started.push(name);
      await new Promise<void>((resolve) => this.#finish.set(name, resolve));
      return name;
    });
  }

  finish(name: string): void {
    this.#finish.get(name)?.();
  }
}

test('two run at a time, the others in the order in which they came', async () => {
  const queue = new RequestQueue(2);
  const requests = new Requests(queue);
  const sent = ['a', 'b', 'c', 'd'].map((name) => requests.send('one', name));
  expect(requests.started).toEqual(['a', 'b']);
  requests.finish('b');
  await expect.poll(() => requests.started).toEqual(['a', 'b', 'c']);
  requests.finish('a');
  await expect.poll(() => requests.started).toEqual(['a', 'b', 'c', 'd']);
  for (const name of ['c', 'd']) requests.finish(name);
  expect(await Promise.all(sent)).toEqual(['a', 'b', 'c', 'd']);
  await expect.poll(() => queue.callers).toBe(0);
});

test('another caller does not wait, and no one without limits does', () => {
  const requests = new Requests(new RequestQueue(1));
  for (const name of ['a', 'b']) void requests.send('one', name);
  void requests.send('other', 'c');
  for (const name of ['d', 'e']) void requests.send(null, name);
  expect(requests.started).toEqual(['a', 'c', 'd', 'e']);
});

test('requests that are answered at once leave the event loop between them', async () => {
  const queue = new RequestQueue(2);
  let turn = 0;
  const count = () => {
    turn++;
    immediate = setImmediate(count);
  };
  let immediate = setImmediate(count);
  const turns = await Promise.all(Array.from({ length: 10 }, () => queue.run('one', async () => turn)));
  clearImmediate(immediate);
  expect(
    Map.groupBy(turns, (one) => one)
      .values()
      .every((group) => group.length <= 2),
  ).toBe(true);
});

test('a request that fails makes room too', async () => {
  const queue = new RequestQueue(1);
  await expect(queue.run('one', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await queue.run('one', async () => 'next')).toBe('next');
});
