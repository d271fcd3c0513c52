// The contract of Locks, between several tabs of one browser.
import { expect, test } from 'vitest';
import type { Locks } from 'weft-sync/ports.ts';
import type { SessionId } from 'weft-sync/protocol/ids.ts';
import { newSession } from '../contract-fixture.ts';

export function locksContract(name: string, newBrowser: () => () => Locks): void {
  test(`[PL2] ${name}: one tab gets a session's lock, the next one gets null`, async () => {
    const tab = newBrowser();
    const session: SessionId = newSession();
    const [first, second] = [tab(), tab()];
    const release = await first.take(session);
    expect(release).not.toBeNull();
    expect(await second.take(session)).toBeNull();
    expect(await second.take(newSession())).not.toBeNull();
    release?.();
    release?.();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await second.take(session)).not.toBeNull();
  });

  test(`[PL2] ${name}: if two tabs ask at once, one gets it`, async () => {
    const tab = newBrowser();
    const session = newSession();
    const both = await Promise.all([tab().take(session), tab().take(session)]);
    expect(both.filter((release) => release !== null).length).toBe(1);
  });
}
