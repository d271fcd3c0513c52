// The pure parts of presence: the state of a topic, and the limit of calls.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { CallLimit } from '../../../backend/realtime/limits/call-limit.ts';
import { DEFAULT_OPTIONS } from '../../../backend/realtime/limits/options.ts';
import { TopicPresence } from '../../../backend/realtime/topic/topic-presence.ts';

test('after any calls, the state holds exactly the last payload of each owner', () => {
  const call = fc.record({
    owner: fc.constantFrom('o1', 'o2', 'o3'),
    payload: fc.option(fc.record({ n: fc.integer({ min: 0, max: 2 }) }, { noNullPrototype: true })),
  });
  fc.assert(
    fc.property(fc.array(call), (calls) => {
      const presence = new TopicPresence(DEFAULT_OPTIONS);
      const latest = new Map<string, { n: number }>();
      for (const { owner, payload } of calls) {
        const before = latest.get(owner)?.n ?? null;
        const diff =
          payload === null
            ? presence.untrack(owner)
            : presence.track({ channel: owner, person: 'alice' }, 'key', payload);
        if (payload === null) latest.delete(owner);
        else latest.set(owner, payload);
        expect(diff !== null).toBe(before !== (payload?.n ?? null));
      }
      const state: { key?: { metas: { n: number }[] } } = JSON.parse(presence.text());
      const metas = state.key?.metas ?? [];
      const sorted = (numbers: unknown[]) => numbers.map(Number).toSorted((a, b) => a - b);
      expect(sorted(metas.map(({ n }) => n))).toEqual(sorted([...latest.values()].map(({ n }) => n)));
    }),
  );
});

test('a call limit counts from the first call and starts anew after the window', () => {
  const limit = new CallLimit(2, 100);
  expect([0, 50, 100, 101, 150, 201, 202].map((now) => limit.take(now))).toEqual([
    true,
    true,
    false,
    true,
    true,
    false,
    true,
  ]);
});
