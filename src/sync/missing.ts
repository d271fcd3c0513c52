// What an update needs and a document lacks (sync.md, "Identity and completeness"). The only test of completeness:
// nothing incomplete is ever applied, so Yjs never holds anything back.
import * as Y from 'yjs';
import type { Bytes } from '../lib/bytes.ts';

/** Client id → first clock that is not there. */
export type Clocks = ReadonlyMap<number, number>;
export type ClockOf = (client: number) => number;

/** An update taken apart once: what it brings and what it needs. */
export type Decoded = {
  readonly structs: readonly (Y.Item | Y.GC | Y.Skip)[];
  readonly deletes: ReadonlyMap<number, readonly { readonly clock: number; readonly len: number }[]>;
};

/** Null when the bytes are not an update (V1). Empty bytes are an update that brings nothing (rescue, D7). */
export function decode(update: Bytes): Decoded | null {
  if (update.length === 0) return { structs: [], deletes: new Map() };
  try {
    const { structs, ds } = Y.decodeUpdate(update);
    return { structs, deletes: ds.clients };
  } catch {
    // Yjs throws whatever its decoder stumbles over; the bytes come from outside.
    return null;
  }
}

/** The client ids whose structs the update brings. */
export function clientsOf(decoded: Decoded): ReadonlySet<number> {
  return new Set(decoded.structs.map((struct) => struct.id.client));
}

/** Where each client's structs of the update end. */
export function endsOf(decoded: Decoded): Clocks {
  const ends = new Map<number, number>();
  for (const struct of decoded.structs) {
    if (!(struct instanceof Y.Skip)) ends.set(struct.id.client, struct.id.clock + struct.length);
  }
  return ends;
}

/**
 * The clocks that updates, applied together, need and `have` lacks: continuation of their own structs, origins,
 * right origins, parents and ranges of deletions. Empty: complete.
 */
export function missing(updates: readonly Decoded[], have: ClockOf): Clocks {
  const provided = reach(updates, have);
  const clockOf = (client: number) => provided.get(client) ?? have(client);
  const needs = new Map<number, number>();
  const need = (client: number, clock: number) => {
    if (clock > clockOf(client)) needs.set(client, Math.max(clock, needs.get(client) ?? 0));
  };
  for (const { structs, deletes } of updates) {
    for (const struct of structs) {
      const { client, clock } = struct.id;
      // Already there: Yjs does not look at it again, so neither do we.
      if (struct instanceof Y.Skip || clock + struct.length <= have(client)) continue;
      need(client, clock + struct.length);
      if (!(struct instanceof Y.Item)) continue;
      for (const id of [struct.origin, struct.rightOrigin, struct.parent]) {
        if (id instanceof Y.ID) need(id.client, id.clock + 1);
      }
    }
    for (const [client, ranges] of deletes) {
      for (const { clock, len } of ranges) need(client, clock + len);
    }
  }
  return needs;
}

/** How far each client's structs reach without a hole once the updates are there. */
function reach(updates: readonly Decoded[], have: ClockOf): ReadonlyMap<number, number> {
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
