// What CrossTabEvents must do between several tabs of one browser.
import { expect, test } from 'vitest';
import type { CrossTabEvents } from '../../../src/state/ports.ts';
import { rest, until } from '../stage.ts';
import { SILENCE_MS } from '../tabs/tabs.contract.ts';

/** A tab that counts the events it receives. */
export function hearing(tab: CrossTabEvents) {
  const told = { times: 0 };
  return { told, ...tab.join(() => void told.times++) };
}

export function deviceNewsContract(name: string, newBrowser: () => () => CrossTabEvents): void {
  test(`${name}: every other tab learns of a change, the sender does not, and a tab that left neither receives nor sends`, async () => {
    const tab = newBrowser();
    const [first, second, third] = [hearing(tab()), hearing(tab()), hearing(tab())];
    first.notify();
    await until(() => second.told.times === 1 && third.told.times === 1);
    second.leave();
    second.leave();
    second.notify();
    third.notify();
    await until(() => first.told.times === 1);
    await rest(SILENCE_MS);
    expect([first.told.times, second.told.times, third.told.times]).toEqual([1, 1, 1]);
    for (const one of [first, third]) one.leave();
  });
}
