import { describe, expect, test } from 'vitest';
import { receiptText } from '../../../src/features/receipts/receipt-text.ts';
import { receiptDetailsText } from '../../../src/features/receipts/receipt-details-text.ts';
import { ERROR_TEXTS, weftError } from '../../../src/protocol/errors.ts';
import { OPENING } from '../../../src/state/page/open-page.ts';
import type { PageView } from '../../../src/state/page/page-view.ts';

const NOW = Date.UTC(2026, 5, 14, 14, 2, 11);
const view = (change: Partial<PageView>): PageView => ({ ...OPENING, phase: 'ready', ...change });
const waiting = (edits: number, ageMs: number) => ({ edits, oldestAt: NOW - ageMs });
const said = (change: Partial<PageView>) => {
  const { label: word, count, age } = receiptText(view(change), NOW);
  return [word, count, age].filter((part) => part !== null).join(' · ');
};
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

describe('the receipt', () => {
  test.each<[string, Partial<PageView>]>([
    ['Opening', { receipt: 'opening' }],
    ['Saved', { receipt: 'saved' }],
    ['Sending', { receipt: 'sending', unsent: waiting(3, 4_999) }],
    ['Sending · 8 s', { receipt: 'sending', unsent: waiting(3, 8 * SECOND) }],
    ['On this device · 12 edits · 4 min', { receipt: 'device', unsent: waiting(12, 4 * MINUTE + 59 * SECOND) }],
    ['On this device · 1 edit', { receipt: 'device', unsent: waiting(1, SECOND) }],
    ['Only in this tab · 3 edits', { receipt: 'tab', unsent: waiting(3, 9 * SECOND) }],
    ['1 edit refused · see why', { receipt: 'refused', unsent: waiting(1, MINUTE) }],
    ['2 files refused · see why', { receipt: 'refused', refusedFiles: 2, unsent: waiting(2, MINUTE) }],
    ['Read-only', { receipt: 'readonly' }],
  ])('says “%s”', (words, change) => expect(said(change)).toBe(words));

  test('tells the time it began once an hour has passed', () => {
    expect(said({ receipt: 'device', unsent: waiting(2, 64 * MINUTE) })).toMatch(/ · since \d\d:\d\d$/);
  });

  test('draws all eight states differently', () => {
    const states: Partial<PageView>[] = [
      ...(['opening', 'saved', 'sending', 'device', 'tab', 'refused', 'readonly'] as const).map((receipt) => ({
        receipt,
      })),
      { receipt: 'sending', unsent: waiting(1, 6 * SECOND) },
    ];
    expect(new Set(states.map((change) => receiptText(view(change), NOW).mark)).size).toBe(8);
  });
});

describe('the slip', () => {
  test('names the last receipt by its number', () => {
    const words = receiptDetailsText(
      view({ receipt: 'saved', lastSaved: { seq: 4812, at: NOW }, lastN: 214, upToDate: true }),
      NOW,
    );
    expect(words.title).toBe('Every edit is on the server');
    expect(words.sentence).toMatch(/^Last saved at \d\d:\d\d:\d\d as edit no\. 4812\.$/);
    expect(words.facts).toContainEqual(['Your edits on this page', '214']);
  });

  test('files that were refused are no edits', () => {
    const words = receiptDetailsText(view({ receipt: 'refused', refusedFiles: 1, unsent: waiting(1, MINUTE) }), NOW);
    expect(words).toMatchObject({
      title: '1 file was refused',
      sentence: 'A file could not be uploaded. It stays on this device until you decide.',
      canKeepFile: false,
    });
  });

  test('keeps “saved” and “up to date” apart', () => {
    const words = receiptDetailsText(view({ receipt: 'saved', upToDate: false }), NOW);
    expect(words.title).toBe('Every edit is on the server');
    expect(words.facts).toContainEqual(['What others wrote', 'catching up']);
  });

  test('offline says where the edits are, when the next try is, and offers a try and a file', () => {
    const words = receiptDetailsText(
      view({ receipt: 'device', connection: 'offline', unsent: waiting(12, MINUTE), retryAt: NOW + 8_200 }),
      NOW,
    );
    expect(words).toMatchObject({
      title: '12 edits are on this device only',
      sentence: 'You are offline. They are sent as soon as the server answers. Nobody else sees them yet.',
      canRetry: true,
      canKeepFile: true,
    });
    expect(words.facts).toContainEqual(['Next try', 'in 9 s']);
  });

  test('on plain http it also says that a closed tab does not come back without the server', () => {
    const held = view({ receipt: 'device', connection: 'offline', unsent: waiting(1, MINUTE) });
    expect(receiptDetailsText(held, NOW, false).sentence).toBe(
      `${receiptDetailsText(held, NOW).sentence} Leave this tab open: on plain http Weft opens again only with the server.`,
    );
  });

  test('signed out and refused speak the catalogue’s words', () => {
    const signedOut = receiptDetailsText(
      view({ receipt: 'device', error: weftError('WF003'), unsent: waiting(1, MINUTE) }),
      NOW,
    );
    expect(signedOut.sentence).toContain(ERROR_TEXTS.WF003);
    const refused = receiptDetailsText(
      view({ receipt: 'refused', error: weftError('WF005'), unsent: waiting(1, MINUTE) }),
      NOW,
    );
    expect(refused.sentence).toContain(ERROR_TEXTS.WF005);
    expect(refused).toMatchObject({ canRetry: false, canKeepFile: true });
  });
});
