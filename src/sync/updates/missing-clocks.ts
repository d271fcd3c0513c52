// Finds what updates need and a document lacks. This is the only test of their completeness (that of a snapshot is
// state-clocks.ts): nothing incomplete is ever applied, so Yjs never keeps anything pending (I3).
import * as Y from 'yjs';
import type { ClockOf, Clocks, DecodedUpdate } from './decoded-update.ts';

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
      // the same causes, which are there, unless someone made them up.
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
        // Any number of clients may wait for one, so nothing is copied.
        const others = waiting.get(cause.client);
        if (others === undefined) waiting.set(cause.client, [client]);
        else others.push(client);
        break;
      }
      queue.pop();
      reached.set(client, Math.max(clockOf(client), struct.id.clock + struct.length));
    }
    // Only progress wakes others: two that wait for each other would otherwise wake each other for ever.
    if (queue.length === before) continue;
    for (const other of waiting.get(client) ?? []) ready.push(other);
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
