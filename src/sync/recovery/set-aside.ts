// Sets aside what a tab holds when its session has to start anew (HI3): everything that was shown becomes one outbox,
// which the session that takes over puts back as far as the log lacks it.
import * as Y from 'yjs';
import type { Bytes } from '../../lib/bytes.ts';
import type { FoldedOutbox, OutboxEntry, OutboxKey } from '../ports.ts';
import { mayEdit } from '../protocol/roles.ts';
import type { SessionContext } from '../session-context.ts';
import type { DocumentState } from '../state/document-state.ts';
import { clockEnds, decodeUpdate, isWithin } from '../updates/decoded-update.ts';
import { mergeUpdates } from '../updates/merge-updates.ts';
import { updateUntil } from '../updates/update-until.ts';
import { metaOfNewCopy, outboxToPutBack } from './put-back.ts';
import { emptyLog, takeSnapshot } from './replay-log.ts';

/** Passed by `RestartingSession` from the session that ends to the one that takes over (`Opening`). */
export type SetAside = {
  /** The id of the copy that begins now, unless another tab has begun one (HI6). */
  readonly copy: string;
  readonly key: OutboxKey;
  readonly entry: OutboxEntry;
  readonly folded: readonly FoldedOutbox[];
  /** False: the store failed, so only this tab has it. The session that takes over writes the entry again like any other. */
  readonly isStored: boolean;
};

/** Each further one means that another tab has stored rows between reading and writing. */
const MAX_TRIES = 5;

export async function setAside(context: SessionContext): Promise<SetAside> {
  const { ports, rights, state, store } = context;
  const { log, pending } = state;
  await store.settled();
  const copy = ports.random.session();
  const isWriter = rights.role !== null && mayEdit(rights.role);
  const shown = new Uint8Array(Y.encodeStateAsUpdate(state.doc));
  const own = isWriter ? shown : (withoutLiveUpdates(state, shown) ?? shown);
  const folded = pending
    .toSend()
    .flatMap(({ lastN, refused, session }) => (refused === null ? { session, lastN } : []));
  for (let tries = 1; ; tries++) {
    const stored = await storedLog(context);
    const update = mergeUpdates([own, ...stored.updates]);
    const { key, entry } = outboxToPutBack(ports.random, update, stored.at ?? log.at);
    const former = { copy: log.copy, seq: stored.seq };
    const isStored = await store.setAside(former, metaOfNewCopy(log.meta, copy), folded, key, entry);
    if (isStored !== null || tries === MAX_TRIES) return { copy, key, entry, folded, isStored: isStored === true };
  }
}

type StoredLog = { readonly seq: number; readonly at: number | null; readonly updates: readonly Bytes[] };

/**
 * The stored rows of this copy, which may be on no other device. Another tab may have stored more than is shown here (this one was
 * frozen, or heard nothing for a while), or rows of the log before, if this tab could not read the device (HI6). That tab's later edits,
 * in its outbox, build on them. `at`: the time of the newest of them, if they hold something that the log here lacks.
 */
async function storedLog({ state, store, unpack }: SessionContext): Promise<StoredLog> {
  const stored = await store.load();
  if (stored === null || stored.meta.copy !== state.log.copy) return { seq: 0, at: null, updates: [] };
  const { doc, replica } = emptyLog();
  if (await takeSnapshot(replica, stored.snapshot, unpack)) replica.take(stored.rows);
  const update = new Uint8Array(Y.encodeStateAsUpdate(doc));
  doc.destroy();
  const decoded = decodeUpdate(update);
  const isHere = decoded === null || isWithin(decoded, state.log.replica.clockInLog);
  return { seq: stored.meta.seq, at: isHere ? null : replica.at, updates: [update] };
}

/**
 * Everything that is shown, except live updates that no edit of this browser builds on, for a person who may not edit: no one
 * could put them back. Others put them back as well, because a row that everyone showed before is not sent again (L1). Every
 * deletion stays: what it deleted has no content here any more, so a client that gets it from here would lack it, and
 * one that has it would show it.
 */
function withoutLiveUpdates({ log, pending }: DocumentState, shown: Bytes): Bytes | null {
  const ends = new Map<number, number>();
  const outboxes = [...pending.toSend(), ...pending.recovered.hidden];
  const edits = outboxes.flatMap((outbox) => decodeUpdate(outbox.putBackUpdate()) ?? []);
  const base = pending.dependencies.heldUnder(edits);
  for (const one of [...edits, ...base.map(({ decoded }) => decoded)])
    for (const [client, end] of clockEnds(one)) ends.set(client, Math.max(end, ends.get(client) ?? 0));
  return updateUntil(shown, (client) => Math.max(log.replica.clockInLog(client), ends.get(client) ?? 0));
}
