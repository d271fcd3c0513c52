// The contract of CrossTabEvents, between several tabs of one browser.
import { expect, test } from 'vitest';
import type { CrossTabEvents } from '../../../src/ports/device.ts';
import { pause, until } from '../contract-fixture.ts';
import { SILENCE_MS } from '../tabs/tabs.contract.ts';

/** A tab that counts the events it receives. */
export function countingTab(tab: CrossTabEvents) {
  const events = { count: 0 };
  return { events, ...tab.join(() => void events.count++) };
}

export function crossTabEventsContract(name: string, newBrowser: () => () => CrossTabEvents): void {
  test(`${name}: every other tab learns of a change, the sender does not, and a tab that left neither receives nor sends`, async () => {
    const tab = newBrowser();
    const [first, second, third] = [countingTab(tab()), countingTab(tab()), countingTab(tab())];
    first.notify();
    await until(() => second.events.count === 1 && third.events.count === 1);
    second.leave();
    second.leave();
    second.notify();
    third.notify();
    await until(() => first.events.count === 1);
    await pause(SILENCE_MS);
    expect([first.events.count, second.events.count, third.events.count]).toEqual([1, 1, 1]);
    for (const one of [first, third]) one.leave();
  });
}
