import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { bodyOf } from 'weft-document/names.ts';
import { SEED_CLIENT_ID, SEED_SESSION, type SessionId, parseSessionId } from 'weft-sync/protocol/ids.ts';
import type { Row } from 'weft-sync/protocol/row.ts';
import * as Y from 'yjs';
import { findChanges } from '../../src/sessions/since/find-changes.ts';
import { pageSeed } from '../support/editor/page-seed.ts';

function newSession(): SessionId {
  const session = parseSessionId(randomUUID());
  if (session === null) throw new Error('randomUUID makes ids of sessions');
  return session;
}

/** A page with three blocks, and people who write rows to its log. */
function logOfPage() {
  const page = new Y.Doc();
  const seed = new Uint8Array(pageSeed('One.', 'Two.', 'Three.'));
  Y.applyUpdate(page, seed);
  const rows: Row[] = [
    {
      seq: 1,
      at: 1000,
      session: SEED_SESSION,
      clientId: SEED_CLIENT_ID,
      nFrom: 1,
      nTo: 1,
      update: seed,
      dependencies: [],
    },
  ];
  const person = (clientId: number) => {
    const session = newSession();
    // One document per person: Yjs changes a client id whose edits come from outside.
    const doc = new Y.Doc();
    doc.clientID = clientId;
    let n = 0;
    return {
      session,
      /** `unseen`: without having seen what others wrote since the last time. */
      write(edit: (body: Y.XmlFragment) => void, unseen = false) {
        if (!unseen) Y.applyUpdate(doc, Y.encodeStateAsUpdate(page, Y.encodeStateVector(doc)));
        const before = Y.encodeStateVector(doc);
        edit(bodyOf(doc));
        const update = new Uint8Array(Y.encodeStateAsUpdate(doc, before));
        Y.applyUpdate(page, update);
        const seq = rows.length + 1;
        n += 1;
        rows.push({ seq, at: seq * 1000, session, clientId, nFrom: n, nTo: n, update, dependencies: [] });
      },
    };
  };
  const textAt = (body: Y.XmlFragment, at: number): Y.XmlText => {
    const block = body.get(at);
    const text = block instanceof Y.XmlElement ? block.get(0) : null;
    if (!(text instanceof Y.XmlText)) throw new Error('the block has no text');
    return text;
  };
  const job = (seen: number, own: readonly SessionId[] = []) => ({
    state: null,
    seq: 0,
    seen: rows.slice(0, seen),
    snapshot: null,
    later: rows.slice(seen),
    own,
  });
  return { page, rows, person, textAt, job };
}

test('names what changed after a row, with the newest row that touched each block', () => {
  const { person, textAt, job } = logOfPage();
  const [alice, bob] = [person(2001), person(2002)];
  alice.write((body) => textAt(body, 0).insert(4, ' Alice saw this.'));
  alice.write((body) => textAt(body, 1).insert(4, ' Alice adds.'));
  bob.write((body) => textAt(body, 1).insert(16, ' Bob too.'));
  bob.write((body) => body.delete(2, 1));
  const found = findChanges(job(2));
  expect(found?.steps.map(({ says }) => says)).toEqual(['Added: “Alice adds. Bob too.”', 'Removed 1 block: “Three.”']);
  const [key = ''] = found?.steps.map((step) => step.key) ?? [];
  expect(found?.touched.get(key)).toEqual({ at: 4000, session: bob.session });
});

test('own edits are no news, those of others beside them are', () => {
  const { person, textAt, job } = logOfPage();
  const [alice, bob] = [person(2001), person(2002)];
  alice.write((body) => textAt(body, 0).insert(4, ' My own.'));
  bob.write((body) => textAt(body, 2).insert(6, ' Bob.'));
  expect(findChanges(job(1, [alice.session]))?.steps.map(({ says }) => says)).toEqual(['Added: “Bob.”']);
  expect(findChanges(job(1, [alice.session, bob.session]))?.steps).toEqual([]);
});

test('own words in a block that others changed too are no news: typed offline, in another tab, or between the words of others', () => {
  const says = (job: Parameters<typeof findChanges>[0]) => findChanges(job)?.steps.map((step) => step.says);
  const marked = (job: Parameters<typeof findChanges>[0]) => {
    const found = findChanges(job);
    return Array.from(found?.marks.values() ?? []).flatMap((marks) =>
      marks.map((mark) => (mark.type === 'text' ? `${mark.from}-${mark.to}` : mark.type)),
    );
  };
  // Offline: Alice has not seen what Bob wrote meanwhile.
  const offline = logOfPage();
  const [alice, bob] = [offline.person(2001), offline.person(2002)];
  bob.write((body) => offline.textAt(body, 0).insert(0, 'Bob writes. '));
  alice.write((body) => offline.textAt(body, 1).insert(0, ''));
  bob.write((body) => offline.textAt(body, 0).insert(0, 'News: '));
  alice.write((body) => offline.textAt(body, 0).insert(16, ' Typed by Alice offline.'), true);
  expect(says(offline.job(3, [alice.session]))).toEqual(['Added: “News:”']);

  // In another tab, right behind words that are news there.
  const tabs = logOfPage();
  const [mine, theirs] = [tabs.person(2001), tabs.person(2002)];
  theirs.write((body) => tabs.textAt(body, 1).insert(4, ' Bob adds.'));
  mine.write((body) => tabs.textAt(body, 1).insert(14, ' Alice answers.'));
  expect(marked(tabs.job(1, [mine.session]))).toEqual(['5-14']);

  // Own deletions are no news either.
  const deleted = logOfPage();
  const [me, other] = [deleted.person(2001), deleted.person(2002)];
  other.write((body) => deleted.textAt(body, 2).insert(6, ' Bob.'));
  me.write((body) => deleted.textAt(body, 2).delete(0, 6));
  expect(marked(deleted.job(1, [me.session]))).toEqual(['1-5']);
});

test('compares a stored state, or with a snapshot, as with the rows that they were made of', () => {
  const { page, rows, person, textAt, job } = logOfPage();
  const bob = person(2002);
  bob.write((body) => textAt(body, 0).insert(4, ' First.'));
  const state = new Uint8Array(Y.encodeStateAsUpdateV2(page));
  bob.write((body) => textAt(body, 0).insert(11, ' Second.'));
  const stored = { state, seq: 2, seen: [], snapshot: null, later: rows.slice(2), own: [] };
  expect(findChanges(stored)?.steps).toEqual(findChanges(job(2))?.steps);
  expect(findChanges(stored)?.steps.map(({ says }) => says)).toEqual(['Added: “Second.”']);

  const snapshot = { seq: 3, state: new Uint8Array(Y.encodeStateAsUpdateV2(page)) };
  bob.write((body) => textAt(body, 1).insert(4, ' Third.'));
  const found = findChanges({ ...stored, snapshot, later: rows.slice(3) });
  expect(found?.steps).toEqual(findChanges(job(2))?.steps);
  // Only a row says when, and whose it is.
  expect(Array.from(found?.touched.values() ?? [])).toEqual([
    { at: null, session: null },
    { at: 4000, session: bob.session },
  ]);
});

test('text that came and went again is no change; a state that is none, or rows with a gap, name nothing', () => {
  const { rows, person, textAt, job } = logOfPage();
  const bob = person(2002);
  bob.write((body) => textAt(body, 0).insert(4, ' Gone soon.'));
  bob.write((body) => textAt(body, 0).delete(4, 11));
  expect(findChanges(job(1))?.steps).toEqual([]);
  expect(findChanges({ ...job(1), state: new Uint8Array([1, 2, 3]), seq: 1, seen: [] })).toBe(null);
  expect(findChanges({ ...job(1), later: rows.slice(2) })).toBe(null);
});

test('what a row passes on is named by the account that appended it, and by no one if that is the reader’s own app', () => {
  const { rows, person, textAt, job } = logOfPage();
  const [alice, bob, mallory] = [person(2001), person(2002), person(2003)];
  bob.write((body) => textAt(body, 0).insert(4, ' Bob.'));
  const last = rows.pop();
  if (last === undefined) throw new Error('no row');
  const { seq, ...part } = last;
  const relayedBy = (session: SessionId): Row => ({
    ...{ seq, at: 5000, session, clientId: 2004, nFrom: 0, nTo: 0, update: new Uint8Array() },
    dependencies: [part],
  });
  const touchedBy = () =>
    Array.from(findChanges(job(1, [alice.session]))?.touched.values() ?? [], ({ session }) => session);
  rows.push(relayedBy(mallory.session));
  expect(touchedBy()).toEqual([mallory.session]);
  rows.splice(1, 1, relayedBy(alice.session));
  expect(touchedBy()).toEqual([null]);
  const merged = { ...rows[1], ...relayedBy(alice.session), firstSeq: seq, firstAt: 1 };
  rows.splice(1, 1, merged);
  expect(touchedBy()).toEqual([bob.session]);
});

test('finds words that someone deleted with a block unseen, whichever came first, until they are on the page again', () => {
  for (const isLate of [false, true]) {
    const { person, textAt, job } = logOfPage();
    const [alice, bob] = [person(2001), person(2002)];
    for (const one of [alice, bob]) one.write((body) => textAt(body, 0).insert(0, '.'));
    const remove = () => bob.write((body) => body.delete(1, 1), true);
    const type = () => alice.write((body) => textAt(body, 1).insert(4, ' Alice adds.'), true);
    if (isLate) remove();
    type();
    if (!isLate) remove();
    expect(findChanges(job(3))?.lost).toEqual([
      {
        key: expect.any(String) as string,
        seq: 5,
        at: 5000,
        by: bob.session,
        client: 2001,
        words: 'Alice adds.',
        kind: 'paragraph',
        after: ['line-0'],
      },
    ]);
    alice.write((body) => textAt(body, 1).insert(0, 'Alice adds.'));
    expect(findChanges(job(3))?.lost).toEqual([]);
  }
});

test('finds no lost text where the deletion names it, where the same person wrote it, or where its block stays', () => {
  const { person, textAt, job } = logOfPage();
  const [alice, bob] = [person(2001), person(2002)];
  alice.write((body) => textAt(body, 1).insert(4, ' Seen.'));
  bob.write((body) => body.delete(1, 1));
  alice.write((body) => textAt(body, 0).insert(0, 'New '));
  bob.write((body) => textAt(body, 0).delete(0, 3), true);
  alice.write((body) => body.delete(0, 1));
  expect(findChanges(job(1))?.lost).toEqual([]);
});

test('finds words in a row of a table that someone deleted unseen', () => {
  const { person, textAt, job } = logOfPage();
  const [alice, bob] = [person(2001), person(2002)];
  alice.write((body) => body.insert(1, [tableWith('left', 'right')]));
  bob.write((body) => textAt(body, 0).insert(0, '.'));
  const row = (body: Y.XmlFragment): Y.XmlElement => {
    const table = body.get(1);
    if (!(table instanceof Y.XmlElement)) throw new Error('no table');
    return table;
  };
  alice.write((body) => {
    const text = row(body).get(0);
    const cell: unknown = text instanceof Y.XmlElement ? text.get(0) : null;
    const words: unknown = cell instanceof Y.XmlElement ? cell.get(0) : null;
    if (words instanceof Y.XmlText) words.insert(4, ' and more');
  }, true);
  bob.write((body) => row(body).delete(0, 1), true);
  expect(findChanges(job(3))?.lost).toMatchObject([{ words: 'and more', line: 'row', after: ['table', 'line-0'] }]);
});

function tableWith(...cells: readonly string[]): Y.XmlElement {
  const table = new Y.XmlElement('table');
  const row = new Y.XmlElement('tableRow');
  table.setAttribute('id', 'table');
  row.insert(
    0,
    cells.map((text) => {
      const cell = new Y.XmlElement('tableCell');
      cell.insert(0, [new Y.XmlText(text)]);
      return cell;
    }),
  );
  table.insert(0, [row]);
  return table;
}
