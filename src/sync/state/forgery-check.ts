// Detects that someone else has written under a client id of ours (I6), or that a row of ours is damaged (D8), and refuses the
// outbox then: for everyone our edits are not in the page, and no answer says so. Honest clients pass on the bytes of others as
// they are, or merged.
import * as Y from 'yjs';
import type { Bytes } from '../../lib/bytes.ts';
import { type WeftError, weftError } from '../protocol/errors.ts';
import type { SessionId } from '../protocol/ids.ts';
import type { Part } from '../protocol/row.ts';
import { contradicts } from '../updates/contradicts.ts';
import { type DecodedUpdate, clientIds, clockEnds, decodeUpdate } from '../updates/decoded-update.ts';
import type { EmitDocumentEvent } from './document-event.ts';
import type { LogState } from './log-state.ts';
import type { Outbox } from './outbox.ts';
import type { RecoveredOutboxes } from './recovered-outboxes.ts';

export const CLIENT_ID_TAKEN = weftError('WF006', 'client id taken');
const DAMAGED = weftError('WF005', 'an own row is damaged');

/** The part of the pending state that this reads, and through which it refuses. */
type Pending = {
  readonly log: LogState;
  readonly own: Outbox;
  readonly recovered: RecoveredOutboxes;
  all(): readonly Outbox[];
  refuse(outbox: Outbox, error: WeftError): void;
};

export class ForgeryCheck {
  readonly #pending: Pending;
  readonly #emit: EmitDocumentEvent;
  /** Outboxes under whose client id someone else wrote. */
  readonly #conflicted = new Set<Outbox>();

  constructor(pending: Pending, emit: EmitDocumentEvent) {
    this.#pending = pending;
    this.#emit = emit;
  }

  /**
   * The server says that the log has these edits, in rows up to `head`, which are here. False: the rows lack them, so
   * the outbox is refused or the session starts anew.
   */
  areLogged(outbox: Outbox, lastN: number, head: number): boolean {
    if (outbox.isPutBack || !this.#isLacking(outbox, lastN)) return true;
    const { replica } = this.#pending.log;
    // Their row was skipped, by this client or by those who made the snapshot (D8), or they were in rows that the log has lost
    // (HI1).
    const isSkipped = replica.hasSkipped(outbox.session) || replica.snapshotSeq >= head;
    if (isSkipped) this.#refuse(outbox, DAMAGED);
    else this.#emit({ type: 'mustStartAnew' });
    return false;
  }

  /** Looks at a dependency in a row before it counts as part of the log. */
  verifyDependency({ session }: Part, decoded: DecodedUpdate): void {
    const outbox = this.#outboxOf(session);
    if (outbox !== null && this.#isForged(outbox, decoded)) this.#conflicted.add(outbox);
  }

  /** HI4: a row that puts edits back may have those of any session. What it says is deleted was deleted by someone. */
  verifyPutBack({ deletes, structs }: DecodedUpdate): void {
    for (const outbox of this.#pending.all()) {
      const { clientId } = outbox.key;
      if (outbox.refused !== null || outbox.isPutBack) continue;
      const claim = structs.filter((struct) => struct.id.client === clientId && isThere(struct));
      if (claim.length > 0 && this.#isForged(outbox, { deletes, structs: claim })) this.#conflicted.add(outbox);
    }
  }

  /** A live update names our own session, and this tab did not send it. */
  verifyOwnLiveUpdate(update: Bytes): void {
    const { own } = this.#pending;
    const decoded = own.refused === null ? decodeUpdate(update) : null;
    if (decoded === null) return;
    const isOurs = [...clientIds(decoded)].every((client) => client === own.key.clientId);
    if (isOurs && this.#isForged(own, decoded)) this.#pending.refuse(own, CLIENT_ID_TAKEN);
  }

  /** After rows were taken: refuses the outboxes that they contradict. `damaged`: the sessions of damaged rows. */
  rowsTaken(damaged: readonly SessionId[]): void {
    for (const session of damaged) {
      const outbox = this.#outboxOf(session);
      if (outbox !== null) this.#refuse(outbox, DAMAGED);
    }
    for (const outbox of this.#conflicted) this.#refuse(outbox, CLIENT_ID_TAKEN);
    this.#conflicted.clear();
  }

  #isLacking(outbox: Outbox, lastN: number): boolean {
    const { replica } = this.#pending.log;
    if (replica.hasSkipped(outbox.session)) return true;
    if (replica.appendedN(outbox.session) >= lastN) return false;
    const { clientId } = outbox.key;
    const logged = replica.clockInLog(clientId);
    return outbox.entries.some(({ n, update }) => {
      const decoded = n <= lastN ? decodeUpdate(update) : null;
      return decoded !== null && (clockEnds(decoded).get(clientId) ?? 0) > logged;
    });
  }

  /** The claim holds other edits than the outbox does, at clocks where the log holds none yet. */
  #isForged(outbox: Outbox, claim: DecodedUpdate): boolean {
    const { clientId } = outbox.key;
    const { replica } = this.#pending.log;
    const end = clockEnds(claim).get(clientId) ?? 0;
    const from = replica.clockInLog(clientId);
    if (end <= from) return false;
    // Beyond our last edit. A recovered outbox may lack edits that its tab sent and could not store.
    if (outbox === this.#pending.own && end > replica.clockShown(clientId)) return true;
    const known = decodeUpdate(outbox.merged());
    return known !== null && contradicts(claim, known, clientId, from);
  }

  /** For everyone else its edits are not in the page. */
  #refuse(outbox: Outbox, error: WeftError): void {
    if (outbox.refused !== null) return;
    if (outbox === this.#pending.own) return this.#pending.refuse(outbox, error);
    // The page goes on without this outbox, as the log has it.
    if (this.#pending.recovered.refuse(outbox, error)) this.#emit({ type: 'logContradicted' });
  }

  #outboxOf(session: SessionId): Outbox | null {
    return this.#pending.all().find((outbox) => outbox.session === session) ?? null;
  }
}

const isThere = (struct: DecodedUpdate['structs'][number]): boolean =>
  struct instanceof Y.Item && !(struct.content instanceof Y.ContentDeleted);
