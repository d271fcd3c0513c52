import { describe, expect, test } from 'vitest';
import { Replica } from 'weft-sync/state/replica.ts';
import { mergeUpdates } from 'weft-sync/updates/merge-updates.ts';
import { newDoc } from 'weft-sync/updates/new-doc.ts';
import * as Y from 'yjs';
import type { Bytes } from '../../../src/lib/bytes.ts';
import { prng } from '../../../src/lib/prng.ts';

const hasPending = (doc: Y.Doc): boolean => doc.store.pendingStructs !== null || doc.store.pendingDs !== null;

/** Three people in one word who see each other's every key: what each of them wrote, in parts, in any order. */
function partsOf(seed: number): { readonly parts: readonly Bytes[]; readonly text: string } {
  const next = prng(seed);
  const docs = [1, 2, 3].map((id) => newDoc(2_000 + id));
  const pieces: Bytes[][] = docs.map(() => []);
  for (const [at, doc] of docs.entries()) {
    doc.on('update', (update: Uint8Array, _origin: unknown, _doc: Y.Doc, { local }: Y.Transaction) => {
      if (!local) return;
      pieces[at]?.push(new Uint8Array(update));
      for (const other of docs) if (other !== doc) Y.applyUpdate(other, update, 'row');
    });
  }
  for (let edit = 0; edit < 40; edit++) {
    const text = docs[Math.floor(next() * docs.length)]?.getText('t');
    const at = Math.floor(next() * ((text?.length ?? 0) + 1));
    if (next() < 0.7) text?.insert(at, 'ab');
    else if (text !== undefined && at < text.length) text.delete(at, 1);
  }
  const parts = pieces.flatMap((own) => {
    const cut = Math.floor(next() * own.length);
    return [own.slice(0, cut), own.slice(cut), ...own.slice(cut, cut + 3).map((one) => [one])];
  });
  const merged = parts.filter((part) => part.length > 0).map((part) => mergeUpdates(part));
  const text = docs[0]?.getText('t').toString() ?? '';
  return { parts: merged.sort(() => next() - 0.5), text };
}

describe('[I3] [I11] parts that need each other struct by struct', () => {
  test('are shown completely, in whatever order they are given', () => {
    for (let seed = 1; seed <= 300; seed++) {
      const { parts, text } = partsOf(seed);
      const doc = newDoc();
      expect(new Replica(doc, null).show(parts), `seed ${seed}`).toBe(true);
      expect(hasPending(doc), `seed ${seed}`).toBe(false);
      expect(doc.getText('t').toString(), `seed ${seed}`).toBe(text);
    }
  });

  test('Yjs keeps some of them pending when it gets them one after the other', () => {
    const stuck = Array.from({ length: 300 }, (_, at) => at + 1).filter((seed) => {
      const doc = newDoc();
      for (const part of partsOf(seed).parts) Y.applyUpdate(doc, part, 'row');
      return hasPending(doc);
    });
    // When this fails, Yjs looks at pending structs until nothing changes any more, and merging is no longer needed.
    expect(stuck.length).toBeGreaterThan(0);
  });
});

test('[HI4] the log lacks what is shown because another tab has not sent it yet', () => {
  const other = newDoc(2_001);
  other.getText('t').insert(0, 'unsent');
  const update: Bytes = new Uint8Array(Y.encodeStateAsUpdate(other));
  const replica = new Replica(newDoc(), null);
  expect(replica.show([update])).toBe(true);
  expect(replica.showLacking(update, [])?.lacking).toEqual(update);
});
