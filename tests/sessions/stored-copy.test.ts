import { expect, test } from 'vitest';
import { bodyOf } from 'weft-document/names.ts';
import type { StoredDocument } from 'weft-sync/ports.ts';
import { SEED_CLIENT_ID, SEED_SESSION } from 'weft-sync/protocol/ids.ts';
import { seededRandom } from 'weft-sync/testing/seeded-random.ts';
import * as Y from 'yjs';
import { type Bytes, fromBase64, toBase64 } from '../../src/lib/bytes.ts';
import { unsentCopyOf } from '../../src/sessions/stored-copy.ts';
import { pageSeed } from '../support/editor/page-seed.ts';
import { DOCUMENT } from '../sync/sync-harness.ts';

/** A page with one row, and edits that only the device has; `damage` changes the bytes of one of them. */
function storedPage(words: readonly string[], damage: (at: number, edit: Bytes) => Bytes): StoredDocument {
  const doc = new Y.Doc();
  const seed = new Uint8Array(pageSeed('Saved.'));
  Y.applyUpdate(doc, seed);
  const edits: Bytes[] = [];
  doc.on('update', (update: Uint8Array) => edits.push(new Uint8Array(update)));
  const block = bodyOf(doc).get(0);
  const text = block instanceof Y.XmlElement ? block.get(0) : null;
  if (!(text instanceof Y.XmlText)) throw new Error('the seed has a line of text');
  for (const word of words) text.insert(text.length, ` ${word}`);
  return {
    meta: { seq: 1, schemaVersion: 1, title: '', role: 'editor' },
    snapshot: null,
    rows: [
      {
        seq: 1,
        at: 1,
        session: SEED_SESSION,
        clientId: SEED_CLIENT_ID,
        nFrom: 1,
        nTo: 1,
        update: seed,
        dependencies: [],
      },
    ],
    outboxes: [
      {
        session: seededRandom(1).session(),
        clientId: doc.clientID,
        refused: null,
        entries: edits.map((update, at) => ({ n: at + 1, update: damage(at, update), at: at + 1, buildsOn: [] })),
      },
    ],
  };
}

const undamaged = (_at: number, edit: Bytes) => edit;
const appliedTo = (update: string): string => {
  const doc = new Y.Doc();
  Y.applyUpdate(doc, pageSeed('Saved.'));
  Y.applyUpdate(doc, fromBase64(update) ?? new Uint8Array());
  return bodyOf(doc).toString();
};

test('the copy of a page for a file has its text, and its unsent edits as one update', async () => {
  const stored = storedPage(['one', 'two', 'three'], undamaged);
  const copy = await unsentCopyOf(DOCUMENT, stored, true);
  expect(copy).toMatchObject({ document: DOCUMENT, text: 'Saved. one two three', edits: 3 });
  expect(appliedTo(copy.update)).toContain('Saved. one two three');
  expect(copy).not.toHaveProperty('unreadable');
});

test.each([true, false])(
  'an edit that the device damaged keeps no other out of the file, and its bytes are in it (on the server: %s)',
  async (isOnServer) => {
    const cut = (at: number, edit: Bytes) => (at === 2 ? edit.slice(0, -4) : edit);
    const stored = storedPage(['one', 'two', 'three'], cut);
    const copy = await unsentCopyOf(DOCUMENT, stored, isOnServer);
    expect(copy).toMatchObject({ text: 'Saved. one two', edits: 3 });
    expect(appliedTo(copy.update)).toContain('Saved. one two');
    expect(copy.unreadable).toEqual([toBase64(stored.outboxes[0]?.entries[2]?.update ?? new Uint8Array())]);
  },
);
