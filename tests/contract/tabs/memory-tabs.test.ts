import { expect, test } from 'vitest';
import { browserClock } from 'weft-sync/browser/clock.ts';
import { MemoryTabs } from 'weft-sync/testing/memory-tabs.ts';
import { SimClock } from 'weft-sync/testing/sim-clock.ts';
import { bytes } from '../contract-fixture.ts';
import { recordingTab, newDocument, tabsContract } from './tabs.contract.ts';

tabsContract('memory', () => {
  const tabs = new MemoryTabs(browserClock);
  return () => tabs.tab();
});

test('[TB1] memory: a message arrives when its transfer delivers it, late or never', async () => {
  const clock = new SimClock();
  const tabs = new MemoryTabs(clock);
  const page = newDocument();
  const held: (() => void)[] = [];
  const alice = recordingTab(tabs.tab(), page);
  const punctual = recordingTab(tabs.tab(), page);
  const late = recordingTab(
    tabs.tab((deliver) => void held.push(deliver)),
    page,
  );
  const deaf = recordingTab(
    tabs.tab(() => undefined),
    page,
  );
  alice.post(bytes(1));
  expect(punctual.received).toEqual([]);
  await clock.run(10_000);
  expect([punctual.received, late.received, deaf.received]).toEqual([[bytes(1)], [], []]);
  for (const deliver of held) deliver();
  expect(late.received).toEqual([bytes(1)]);
});

test('[TB2] memory: a killed tab receives nothing more and leaves nothing behind', async () => {
  const clock = new SimClock();
  const tabs = new MemoryTabs(clock);
  const page = newDocument();
  const killed = tabs.tab();
  const [alice, bob] = [recordingTab(tabs.tab(), page), recordingTab(killed, page)];
  alice.post(bytes(1));
  killed.die();
  bob.post(bytes(2));
  const ghost = recordingTab(killed, page);
  alice.post(bytes(3));
  await clock.run(1_000);
  expect([alice.received, bob.received, ghost.received]).toEqual([[], [], []]);
  expect(tabs.joined).toBe(1);
  alice.leave();
  expect([tabs.joined, clock.pending]).toEqual([0, 0]);
});
