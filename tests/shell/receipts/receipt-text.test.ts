import { describe, expect, test } from 'vitest';
import { weftError } from 'weft-sync/protocol/errors.ts';
import { receiptDetailsText } from '../../../src/shell/receipts/receipt-details-text.ts';
import { receiptText } from '../../../src/shell/receipts/receipt-text.ts';
import type { PageView } from '../../../src/state/page/page-view.ts';
import { OPENING } from '../../../src/state/page/session-of-page.ts';
import { ERROR_TEXTS } from '../../../src/texts/error-texts.ts';

const NOW = Date.UTC(2026, 5, 14, 14, 2, 11);
const view = (change: Partial<PageView>): PageView => ({ ...OPENING, phase: 'ready', ...change });
const waiting = (edits: number, ageMs: number) => ({ edits, oldestAt: NOW - ageMs });
const textFor = (change: Partial<PageView>) => {
  const { label, count, age } = receiptText(view(change), NOW);
  return [label, count, age].filter((part) => part !== null).join(' · ');
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
    ['1 comment refused · see why', { receipt: 'refused', refusedComments: 1, unsent: waiting(1, MINUTE) }],
    ['Read-only', { receipt: 'readonly' }],
    ['Checking', { receipt: 'sending', isRestoring: true, unsent: waiting(1, MINUTE) }],
    [
      'Putting edits back',
      { receipt: 'sending', isRestoring: true, puttingBack: { after: 'restore' }, unsent: waiting(1, MINUTE) },
    ],
    ['On this device · 1 edit', { receipt: 'device', isRestoring: true, unsent: waiting(1, MINUTE) }],
    ['Kept as a file · see why', { receipt: 'refused', error: weftError('WF016'), unsent: waiting(1, MINUTE) }],
  ])('shows “%s”', (text, change) => expect(textFor(change)).toBe(text));

  test('for all pages of the device, offline: what others did since is not known', () => {
    const offline = { ...view({ receipt: 'saved', connection: 'offline' }), isOfDevice: true } as const;
    expect(receiptText(offline, NOW)).toMatchObject({ mark: 'saved', label: 'Offline' });
    expect(receiptDetailsText(offline, NOW)).toMatchObject({ title: 'Every edit is on the server' });
    expect(receiptDetailsText(offline, NOW).facts).toContainEqual(['Others’ changes', 'unknown while offline']);
    expect(textFor({ receipt: 'saved', connection: 'offline' })).toBe('Saved');
  });

  test('after an hour it shows since when edits wait', () => {
    expect(textFor({ receipt: 'device', unsent: waiting(2, 64 * MINUTE) })).toMatch(/ · since \d\d:\d\d$/);
  });

  test('has a mark of its own for each of the eight states', () => {
    const states: Partial<PageView>[] = [
      ...(['opening', 'saved', 'sending', 'device', 'tab', 'refused', 'readonly'] as const).map((receipt) => ({
        receipt,
      })),
      { receipt: 'sending', unsent: waiting(1, 6 * SECOND) },
    ];
    expect(new Set(states.map((change) => receiptText(view(change), NOW).mark)).size).toBe(8);
  });
});

describe('the details', () => {
  test('name the number of the last saved edit', () => {
    const words = receiptDetailsText(
      view({ receipt: 'saved', lastSaved: { seq: 4812, at: NOW }, lastN: 214, upToDate: true }),
      NOW,
    );
    expect(words.title).toBe('Every edit is on the server');
    expect(words.sentence).toMatch(/^Last saved at \d\d:\d\d:\d\d\.$/);
    expect(words.facts).toContainEqual(['Your edits on this page', '214']);
  });

  test('call refused files “files”, not edits', () => {
    const words = receiptDetailsText(view({ receipt: 'refused', refusedFiles: 1, unsent: waiting(1, MINUTE) }), NOW);
    expect(words).toMatchObject({
      title: '1 file was refused',
      sentence: 'A file couldn’t be uploaded. It stays on this device until you decide.',
      canDownload: false,
    });
  });

  test('call refused comments “comments”, and offer their words as a file', () => {
    const words = receiptDetailsText(view({ receipt: 'refused', refusedComments: 2, unsent: waiting(2, MINUTE) }), NOW);
    expect(words).toMatchObject({
      title: '2 comments were refused',
      sentence: 'The server rejected 2 comments. They stay on this device until you decide.',
      canDownload: true,
    });
  });

  test('say that lost edits are being put back, or wait to be', () => {
    const restoring: Partial<PageView> = {
      isRestoring: true,
      puttingBack: { after: 'restore' },
      unsent: waiting(1, MINUTE),
    };
    expect(receiptDetailsText(view({ ...restoring, receipt: 'sending' }), NOW)).toMatchObject({
      tone: 'calm',
      title: 'Lost edits are put back',
      sentence: 'The server was restored from an earlier state. What it had lost is being put back.',
      facts: [],
    });
    expect(receiptDetailsText(view({ ...restoring, receipt: 'device', retryAt: NOW + 8_200 }), NOW)).toMatchObject({
      title: 'Lost edits are put back',
      sentence: 'The server was restored from an earlier state. What it had lost is put back when the server answers.',
      facts: [['Next try', 'in 9 s']],
      canDownload: true,
    });
  });

  test('do not say that the server was restored after words were erased', () => {
    const erased: Partial<PageView> = {
      isRestoring: true,
      puttingBack: { after: 'erasing' },
      unsent: waiting(1, MINUTE),
    };
    expect(receiptDetailsText(view({ ...erased, receipt: 'sending' }), NOW)).toMatchObject({
      title: 'Unsent edits are put back',
      sentence: 'Words were erased from this page for good. Your unsent edits were kept and are being put back.',
    });
    expect(receiptDetailsText(view({ ...erased, receipt: 'device' }), NOW).sentence).toBe(
      'Words were erased from this page for good. Your unsent edits were kept and are put back when the server answers.',
    );
  });

  test('do not say that the server was restored before something is known to be lacking', () => {
    const checking = { isRestoring: true, unsent: waiting(1, MINUTE) };
    expect(receiptDetailsText(view({ ...checking, receipt: 'sending' }), NOW)).toMatchObject({
      title: 'Checking this page',
      sentence: 'This device compares the page with the server. What is missing there is being put back.',
    });
  });

  test('blame no one for what a final restore leaves out', () => {
    const words = receiptDetailsText(
      view({ receipt: 'refused', error: weftError('WF016'), unsent: waiting(1, MINUTE) }),
      NOW,
    );
    expect(words).toMatchObject({
      tone: 'held',
      title: 'Earlier edits are kept as a file',
      sentence:
        'The server was restored from an earlier state for good. What this device had since then is kept as a file.',
      canRetry: false,
      canDownload: true,
    });
  });

  test('tell “saved” and “up to date” apart', () => {
    const words = receiptDetailsText(view({ receipt: 'saved', upToDate: false }), NOW);
    expect(words.title).toBe('Every edit is on the server');
    expect(words.facts).toContainEqual(['Others’ changes', 'catching up']);
    const offline = receiptDetailsText(view({ receipt: 'saved', connection: 'offline', upToDate: true }), NOW);
    expect(offline.facts).toContainEqual(['Others’ changes', 'unknown while offline']);
  });

  test('say while offline where the edits are and when the next try is, and offer to try and to download', () => {
    const words = receiptDetailsText(
      view({ receipt: 'device', connection: 'offline', unsent: waiting(12, MINUTE), retryAt: NOW + 8_200 }),
      NOW,
    );
    expect(words).toMatchObject({
      title: '12 edits are on this device only',
      sentence:
        'Can’t reach the server. These edits are sent when you’re back online. Until then only you can see them. A crash or a power cut doesn’t lose them.',
      canRetry: true,
      canDownload: true,
    });
    expect(words.facts).toContainEqual(['Next try', 'in 9 s']);
  });

  test('say over plain http also that a closed tab cannot open again without the server', () => {
    const offline = view({ receipt: 'device', connection: 'offline', unsent: waiting(1, MINUTE) });
    expect(receiptDetailsText(offline, NOW, false).sentence).toBe(
      `${receiptDetailsText(offline, NOW).sentence} Leave this tab open: over plain http Weft can’t start without the server.`,
    );
  });

  test('use the texts of the error catalogue when signed out and when refused', () => {
    const signedOut = receiptDetailsText(
      view({ receipt: 'device', error: weftError('WF003'), unsent: waiting(1, MINUTE) }),
      NOW,
    );
    expect(signedOut.sentence).toContain(ERROR_TEXTS.WF003);
    const tomorrow = receiptDetailsText(
      view({ receipt: 'device', connection: 'reconnecting', error: weftError('WF018'), unsent: waiting(2, MINUTE) }),
      NOW,
    );
    expect(tomorrow.sentence).toContain(ERROR_TEXTS.WF018);
    expect(tomorrow).toMatchObject({ canRetry: true, canDownload: true });
    const refused = receiptDetailsText(
      view({ receipt: 'refused', error: weftError('WF005'), unsent: waiting(1, MINUTE) }),
      NOW,
    );
    expect(refused.sentence).toContain(ERROR_TEXTS.WF005);
    expect(refused).toMatchObject({ canRetry: false, canDownload: true });
    const tooLarge = receiptDetailsText(
      view({ receipt: 'refused', error: weftError('WF020'), unsent: waiting(1, MINUTE) }),
      NOW,
    );
    expect(tooLarge.sentence).toBe(
      'Something you added is larger than 1 MB, so it can’t be saved. Download a copy, discard the edits in Account settings, then add it in parts. It stays on this device until you decide.',
    );
  });
});
