// Histories that no editor writes: items with any earlier items as their origin and right origin, in lists and map entries,
// with splits, deletions, nested types, and items that contradict what is there. Each is applied by Yjs and by Weft.
import fc from 'fast-check';
import * as Y from 'yjs';
import type { Bytes } from '../../../src/lib/bytes.ts';
import { integrateByYjs, quickIntegrate } from '../../../src/yjs/integration/quick-integration.ts';
import { type ForgedContent, type ForgedDeletes, type ForgedStruct, forge } from '../../sync/forge.ts';

const step = fc.record({
  client: fc.nat({ max: 3 }),
  /** Numbers of earlier characters, modulo their count. Small ones make many siblings. */
  origin: fc.option(fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: 60 })), { freq: 5 }),
  right: fc.option(fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: 60 })), { freq: 2 }),
  /** The origin and right origin are counted from the newest character. */
  isRecent: fc.boolean(),
  length: fc.integer({ min: 1, max: 3 }),
  kind: fc.constantFrom('text' as const, 'text' as const, 'values' as const, 'deleted' as const, 'type' as const),
  /** Only counts without origin and right origin. */
  parent: fc.constantFrom('t' as const, 't' as const, 'm' as const, 'inner' as const),
  /** Begins so many characters before the client's end: its beginning is there already, perhaps elsewhere. */
  back: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1),
  deletes: fc.option(fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: 10 }), fc.integer({ min: 1, max: 4 })), { freq: 3 }),
  endsUpdate: fc.boolean(),
  endsTransaction: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type Id = readonly [client: number, clock: number];

export type ForgedHistory = readonly Step[];
export const forgedHistory = (maxLength: number): fc.Arbitrary<ForgedHistory> =>
  fc.array(step, { minLength: 2, maxLength, size: 'max' });

/** Three that are ordered and one far away. */
const CLIENTS = [10, 11, 12, 4_000_000_000] as const;
const clientAt = (at: number): number => CLIENTS[at % CLIENTS.length] ?? 10;

/** The updates of each transaction. */
export function updatesOf(history: ForgedHistory): readonly (readonly Bytes[])[] {
  const ids: Id[] = [];
  const types: Id[] = [];
  const ends = new Map<number, number>();
  const transactions: Bytes[][] = [[]];
  let structs = new Map<number, { clock: number; structs: ForgedStruct[] }>();
  let deletes: ForgedDeletes[] = [];
  const flush = () => {
    const sections = [...structs].map(([client, section]) => ({ client, ...section }));
    if (sections.length > 0 || deletes.length > 0) transactions.at(-1)?.push(forge(sections, deletes));
    structs = new Map();
    deletes = [];
  };
  for (const { client: who, origin, right, isRecent, length, kind, parent, back, ...rest } of history) {
    const client = clientAt(who);
    const end = ends.get(client) ?? 0;
    const from = Math.max(0, end - back);
    const isPart = from < end;
    if (isPart) flush();
    const own = ids.filter(([other, clock]) => other !== client || clock < from);
    const idAt = (at: number | null): Id | null =>
      at === null ? null : (own.at(isRecent ? -1 - (at % (own.length || 1)) : at % (own.length || 1)) ?? null);
    const [left, neighbour] = [idAt(origin), idAt(right)];
    const inner =
      parent === 'inner' ? (types.find(([other, clock]) => other !== client || clock < from) ?? 't') : parent;
    const section = structs.get(client) ?? { clock: from, structs: [] };
    structs.set(client, section);
    const content = contentOf(kind, isPart ? length + 1 : length);
    section.structs.push({
      origin: left,
      right: neighbour !== null && left !== null && String(neighbour) === String(left) ? null : neighbour,
      parent: inner,
      sub: parent === 'm' ? 'key' : null,
      content,
    });
    if (content.ref === 'type' && !isPart) types.push([client, from]);
    const newEnd = from + lengthOf(content);
    for (let clock = end; clock < newEnd; clock++) ids.push([client, clock]);
    ends.set(client, Math.max(end, newEnd));
    if (rest.deletes !== null) {
      const [whose, clock, len] = rest.deletes;
      const limit = ends.get(clientAt(whose)) ?? 0;
      const only = clock < limit && !deletes.some((other) => other.client === clientAt(whose));
      if (only) deletes.push({ client: clientAt(whose), ranges: [[clock, Math.min(len, limit - clock)]] });
    }
    if (rest.endsUpdate || isPart) flush();
    if (rest.endsTransaction) {
      flush();
      transactions.push([]);
    }
  }
  flush();
  return transactions.filter((updates) => updates.length > 0);
}

function contentOf(kind: Step['kind'], length: number): ForgedContent {
  if (kind === 'text') return { ref: 'string', text: 'abcd'.slice(0, length) };
  if (kind === 'values') return { ref: 'any', values: [1, 2, 3, 4].slice(0, length) };
  return kind === 'deleted' ? { ref: 'deleted', len: length } : { ref: 'type', type: 1 };
}

const lengthOf = (content: ForgedContent): number => {
  if (content.ref === 'string') return content.text.length;
  if (content.ref === 'any') return content.values.length;
  return content.ref === 'deleted' ? content.len : 1;
};

export const YJS = integrateByYjs;
/** Makes an index after the first walk. */
export const INDEX_AT_ONCE = quickIntegrate(0, 0);
export const INDEX_SOON = quickIntegrate(3, 1);

/** Everything that Yjs holds: each item with its neighbours, or the error that it threw. */
export function stateAfter(
  integrate: Y.Item['integrate'],
  transactions: readonly (readonly Uint8Array[])[],
  format: 'V1' | 'V2' = 'V1',
): readonly string[] {
  const current: Y.Item['integrate'] = Y.Item.prototype.integrate;
  Y.Item.prototype.integrate = integrate;
  const doc = new Y.Doc();
  doc.clientID = 1;
  const states: string[] = [];
  try {
    for (const updates of transactions) {
      doc.transact(() => {
        for (const update of updates) {
          if (format === 'V1') Y.applyUpdate(doc, update);
          else Y.applyUpdateV2(doc, update);
        }
      });
      states.push(structsOf(doc));
    }
  } catch (error) {
    states.push(structsOf(doc), String(error));
  } finally {
    Y.Item.prototype.integrate = current;
  }
  return states;
}

function structsOf(doc: Y.Doc): string {
  const idOf = (one: { id: Y.ID } | null) => (one === null ? '-' : `${one.id.client}.${one.id.clock}`);
  const lines = [...doc.store.clients.values()].flatMap((structs) =>
    structs.map((struct) => {
      const at = `${idOf(struct)} ${struct.length} ${struct.deleted}`;
      return struct instanceof Y.Item ? `${at} between ${idOf(struct.left)} and ${idOf(struct.right)}` : `${at} gone`;
    }),
  );
  const starts = [...doc.share].map(([name, type]) => {
    const keys = [...type._map].map(([key, item]) => `${key}: ${idOf(item)}`);
    return `${name} ${idOf(type._start)} ${type._length} ${keys.join()}`;
  });
  return [...starts, ...lines, String(doc.store.pendingStructs !== null)].join('\n');
}
