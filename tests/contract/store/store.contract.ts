// The contract of every Store. Runs against the memory store in Node and against IndexedDB in a real browser.
import { expect, test } from 'vitest';
import type { OutboxEntry, Store, StoredMeta } from 'weft-sync/ports.ts';
import { type SessionId, parseDocumentId, parseSessionId } from 'weft-sync/protocol/ids.ts';
import type { Row } from 'weft-sync/protocol/row.ts';

function must<T>(value: T | null): T {
  if (value === null) throw new Error('malformed id in a test');
  return value;
}

const document = must(parseDocumentId('d0000000-0000-4000-8000-000000000001'));
const other = must(parseDocumentId('d0000000-0000-4000-8000-000000000002'));
const alice = must(parseSessionId('50000000-0000-4000-8000-00000000000a'));
const bob = must(parseSessionId('50000000-0000-4000-8000-00000000000b'));

const meta = (seq: number): StoredMeta => ({ seq, schemaVersion: 1, title: 'Notes', role: 'editor' });
const row = (seq: number, session: SessionId = alice): Row => ({
  seq,
  at: 1_700_000_000_000 + seq,
  session,
  clientId: 5000,
  nFrom: seq,
  nTo: seq,
  update: Uint8Array.of(seq, 0),
  dependencies: [],
});
const entry = (n: number): OutboxEntry => ({ n, update: Uint8Array.of(n), at: 1000 + n, buildsOn: [] });
const key = (session: SessionId) => ({ session, clientId: session === alice ? 5000 : 6000 });

/** `fresh` is an empty store; `again` opens the same device as another tab would. */
export function storeContract(make: () => { readonly fresh: Store; again(): Store }): void {
  test('[ST1] a device without the document returns null', async () => {
    const { fresh } = make();
    expect(await fresh.load(document)).toBeNull();
    expect(await fresh.unsent()).toEqual([]);
  });

  test('[ST1] [HI2] rows come back in seq order with all their dependencies and what they follow, in every tab', async () => {
    const { fresh, again } = make();
    const carrying: Row = {
      ...row(2, bob),
      follows: 1_700_000_000_000,
      dependencies: [{ ...key(alice), nFrom: 3, nTo: 4, update: Uint8Array.of(7) }],
    };
    await fresh.saveRows(document, meta(2), [carrying, row(1)]);
    await fresh.saveRows(other, meta(1), [row(1, bob)]);
    const loaded = await again().load(document);
    expect(loaded).toEqual({ meta: meta(2), snapshot: null, rows: [row(1), carrying], outboxes: [] });
  });

  test('[ST1] rows and pages from before rows had times are read as they are', async () => {
    const { fresh, again } = make();
    const { at: _at, ...old } = row(1);
    await fresh.saveRows(document, meta(1), [old]);
    await fresh.saveRows(other, { ...meta(1), changedAt: 1_700_000_000_000 }, [row(1)]);
    expect(await again().load(document)).toEqual({ meta: meta(1), snapshot: null, rows: [old], outboxes: [] });
    expect((await again().load(other))?.meta.changedAt).toBe(1_700_000_000_000);
  });

  test('[ST2] rows after a gap are not returned', async () => {
    const { fresh } = make();
    await fresh.saveRows(document, meta(4), [row(1), row(2), row(4)]);
    const loaded = await fresh.load(document);
    expect(loaded?.rows.map(({ seq }) => seq)).toEqual([1, 2]);
    expect(loaded?.meta.seq).toBe(2);
  });

  test('[ST2] a snapshot replaces the rows below it and stays when rows are added', async () => {
    const { fresh } = make();
    await fresh.saveRows(document, meta(2), [row(1), row(2)]);
    await fresh.saveRows(document, meta(2), [], { seq: 2, state: Uint8Array.of(9, 9) });
    await fresh.saveRows(document, meta(3), [row(3)]);
    const loaded = await fresh.load(document);
    expect(loaded?.snapshot).toEqual({ seq: 2, state: Uint8Array.of(9, 9) });
    expect(loaded?.rows.map(({ seq }) => seq)).toEqual([3]);
  });

  test('[ST2] a row replaces those that it stands for, and the snapshot below it if it stands for all', async () => {
    const { fresh, again } = make();
    await fresh.saveRows(document, meta(5), [row(3), row(4), row(5)], { seq: 2, state: Uint8Array.of(2) });
    await fresh.acknowledge(document, alice, 1, meta(7), [row(6), { ...row(7), firstSeq: 4 }]);
    expect((await fresh.load(document))?.rows.map(({ seq }) => seq)).toEqual([3, 7]);
    await again().saveRows(document, meta(9), [{ ...row(8), firstSeq: 1 }, row(9)]);
    const loaded = await fresh.load(document);
    expect(loaded?.snapshot).toBeNull();
    expect(loaded?.rows.map(({ seq }) => seq)).toEqual([8, 9]);
  });

  test('[D5] entries written in one task come back by number, oldest session first', async () => {
    const { fresh, again } = make();
    await Promise.all([
      fresh.addEntry(document, key(bob), entry(1)),
      fresh.addEntry(document, key(bob), entry(2)),
      fresh.addEntry(document, key(alice), {
        ...entry(5),
        buildsOn: [{ ...key(bob), nFrom: 1, nTo: 2, update: Uint8Array.of(1) }],
      }),
    ]);
    const loaded = await again().load(document);
    expect(loaded?.outboxes).toEqual([
      { ...key(bob), entries: [entry(1), entry(2)], refused: null },
      {
        ...key(alice),
        entries: [{ ...entry(5), buildsOn: [{ ...key(bob), nFrom: 1, nTo: 2, update: Uint8Array.of(1) }] }],
        refused: null,
      },
    ]);
    expect(await fresh.unsent()).toEqual([{ document, edits: 3, oldestAt: 1001 }]);
  });

  test('[I2] an acknowledgement deletes entries, and stores rows and the snapshot below them together', async () => {
    const { fresh } = make();
    for (const n of [1, 2, 3]) await fresh.addEntry(document, key(alice), entry(n));
    await fresh.addEntry(document, key(bob), entry(1));
    await fresh.acknowledge(document, alice, 2, meta(3), [row(3)], { seq: 2, state: Uint8Array.of(2) });
    const loaded = await fresh.load(document);
    expect([loaded?.snapshot?.seq, loaded?.rows.map(({ seq }) => seq)]).toEqual([2, [3]]);
    expect(loaded?.outboxes.map(({ session, entries }) => [session, entries.map(({ n }) => n)])).toEqual([
      [alice, [3]],
      [bob, [1]],
    ]);
    await fresh.acknowledge(document, alice, 3, meta(1), []);
    expect((await fresh.load(document))?.outboxes.map(({ session }) => session)).toEqual([bob]);
  });

  test('[HI3] what a frozen tab stored meanwhile stays when its outbox is set aside', async () => {
    const { fresh, again } = make();
    for (const n of [1, 2, 3]) await again().addEntry(document, key(bob), entry(n));
    await fresh.setAside(
      document,
      { copy: undefined, seq: 0 },
      { ...meta(0), copy: 'second' },
      [{ session: bob, lastN: 2 }],
      key(alice),
      entry(1),
    );
    const outboxes = (await fresh.load(document))?.outboxes ?? [];
    expect(outboxes.map(({ session, entries }) => [session, entries.map(({ n }) => n)]).toSorted()).toEqual(
      [
        [alice, [1]],
        [bob, [3]],
      ].toSorted(),
    );
  });

  test('[HI3] nothing is set aside while another tab stores rows of the copy that were not read', async () => {
    const { fresh, again } = make();
    const begun = { ...meta(0), copy: 'second' };
    const setAside = (seq: number) =>
      fresh.setAside(document, { copy: undefined, seq }, begun, [{ session: bob, lastN: 1 }], key(alice), entry(1));
    await fresh.saveRows(document, meta(2), [row(1), row(2)]);
    await fresh.addEntry(document, key(bob), entry(1));
    await again().saveRows(document, meta(3), [row(3)]);
    const before = await again().load(document);
    expect(await setAside(2)).toBe(false);
    expect(await again().load(document)).toEqual(before);
    // Row 5 cannot be read without row 4.
    await again().saveRows(document, meta(5), [row(5)]);
    expect(await setAside(3)).toBe(true);
    expect(await again().load(document)).toEqual({
      meta: begun,
      snapshot: null,
      rows: [],
      outboxes: [{ ...key(alice), entries: [entry(1)], refused: null }],
    });
  });

  test('[HI6] [HI9] a history before the stored one is not written, although the copy has no other id', async () => {
    const { fresh, again } = make();
    const later = { ...meta(3), historyBeganAt: 1_000 };
    await fresh.saveRows(document, meta(2), [row(1), row(2)]);
    await fresh.addEntry(document, key(alice), entry(1));
    expect(await fresh.saveRows(document, later, [{ ...row(3), firstSeq: 1 }])).toBe(true);
    const former = again();
    expect(await former.saveRows(document, meta(2), [row(2)], { seq: 1, state: Uint8Array.of(1) })).toBe(false);
    expect(await former.acknowledge(document, alice, 1, meta(2), [row(2)])).toBe(false);
    const loaded = await fresh.load(document);
    expect([loaded?.snapshot, loaded?.rows.map(({ seq }) => seq), loaded?.outboxes.length]).toEqual([null, [3], 1]);
  });

  test('[HI6] a row or a snapshot of another log is not stored, and the entries stay, until a newer history begins', async () => {
    const { fresh, again } = make();
    const of = (seq: number, at: number) => ({ ...row(seq), at });
    await fresh.saveRows(document, meta(3), [of(1, 10), of(2, 20), of(3, 30)]);
    await fresh.addEntry(document, key(alice), entry(1));
    const before = await fresh.load(document);
    const other = again();
    expect(await other.saveRows(document, meta(4), [of(3, 31), of(4, 40)])).toBe(false);
    expect(await other.acknowledge(document, alice, 1, meta(2), [of(2, 21)])).toBe(false);
    expect(await other.saveRows(document, meta(3), [], { seq: 3, at: 31, state: Uint8Array.of(1) })).toBe(false);
    expect(await again().load(document)).toEqual(before);
    expect(await other.saveRows(document, meta(4), [of(2, 20), of(3, 30), of(4, 40)])).toBe(true);
    expect(await other.saveRows(document, meta(4), [], { seq: 4, at: 40, state: Uint8Array.of(1) })).toBe(true);
    expect(await other.saveRows(document, meta(4), [], { seq: 4, at: 41, state: Uint8Array.of(2) })).toBe(false);
    const later = { ...meta(4), historyBeganAt: 1_000 };
    expect(await other.saveRows(document, later, [], { seq: 4, at: 41, state: Uint8Array.of(3) })).toBe(true);
    expect((await again().load(document))?.snapshot?.state).toEqual(Uint8Array.of(3));
  });

  test('[I2] an entry and its acknowledgement issued in one task leave nothing behind', async () => {
    const { fresh } = make();
    await Promise.all([
      fresh.addEntry(document, key(alice), entry(1)),
      fresh.acknowledge(document, alice, 1, meta(1), [row(1)]),
    ]);
    expect((await fresh.load(document))?.outboxes).toEqual([]);
    expect(await fresh.unsent()).toEqual([]);
  });

  test('[SY2] an entry keeps the schema version of the app that wrote it', async () => {
    const { fresh, again } = make();
    await fresh.addEntry(document, key(alice), { ...entry(1), schemaVersion: 7 });
    await fresh.addEntry(document, key(alice), entry(2));
    const [outbox] = (await again().load(document))?.outboxes ?? [];
    expect(outbox?.entries.map(({ schemaVersion }) => schemaVersion)).toEqual([7, undefined]);
  });

  test('[ST1] bytes come back unchanged, and of a view into a larger buffer only its own', async () => {
    const { fresh, again } = make();
    const all = Uint8Array.from({ length: 256 }, (_, at) => at);
    const view = new Uint8Array(all.buffer, 3, 200);
    await fresh.saveRows(document, meta(1), [{ ...row(1), update: view }]);
    await fresh.addEntry(document, key(alice), { ...entry(1), update: view });
    const loaded = await again().load(document);
    expect(loaded?.rows[0]?.update).toEqual(all.slice(3, 203));
    expect(loaded?.outboxes[0]?.entries[0]?.update).toEqual(all.slice(3, 203));
  });

  test('[ST1] an entry written twice (it could not be stored at first, or was after all) is there once', async () => {
    const { fresh } = make();
    for (const n of [2, 1, 2, 3, 1]) await fresh.addEntry(document, key(alice), entry(n));
    const loaded = await fresh.load(document);
    expect(loaded?.outboxes.map(({ entries }) => entries.map(({ n }) => n))).toEqual([[1, 2, 3]]);
    expect(await fresh.unsent()).toEqual([{ document, edits: 3, oldestAt: 1001 }]);
  });

  test('[I2] acknowledging entries that do not exist keeps the rows and all other edits', async () => {
    const { fresh } = make();
    await fresh.addEntry(document, key(bob), entry(1));
    await fresh.acknowledge(document, alice, 9, meta(1), [row(1)]);
    await fresh.acknowledge(document, bob, 0, meta(2), [row(2)]);
    const loaded = await fresh.load(document);
    expect(loaded?.rows.map(({ seq }) => seq)).toEqual([1, 2]);
    expect(loaded?.outboxes.map(({ session, entries }) => [session, entries.length])).toEqual([[bob, 1]]);
  });

  test('[I4] an acknowledged edit goes with its dependencies, and the snapshot stays', async () => {
    const { fresh, again } = make();
    const frame = { ...key(bob), nFrom: 4, nTo: 9, update: Uint8Array.of(4, 9) };
    const carrying = { ...frame, session: alice, clientId: 5000, nFrom: 1, nTo: 1 };
    await fresh.saveRows(document, meta(5), [], { seq: 5, state: Uint8Array.of(5) });
    await fresh.addEntry(document, key(alice), { ...entry(1), buildsOn: [frame] });
    await fresh.addEntry(document, key(alice), { ...entry(2), buildsOn: [frame, carrying] });
    await fresh.acknowledge(document, alice, 1, meta(6), [row(6)]);
    const loaded = await again().load(document);
    expect(loaded?.outboxes[0]?.entries).toEqual([{ ...entry(2), buildsOn: [frame, carrying] }]);
    expect(loaded?.snapshot).toEqual({ seq: 5, state: Uint8Array.of(5) });
    expect(loaded?.rows.map(({ seq }) => seq)).toEqual([6]);
    expect(loaded?.meta.seq).toBe(6);
  });

  test('[ST3] edits of a page without any other stored data are readable, with the role of a viewer', async () => {
    const { fresh, again } = make();
    await fresh.addEntry(document, key(alice), entry(1));
    const loaded = await again().load(document);
    expect(loaded).toMatchObject({ meta: { seq: 0, role: 'viewer' }, snapshot: null, rows: [] });
    expect(loaded?.outboxes.map(({ entries }) => entries)).toEqual([[entry(1)]]);
  });

  test('[ST3] a rejected outbox keeps its entries and its reason', async () => {
    const { fresh } = make();
    await fresh.addEntry(document, key(alice), entry(1));
    await fresh.refuse(document, alice, 'WF005');
    await fresh.refuse(document, bob, 'WF005');
    await fresh.addEntry(document, key(alice), entry(2));
    expect((await fresh.load(document))?.outboxes).toEqual([
      { ...key(alice), entries: [entry(1), entry(2)], refused: 'WF005' },
    ]);
  });

  test('[ST2] a snapshot older than the stored one changes nothing', async () => {
    const { fresh, again } = make();
    await fresh.saveRows(document, meta(5), [row(5)], { seq: 4, state: Uint8Array.of(4) });
    await again().saveRows(document, meta(5), [], { seq: 2, state: Uint8Array.of(2) });
    const loaded = await fresh.load(document);
    expect(loaded?.snapshot).toEqual({ seq: 4, state: Uint8Array.of(4) });
    expect(loaded?.rows.map(({ seq }) => seq)).toEqual([5]);
  });

  test('[ST4] deleting one document keeps the others, deleting all leaves nothing', async () => {
    const { fresh, again } = make();
    for (const each of [document, other]) {
      await fresh.saveRows(each, meta(1), [row(1)], { seq: 1, state: Uint8Array.of(1) });
      await fresh.addEntry(each, key(alice), entry(1));
    }
    await fresh.forget(document);
    expect(await fresh.load(document)).toBeNull();
    expect((await fresh.unsent()).map((unsent) => unsent.document)).toEqual([other]);
    await fresh.forgetAll();
    expect(await again().load(other)).toBeNull();
    expect(await again().unsent()).toEqual([]);
  });

  test('[ST5] after everything was deleted nothing is stored any more, even by a tab that still writes', async () => {
    const { fresh, again } = make();
    const otherTab = again();
    const tabThatNeverRead = again();
    await fresh.saveRows(document, meta(1), [row(1)]);
    await otherTab.addEntry(document, key(bob), entry(1));
    const underWay = otherTab.addEntry(document, key(bob), entry(2)).catch(() => undefined);
    await Promise.all([underWay, fresh.forgetAll()]);
    for (const tab of [fresh, otherTab, tabThatNeverRead]) {
      await expect(tab.addEntry(document, key(alice), entry(3))).rejects.toThrow();
      await expect(tab.saveRows(document, meta(1), [row(1)])).rejects.toThrow();
    }
    expect(await again().load(document)).toBeNull();
    expect(await again().unsent()).toEqual([]);
  });

  test('[HI3] [HI6] a tab sets aside what it holds; a tab of the former copy stores and deletes nothing, and learns it', async () => {
    const { fresh, again } = make();
    await fresh.saveRows(document, meta(2), [row(1), row(2)]);
    await fresh.addEntry(document, key(alice), entry(1));
    await fresh.addEntry(document, key(bob), entry(1));
    const begun = { ...meta(0), copy: 'second' };
    const aside = { session: must(parseSessionId('50000000-0000-4000-8000-00000000000c')), clientId: 2 };
    await fresh.setAside(document, { copy: undefined, seq: 2 }, begun, [{ session: alice, lastN: 1 }], aside, entry(1));
    const outboxes = [
      { ...key(bob), entries: [entry(1)], refused: null },
      { ...aside, entries: [entry(1)], refused: null },
    ];
    const loaded = async () => {
      const stored = await again().load(document);
      return stored && { ...stored, outboxes: stored.outboxes.toSorted((a, b) => (a.session < b.session ? -1 : 1)) };
    };
    expect(await loaded()).toEqual({ meta: begun, snapshot: null, rows: [], outboxes });
    const former = again();
    expect(await former.saveRows(document, meta(3), [row(3)])).toBe(false);
    expect(await former.acknowledge(document, bob, 1, meta(3), [row(3)])).toBe(false);
    // It sets aside what it holds as well, in the copy that is there.
    const other = { session: must(parseSessionId('50000000-0000-4000-8000-00000000000d')), clientId: 2 };
    await former.setAside(
      document,
      { copy: undefined, seq: 2 },
      { ...meta(0), copy: 'third' },
      [{ session: bob, lastN: 1 }],
      other,
      entry(1),
    );
    expect(await loaded()).toEqual({
      meta: begun,
      snapshot: null,
      rows: [],
      outboxes: [outboxes[1], { ...other, entries: [entry(1)], refused: null }],
    });
    expect(await fresh.saveRows(document, { ...meta(1), copy: 'second' }, [row(1)])).toBe(true);
    expect((await loaded())?.rows).toEqual([row(1)]);
  });
}
