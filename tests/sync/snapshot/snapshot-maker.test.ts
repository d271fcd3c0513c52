// The heavy work by itself: what goes into a snapshot, and when it is true. Rules SN*.
import { describe, expect, test } from 'vitest';
import type { StoredSnapshot } from 'weft-sync/ports.ts';
import { type SessionId, parseSessionId } from 'weft-sync/protocol/ids.ts';
import type { Row } from 'weft-sync/protocol/row.ts';
import { snapshotMaker } from 'weft-sync/snapshot/snapshot-maker.ts';
import { docContent } from 'weft-sync/updates/content.ts';
import { newDoc } from 'weft-sync/updates/new-doc.ts';
import * as Y from 'yjs';
import { prng, uuidFrom } from '../../../src/lib/prng.ts';
import { deflated, sha256Of, timelyMaker } from './timely-maker.ts';

const maker = timelyMaker();

function session(seed: number): SessionId {
  const id = parseSessionId(uuidFrom(prng(seed)));
  if (id === null) throw new Error('no session');
  return id;
}

/** A log of several writers in one document: text with marks, a map, blocks with attributes. */
function logOf(seed: number, edits = 60): { readonly rows: Row[]; readonly doc: Y.Doc } {
  const next = prng(seed);
  const rows: Row[] = [];
  const docs = [newDoc(5_001), newDoc(5_002), newDoc(5_003)];
  const numbers = new Map<number, number>();
  for (const doc of docs) {
    doc.on('update', (update: Uint8Array, _origin: unknown, _doc: Y.Doc, { local }: Y.Transaction) => {
      if (!local) return;
      const n = (numbers.get(doc.clientID) ?? 0) + 1;
      numbers.set(doc.clientID, n);
      const by = { session: session(doc.clientID), clientId: doc.clientID, nFrom: n, nTo: n };
      rows.push({ ...by, seq: rows.length + 1, update: new Uint8Array(update), dependencies: [] });
      for (const other of docs) if (other !== doc) Y.applyUpdate(other, update);
    });
  }
  for (let edit = 0; edit < edits; edit++) {
    const doc = docs[Math.floor(next() * docs.length)];
    if (doc !== undefined) change(doc, next);
  }
  return { rows, doc: docs[0] ?? newDoc() };
}

function change(doc: Y.Doc, next: () => number): void {
  const text = doc.getText('t');
  const body = doc.getXmlFragment('body');
  const at = Math.floor(next() * (text.length + 1));
  const what = Math.floor(next() * 6);
  if (what === 0 && text.length > at + 2) text.delete(at, 2);
  else if (what === 1 && text.length > at + 3) text.format(at, 3, { bold: next() < 0.5 ? true : null });
  else if (what === 2) doc.getMap('m').set(`k${Math.floor(next() * 3)}`, { n: next() });
  else if (what === 3) {
    const block = new Y.XmlElement('block');
    block.setAttribute('kind', next() < 0.5 ? 'task' : 'paragraph');
    body.insert(Math.floor(next() * (body.length + 1)), [block]);
  } else if (what === 4 && body.length > 1) body.delete(0, 1);
  else text.insert(at, 'word ');
}

async function opened(snapshot: StoredSnapshot | null): Promise<Y.Doc> {
  const doc = newDoc();
  const state = snapshot === null ? null : await maker.unpack(snapshot.state, null);
  if (state === null) throw new Error('not readable');
  Y.applyUpdateV2(doc, state);
  return doc;
}

describe('made', () => {
  test('[SN1] in steps or at once: the same content, and true', async () => {
    for (let seed = 1; seed <= 20; seed++) {
      const { rows, doc } = logOf(seed);
      const half = Math.floor(rows.length / 2);
      const first = await maker.make(null, rows.slice(0, half));
      const steps = await maker.make(first, rows.slice(half));
      const once = await maker.make(null, rows);
      expect([first?.seq, steps?.seq, once?.seq]).toEqual([half, rows.length, rows.length]);
      expect(docContent(await opened(steps))).toBe(docContent(doc));
      expect(docContent(await opened(once))).toBe(docContent(doc));
      expect(steps && (await maker.isTrue(steps, rows))).toBe(true);
      expect(once && (await maker.isTrue(once, rows))).toBe(true);
      expect(steps && sha256Of(steps.state)).toBe(steps?.sha256);
    }
  });

  test('[SN1] not when a row is missing, and not from a snapshot that cannot be read', async () => {
    const { rows } = logOf(3);
    const first = await maker.make(null, rows.slice(0, 10));
    expect(await maker.make(first, rows.slice(11))).toBeNull();
    expect(await maker.make(null, rows.slice(1))).toBeNull();
    expect(await maker.make({ seq: 10, state: Uint8Array.of(1, 2, 3) }, rows.slice(10))).toBeNull();
    expect(await maker.make({ seq: 10, state: deflated(Uint8Array.of(9, 9, 9)) }, rows.slice(10))).toBeNull();
    // Rows that are in the snapshot already change nothing.
    expect((await maker.make(first, rows))?.seq).toBe(rows.length);
  });

  test('[SN1] without damaged rows, as every client leaves them out', async () => {
    const { rows } = logOf(4, 30);
    const broken = rows.map((row) => (row.seq === 12 ? { ...row, update: Uint8Array.of(1, 2, 3, 250) } : row));
    const made = await maker.make(null, broken);
    const doc = await opened(made);
    expect([doc.store.pendingStructs, doc.store.pendingDs]).toEqual([null, null]);
    expect(made && (await maker.isTrue(made, broken))).toBe(true);
    expect(made && (await maker.isTrue(made, rows))).toBe(false);
  });

  test('[SN6] of a state above 64 MiB fails, which says nothing about a stored snapshot', async () => {
    const doc = newDoc(5_001);
    doc.getMap('m').set('large', new Uint8Array(64 * 1024 * 1024));
    const by = { session: session(5_001), clientId: 5_001, seq: 1, nFrom: 1, nTo: 1, dependencies: [] };
    const row = { ...by, update: new Uint8Array(Y.encodeStateAsUpdate(doc)) };
    await expect(maker.make(null, [row])).rejects.toThrow('64 MiB');
  });

  test('[SN6] the browser’s streams produce what zlib produces', async () => {
    const { rows } = logOf(5);
    const made = await snapshotMaker().make(null, rows);
    expect(made && (await snapshotMaker().unpack(made.state, made.sha256))).not.toBeNull();
    expect(made && docContent(await opened(made))).toBe(docContent(await opened(await maker.make(null, rows))));
    expect(made && (await snapshotMaker().unpack(made.state, 'f'.repeat(64)))).toBeNull();
    expect(made && (await snapshotMaker().unpack(made.state.slice(0, -1), null))).toBeNull();
  });
});

describe('true', () => {
  test('[SN7] not with one character, mark, value, attribute or deletion more or less', async () => {
    const { rows } = logOf(6);
    const made = await maker.make(null, rows);
    const edits: ((doc: Y.Doc) => void)[] = [
      (doc) => doc.getText('t').insert(0, 'x'),
      (doc) => doc.getText('t').delete(0, 1),
      (doc) => doc.getText('t').format(0, 1, { italic: true }),
      (doc) => doc.getMap('m').set('k0', 'other'),
      (doc) => doc.getXmlFragment('body').insert(0, [new Y.XmlElement('block')]),
    ];
    for (const edit of edits) {
      const doc = await opened(made);
      doc.getText('t');
      doc.clientID = 6_666;
      edit(doc);
      const state = deflated(Y.encodeStateAsUpdateV2(doc));
      expect(await maker.isTrue({ seq: rows.length, state }, rows)).toBe(false);
    }
  });

  test('[SN7] not with the same text under other ids: the next row would lack what it builds on', async () => {
    const { rows } = logOf(7, 1);
    const text = newDoc(6_666);
    const { doc } = logOf(7, 1);
    text.getText('t').insert(0, doc.getText('t').toString());
    const same = docContent(text) === docContent(doc);
    expect(same).toBe(true);
    const state = deflated(Y.encodeStateAsUpdateV2(text));
    expect(await maker.isTrue({ seq: 1, state }, rows)).toBe(false);
  });

  test('[SN7] not when it cannot be read; and without all rows there is no answer', async () => {
    const { rows } = logOf(8);
    expect(await maker.isTrue({ seq: 5, state: Uint8Array.of(1) }, rows)).toBe(false);
    const made = await maker.make(null, rows);
    await expect(made && maker.isTrue(made, rows.slice(0, -1))).rejects.toThrow('no rows up to');
  });
});
