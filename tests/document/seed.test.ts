import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { bodyOf, titleOf } from 'weft-document/names.ts';
import { blankSeed, welcomeSeed } from 'weft-document/seed.ts';
import { SEED_CLIENT_ID } from 'weft-sync/protocol/ids.ts';
import * as Y from 'yjs';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

const loaded = (update: Uint8Array) => {
  const doc = new Y.Doc();
  Y.applyUpdate(doc, update);
  return doc;
};

test('the seeds are constant, byte for byte: a migration contains them', () => {
  expect(sha256(blankSeed())).toBe('d33e672cc6b3f9fdaf63df108745d498684f4008b98f4ee31a0c3807b75ee382');
  expect(sha256(welcomeSeed())).toBe('15fd07fc486afbca43fea31dd393d8d8c7d1c48b13aa2fa745277d89673251db');
});

test('the seeds are complete and written only by the reserved client id', () => {
  for (const seed of [blankSeed(), welcomeSeed()]) {
    const doc = loaded(seed);
    expect([...doc.store.clients.keys()]).toEqual([SEED_CLIENT_ID]);
    expect(doc.store.pendingStructs).toBeNull();
  }
});

test('a blank page is one empty paragraph that already has its text', () => {
  const doc = loaded(blankSeed());
  expect(titleOf(doc).toString()).toBe('');
  expect(bodyOf(doc).toString()).toBe('<block id="blank-1" kind="paragraph"></block>');
  const block = bodyOf(doc).get(0);
  expect(block instanceof Y.XmlElement && block.get(0) instanceof Y.XmlText).toBe(true);
});

test('every block of the welcome page has its own id', () => {
  const ids = bodyOf(loaded(welcomeSeed()))
    .toArray()
    .map((one) => (one instanceof Y.XmlElement ? one.getAttribute('id') : null));
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).not.toContain(null);
});
