// What one tab shows and what of it waits: rows of the log, the own outbox, adopted outboxes, and the store behind
// them. Decides nothing about the network.
import type { Awareness } from 'y-protocols/awareness';
import type * as Y from 'yjs';
import type { Bytes } from '../lib/bytes.ts';
import type { AppendAnswer, OpenAnswer } from '../protocol/answers.ts';
import { type WeftError, weftError } from '../protocol/errors.ts';
import { FIRST_CLIENT_ID, type SessionId } from '../protocol/ids.ts';
import type { DocumentRole } from '../protocol/roles.ts';
import type { Row } from '../protocol/row.ts';
import type { Device } from './device.ts';
import { drawClientId } from './new-doc.ts';
import type { Orphans } from './orphans.ts';
import { Outbox } from './outbox.ts';
import type { Locks, StoredDocument, StoredMeta, StoredSnapshot } from './ports.ts';
import { Replica } from './replica.ts';

export interface LedgerHost {
  random(): number;
  /** An outbox that is shown can never be saved: nothing may be written on top of it. */
  outboxRefused(): void;
  /** The state in a snapshot's bytes, or null when they are damaged. */
  unpack(bytes: Bytes, sha256: string | null): Promise<Bytes | null>;
}

export class Ledger {
  readonly #host: LedgerHost;
  readonly #doc: Y.Doc;
  readonly #awareness: Awareness;
  readonly #device: Device;
  readonly #replica: Replica;
  #own: Outbox;
  #orphans: Orphans | null = null;
  #head: number | null = null;
  #meta: Omit<StoredMeta, 'seq'> = { schemaVersion: 0, title: '', role: 'viewer' };

  constructor(host: LedgerHost, session: SessionId, doc: Y.Doc, awareness: Awareness, device: Device) {
    this.#host = host;
    this.#doc = doc;
    this.#awareness = awareness;
    this.#device = device;
    this.#replica = new Replica(doc, session);
    this.#own = new Outbox({ session, clientId: doc.clientID });
  }

  get own(): Outbox {
    return this.#own;
  }
  /** Every row up to here is shown. */
  get seq(): number {
    return this.#replica.seq;
  }
  /** Bytes of the rows that are shown and not part of a snapshot. */
  get takenBytes(): number {
    return this.#replica.takenBytes;
  }
  get damaged(): readonly number[] {
    return this.#replica.damaged;
  }
  /** Everything up to the head of the last answer is shown. */
  get isUpToDate(): boolean {
    return this.#head !== null && !this.isBehind;
  }
  /** A row is known of that is not here. */
  get isBehind(): boolean {
    return this.#replica.seq < (this.#head ?? 0) || this.#replica.hasGap;
  }
  /** The schema of the page as last heard of. */
  get schemaVersion(): number {
    return this.#meta.schemaVersion;
  }

  /** To be sent, in this order: adopted ones that are shown, then the own one. */
  toSend(): readonly Outbox[] {
    return [...(this.#orphans?.shown ?? []), this.#own];
  }

  /** Everything unsent that this page knows of, refused and waiting ones too. */
  all(): readonly Outbox[] {
    return [...(this.#orphans?.all ?? []), this.#own];
  }

  isComplete(update: Bytes): boolean {
    return this.#replica.isCompleteInLog(update);
  }

  /** Shows what this device holds; returns the role it was last held with, or null when it holds no page. */
  async restore(stored: StoredDocument | null, orphans: Orphans): Promise<DocumentRole | null> {
    this.#orphans = orphans;
    if (stored === null) return null;
    const { meta, snapshot, rows } = stored;
    this.#meta = meta;
    // A snapshot that is damaged on this device costs a full download, nothing else.
    if (snapshot === null || (await this.#applySnapshot(snapshot, null))) this.#replica.take(rows);
    orphans.show(this.#replica);
    return this.#replica.seq > 0 ? meta.role : null;
  }

  async opened(answer: OpenAnswer): Promise<void> {
    const { snapshot, schemaVersion, role } = answer;
    this.#meta = { schemaVersion, role, title: answer.document.title };
    if (
      snapshot !== null &&
      snapshot.seq > this.#replica.seq &&
      (await this.#applySnapshot(snapshot, snapshot.sha256))
    ) {
      this.#device.saveRows(this.#metaNow(), [], { seq: snapshot.seq, state: snapshot.state });
    }
    this.fetched(answer);
    this.#device.saveRows(this.#metaNow(), []);
  }

  /** Rows of an answer: their head is the truth of the moment. */
  fetched(answer: { readonly rows: readonly Row[]; readonly head: number; readonly role: DocumentRole }): void {
    this.#meta = { ...this.#meta, role: answer.role };
    const taken = this.#take(answer.rows);
    if (taken.length > 0) this.#device.saveRows(this.#metaNow(), taken);
    this.#head = answer.head;
    if (!this.isBehind) this.#orphans?.refuseWaiting(this.#device);
  }

  /** Rows of a message of the database; `head` may tell of more. */
  heard(rows: readonly Row[], head: number): void {
    const taken = this.#take(rows);
    if (taken.length > 0) this.#device.saveRows(this.#metaNow(), taken);
    this.#head = Math.max(this.#head ?? 0, head);
  }

  /** A local transaction: numbered, and on its way to the store before this returns (D5). */
  edited(update: Bytes, at: number): void {
    const entry = this.#own.add(update, at);
    this.#device.addEntry(this.#own.key, entry);
  }

  /** True when a tab that was adopted, only frozen, had written more: there is something to send again. */
  acknowledged(outbox: Outbox, answer: AppendAnswer): Promise<boolean> {
    this.#meta = { ...this.#meta, role: answer.role };
    const taken = this.#take(answer.rows);
    this.#head = answer.head;
    return this.#leave(outbox, answer.lastN, taken);
  }

  /** The same for what `start_session` says the server holds already. */
  registered(outbox: Outbox, lastN: number): Promise<boolean> {
    return lastN === 0 ? Promise.resolve(false) : this.#leave(outbox, lastN, []);
  }

  refuse(outbox: Outbox, error: WeftError): void {
    if (outbox.refused !== null) return;
    outbox.refuse(error);
    this.#device.refuse(outbox.session, error.code);
    this.#host.outboxRefused();
  }

  /**
   * Another id costs nothing before anything was numbered: one of the document's own was drawn by accident (Yjs notices
   * that too and draws by itself). Afterwards somebody writes under our id (I6): what is typed from here on could not
   * be told from what is damaged, so the page has to be opened again.
   */
  keepClientId(): void {
    const isUsed = (id: number) =>
      id < FIRST_CLIENT_ID ||
      this.#replica.clockShown(id) > 0 ||
      this.all().some((outbox) => outbox !== this.#own && outbox.key.clientId === id);
    if (this.#own.lastN > 0) {
      if (this.#doc.clientID !== this.#own.key.clientId) this.refuse(this.#own, weftError('WF006', 'client id taken'));
      return;
    }
    while (isUsed(this.#doc.clientID)) this.#doc.clientID = drawClientId(() => this.#host.random());
    if (this.#doc.clientID === this.#own.key.clientId) return;
    const state = this.#awareness.getLocalState();
    this.#awareness.setLocalState(null);
    this.#awareness.clientID = this.#doc.clientID;
    this.#awareness.setLocalState(state);
    this.#own = new Outbox({ session: this.#own.session, clientId: this.#doc.clientID });
  }

  /** What this device holds up to the snapshot's seq is in it from now on. */
  keep(snapshot: StoredSnapshot): void {
    this.#device.saveRows(this.#metaNow(), [], snapshot);
  }

  /** Outboxes of this page whose tab was locked when it was opened. */
  get hasHeldOrphans(): boolean {
    return this.#orphans?.hasHeld ?? false;
  }

  /** True when one of them could be taken over: there is something to show or send. */
  adoptFreed(locks: Locks): Promise<boolean> {
    return this.#orphans?.adoptFreed(this.#device, locks, this.#replica) ?? Promise.resolve(false);
  }

  /** Resolves when the store has done what it was asked; adopted outboxes are free for other tabs. */
  async close(): Promise<void> {
    await this.#device.settled();
    this.#orphans?.release();
  }

  /** I2: entries leave in the transaction that stores the rows of the answer. */
  #leave(outbox: Outbox, lastN: number, rows: readonly Row[]): Promise<boolean> {
    outbox.acknowledge(lastN);
    this.#device.acknowledge(outbox.session, lastN, this.#metaNow(), rows);
    return this.#orphans?.forgetEmpty(this.#device, this.#replica) ?? Promise.resolve(false);
  }

  #take(rows: readonly Row[]): readonly Row[] {
    const { taken, ownDamaged } = this.#replica.take(rows);
    this.#orphans?.show(this.#replica);
    if (ownDamaged) this.refuse(this.#own, weftError('WF005', 'an own row is damaged'));
    this.keepClientId();
    return taken;
  }

  /** False: its rows are asked for instead, beginning with the first (SN6). */
  async #applySnapshot({ seq, state }: StoredSnapshot, sha256: string | null): Promise<boolean> {
    const unpacked = await this.#host.unpack(state, sha256);
    return unpacked !== null && this.#replica.applySnapshot(seq, unpacked);
  }

  #metaNow(): StoredMeta {
    return { ...this.#meta, seq: this.#replica.seq };
  }
}
