// Concurrent insertions: Weft finds the order that Yjs finds, honest or forged, and needs no walk for each item.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeUpdate } from 'weft-sync/updates/decoded-update.ts';
import { newDoc } from 'weft-sync/updates/new-doc.ts';
import * as Y from 'yjs';
import { ROOT } from '../../../scripts/root.mjs';
import { forge } from '../../sync/forge.ts';
import { INDEX_AT_ONCE, INDEX_SOON, YJS, forgedHistory, stateAfter, updatesOf } from './forged-history.ts';

type Insertion = {
  readonly kind: 'list' | 'text' | 'map';
  readonly at: number;
  readonly repeat: number;
  readonly chained: boolean;
};

const insertion = fc.record({
  kind: fc.constantFrom('list' as const, 'list' as const, 'text' as const, 'map' as const),
  at: fc.nat(2),
  repeat: fc.integer({ min: 1, max: 4 }),
  chained: fc.boolean(),
});

/** Someone may learn all that another one has, and then inserts. */
const step = fc.record({ who: fc.nat(2), learnsFrom: fc.option(fc.nat(2)), insertion });

function insert(doc: Y.Doc, { kind, at, repeat, chained }: Insertion): void {
  const [list, text] = [doc.getArray('list'), doc.getText('text')];
  for (let n = 0; n < repeat; n++) {
    const name = `${doc.clientID}.${n}`;
    if (kind === 'list') list.insert(Math.min(list.length, at + (chained ? n : 0)), [new Y.Map([['name', name]])]);
    else if (kind === 'text')
      text.insert(Math.min(text.length, at + (chained ? n : 0)), String.fromCharCode(97 + n), { by: name });
    else doc.getMap('map').set(`key ${at % 2}`, name);
  }
}

/** In one transaction, as a page opens. */
function appliedTogether(updates: readonly Uint8Array[]): unknown {
  const doc = newDoc();
  doc.transact(() => {
    // Within one transaction, Yjs does not always go back to an update that came too early.
    for (const update of [...updates, ...updates]) Y.applyUpdate(doc, update);
  });
  expect(doc.store.pendingStructs).toBeNull();
  return [doc.getArray('list').toJSON(), doc.getText('text').toDelta(), doc.getMap('map').toJSON()];
}

function updateOf(doc: Y.Doc, insertion: Insertion): Uint8Array {
  const before = Y.encodeStateVector(doc);
  doc.transact(() => insert(doc, insertion));
  return Y.encodeStateAsUpdate(doc, before);
}

const RUNS = 500;

/** The ids decide between items at one place, so each of the orders is tried. */
const CLIENTS = fc.shuffledSubarray([10, 11, 12], { minLength: 3 });

test('people who insert at the same places see the same order, whatever arrives first', () => {
  fc.assert(
    fc.property(
      CLIENTS,
      fc.array(step, { maxLength: 10 }),
      fc.infiniteStream(fc.nat(99)),
      (clients, steps, chances) => {
        const docs = clients.map((id) => newDoc(id));
        const updates: { readonly who: number; readonly update: Uint8Array }[] = [];
        for (const { who, learnsFrom, insertion } of steps) {
          const [doc, other] = [docs[who], docs[learnsFrom ?? who]];
          if (doc === undefined || other === undefined) continue;
          if (other !== doc) Y.applyUpdate(doc, Y.encodeStateAsUpdate(other));
          updates.push({ who, update: updateOf(doc, insertion) });
        }
        const inOrder = updates.map(({ update }) => update);
        const shuffled = () => {
          const keys = new Map(inOrder.map((update) => [update, chances.next().value]));
          return inOrder.toSorted((a, b) => (keys.get(a) ?? 0) - (keys.get(b) ?? 0));
        };
        const byPerson = (order: readonly number[]) =>
          order.flatMap((at) => updates.filter(({ who }) => who === at).map(({ update }) => update));
        const first = appliedTogether(inOrder);
        const others = [
          [0, 1, 2],
          [0, 2, 1],
          [1, 0, 2],
          [1, 2, 0],
          [2, 0, 1],
          [2, 1, 0],
        ].map(byPerson);
        for (const order of [...others, shuffled(), shuffled()]) expect(appliedTogether(order)).toEqual(first);
      },
    ),
    { numRuns: RUNS },
  );
});

test('[GB3] forged items end up between the same neighbours as in Yjs, one by one, together and in a state', () => {
  fc.assert(
    fc.property(fc.oneof(forgedHistory(12), forgedHistory(40)), (history) => {
      const transactions = updatesOf(history);
      const state = Y.mergeUpdates(transactions.flat());
      for (const applied of [transactions, [transactions.flat()], [[state]]]) {
        const byYjs = stateAfter(YJS, applied);
        for (const integrate of [INDEX_AT_ONCE, INDEX_SOON]) expect(stateAfter(integrate, applied)).toEqual(byYjs);
      }
      const inV2 = transactions.map((updates) => updates.map((update) => Y.convertUpdateFormatV1ToV2(update)));
      expect(stateAfter(INDEX_AT_ONCE, inV2, 'V2')).toEqual(stateAfter(YJS, inV2, 'V2'));
    }),
    { numRuns: 300 },
  );
});

test('[GB3] forged items whose updates come in any order end up as in Yjs', () => {
  const shuffled = forgedHistory(20).chain((history) => {
    const updates = updatesOf(history).flat();
    return fc.shuffledSubarray(updates, { minLength: updates.length });
  });
  fc.assert(
    fc.property(shuffled, (updates) => {
      for (const applied of [updates.map((update) => [update]), [updates]]) {
        expect(stateAfter(INDEX_AT_ONCE, applied)).toEqual(stateAfter(YJS, applied));
      }
    }),
    { numRuns: 300 },
  );
});

describe('[GB3] a forged item whose neighbours are in one item of others', () => {
  const word = forge([{ client: 10, clock: 0, structs: [{ content: { ref: 'string', text: 'abcdef' } }] }]);
  const insertion = (client: number, origin: number, right: number, text: string) =>
    forge([
      { client, clock: 0, structs: [{ origin: [10, origin], right: [10, right], content: { ref: 'string', text } }] },
    ]);

  test.each([
    ['the neighbours are in the wrong order', insertion(11, 3, 1, 'F')],
    ['the neighbours are far apart', insertion(11, 1, 4, 'F')],
  ])('is at the same place before and after that item is cut: %s', (_, forged) => {
    for (const cut of [insertion(12, 0, 1, '-'), insertion(9, 0, 1, '-'), insertion(12, 2, 3, '-')]) {
      const shown = [[word, forged, cut], [word, cut, forged], [Y.mergeUpdates([word, forged, cut])]].map((updates) => {
        const doc = newDoc();
        for (const update of updates) Y.applyUpdate(doc, update);
        return doc.getText('t').toString();
      });
      expect(new Set(shown).size).toBe(1);
    }
  });
});

test('[GB3] this is the version of Yjs whose method the index follows', () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'node_modules/yjs/package.json'), 'utf8'));
  expect(version).toBe('13.6.33');
});

test('[GB2] an own item that undo puts between a neighbour and itself goes behind it, so that everyone takes it', () => {
  const doc = newDoc();
  const text = doc.getText('t');
  text.insert(0, 'a');
  text.insert(1, 'b', { bold: true });
  const updates: Uint8Array[] = [];
  doc.on('update', (update: Uint8Array) => updates.push(update));
  doc.transact((transaction) => {
    const neighbour = text._start;
    if (neighbour === null) throw new Error('no text');
    const id = Y.createID(doc.clientID, Y.getState(doc.store, doc.clientID));
    const content = new Y.ContentString('!');
    new Y.Item(id, neighbour, neighbour.lastId, neighbour, neighbour.id, text, null, content).integrate(transaction, 0);
  });
  const [update] = updates;
  if (update === undefined) throw new Error('no update');
  expect([text.toString(), decodeUpdate(new Uint8Array(update))?.structs.length]).toEqual(['a!b', 1]);
});
