// Decodes Yjs updates and says which structs they hold. Whether one is complete is decided in missing-clocks.ts.
import * as Y from 'yjs';
import type { Bytes } from '../../lib/bytes.ts';
import { StrictDecoderV1, StrictDecoderV2 } from './strict-decoder.ts';
import { typeDepthOf } from './type-depth.ts';
import { isWellFormed } from './well-formed-update.ts';

/** Client id → the first clock that is not there. */
export type Clocks = ReadonlyMap<number, number>;
export type ClockOf = (client: number) => number;

/** A decoded update: what it brings and what it needs. */
export type DecodedUpdate = {
  readonly structs: readonly (Y.Item | Y.GC | Y.Skip)[];
  readonly deletes: ReadonlyMap<number, readonly { readonly clock: number; readonly len: number }[]>;
};

/**
 * How deep one update may nest shared types; a table nests four. Undo walks from each deleted type up to the page, which
 * would take minutes for the 100,000 levels that fit into one update. A state has the levels of all its updates.
 */
const MAX_TYPE_DEPTH = 64;

/**
 * Null when the bytes are not an update (V1) that Yjs could have written. Bytes that would make Yjs throw, or hold
 * something back, in the middle of a transaction are found here, before anything is applied. Empty bytes are an update
 * without content (a relay has one, D7).
 */
export function decodeUpdate(update: Bytes): DecodedUpdate | null {
  if (update.length === 0) return { structs: [], deletes: new Map() };
  const decoded = decodeWith(update, StrictDecoderV1);
  return decoded === null || typeDepthOf(decoded.structs) > MAX_TYPE_DEPTH ? null : decoded;
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
