// Finds what an update needs and a document lacks. This is the only test of completeness: nothing incomplete is ever applied,
// so Yjs never holds anything back.
import * as Y from 'yjs';
import type { Bytes } from '../../lib/bytes.ts';
import { isWellFormed } from './well-formed-update.ts';
import { StrictDecoderV1, StrictDecoderV2 } from './strict-decoder.ts';

/** Client id → the first clock that is not there. */
export type Clocks = ReadonlyMap<number, number>;
export type ClockOf = (client: number) => number;

/** A decoded update: what it brings and what it needs. */
export type DecodedUpdate = {
  readonly structs: readonly (Y.Item | Y.GC | Y.Skip)[];
  readonly deletes: ReadonlyMap<number, readonly { readonly clock: number; readonly len: number }[]>;
};

/**
 * Null when the bytes are not an update (V1) that Yjs could have written. What would make Yjs throw, or hold something
 * back, in the middle of a transaction is found here, before anything is applied. Empty bytes are an update without
 * content (a relay has one, D7).
 */
export function decodeUpdate(update: Bytes): DecodedUpdate | null {
  return update.length === 0 ? { structs: [], deletes: new Map() } : decodeWith(update, StrictDecoderV1);
}

/** The same for a whole state (V2), as in a snapshot. */
export function decodeState(state: Bytes): DecodedUpdate | null {
  return decodeWith(state, StrictDecoderV2);
}

function decodeWith(bytes: Bytes, decoder: typeof StrictDecoderV1 | typeof StrictDecoderV2): DecodedUpdate | null {
  try {
    const { structs, ds } = Y.decodeUpdateV2(bytes, decoder);
    return isWellFormed(structs, ds.clients) ? { structs, deletes: ds.clients } : null;
  } catch {
    // Yjs throws whatever its decoder stumbles over, and the bytes come from outside.
    return null;
  }
}

/**
 * The update without the structs that `have` holds already: the part to apply. If a struct is there only in part, Yjs
 * puts the rest behind what it finds; if that has become garbage and the causes name a living position, Yjs throws half
 * way. Cut off, the rest builds on its own beginning, as the author's next edit would. Honest parts overlap only when
 * an append is repeated together with more (D1).
 */
export function withoutKnown(update: Bytes, decoded: DecodedUpdate, have: ClockOf): Bytes {
  const known = new Map<number, number>();
  for (const struct of decoded.structs) {
    const { client, clock } = struct.id;
    if (clock < have(client) && !(struct instanceof Y.Skip)) known.set(client, have(client));
  }
  return known.size === 0 ? update : new Uint8Array(Y.diffUpdate(update, Y.encodeStateVector(known)));
}

/** The client ids whose structs the update holds. */
export function clientIds(decoded: DecodedUpdate): ReadonlySet<number> {
  return new Set(decoded.structs.map((struct) => struct.id.client));
}

/** Cached, because live updates are checked at every key. */
const ENDS = new WeakMap<DecodedUpdate, Clocks>();

/** The clock at which each client's structs of the update end. */
export function clockEnds(decoded: DecodedUpdate): Clocks {
  const known = ENDS.get(decoded);
  if (known !== undefined) return known;
  const ends = new Map<number, number>();
  for (const struct of decoded.structs) {
    if (!(struct instanceof Y.Skip)) ends.set(struct.id.client, struct.id.clock + struct.length);
  }
  ENDS.set(decoded, ends);
  return ends;
}

/** All its structs are within what `have` reaches. */
export function isWithin(decoded: DecodedUpdate, have: ClockOf): boolean {
  return [...clockEnds(decoded)].every(([client, end]) => end <= have(client));
}

/**
 * The clocks that the updates, applied together, need and `have` lacks: the continuation of their own structs, origins,
 * right origins, parents and ranges of deletions. Empty: complete, and Yjs finds an order to apply them in.
 */
export function missingClocks(updates: readonly DecodedUpdate[], have: ClockOf): Clocks {
  const provided = reach(updates, have);
  const clockOf = (client: number) => provided.get(client) ?? have(client);
  const needs = new Map<number, number>();
  const need = (client: number, clock: number) => {
    if (clock > clockOf(client)) needs.set(client, Math.max(clock, needs.get(client) ?? 0));
  };
  for (const { structs, deletes } of updates) {
    for (const struct of structs) {
      if (struct instanceof Y.Skip) continue;
      need(struct.id.client, struct.id.clock + struct.length);
      // Also for structs that are there already: Yjs looks for the causes before it notices that. A repeated struct has
      // the same causes, which are there, unless somebody made them up.
      for (const id of causesOf(struct)) need(id.client, id.clock + 1);
    }
    for (const [client, ranges] of deletes) {
      for (const { clock, len } of ranges) need(client, clock + len);
    }
  }
  return needs.size > 0 ? needs : circularWaits(updates, have);
}

function causesOf(struct: Y.Item | Y.GC): readonly Y.ID[] {
  if (!(struct instanceof Y.Item)) return [];
  return [struct.origin, struct.rightOrigin, struct.parent].filter((id) => id instanceof Y.ID);
}

/**
 * Structs that wait for each other, so that no order has causes first: Yjs would keep them pending for ever. No editor
 * makes them. The structs of one client always follow each other (well-formed-update.ts), so a circle needs two clients
 * or more.
 */
function circularWaits(updates: readonly DecodedUpdate[], have: ClockOf): Clocks {
  const queues = new Map<number, (Y.Item | Y.GC)[]>();
  for (const { structs } of updates) {
    for (const struct of structs) {
      if (struct instanceof Y.Skip || struct.id.clock + struct.length <= have(struct.id.client)) continue;
      const queue = queues.get(struct.id.client);
      if (queue === undefined) queues.set(struct.id.client, [struct]);
      else queue.push(struct);
    }
  }
  if (queues.size < 2) return new Map();
  for (const queue of queues.values()) queue.sort((a, b) => b.id.clock - a.id.clock);
  const reached = new Map<number, number>();
  const clockOf = (client: number) => reached.get(client) ?? have(client);
  /** Client → the clients whose next struct waits for it. */
  const waiting = new Map<number, number[]>();
  const ready = [...queues.keys()];
  for (let client = ready.pop(); client !== undefined; client = ready.pop()) {
    const queue = queues.get(client) ?? [];
    const before = queue.length;
    for (let struct = queue.at(-1); struct !== undefined; struct = queue.at(-1)) {
      const cause = causesOf(struct).find((id) => id.clock >= clockOf(id.client));
      if (cause !== undefined) {
        waiting.set(cause.client, [...(waiting.get(cause.client) ?? []), client]);
        break;
      }
      queue.pop();
      reached.set(client, Math.max(clockOf(client), struct.id.clock + struct.length));
    }
    // Only progress wakes others: two that wait for each other would otherwise wake each other for ever.
    if (queue.length === before) continue;
    ready.push(...(waiting.get(client) ?? []));
    waiting.delete(client);
  }
  const stuck = [...queues].flatMap(([client, queue]) => {
    const first = queue.at(-1);
    return first === undefined ? [] : [[client, first.id.clock + first.length] as const];
  });
  return new Map(stuck);
}

/** How far each client's structs reach without a hole once the updates are applied. */
function reach(updates: readonly DecodedUpdate[], have: ClockOf): ReadonlyMap<number, number> {
  const byClient = new Map<number, { clock: number; end: number }[]>();
  for (const { structs } of updates) {
    for (const struct of structs) {
      if (struct instanceof Y.Skip) continue;
      const { client, clock } = struct.id;
      const ranges = byClient.get(client) ?? [];
      byClient.set(client, ranges);
      ranges.push({ clock, end: clock + struct.length });
    }
  }
  const reached = new Map<number, number>();
  for (const [client, ranges] of byClient) {
    let end = have(client);
    for (const range of ranges.sort((a, b) => a.clock - b.clock)) {
      if (range.clock <= end) end = Math.max(end, range.end);
    }
    reached.set(client, end);
  }
  return reached;
}
