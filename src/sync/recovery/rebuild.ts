// Replaces the document by one that has the log and everything else that may stay, mostly to take live updates out of
// the view (L6, D7). Asks nothing of the server.
import type { DocumentState, ReplayedLog } from '../state/document-state.ts';
import type { HeldUpdate } from '../state/held-updates.ts';
import type { Outbox } from '../state/outbox.ts';
import { type DecodedUpdate, decodeUpdate } from '../updates/decoded-update.ts';

/** A live update that has to go is shown, and no edit of this browser builds on it. */
export function needsRebuild({ pending }: DocumentState, isDropped: (held: HeldUpdate) => boolean): boolean {
  const dropped = pending.held.shown.filter(isDropped);
  if (dropped.length === 0) return false;
  const base = pending.dependencies.heldUnder(unsentEdits(unsentOutboxes(pending)));
  return dropped.some((held) => !base.includes(held));
}

/**
 * Replaces the document by the replayed log. The new document also gets this browser's unsent edits with the live
 * updates they build on, and every other live update that is complete without the dropped ones. False: the replayed log
 * lacks rows or own edits that are shown; try again with a newer one.
 */
export function rebuild(state: DocumentState, fresh: ReplayedLog, isDropped: (held: HeldUpdate) => boolean): boolean {
  const { log, pending } = state;
  const { held, own } = pending;
  const putBack = pending.toSend().filter(({ isPutBack }) => isPutBack);
  const outboxes = unsentOutboxes(pending);
  const base = pending.dependencies.heldUnder(unsentEdits(outboxes));
  const updates = [...outboxes.map((outbox) => outbox.merged()), ...base.map(({ part }) => part.update)];
  if (fresh.replica.seq < log.seq) return false;
  if (!fresh.replica.show([...putBack.map((outbox) => outbox.merged()), ...updates])) return false;
  // The next edit continues the own clocks. Other clocks may be lower: live updates that have to go may be missing.
  const { clientId } = own.key;
  if (fresh.replica.clockShown(clientId) < log.replica.clockShown(clientId)) return false;
  const kept = held.shown.filter((update) => base.includes(update) || !isDropped(update));
  held.dropWaiting(isDropped);
  state.replaceDocument(fresh);
  held.moveToReplica(fresh.replica, kept, base);
  return true;
}

const unsentOutboxes = (pending: DocumentState['pending']): readonly Outbox[] =>
  pending.toSend().filter((outbox) => !outbox.isEmpty && !outbox.isPutBack);

const unsentEdits = (outboxes: readonly Outbox[]): readonly DecodedUpdate[] =>
  outboxes.flatMap((outbox) => decodeUpdate(outbox.merged()) ?? []);
