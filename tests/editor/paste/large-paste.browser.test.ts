// Pasting, whatever the size, through two real sessions over the memory harness: one transaction of the editor, many
// numbered edits, and all text on the other side.
import { expect, onTestFinished, test } from 'vitest';
import { MAX_UPDATE_BYTES } from 'weft-sync/protocol/limits.ts';
import { MAX_PIECE_BYTES } from 'weft-sync/updates/split-update.ts';
import type { Bytes } from '../../../src/lib/bytes.ts';
import { pasteInto } from '../../support/editor/clipboard.ts';
import { linesOf, openPage } from '../../support/editor/opened-page.ts';
import { pageSeed } from '../../support/editor/page-seed.ts';
import { DOCUMENT, SyncHarness } from '../../sync/sync-harness.ts';

async function pasteFixture(...seed: string[]) {
  const harness = new SyncHarness(1, { liveUpdates: true });
  harness.server.createDocument(DOCUMENT, new Uint8Array(pageSeed(...seed)));
  const alice = harness.user('alice');
  const [a, b] = [await alice.opened(), await harness.user('bob').opened()];
  await harness.run(200);
  const page = openPage(a.session);
  onTestFinished(async () => {
    page.close();
    for (const tab of [a, b]) {
      const closing = tab.session.close();
      await harness.run(1_000);
      await closing;
    }
  });
  /** Edits in the outbox as the device stores them. */
  const stored = async (): Promise<readonly Bytes[]> => {
    const { outboxes } = (await alice.store.load(DOCUMENT)) ?? { outboxes: [] };
    return outboxes.flatMap(({ entries }) => entries.map(({ update }) => update));
  };
  return { harness, a, b, page, stored };
}

const html = Array.from({ length: 4_000 }, (_, n) => `<p>a <b>bold ${n}</b> <a href="https://weft.dev/${n}">c</a></p>`);

test.each([
  ['many lines', 'text/plain', Array.from({ length: 8_000 }, (_, n) => `line ${n}`).join('\n')],
  ['one long line', 'text/plain', '😀'.repeat(300_000)],
  ['formatted words', 'text/html', html.join('')],
] as const)(
  '[SZ1] %s are one edit here, numbered in pieces, and complete on the other side',
  async (_name, type, value) => {
    const { harness, a, b, page, stored } = await pasteFixture('before');
    page.caret(0, -1);
    const edits: number[] = [];
    a.session.doc.on('update', (update: Uint8Array) => edits.push(update.length));
    pasteInto(page, { [type]: value });
    expect(edits).toHaveLength(1);
    expect(edits[0]).toBeGreaterThan(2 * MAX_PIECE_BYTES);
    const pieces = await stored();
    expect(pieces.length).toBeGreaterThan(2);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(MAX_PIECE_BYTES);
    await harness.run(10_000);
    expect([a.view.receipt, (await stored()).length]).toEqual(['saved', 0]);
    const rows = harness.server.rows(DOCUMENT).map(({ update }) => update.length);
    expect(Math.max(...rows)).toBeLessThan(MAX_UPDATE_BYTES);
    const lines = linesOf(a.session);
    expect(lines[0]).toMatch(/^paragraph: before(line 0$|😀|a <bold:bold 0>)/u);
    expect(linesOf(b.session).join('\n') === lines.join('\n')).toBe(true);

    page.undo.undo();
    await harness.run(5_000);
    expect([linesOf(a.session), linesOf(b.session)]).toEqual([['paragraph: before'], ['paragraph: before']]);
    page.undo.redo();
    await harness.run(10_000);
    expect(linesOf(a.session).join('\n') === lines.join('\n')).toBe(true);
    expect(linesOf(b.session).join('\n') === lines.join('\n')).toBe(true);
    expect(a.view.receipt).toBe('saved');
  },
);

test('someone who types while a large paste arrives keeps every character, and their caret', async () => {
  const { harness, a, b, page } = await pasteFixture('mine', 'yours');
  const other = openPage(b.session);
  other.caret(1, -1);
  page.caret(0, -1);
  pasteInto(page, { 'text/html': html.slice(0, 3_000).join('') });
  for (const character of ' and more of it') {
    other.type(character);
    await harness.run(30);
  }
  await harness.run(10_000);
  const lines = linesOf(b.session);
  expect(lines.at(-1)).toBe('paragraph: yours and more of it');
  expect(lines).toHaveLength(3_001);
  expect(linesOf(a.session).join('\n') === lines.join('\n')).toBe(true);
  await other.drawn();
  expect(other.shown()).toEqual(page.shown());
  expect([other.detachCount(), page.detachCount()]).toEqual([0, 0]);
});

test('if very many blocks wait, the page has one save mark', async () => {
  const { harness, a, page } = await pasteFixture('before');
  a.goOffline();
  await harness.run(100);
  page.caret(0, -1);
  pasteInto(page, { 'text/plain': Array.from({ length: 2_000 }, (_, n) => `line ${n}`).join('\n') });
  const { dom } = page.editor.view;
  await harness.run(100);
  await expect.poll(() => dom.dataset['selvedge'], { timeout: 3_000 }).toBe('held');
  expect(dom.querySelectorAll('.block[data-selvedge]')).toHaveLength(0);
  a.goOnline();
  await harness.run(10_000);
  await expect.poll(() => dom.dataset['selvedge'], { timeout: 5_000 }).toBeUndefined();
  expect(a.view.receipt).toBe('saved');
});
