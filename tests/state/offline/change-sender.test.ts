// Changes that wait on this device are sent until the server has answered, beside other tabs that do the same.
import { createStore } from 'jotai/vanilla';
import { expect, test } from 'vitest';
import { weftError } from 'weft-sync/protocol/errors.ts';
import { SimClock } from 'weft-sync/testing/sim-clock.ts';
import { type Result, err, ok } from '../../../src/lib/result.ts';
import { changeSender } from '../../../src/state/offline/change-sender.ts';
import type { WaitingChange } from '../../../src/state/offline/waiting-changes.ts';

type Words = WaitingChange & { readonly words: string };

/** A tab on a device whose queue other tabs write too, and a server that answers each call when it is told to. */
function tab() {
  const clock = new SimClock();
  const queue = new Map<string, Words>();
  const sent: string[] = [];
  const answers: ((answer: Result<null, ReturnType<typeof weftError>>) => void)[] = [];
  const store = createStore();
  const sender = changeSender<Words, null>({
    store,
    queue: {
      put: async (change, replaced) => {
        for (const key of replaced) queue.delete(key);
        queue.set(change.key, change);
      },
      list: async () => Array.from(queue.values()),
      keys: async () => new Set(queue.keys()),
      remove: async (key) => void queue.delete(key),
    },
    timing: { now: () => clock.now(), random: () => 0.5, after: (ms, run) => clock.after(ms, run) },
    call({ words }) {
      sent.push(words);
      return new Promise((done) => answers.push(done));
    },
    onSent: async () => undefined,
    onRefused: (change, { code }) => ({ ...change, refused: code }),
    isHeld: () => false,
    onChanged: () => undefined,
  });
  const shown = () => store.get(sender.atom).map(({ words, refused = null }) => [words, refused]);
  return {
    clock,
    queue,
    sent,
    sender,
    shown,
    answer: (answer: Parameters<(typeof answers)[0]>[0]) => answers.shift()?.(answer),
  };
}

test('[CQ1] what another tab replaced while its call was on its way is not sent again', async () => {
  const { clock, queue, sent, sender, shown, answer } = tab();
  sender.add({ key: 'a', madeAt: 1, words: 'Frist' }, []);
  await clock.run(10);
  queue.delete('a');
  queue.set('b', { key: 'b', madeAt: 2, words: 'First' });
  await sender.refresh();
  answer(err(weftError('WF011')));
  await clock.run(60_000);
  answer(ok(null));
  await clock.run(60_000);
  expect([sent, shown(), queue.size]).toEqual([['Frist', 'First'], [], 0]);
});

test('[CQ1] rejected words that another tab replaced meanwhile are not kept', async () => {
  const { clock, queue, sender, shown, answer } = tab();
  sender.add({ key: 'a', madeAt: 1, words: 'Frist' }, []);
  await clock.run(10);
  queue.delete('a');
  queue.set('b', { key: 'b', madeAt: 2, words: 'First', refused: 'WF002' });
  answer(err(weftError('WF002')));
  await clock.run(10);
  await sender.refresh();
  expect([shown(), Array.from(queue.keys())]).toEqual([[['First', 'WF002']], ['b']]);
});

test('[CQ1] rejected words are kept with the newer ones of another tab that was rejected too', async () => {
  const { clock, queue, sender, shown, answer } = tab();
  sender.add({ key: 'a', madeAt: 1, words: 'Frist' }, []);
  await clock.run(10);
  queue.set('a', { key: 'a', madeAt: 1, words: 'First', refused: 'WF002' });
  answer(err(weftError('WF002')));
  await clock.run(10);
  expect([shown(), queue.get('a')?.words]).toEqual([[['First', 'WF002']], 'First']);
});
