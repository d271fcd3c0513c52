// Everything that is not in the log yet: the own outbox, outboxes recovered from tabs that are gone, and live updates
// of others. Sends nothing.
import type { Bytes } from '../../lib/bytes.ts';
import type { Clock, OutboxEntry, OutboxKey } from '../ports.ts';
import { type WeftError, weftError } from '../protocol/errors.ts';
import { PUT_BACK_CLIENT_ID, SEED_SESSION } from '../protocol/ids.ts';
import type { Part } from '../protocol/row.ts';
import type { DecodedUpdate } from '../updates/decoded-update.ts';
import { MAX_PIECE_BYTES, splitUpdate } from '../updates/split-update.ts';
import { AppendDependencies } from './append-dependencies.ts';
import type { EmitDocumentEvent } from './document-event.ts';
import type { DocumentStore } from './document-store.ts';
import { ForgeryCheck } from './forgery-check.ts';
import { type HeldUpdate, HeldUpdates } from './held-updates.ts';
import { KnownSessions } from './known-sessions.ts';
import type { LogState } from './log-state.ts';
import { MAX_BATCH_BYTES, Outbox } from './outbox.ts';
import { RecoveredOutboxes } from './recovered-outboxes.ts';

export class PendingState {
  readonly log: LogState;
  readonly held: HeldUpdates;
  readonly recovered: RecoveredOutboxes;
  readonly dependencies = new AppendDependencies(this);
  readonly forgery: ForgeryCheck;
  readonly known = new KnownSessions();
  readonly #clock: Clock;
  readonly #store: DocumentStore;
  readonly #emit: EmitDocumentEvent;
  #own: Outbox;

  constructor(own: OutboxKey, log: LogState, store: DocumentStore, clock: Clock, emit: EmitDocumentEvent) {
    this.#own = new Outbox(own);
    this.log = log;
    this.held = new HeldUpdates(log.replica, emit);
    this.recovered = new RecoveredOutboxes(store);
    this.forgery = new ForgeryCheck(this, emit);
    this.#store = store;
    this.#clock = clock;
    this.#emit = emit;
  }

  get own(): Outbox {
    return this.#own;
  }

  /** The outboxes to send, in this order: shown recovered ones, then the own one. */
  toSend(): readonly Outbox[] {
    return [...this.recovered.shown, this.#own];
  }

  /** Every unsent outbox of this page, refused and waiting ones included. */
  all(): readonly Outbox[] {
    return [...this.recovered.all, this.#own];
  }

  /** Live updates that are shown and that another tab of this browser has not sent yet. */
  get ofOtherTabs(): readonly HeldUpdate[] {
    if (this.held.isEmpty) return [];
    const ours = new Set(this.all().map(({ session }) => session));
    return this.held.shown.filter(({ part: { session } }) => this.known.isOtherTab(session) && !ours.has(session));
  }

  /** Numbers an own edit, in pieces when it is large, and starts its write to the store before this returns (D5). */
  addEdit(update: Bytes): void {
    for (const piece of splitUpdate(update, MAX_PIECE_BYTES)) {
      const entry = this.#own.add(piece, this.#clock.now(), this.dependencies.toStore(piece));
      this.#store.addEntry(this.#own.key, entry);
    }
  }

  /** Changes the client id of the own outbox. Call it only while no edit has a number. */
  renewOwn(clientId: number): void {
    this.#own = new Outbox({ session: this.#own.session, clientId });
  }

  /** The outbox can never be saved: it stays on the device, and nothing is written on top of it (SY5). */
  refuse(outbox: Outbox, error: WeftError): void {
    if (outbox.refused !== null) return;
    outbox.refuse(error);
    this.#store.refuse(outbox.session, error.code);
    this.#emit({ type: 'outboxRefused' });
  }

  /** Shows the outboxes that `reading` reads from the store. Resolves to true when there is more to send. */
  async showRecovered(reading: Promise<boolean>): Promise<boolean> {
    const isMore = await reading;
    if (!isMore) return false;
    this.showOtherTabs();
    this.settle();
    return true;
  }

  /** Edits typed into the former document after it was set aside: they are put back like the rest of it. */
  putBack({ key, entry }: { readonly key: OutboxKey; readonly entry: OutboxEntry }): void {
    this.recovered.add(new Outbox(key, [entry]), null);
    this.#store.addEntry(key, entry);
    if (this.log.isUpToDate) this.showPutBack();
  }

  /**
   * A recovered outbox cannot be appended, because numbers before it are gone: it is put back. False: it is the own
   * one, or empty.
   */
  convert(outbox: Outbox): boolean {
    const last = outbox.entries.at(-1);
    if (outbox === this.#own || last === undefined) return false;
    const converted = new Outbox({ ...outbox.key, clientId: PUT_BACK_CLIENT_ID }, outbox.entries);
    this.recovered.replace(outbox, converted);
    // Any entry stores the outbox anew, with the client id that says so.
    this.#store.addEntry(converted.key, last);
    return true;
  }

  /**
   * HI4: someone has put something back, perhaps the same as here. Hides ours until the document has been rebuilt without it:
   * then `rebuilt` shows what the log lacks.
   */
  othersPutBack(): void {
    const shown = this.recovered.shown.filter(({ isEmpty, isPutBack }) => isPutBack && !isEmpty);
    if (shown.length === 0) return;
    this.recovered.hide(shown);
    this.#emit({ type: 'logContradicted' });
  }

  /** The document has been rebuilt without what `othersPutBack` hid. */
  rebuilt(): void {
    this.recovered.unhide();
    if (this.log.isUpToDate) this.showPutBack();
  }

  /** HI4: shows what was set aside, as far as the log lacks it. Call it only when the page is up to date. */
  showPutBack(): void {
    const liveUpdates = this.recovered.storedUnderPutBack;
    const shown = this.recovered.toPutBack.filter((outbox) => {
      const [first, ...others] = outbox.entries;
      if (first === undefined) return true;
      // HI5: the restore is final for what was set aside before it.
      if (first.at < (this.log.finalRestoreAt ?? 0)) {
        this.recovered.refuse(outbox, weftError('WF016'));
        return false;
      }
      const update = outbox.putBackUpdate();
      const found = this.log.replica.showLacking(update, liveUpdates);
      // It builds on edits that another tab has set aside: it waits, and is refused like every outbox that stays incomplete.
      if (found === null) return false;
      const { base, lacking } = found;
      this.held.holdShown(base, this.#clock.now());
      if (lacking === null) {
        outbox.acknowledge(outbox.lastN);
        this.#store.acknowledge(outbox.session, outbox.lastN, this.log.meta, []);
      } else if (others.length === 0) {
        // Several entries cannot shrink: `lacking` is of all of them together.
        for (const smaller of outbox.rewrite(() => lacking)) this.#store.addEntry(outbox.key, smaller);
      }
      return true;
    });
    if (shown.length === 0) return;
    this.recovered.putBackShown(shown);
    void this.showRecovered(this.recovered.releaseEmpty());
    this.settle();
    this.#emit({ type: 'recoveredOutboxShown' });
  }

  /** Shows what other tabs have not sent yet (I3), as if just posted; recovered outboxes may build on it. */
  showOtherTabs(): void {
    if (this.log.isReadOnly) return;
    for (const outbox of this.recovered.ofOtherTabs) {
      if (outbox.session === this.#own.session) continue;
      this.known.learnOtherTab(outbox.key);
      // In parts that fit into one row each.
      const parts = outbox.parts(MAX_BATCH_BYTES);
      for (const part of [...outbox.buildsOn, ...parts]) this.held.receive(part, this.#clock.now());
    }
  }

  /** Shows what new rows have completed, and releases what has become rows. */
  settle(): void {
    // Those of someone who may not edit stay in their tab. Some came before the role was known.
    if (this.log.isReadOnly) this.held.dropWaiting(({ part }) => this.known.isOtherTab(part.session));
    this.held.settle();
    const before = this.recovered.shown.length;
    const parts = this.recovered.show(this.log.replica, this.held.waiting);
    this.held.holdShown(parts, this.#clock.now());
    // Nothing else reports that there is something to send.
    if (this.recovered.shown.length > before) this.#emit({ type: 'recoveredOutboxShown' });
  }

  /** Looks at each part of a row before it counts as part of the log. */
  readonly verifyPart = (part: Part, decoded: DecodedUpdate, isDependency: boolean): void => {
    this.held.compare(part, decoded);
    if (isDependency) this.forgery.verifyDependency(part, decoded);
    else if (part.session === SEED_SESSION) this.forgery.verifyPutBack(decoded);
  };
}
