// What Tabs must do between several tabs of one browser.
import { expect, test } from 'vitest';
import { equalBytes } from '../../../src/lib/bytes.ts';
import { type DocumentId, parseDocumentId } from '../../../src/protocol/ids.ts';
import { MAX_TAB_MESSAGE_BYTES } from '../../../src/protocol/limits.ts';
import type { Tabs } from '../../../src/sync/ports.ts';
import { bytes, newSession, rest, until } from '../stage.ts';

/** Longer than any adapter takes for a message inside one browser. */
export const SILENCE_MS = 60;

export function newDocument(): DocumentId {
  const id = parseDocumentId(newSession());
  if (id === null) throw new Error('malformed id in a test');
  return id;
}

/** A joined document and every message it received. */
export function listening(tab: Tabs, document: DocumentId) {
  const heard: Uint8Array[] = [];
  return { heard, ...tab.join(document, (message) => void heard.push(message)) };
}

export function tabsContract(name: string, newBrowser: () => () => Tabs): void {
  test(`[TB1] ${name}: every other tab on the document receives the bytes in order, the sender does not`, async () => {
    const tab = newBrowser();
    const page = newDocument();
    const [alice, bob, carol] = [listening(tab(), page), listening(tab(), page), listening(tab(), page)];
    const elsewhere = listening(tab(), newDocument());
    const within = bytes(9, 9, 1, 2, 3, 9).subarray(2, 5);
    alice.post(within);
    within.fill(7);
    for (let at = 1; at <= 50; at++) alice.post(bytes(at));
    await until(() => bob.heard.length === 51 && carol.heard.length === 51);
    expect(bob.heard).toEqual([bytes(1, 2, 3), ...Array.from({ length: 50 }, (_, at) => bytes(at + 1))]);
    expect(carol.heard).toEqual(bob.heard);
    // An exact buffer: bytes beside the message do not travel along.
    expect(bob.heard[0]?.buffer.byteLength).toBe(3);
    bob.heard[0]?.fill(0);
    expect(carol.heard[0]).toEqual(bytes(1, 2, 3));
    await rest(SILENCE_MS);
    expect(alice.heard).toEqual([]);
    expect(elsewhere.heard).toEqual([]);
    for (const one of [alice, bob, carol, elsewhere]) one.leave();
  });

  test(`[TB1] ${name}: two joins in one tab are two tabs to each other`, async () => {
    const tab = newBrowser()();
    const page = newDocument();
    const [first, second] = [listening(tab, page), listening(tab, page)];
    first.post(bytes(1));
    await until(() => second.heard.length === 1);
    second.post(bytes(2));
    await until(() => first.heard.length === 1);
    expect([first.heard, second.heard]).toEqual([[bytes(2)], [bytes(1)]]);
    first.leave();
    second.leave();
  });

  test(`[TB2] ${name}: a tab that left receives nothing, sends nothing, and may join again`, async () => {
    const tab = newBrowser();
    const page = newDocument();
    const bobs = tab();
    const [alice, bob, carol] = [listening(tab(), page), listening(bobs, page), listening(tab(), page)];
    alice.post(bytes(1));
    // Sent, but not yet received.
    bob.leave();
    bob.leave();
    bob.post(bytes(2));
    const again = listening(bobs, page);
    alice.post(bytes(3));
    await until(() => again.heard.length === 1 && carol.heard.length === 2);
    await rest(SILENCE_MS);
    expect(bob.heard).toEqual([]);
    expect(again.heard).toEqual([bytes(3)]);
    expect(carol.heard).toEqual([bytes(1), bytes(3)]);
    for (const one of [alice, again, carol]) one.leave();
  });

  test(`[TB2] ${name}: leaving inside a message handler takes effect at once`, async () => {
    const tab = newBrowser();
    const page = newDocument();
    const alice = listening(tab(), page);
    let heard = 0;
    const bob = tab().join(page, () => {
      heard += 1;
      bob.leave();
    });
    for (let at = 1; at <= 3; at++) alice.post(bytes(at));
    await until(() => heard > 0);
    await rest(SILENCE_MS);
    expect(heard).toBe(1);
    alice.leave();
  });

  test(`[TB3] ${name}: a message of a mebibyte passes, an empty one and a larger one do not`, async () => {
    const tab = newBrowser();
    const page = newDocument();
    const [alice, bob] = [listening(tab(), page), listening(tab(), page)];
    const largest = new Uint8Array(MAX_TAB_MESSAGE_BYTES).map((_, at) => at % 251);
    alice.post(new Uint8Array(0));
    alice.post(new Uint8Array(MAX_TAB_MESSAGE_BYTES + 1));
    alice.post(largest);
    alice.post(bytes(1));
    await until(() => bob.heard.length === 2);
    expect(equalBytes(bob.heard[0] ?? bytes(), largest)).toBe(true);
    expect(bob.heard[1]).toEqual(bytes(1));
    alice.leave();
    bob.leave();
  });
}
