// Finds the pending edits of others that an append has to bring along (D3), and those that an own edit is stored with
// (I4). Changes nothing.
import type { Bytes } from '../../lib/bytes.ts';
import type { Part } from '../protocol/row.ts';
import { type Clocks, type DecodedUpdate, clockEnds, decodeUpdate } from '../updates/decoded-update.ts';
import { mergeUpdates } from '../updates/merge-updates.ts';
import { missingClocks } from '../updates/missing-clocks.ts';
import { withoutKnown } from '../updates/without-known.ts';
import { type DecodedPart, dependencyClosure, fitsInRow } from './dependency-closure.ts';
import type { HeldUpdate, HeldUpdates } from './held-updates.ts';
import type { LogState } from './log-state.ts';
import { type Batch, MAX_BATCH_BYTES, type Outbox } from './outbox.ts';

/** The part of the pending state that this reads. */
type Pending = {
  readonly log: LogState;
  readonly held: HeldUpdates;
  readonly own: Outbox;
  /** Outboxes of tabs that are gone. */
  readonly recovered: { readonly shown: readonly Outbox[] };
};

export class AppendDependencies {
  readonly #pending: Pending;

  constructor(pending: Pending) {
    this.#pending = pending;
  }

  /** The parts that an append of this batch has to bring along, or null when something it builds on is not here (D4). */
  of(outbox: Outbox, batch: Batch): readonly Part[] | null {
    const decoded = decodeUpdate(batch.update);
    if (decoded === null) return null;
    if (missingClocks([decoded], this.#clockInLog).size === 0) return [];
    const { sources, lacking } = dependencyClosure([decoded], this.#unloggedBut(outbox), this.#clockInLog);
    return lacking.size === 0 ? sources.map(({ part }) => part) : null;
  }

  /** Of dependencies that exceed one row: those to append first, in a row of their own. */
  toAppendFirst(dependencies: readonly Part[]): readonly Part[] {
    return this.toRelay(this.#unloggedBut(null).filter(({ part }) => dependencies.includes(part)));
  }

  /**
   * The parts of a relay (D7): these updates and what they build on, as many as fit into one row. One that cannot be
   * completed is left out.
   */
  toRelay(updates: readonly DecodedPart[]): readonly Part[] {
    const all = this.#unloggedBut(null);
    let parts: ReadonlySet<Part> = new Set<Part>();
    for (const update of updates) {
      const needed = dependencyClosure([update.decoded], all, this.#clockInLog);
      const more = new Set([...parts, ...[...needed.sources, update].map(({ part }) => part)]);
      if (needed.lacking.size === 0 && fitsInRow([...more])) parts = more;
    }
    return [...parts];
  }

  /**
   * The live updates that an own edit builds on and that no earlier entry is stored with (D5). Recovered outboxes are in
   * the store by themselves, with their own dependencies; a live update of such a session may be ahead of its outbox.
   */
  toStore(update: Bytes): readonly Part[] {
    const { held, own } = this.#pending;
    const decoded = held.isEmpty ? null : decodeUpdate(update);
    if (decoded === null) return [];
    const stored = this.#storedClocks(decoded);
    const have = (client: number) => Math.max(this.#clockInLog(client), stored.get(client) ?? 0);
    return dependencyClosure([decoded], held.shown, have)
      .sources.filter(({ part }) => !own.isStoredWith(part))
      .map(({ part, decoded: source }) => ({ ...part, update: withoutKnown(part.update, source, this.#clockInLog) }));
  }

  /** HI9: what the log has does not come again, because it may have been erased since. */
  readonly withoutLogged = (update: Bytes): Bytes => {
    const decoded = decodeUpdate(update);
    return decoded === null ? update : withoutKnown(update, decoded, this.#clockInLog);
  };

  /** The live updates that these edits build on. */
  heldUnder(edits: readonly DecodedUpdate[]): readonly HeldUpdate[] {
    const { shown } = this.#pending.held;
    const { sources } = dependencyClosure(edits, shown, this.#clockInLog);
    return shown.filter((held) => sources.includes(held));
  }

  /** An edit and the live updates that it builds on. */
  withHeld(update: Bytes): Bytes {
    const decoded = decodeUpdate(update);
    const base = decoded === null ? [] : this.heldUnder([decoded]);
    return base.length === 0 ? update : mergeUpdates([...base.map(({ part }) => part.update), update]);
  }

  readonly #clockInLog = (client: number): number => this.#pending.log.replica.clockInLog(client);

  /** Everything that is shown and may not be in the log yet. */
  #unloggedBut(outbox: Outbox | null): readonly DecodedPart[] {
    const { held, own, recovered } = this.#pending;
    const outboxes = [...recovered.shown, own].filter((other) => other !== outbox);
    return [...held.shown, ...outboxes.flatMap(decodedOutbox)];
  }

  /** How far each client's edits are in the store with an outbox. */
  #storedClocks(edit: DecodedUpdate): Clocks {
    const { held, log, own, recovered } = this.#pending;
    const clocks = new Map<number, number>();
    // The dependencies of a stored live update are stored with it.
    const withEntries = held.shown.filter(({ part }) => own.isStoredWith(part));
    for (const { decoded } of [...withEntries, ...recovered.shown.flatMap(decodedOutbox)]) {
      for (const [client, end] of clockEnds(decoded)) clocks.set(client, Math.max(end, clocks.get(client) ?? 0));
    }
    // The edit itself is already in the document: its predecessors end where it begins.
    const { clientId } = own.key;
    const [first] = edit.structs;
    clocks.set(clientId, first === undefined ? log.replica.clockShown(clientId) : first.id.clock);
    return clocks;
  }
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
