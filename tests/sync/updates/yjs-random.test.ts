// Yjs's own random tests, with sessions in place of its connector: its lists of modifications, its probabilities of
// losing and finding the connection, its comparison at the end.
import * as prng from 'lib0/prng';
import { expect, test } from 'vitest';
import { newDoc } from 'weft-sync/updates/new-doc.ts';
import * as Y from 'yjs';
import { compareStructStores } from 'yjs/testHelper';
import { DOCUMENT } from '../sync-harness.ts';
import { type Edit, arrayEdits, mapEdits, richTextEdits, textEdits, xmlEdits } from './yjs-random-edits.ts';
import { type Mode, Peers } from './yjs-random-peers.ts';

const MODES: readonly Mode[] = [
  { name: 'rows', options: { liveUpdates: false } },
  { name: 'live updates', options: { liveUpdates: true } },
];

const LISTS: readonly (readonly [name: string, edits: readonly Edit[]])[] = [
  ['array', arrayEdits],
  ['map', mapEdits],
  ['text', textEdits],
  ['rich text', richTextEdits],
  ['xml', xmlEdits],
];
/** Editors, edits per round, rounds. `YJS_TIMES=20` runs twenty times as many, `YJS_ROUND=17` only that one. */
const SIZES = [
  [2, 40, 90],
  [3, 40, 60],
  [3, 300, 10],
] as const;
const TIMES = Number(process.env['YJS_TIMES'] ?? 1);
const ONLY = process.env['YJS_ROUND'];

/** Faults that all rounds together must have met: a test without faults proves nothing. */
type Met = { losses: number; behind: number; unsent: number };

for (const mode of MODES) {
  for (const [name, edits] of LISTS) {
    for (const [editors, iterations, rounds] of SIZES) {
      const size = `${editors} sessions, ${iterations} edits, ${rounds * TIMES} rounds`;
      test(
        `[I7] [I3] [I11] Yjs's random ${name} test: ${size} (${mode.name})`,
        { timeout: TIMES * 60_000 },
        async () => {
          const met: Met = { losses: 0, behind: 0, unsent: 0 };
          const seeds = ONLY === undefined ? Array.from({ length: rounds * TIMES }, (_, at) => at + 1) : [Number(ONLY)];
          for (const seed of seeds) {
            try {
              await randomRound(edits, editors, iterations, mode, seed, met);
            } catch (error) {
              throw new Error(`round ${seed}: ${String(error)}`, { cause: error });
            }
          }
          if (ONLY !== undefined) return;
          expect(met.losses).toBeGreaterThan(seeds.length / 4);
          expect(met.behind).toBeGreaterThan((seeds.length * iterations) / 4);
          expect(met.unsent).toBeGreaterThan((seeds.length * iterations) / 4);
        },
      );
    }
  }
}

async function randomRound(
  edits: readonly Edit[],
  editors: number,
  iterations: number,
  mode: Mode,
  seed: number,
  met: Met,
): Promise<void> {
  const random = prng.create(seed * 7919 + editors * 31 + iterations);
  const harness = await new Peers(editors, mode, random).opened();
  for (let at = 0; at < iterations; at++) {
    await somethingHappens(harness, random, met);
    const peer = prng.oneOf(random, [...harness.peers]);
    if (peer.session.getView().unsent.edits > 0) met.unsent += 1;
    const known = Y.encodeStateVector(peer.doc);
    if (harness.peers.some(({ doc }) => Y.encodeStateAsUpdate(doc, known).length > 2)) met.behind += 1;
    peer.edit((doc) => prng.oneOf(random, [...edits])(doc, random));
    for (const { doc } of harness.peers) noPending(doc);
  }
  await harness.settled();
  compare(harness);
  await harness.closed();
  expect(harness.clock.pending).toBe(0);
  expect(harness.server.hub.channels).toBe(0);
}

/** The probabilities of Yjs's test; where it delivers one message, some time passes here. */
async function somethingHappens({ peers, clock }: Peers, random: prng.PRNG, met: Met): Promise<void> {
  if (prng.int32(random, 0, 100) <= 2) {
    const isLost = prng.bool(random);
    const some = peers.filter(({ isOnline }) => isOnline === isLost);
    if (some.length === 0) return;
    const peer = prng.oneOf(random, some);
    if (isLost) met.losses += 1;
    if (isLost) peer.disconnect();
    else peer.connect();
  } else if (prng.int32(random, 0, 100) <= 1) await clock.run(5_000);
  else if (prng.int32(random, 0, 100) <= 50) await clock.run(prng.int32(random, 1, 80));
}

function noPending({ store }: Y.Doc): void {
  if (store.pendingStructs !== null || store.pendingDs !== null) throw new Error('Yjs has something pending');
}

/** Yjs's comparison: content, delta, state vector, deletions and structs of all, of the log, and of it merged. */
function compare({ peers, server }: Peers): void {
  const replayed = newDoc();
  const updates: Uint8Array[] = [];
  let seq = 0;
  for (const row of server.rows(DOCUMENT)) {
    expect(row.seq).toBe(++seq);
    const parts = [...row.dependencies, row].map(({ update }) => update).filter(({ length }) => length > 0);
    updates.push(...parts);
    replayed.transact(() => {
      for (const update of parts) Y.applyUpdate(replayed, update);
    });
    noPending(replayed);
  }
  mergeCollected(replayed);
  const merged = newDoc();
  if (updates.length > 0) Y.applyUpdate(merged, Y.mergeUpdates(updates));

  const first = contentOf(replayed);
  for (const doc of [merged, ...peers.map((peer) => peer.doc)]) {
    noPending(doc);
    expect(contentOf(doc)).toEqual(first);
    expect(Y.encodeStateVector(doc)).toEqual(Y.encodeStateVector(replayed));
    expect(Y.equalSnapshots(Y.snapshot(doc), Y.snapshot(replayed))).toBe(true);
    mergeCollected(doc);
    compareStructStores(doc.store, replayed.store);
  }
  for (const { session, edits, receivedEdits } of peers) {
    const { lastN, ackedN, unsent, damaged } = session.getView();
    const is = { lastN, ackedN, unsent: unsent.edits, damaged, receivedEdits };
    expect(is).toEqual({ lastN: edits, ackedN: edits, unsent: 0, damaged: [], receivedEdits: 0 });
  }
}

/**
 * Yjs joins collected structs only beside what the same transaction touched: the same deletions in other steps leave
 * the same run in other pieces.
 */
function mergeCollected({ store }: Y.Doc): void {
  for (const structs of store.clients.values()) {
    for (let at = structs.length - 1; at > 0; at--) {
      const [left, right] = [structs[at - 1], structs[at]];
      if (left instanceof Y.GC && right instanceof Y.GC && left.mergeWith(right)) structs.splice(at, 1);
    }
  }
}

function contentOf(doc: Y.Doc) {
  const text = doc.getText('text');
  const delta: { readonly insert: unknown; readonly attributes?: object }[] = text.toDelta();
  const length = delta.reduce((sum, { insert }) => sum + (typeof insert === 'string' ? insert.length : 1), 0);
  expect(length).toBe(text.length);
  return {
    array: doc.getArray('array').toJSON(),
    map: doc.getMap('map').toJSON(),
    xml: doc.get('xml', Y.XmlElement).toString(),
    text: delta.map((op) => ({ ...op, insert: op.insert instanceof Y.AbstractType ? op.insert.toJSON() : op.insert })),
  };
}
