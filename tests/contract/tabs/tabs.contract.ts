// The contract of Tabs, between several tabs of one browser.
import { expect, test } from 'vitest';
import type { Tabs } from 'weft-sync/ports.ts';
import { type DocumentId, parseDocumentId } from 'weft-sync/protocol/ids.ts';
import { MAX_TAB_MESSAGE_BYTES } from 'weft-sync/protocol/limits.ts';
import { equalBytes } from '../../../src/lib/bytes.ts';
import { bytes, newSession, pause, until } from '../contract-fixture.ts';

/** Longer than any adapter takes for a message inside one browser. */
export const SILENCE_MS = 60;

export function newDocument(): DocumentId {
  const id = parseDocumentId(newSession());
  if (id === null) throw new Error('malformed id in a test');
  return id;
}

/** A joined document and every message it received. */
export function recordingTab(tab: Tabs, document: DocumentId) {
  const received: Uint8Array[] = [];
  return { received, ...tab.join(document, (message) => void received.push(message)) };
}

export function tabsContract(name: string, newBrowser: () => () => Tabs): void {
  test(`[TB1] ${name}: every other tab on the document receives the bytes in order, the sender does not`, async () => {
    const tab = newBrowser();
    const page = newDocument();
    const [alice, bob, carol] = [recordingTab(tab(), page), recordingTab(tab(), page), recordingTab(tab(), page)];
    const elsewhere = recordingTab(tab(), newDocument());
    const within = bytes(9, 9, 1, 2, 3, 9).subarray(2, 5);
    alice.post(within);
    within.fill(7);
    for (let at = 1; at <= 50; at++) alice.post(bytes(at));
    await until(() => bob.received.length === 51 && carol.received.length === 51);
    expect(bob.received).toEqual([bytes(1, 2, 3), ...Array.from({ length: 50 }, (_, at) => bytes(at + 1))]);
    expect(carol.received).toEqual(bob.received);
    // An exact buffer: bytes beside the message do not travel along.
    expect(bob.received[0]?.buffer.byteLength).toBe(3);
    bob.received[0]?.fill(0);
    expect(carol.received[0]).toEqual(bytes(1, 2, 3));
    await pause(SILENCE_MS);
    expect(alice.received).toEqual([]);
    expect(elsewhere.received).toEqual([]);
    for (const one of [alice, bob, carol, elsewhere]) one.leave();
  });

  test(`[TB1] ${name}: two joins in one tab are two tabs to each other`, async () => {
    const tab = newBrowser()();
    const page = newDocument();
    const [first, second] = [recordingTab(tab, page), recordingTab(tab, page)];
    first.post(bytes(1));
    await until(() => second.received.length === 1);
    second.post(bytes(2));
    await until(() => first.received.length === 1);
    expect([first.received, second.received]).toEqual([[bytes(2)], [bytes(1)]]);
    first.leave();
    second.leave();
  });

  test(`[TB2] ${name}: a tab that left receives nothing, sends nothing, and may join again`, async () => {
    const tab = newBrowser();
    const page = newDocument();
    const bobs = tab();
    const [alice, bob, carol] = [recordingTab(tab(), page), recordingTab(bobs, page), recordingTab(tab(), page)];
    alice.post(bytes(1));
    // Sent, but not yet received.
    bob.leave();
    bob.leave();
    bob.post(bytes(2));
    const again = recordingTab(bobs, page);
    alice.post(bytes(3));
    await until(() => again.received.length === 1 && carol.received.length === 2);
    await pause(SILENCE_MS);
    expect(bob.received).toEqual([]);
    expect(again.received).toEqual([bytes(3)]);
    expect(carol.received).toEqual([bytes(1), bytes(3)]);
    for (const one of [alice, again, carol]) one.leave();
  });

  test(`[TB2] ${name}: leaving inside a message handler takes effect at once`, async () => {
    const tab = newBrowser();
    const page = newDocument();
    const alice = recordingTab(tab(), page);
    let count = 0;
    const bob = tab().join(page, () => {
      count += 1;
      bob.leave();
    });
    for (let at = 1; at <= 3; at++) alice.post(bytes(at));
    await until(() => count > 0);
    await pause(SILENCE_MS);
    expect(count).toBe(1);
    alice.leave();
  });

  test(`[TB3] ${name}: a message of a mebibyte passes, an empty one and a larger one do not`, async () => {
    const tab = newBrowser();
    const page = newDocument();
    const [alice, bob] = [recordingTab(tab(), page), recordingTab(tab(), page)];
    const largest = new Uint8Array(MAX_TAB_MESSAGE_BYTES).map((_, at) => at % 251);
    alice.post(new Uint8Array(0));
    alice.post(new Uint8Array(MAX_TAB_MESSAGE_BYTES + 1));
    alice.post(largest);
    alice.post(bytes(1));
    await until(() => bob.received.length === 2);
    expect(equalBytes(bob.received[0] ?? bytes(), largest)).toBe(true);
    expect(bob.received[1]).toEqual(bytes(1));
    alice.leave();
    bob.leave();
  });
}
