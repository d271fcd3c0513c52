// Detects whether somebody else has written under a client id of ours (I6). An honest client passes on the bytes of
// others as they are; different edits at the same clocks take the place of ours for everybody, and no answer says so.
import { contradicts } from '../updates/contradicts.ts';
import { type DecodedUpdate, clientIds, clockEnds, decodeUpdate } from '../updates/missing.ts';
import type { Bytes } from '../../lib/bytes.ts';
import type { OutboxEntry } from '../ports.ts';
import type { LogState } from './log-state.ts';
import { type Outbox, mergeUpdates } from './outbox.ts';

/** The part of the pending state that these functions read. */
type Pending = {
  readonly log: LogState;
  readonly own: Outbox;
  /** Acknowledged, and their rows are not all here. */
  acknowledgedEntries(outbox: Outbox): readonly OutboxEntry[];
};

/** The claim holds other edits than the outbox does, at clocks where the log holds none yet. */
export function isForged(pending: Pending, outbox: Outbox, claim: DecodedUpdate): boolean {
  const { clientId } = outbox.key;
  const { replica } = pending.log;
  const end = clockEnds(claim).get(clientId) ?? 0;
  const from = replica.clockInLog(clientId);
  if (end <= from) return false;
  // Beyond our last edit. A recovered outbox may lack edits that its tab sent and could not store.
  if (outbox === pending.own && end > replica.clockShown(clientId)) return true;
  const edits = [...pending.acknowledgedEntries(outbox), ...outbox.entries];
  const known = decodeUpdate(mergeUpdates(edits.map(({ update }) => update)));
  return known !== null && contradicts(claim, known, clientId, from);
}

/** The same for a live update that names our own session: this tab did not send it. */
export function isForgedLiveUpdate(pending: Pending, update: Bytes): boolean {
  const decoded = decodeUpdate(update);
  if (decoded === null) return false;
  const isOurs = [...clientIds(decoded)].every((client) => client === pending.own.key.clientId);
  return isOurs && isForged(pending, pending.own, decoded);
}
