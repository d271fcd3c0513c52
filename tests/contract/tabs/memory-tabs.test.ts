import { expect, test } from 'vitest';
import { browserClock } from '../../../src/platform/browser/clock.ts';
import { MemoryTabs } from '../../memory/memory-tabs.ts';
import { SimClock } from '../../memory/sim-clock.ts';
import { bytes } from '../stage.ts';
import { listening, newDocument, tabsContract } from './tabs.contract.ts';

tabsContract('memory', () => {
  const tabs = new MemoryTabs(browserClock);
  return () => tabs.tab();
});

test('[TB1] memory: a message arrives when its carrier delivers it, late or never', async () => {
  const clock = new SimClock();
  const tabs = new MemoryTabs(clock);
  const page = newDocument();
  const held: (() => void)[] = [];
  const alice = listening(tabs.tab(), page);
  const punctual = listening(tabs.tab(), page);
  const late = listening(
    tabs.tab((deliver) => void held.push(deliver)),
    page,
  );
  const deaf = listening(
    tabs.tab(() => undefined),
    page,
  );
  alice.post(bytes(1));
  expect(punctual.heard).toEqual([]);
  await clock.run(10_000);
  expect([punctual.heard, late.heard, deaf.heard]).toEqual([[bytes(1)], [], []]);
  for (const deliver of held) deliver();
  expect(late.heard).toEqual([bytes(1)]);
});

test('[TB2] memory: a killed tab receives nothing more and leaves nothing behind', async () => {
  const clock = new SimClock();
  const tabs = new MemoryTabs(clock);
  const page = newDocument();
  const killed = tabs.tab();
  const [alice, bob] = [listening(tabs.tab(), page), listening(killed, page)];
  alice.post(bytes(1));
  killed.die();
  bob.post(bytes(2));
  const ghost = listening(killed, page);
  alice.post(bytes(3));
  await clock.run(1_000);
  expect([alice.heard, bob.heard, ghost.heard]).toEqual([[], [], []]);
  expect(tabs.joined).toBe(1);
  alice.leave();
  expect([tabs.joined, clock.pending]).toEqual([0, 0]);
});
