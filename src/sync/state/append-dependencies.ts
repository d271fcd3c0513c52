// Finds the pending edits of others that an append has to bring along (D3), and those that an own edit is stored with
// (I4).
import { type Clocks, type DecodedUpdate, clockEnds, decodeUpdate, missingClocks } from '../updates/missing.ts';
import type { Part } from '../../protocol/row.ts';
import { type DecodedPart, dependencyClosure, fitsInRow } from './dependencies.ts';
import type { HeldUpdate, HeldUpdates } from './held-updates.ts';
import type { LogState } from './log-state.ts';
import { type Batch, MAX_BATCH_BYTES, type Outbox } from './outbox.ts';

/** The part of the pending state that these functions read. */
type Pending = {
  readonly log: LogState;
  readonly held: HeldUpdates;
  readonly own: Outbox;
  /** Recovered outboxes that are shown. */
  readonly recoveredShown: readonly Outbox[];
};

const outboxesOf = ({ recoveredShown, own }: Pending): readonly Outbox[] => [...recoveredShown, own];

/** The dependencies that an append of this batch has to bring along, or null when something it builds on is not here (D4). */
export function dependenciesOf(pending: Pending, outbox: Outbox, batch: Batch): readonly Part[] | null {
  const decoded = decodeUpdate(batch.update);
  if (decoded === null) return null;
  const have = pending.log.replica.clockInLog;
  if (missingClocks([decoded], have).size === 0) return [];
  const others = outboxesOf(pending).filter((other) => other !== outbox);
  const parts = [...pending.held.shown, ...others.flatMap(decodedOutbox)];
  const { sources, lacking } = dependencyClosure([decoded], parts, have);
  return lacking.size === 0 ? sources.map(({ part }) => part) : null;
}

/**
 * The parts of a relay: these live updates and what they build on, as many as fit into one row. One that cannot be
 * completed is left out.
 */
export function partsToRelay(pending: Pending, updates: readonly DecodedPart[]): readonly Part[] {
  const all = [...pending.held.shown, ...outboxesOf(pending).flatMap(decodedOutbox)];
  let parts: ReadonlySet<Part> = new Set<Part>();
  for (const update of updates) {
    const needed = dependencyClosure([update.decoded], all, pending.log.replica.clockInLog);
    const more = new Set([...parts, ...[...needed.sources, update].map(({ part }) => part)]);
    if (needed.lacking.size === 0 && fitsInRow([...more])) parts = more;
  }
  return [...parts];
}

/** When the dependencies of an append exceed one row: those to append first, in a row of their own. */
export function dependenciesToAppendFirst(pending: Pending, dependencies: readonly Part[]): readonly Part[] {
  const all = [...pending.held.shown, ...outboxesOf(pending).flatMap(decodedOutbox)];
  return partsToRelay(
    pending,
    all.filter(({ part }) => dependencies.includes(part)),
  );
}

/**
 * The live updates that an own edit builds on and that no earlier entry is stored with (I4). Recovered outboxes are in
 * the store by themselves, with their own dependencies; a live update of such a session may be ahead of its outbox.
 */
export function dependenciesToStore(pending: Pending, update: Uint8Array<ArrayBuffer>): readonly Part[] {
  const { held, own } = pending;
  const decoded = held.isEmpty ? null : decodeUpdate(update);
  if (decoded === null) return [];
  const stored = storedClocks(pending, decoded);
  const have = (client: number) => Math.max(pending.log.replica.clockInLog(client), stored.get(client) ?? 0);
  return dependencyClosure([decoded], held.shown, have)
    .sources.map(({ part }) => part)
    .filter((part) => !own.isStoredWith(part));
}

/** How far each client's edits are in the store with an outbox. */
function storedClocks(pending: Pending, edit: DecodedUpdate): Clocks {
  const { held, own } = pending;
  const clocks = new Map<number, number>();
  // The dependencies of a stored live update are stored with it.
  const withEntries = held.shown.filter(({ part }) => own.isStoredWith(part));
  for (const { decoded } of [...withEntries, ...pending.recoveredShown.flatMap(decodedOutbox)]) {
    for (const [client, end] of clockEnds(decoded)) clocks.set(client, Math.max(end, clocks.get(client) ?? 0));
  }
  // The edit itself is already in the document: its predecessors end where it begins.
  const { clientId } = own.key;
  const [first] = edit.structs;
  clocks.set(clientId, first === undefined ? pending.log.replica.clockShown(clientId) : first.id.clock);
  return clocks;
}

/** The live updates that these edits build on. */
export function heldUpdatesUnder(pending: Pending, edits: readonly DecodedUpdate[]): readonly HeldUpdate[] {
  const { shown } = pending.held;
  const { sources } = dependencyClosure(edits, shown, pending.log.replica.clockInLog);
  return shown.filter((held) => sources.includes(held));
}

type Cached = { readonly nFrom: number; readonly nTo: number; readonly decoded: DecodedPart };
const DECODED = new WeakMap<Outbox, Cached>();

/** Called at every key while live updates are pending: a recovered outbox of half a megabyte is decoded once. */
function decodedOutbox(outbox: Outbox): readonly DecodedPart[] {
  const [first] = outbox.entries;
  if (outbox.refused !== null || first === undefined) return [];
  const cached = DECODED.get(outbox);
  if (cached?.nFrom === first.n && cached.nTo === outbox.lastN) return [cached.decoded];
  const part = outbox.part(MAX_BATCH_BYTES);
  const decodedUpdate = part === null ? null : decodeUpdate(part.update);
  if (part === null || decodedUpdate === null) return [];
  const decoded = { part, decoded: decodedUpdate };
  DECODED.set(outbox, { nFrom: first.n, nTo: outbox.lastN, decoded });
  return [decoded];
}
