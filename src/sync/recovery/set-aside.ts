// Sets aside what a tab holds when the log turns out to be another one (HI3): everything that was shown becomes one outbox, which
// the session that takes over puts back as far as the log lacks it.
import * as Y from 'yjs';
import type { Bytes } from '../../lib/bytes.ts';
import { mayEdit } from '../../protocol/roles.ts';
import type { FoldedOutbox, OutboxEntry, OutboxKey } from '../ports.ts';
import type { SessionContext } from '../session-context.ts';
import type { DocumentState } from '../state/document-state.ts';
import { clockEnds, decodeUpdate } from '../updates/decoded-update.ts';
import { updateUntil } from '../updates/update-until.ts';
import { metaOfNewCopy, outboxToPutBack } from './put-back.ts';

export type SetAside = {
  /** The id of the copy that begins now, unless another tab has begun one (HI6). */
  readonly copy: string;
  readonly key: OutboxKey;
  readonly entry: OutboxEntry;
  readonly folded: readonly FoldedOutbox[];
  /** False: the store failed, so only this tab has it. */
  readonly isStored: boolean;
};

export async function setAside(context: SessionContext): Promise<SetAside> {
  const { ports, rights, state, store } = context;
  const { log, pending } = state;
  await store.settled();
  const copy = ports.random.session();
  const isWriter = rights.role !== null && mayEdit(rights.role);
  const shown = new Uint8Array(Y.encodeStateAsUpdate(state.doc));
  const { key, entry } = outboxToPutBack(
    ports.random,
    isWriter ? shown : (withoutLiveUpdates(state, shown) ?? shown),
    log.at,
  );
  const folded = pending
    .toSend()
    .flatMap(({ lastN, refused, session }) => (refused === null ? { session, lastN } : []));
  const isStored = await store.setAside(log.copy, metaOfNewCopy(log.meta, copy), folded, key, entry);
  return { copy, key, entry, folded, isStored };
}

/**
 * Everything that is shown, except live updates that no edit of this browser builds on, for a person who may not edit: nobody could
 * put them back. Others put them back as well, because a row that everybody showed before is not sent again (L1). Every deletion stays:
 * what it deleted has no content here any more, so who gets it from here would lack it, and who has it would show it.
 */
function withoutLiveUpdates({ log, pending }: DocumentState, shown: Bytes): Bytes | null {
  const ends = new Map<number, number>();
  const edits = pending.toSend().flatMap((outbox) => decodeUpdate(outbox.putBackUpdate()) ?? []);
  const base = pending.dependencies.heldUnder(edits);
  for (const one of [...edits, ...base.map(({ decoded }) => decoded)])
    for (const [client, end] of clockEnds(one)) ends.set(client, Math.max(end, ends.get(client) ?? 0));
  return updateUntil(shown, (client) => Math.max(log.replica.clockInLog(client), ends.get(client) ?? 0));
}
