import { expect, test } from 'vitest';
import { SimClock } from 'weft-sync/testing/sim-clock.ts';
import { refCounted } from '../../src/lib/async/ref-counted.ts';

function counted() {
  const clock = new SimClock();
  const events: string[] = [];
  const things = refCounted<string, { readonly name: string }>({
    open: (name) => {
      events.push(`open ${name}`);
      return { name };
    },
    close: async ({ name }) => void events.push(`close ${name}`),
    lingerMs: 1_000,
    after: (ms, run) => clock.after(ms, run),
  });
  return { clock, events, things };
}

test('two users of one key share one opening, and it closes after the last of them', async () => {
  const { clock, events, things } = counted();
  const first = things.acquire('page');
  const second = things.acquire('page');
  expect(second.value).toBe(first.value);
  first.release();
  await clock.run(5_000);
  expect(events).toEqual(['open page']);
  second.release();
  await clock.run(999);
  expect(events).toEqual(['open page']);
  await clock.run(1);
  expect(events).toEqual(['open page', 'close page']);
  expect(things.openValues()).toEqual([]);
});

test('StrictMode’s mount, unmount, mount opens once and never closes', async () => {
  const { clock, events, things } = counted();
  things.acquire('page').release();
  things.acquire('page');
  await clock.run(60_000);
  expect(events).toEqual(['open page']);
});

test('releasing twice counts once', async () => {
  const { clock, events, things } = counted();
  const first = things.acquire('page');
  things.acquire('page');
  first.release();
  first.release();
  await clock.run(60_000);
  expect(events).toEqual(['open page']);
});

test('closing everything closes what is in use, and a late release does not affect a newer opening', async () => {
  const { clock, events, things } = counted();
  const old = things.acquire('page');
  await things.closeAll();
  expect(events).toEqual(['open page', 'close page']);
  things.acquire('page');
  old.release();
  await clock.run(60_000);
  expect(events).toEqual(['open page', 'close page', 'open page']);
});

test('opening a key that is still closing waits until it has closed or takes too long', async () => {
  const clock = new SimClock();
  const log: string[] = [];
  let closed: () => void = () => undefined;
  const things = refCounted<string, string>({
    open: (name, closing) => {
      if (closing === null) log.push('nothing closes');
      else void closing.then(() => log.push(`waited until ${clock.now() - start}`));
      return name;
    },
    close: () => new Promise<void>((resolve) => (closed = resolve)),
    lingerMs: 100,
    after: (ms, run) => clock.after(ms, run),
  });
  const start = clock.now();
  things.acquire('page').release();
  await clock.run(200);
  const second = things.acquire('page');
  await clock.run(50);
  closed();
  await clock.run(1);
  expect(log).toEqual(['nothing closes', 'waited until 250']);
  second.release();
  await clock.run(200);
  things.acquire('page').release();
  await clock.run(2_000);
  expect(log.slice(2)).toEqual(['waited until 1451']);
  expect(clock.pending).toBe(0);
});
