// Checks that a snapshot's state is complete in itself. Yjs would apply half of an incomplete one and keep the rest
// pending (I3).
import * as Y from 'yjs';
import type { Bytes } from '../../lib/bytes.ts';
import { type Clocks, decodeState } from './decoded-update.ts';

type Struct = Y.Item | Y.GC | Y.Skip;

/**
 * The clock at which each client's structs end, or null when the bytes are not a state (Yjs V2) that can be applied to
 * an empty document without a rest: a hole, a missing cause, a circle. Walks in the order in which Yjs integrates,
 * without integrating, which takes a tenth of the time.
 */
export function clocksOfState(state: Bytes): Clocks | null {
  const decoded = decodeState(state);
  if (decoded === null) return null;
  const ends = integrate(Map.groupBy(decoded.structs, (struct) => struct.id.client));
  if (ends === null) return null;
  for (const [client, ranges] of decoded.deletes) {
    const end = ends.get(client) ?? 0;
    if (ranges.some(({ clock, len }) => clock + len > end)) return null;
  }
  return ends;
}

function integrate(queues: ReadonlyMap<number, readonly Struct[]>): Clocks | null {
  const ends = new Map<number, number>();
  const next = new Map<number, number>();
  for (const first of queues.keys()) {
    // Each client waits for the one above it; a client that is waited for twice waits for itself.
    const waiting = [first];
    const isWaiting = new Set(waiting);
    for (let client = waiting.at(-1); client !== undefined; client = waiting.at(-1)) {
      const at = next.get(client) ?? 0;
      const struct = queues.get(client)?.[at];
      if (struct === undefined) {
        // Another client waits for a clock that this one does not reach.
        if (waiting.length > 1) return null;
        break;
      }
      if (struct instanceof Y.Skip || struct.id.clock !== (ends.get(client) ?? 0)) return null;
      const needed = neededBy(struct, ends);
      if (needed === null) {
        ends.set(client, struct.id.clock + struct.length);
        next.set(client, at + 1);
        if (waiting.length > 1) {
          waiting.pop();
          isWaiting.delete(client);
        }
      } else if (isWaiting.has(needed)) {
        return null;
      } else {
        waiting.push(needed);
        isWaiting.add(needed);
      }
    }
  }
  return ends;
}

/** A client whose structs have to be integrated first. */
function neededBy(struct: Struct, ends: Clocks): number | null {
  if (!(struct instanceof Y.Item)) return null;
  for (const id of [struct.origin, struct.rightOrigin, struct.parent]) {
    if (id instanceof Y.ID && id.clock >= (ends.get(id.client) ?? 0)) return id.client;
  }
  return null;
}
