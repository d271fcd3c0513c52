// The one runner of a document session: keeps the machine's state, performs its effects through the ports, and lets
// the parts (replica, outboxes, topic, carets) know of each other. Knows no Supabase, no DOM, no clock of its own.
import type { Awareness } from 'y-protocols/awareness';
import type * as Y from 'yjs';
import { backoffMs } from '../lib/backoff.ts';
import type { Bytes } from '../lib/bytes.ts';
import type { Cancel } from '../lib/cancel.ts';
import { inflate } from '../lib/deflate.ts';
import { Subscribable } from '../lib/subscribable.ts';
import { assertNever } from '../lib/assert.ts';
import type { AppendAnswer, DocumentSummary, OpenAnswer, Workspace } from '../protocol/answers.ts';
import { type WeftError, weftError } from '../protocol/errors.ts';
import { FIRST_CLIENT_ID, type DocumentId, type SessionId, type UserId } from '../protocol/ids.ts';
import { type DocumentRole, mayEdit as roleMayEdit } from '../protocol/roles.ts';
import type { Row } from '../protocol/row.ts';
import type { Epoch } from '../protocol/topics.ts';
import { isNewerEpoch } from './epoch.ts';
import { Carets } from './carets.ts';
import { Device } from './device.ts';
import { Fetcher, GAP_WHILE_APPENDING_MS } from './fetcher.ts';
import { LiveTopic, type LiveTopicHost } from './live-topic.ts';
import { type Effect, type Event, START, type State, type Wait, maySend, step } from './machine.ts';
import { drawClientId, newDoc } from './new-doc.ts';
import { adopt, Orphans, takeLock } from './orphans.ts';
import { Outbox, mergeUpdates } from './outbox.ts';
import type { Ports, StoredDocument, StoredMeta } from './ports.ts';
import { quietAwareness } from './quiet-awareness.ts';
import { Replica } from './replica.ts';
import { Sender } from './sender.ts';
import type { Session } from './session-api.ts';
import { type Parts, viewOf } from './session-view.ts';
import { TextNote } from './text-note.ts';
import type { SessionView } from './view.ts';

/** While visible: the last resort when every message was lost. */
export const HEAD_CHECK_MS = 30_000;
/** A device that holds the page shows it after this long without an answer. */
export const OPEN_PATIENCE_MS = 1_000;
/** A move concerns everybody on the topic: they come back one by one. */
export const MOVE_JITTER_MS = 2_000;
/** A peer knows a higher head: the row is on its way as a rule. */
const HEAD_HINT_MS = 2_000;
const HEAD_HINT_JITTER_MS = 1_000;
const PUBLISH_AFTER_MS = 1_000;

export type SessionOptions = {
  readonly user: UserId;
  readonly ports: Ports;
  /** The newest schema this app understands. */
  readonly schemaVersion: number;
};

/** Opens a document for one tab. Errors show in the view; nothing is thrown. */
export function openSession(documentId: DocumentId, options: SessionOptions): Session {
  return new DocumentSession(documentId, options);
}

class DocumentSession implements Session {
  readonly documentId: DocumentId;
  readonly sessionId: SessionId;
  readonly doc: Y.Doc;
  readonly awareness: Awareness;

  readonly #ports: Ports;
  readonly #schemaVersion: number;
  readonly #changes = new Subscribable();
  readonly #replica: Replica;
  readonly #device: Device;
  readonly #sender: Sender;
  readonly #fetcher: Fetcher;
  readonly #topic: LiveTopic;
  readonly #carets: Carets;
  readonly #textNote: TextNote;
  readonly #stopSurroundings: Cancel;
  readonly #booted: Promise<void>;

  #state: State = START[0];
  #events: Event[] = [];
  #isStepping = false;
  #own: Outbox;
  #orphans = new Orphans([], [], new Map());
  #ownLock: Cancel | null = null;
  #retry: { readonly cancel: Cancel; readonly at: number } | null = null;
  #headCheck: Cancel | null = null;
  #patience: Cancel | null = null;
  #isReady = false;
  #isStored = false;
  #isPatienceOver = false;
  /** Head of the open answer: everything up to it must be there before the editor binds. */
  #target: number | null = null;
  #head: number | null = null;
  #epoch: Epoch | null = null;
  #role: DocumentRole | null = null;
  #storedSchemaVersion = 0;
  #title = '';
  #document: DocumentSummary | null = null;
  #workspace: Workspace | null = null;
  /** Edits count: the user could type at some time. Before, a binding that tidies up must not write (WF004). */
  #couldEdit = false;
  #lastSaved: SessionView['lastSaved'] = null;
  #lastTryFailed = false;
  #lastError: WeftError | null = null;
  #isClosing = false;
  #closing: Promise<void> | null = null;
  #publish: Cancel | null = null;
  #view: SessionView;

  constructor(documentId: DocumentId, { user, ports, schemaVersion }: SessionOptions) {
    this.documentId = documentId;
    this.sessionId = ports.random.session();
    this.doc = newDoc(drawClientId(() => ports.random.next()));
    this.awareness = quietAwareness(this.doc);
    this.#ports = ports;
    this.#schemaVersion = schemaVersion;
    this.#own = new Outbox({ session: this.sessionId, clientId: this.doc.clientID });
    this.#replica = new Replica(this.doc, this.sessionId);
    this.#device = new Device(ports.store, documentId, () => this.#refresh());
    this.#sender = new Sender(this.#senderHost(), ports.clock, ports.log, documentId, schemaVersion);
    this.#fetcher = new Fetcher(
      {
        seq: () => this.#replica.seq,
        fetched: (answer) => {
          this.#takeAnswer(answer, answer.rows);
          this.#answered(answer);
        },
        failed: (error) => this.#callFailed(error),
      },
      ports.clock,
      ports.log,
      documentId,
    );
    this.#topic = new LiveTopic(this.#topicHost(), ports.link, documentId, { session: this.sessionId, user });
    this.#carets = new Carets(
      {
        isJoined: () => this.#topic.isJoined,
        headSeq: () => this.#replica.seq,
        sendFrame: (bytes) => this.#topic.sendFrame(bytes),
      },
      ports.clock,
      this.awareness,
      this.sessionId,
    );
    this.#textNote = new TextNote(
      { settledSeq: () => (this.#own.isEmpty && maySend(this.#state) ? this.#replica.seq : null) },
      ports.clock,
      ports.log,
      documentId,
    );
    this.#stopSurroundings = ports.surroundings.onChange((fact) => {
      const events = {
        online: 'cameOnline',
        offline: 'wentOffline',
        hidden: 'wentHidden',
        visible: 'cameBack',
      } as const;
      this.#dispatch({ type: events[fact] });
    });
    this.doc.on('update', (update: Uint8Array, _origin: unknown, _doc: Y.Doc, transaction: Y.Transaction) => {
      if (transaction.local) this.#edited(new Uint8Array(update));
    });
    this.#view = viewOf(this.#parts(), null);
    this.#booted = this.#boot();
  }

  // A field, as `subscribe`: React calls both without their object.
  readonly getView = (): SessionView => this.#view;

  readonly subscribe = (run: () => void): Cancel => this.#changes.subscribe(run);

  retry(): void {
    this.#dispatch({ type: 'retryAsked' });
  }

  noteText(title: string, bodyText: string): void {
    if (!this.#isClosing) this.#textNote.note(title, bodyText);
  }

  unsentFile(): Bytes {
    const entries = this.#allOutboxes().flatMap((outbox) => outbox.entries.map((entry) => entry.update));
    return mergeUpdates(entries);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  // ── opening ────────────────────────────────────────────────────────────────────────────────────────────────────

  async #boot(): Promise<void> {
    const { locks, clock } = this.#ports;
    const lock = await takeLock(locks, this.sessionId);
    const { stored, orphans } = await adopt(this.#device, locks);
    this.#ownLock = lock;
    this.#orphans = orphans;
    if (stored !== null) await this.#restore(stored);
    if (this.#isClosing) return;
    if (this.#isStored) {
      this.#patience = clock.after(OPEN_PATIENCE_MS, () => {
        this.#isPatienceOver = true;
        this.#refresh();
      });
    }
    for (const effect of START[1]) this.#perform(effect);
    this.#refresh();
  }

  async #restore(stored: StoredDocument): Promise<void> {
    const { meta, snapshot, rows } = stored;
    this.#title = meta.title;
    this.#role = meta.role;
    this.#storedSchemaVersion = meta.schemaVersion;
    // A snapshot that is damaged on this device costs a full download, nothing else.
    if (snapshot === null || (await this.#applySnapshot(snapshot.seq, snapshot.state))) this.#replica.take(rows);
    this.#orphans.show(this.#replica);
    // WF004: a page of a newer app is not shown before the open call has said so to the machine.
    this.#isStored = this.#replica.seq > 0 && meta.schemaVersion <= this.#schemaVersion;
  }

  async #applySnapshot(seq: number, deflated: Bytes): Promise<boolean> {
    try {
      return this.#replica.applySnapshot(seq, await inflate(deflated));
    } catch {
      return false;
    }
  }

  async #callOpen(): Promise<void> {
    const answer = await this.#ports.log.open(this.documentId, this.#replica.seq);
    if (this.#isClosing) return;
    if (!answer.ok) {
      this.#lastError = answer.error;
      this.#dispatch({ type: 'openFailed', code: answer.error.code });
      return;
    }
    await this.#opened(answer.value);
  }

  async #opened(answer: OpenAnswer): Promise<void> {
    const { snapshot, rows } = answer;
    this.#document = answer.document;
    this.#workspace = answer.workspace;
    this.#title = answer.document.title;
    this.#storedSchemaVersion = answer.schemaVersion;
    if (snapshot !== null && snapshot.seq > this.#replica.seq) {
      if (await this.#applySnapshot(snapshot.seq, snapshot.state)) {
        this.#device.saveRows(this.#meta(), [], { seq: snapshot.seq, state: snapshot.state });
      }
      if (this.#isClosing) return;
    }
    this.#role = answer.role;
    this.#takeAnswer(answer, rows);
    this.#device.saveRows(this.#meta(), []);
    this.#target ??= answer.head;
    const moved = this.#topic.epoch !== null && this.#topic.epoch !== answer.epoch;
    this.#epoch = answer.epoch;
    const newer = answer.schemaVersion > this.#schemaVersion;
    const access = newer ? 'newer' : roleMayEdit(answer.role) ? 'edit' : 'read';
    this.#dispatch({ type: 'opened', access, moved });
    // A full answer, or a snapshot that could not be read: the rest comes in pieces.
    if (this.#replica.seq < answer.head) void this.#fetcher.catchUp();
  }

  /**
   * The editor may bind when everything the open call knew of is there; or, when this device holds the page, after the
   * call failed or took longer than a second.
   */
  #becomeReady(): boolean {
    if (this.#isReady || this.#state.status === 'closed') return false;
    const isOpened = this.#target !== null && this.#replica.seq >= this.#target;
    const waited = this.#isPatienceOver || this.#state.status !== 'opening';
    if (!isOpened && !(this.#isStored && waited)) return false;
    this.#keepClientId();
    this.#patience?.();
    this.#patience = null;
    this.#isReady = true;
    return true;
  }

  /**
   * Another id costs nothing before anything was numbered: one of the document's own was drawn by accident (Yjs notices
   * that too and draws by itself). Afterwards somebody writes under our id (I6): what is typed from here on could not
   * be told from what is damaged, so the page has to be opened again.
   */
  #keepClientId(): void {
    const isUsed = (id: number) =>
      id < FIRST_CLIENT_ID ||
      this.#replica.clockShown(id) > 0 ||
      this.#orphans.all.some((orphan) => orphan.key.clientId === id);
    if (this.#own.lastN > 0) {
      if (this.doc.clientID !== this.#own.key.clientId) this.#refuse(this.#own, weftError('WF006', 'client id taken'));
      return;
    }
    while (isUsed(this.doc.clientID)) this.doc.clientID = drawClientId(() => this.#ports.random.next());
    if (this.doc.clientID === this.#own.key.clientId) return;
    const state = this.awareness.getLocalState();
    this.awareness.setLocalState(null);
    this.awareness.clientID = this.doc.clientID;
    this.awareness.setLocalState(state);
    this.#own = new Outbox({ session: this.sessionId, clientId: this.doc.clientID });
  }

  // ── own edits ──────────────────────────────────────────────────────────────────────────────────────────────────

  #edited(update: Bytes): void {
    if (this.#isClosing || !this.#couldEdit) return;
    const entry = this.#own.add(update, this.#ports.clock.now());
    this.#device.addEntry(this.#own.key, entry);
    this.#textNote.edited();
    this.#sender.edited();
    this.#refresh();
  }

  #senderHost() {
    return {
      outboxes: () => [...this.#orphans.shown, this.#own],
      maySend: () => this.#isReady && maySend(this.#state),
      others: () => this.#topic.others,
      knownSeq: () => this.#replica.seq,
      isComplete: (update: Bytes) => this.#replica.isCompleteInLog(update),
      catchUp: () => this.#fetcher.catchUp(),
      acknowledged: (outbox: Outbox, answer: AppendAnswer) => this.#acknowledged(outbox, answer),
      registered: (outbox: Outbox, lastN: number) => {
        outbox.acknowledge(lastN);
        if (lastN > 0) this.#device.acknowledge(outbox.session, lastN, this.#meta(), []);
        this.#letGoOfOrphans();
      },
      refused: (outbox: Outbox, error: WeftError) => this.#refuse(outbox, error),
      failed: (error: WeftError) => this.#callFailed(error),
    };
  }

  #acknowledged(outbox: Outbox, answer: AppendAnswer): void {
    const taken = this.#takeRows(answer.rows);
    outbox.acknowledge(answer.lastN);
    this.#device.acknowledge(outbox.session, answer.lastN, this.#meta(), taken);
    this.#head = answer.head;
    this.#lastTryFailed = false;
    if (answer.seq !== null) this.#lastSaved = Object.freeze({ seq: answer.seq, at: this.#ports.clock.now() });
    this.#letGoOfOrphans();
    this.#carets.acknowledged();
    if (answer.unpublished) this.#publishLater();
    if (this.#own.isEmpty) this.#textNote.settled();
    this.#answered(answer);
    if (answer.more) void this.#fetcher.catchUp();
  }

  #letGoOfOrphans(): void {
    void this.#orphans.forgetEmpty(this.#device, this.#replica).then((isMore) => {
      if (isMore) this.#sender.kick();
    });
  }

  #refuse(outbox: Outbox, error: WeftError): void {
    if (outbox.refused !== null) return;
    outbox.refuse(error);
    this.#device.refuse(outbox.session, error.code);
    this.#dispatch({ type: 'outboxRefused' });
  }

  /** The watch topics were written to less than a second ago: the rest of this second later it is their turn. */
  #publishLater(): void {
    if (this.#isClosing) return;
    this.#publish ??= this.#ports.clock.after(PUBLISH_AFTER_MS, () => {
      this.#publish = null;
      void this.#ports.log.publishTail(this.documentId);
    });
  }

  // ── what the log says ──────────────────────────────────────────────────────────────────────────────────────────

  #topicHost(): LiveTopicHost {
    return {
      joined: () => this.#dispatch({ type: 'joined' }),
      lost: (reason) => this.#dispatch({ type: 'linkLost', reason }),
      moved: () => this.#dispatch({ type: 'moved' }),
      rows: (message) => {
        const taken = message.kind === 'rows' ? this.#takeRows(message.rows) : [];
        if (taken.length > 0) this.#device.saveRows(this.#meta(), taken);
        this.#head = Math.max(this.#head ?? 0, message.head);
        if (this.#replica.seq < this.#head || this.#replica.hasGap) {
          this.#fetcher.within(this.#sender.isSending ? GAP_WHILE_APPENDING_MS : 0);
        }
        this.#refresh();
      },
      frame: (frame) => {
        this.#carets.receive(frame);
        const wait = HEAD_HINT_MS + HEAD_HINT_JITTER_MS * this.#ports.random.next();
        if (frame.head > this.#replica.seq) this.#fetcher.within(wait);
      },
      rosterChanged: () => {
        this.#carets.setPeers(this.#topic.peers);
        this.#refresh();
      },
    };
  }

  /** Rows in order into the document; returns those that were next, to be stored. */
  #takeRows(rows: readonly Row[]): readonly Row[] {
    const { taken, ownDamaged } = this.#replica.take(rows);
    this.#orphans.show(this.#replica);
    if (ownDamaged) this.#refuse(this.#own, weftError('WF005', 'an own row is damaged'));
    this.#keepClientId();
    return taken;
  }

  #takeAnswer(answer: { readonly head: number }, rows: readonly Row[]): void {
    const taken = this.#takeRows(rows);
    if (taken.length > 0) this.#device.saveRows(this.#meta(), taken);
    this.#head = answer.head;
    const isComplete = this.#replica.seq >= answer.head && !this.#replica.hasGap;
    if (isComplete && this.#orphans.hasWaiting) this.#orphans.refuseWaiting(this.#device);
  }

  #answered(answer: { readonly epoch: Epoch; readonly role: DocumentRole }): void {
    this.#role = answer.role;
    this.#lastTryFailed = false;
    const moved = this.#topic.epoch !== null && isNewerEpoch(answer.epoch, this.#topic.epoch);
    if (this.#epoch === null || isNewerEpoch(answer.epoch, this.#epoch)) this.#epoch = answer.epoch;
    this.#dispatch({ type: 'answered', access: roleMayEdit(answer.role) ? 'edit' : 'read', moved });
  }

  #callFailed(error: WeftError): void {
    this.#lastTryFailed = true;
    this.#lastError = error;
    this.#dispatch({ type: 'callFailed', code: error.code });
  }

  #meta(): StoredMeta {
    return {
      seq: this.#replica.seq,
      schemaVersion: this.#storedSchemaVersion,
      title: this.#title,
      role: this.#role ?? 'viewer',
    };
  }

  // ── machine ────────────────────────────────────────────────────────────────────────────────────────────────────

  /** One event after the other: an effect may report its outcome while others are still to be performed. */
  #dispatch(event: Event): void {
    this.#events.push(event);
    if (this.#isStepping) return;
    this.#isStepping = true;
    for (let next = this.#events.shift(); next !== undefined; next = this.#events.shift()) {
      const [state, effects] = step(this.#state, next);
      this.#state = state;
      for (const effect of effects) this.#perform(effect);
    }
    this.#isStepping = false;
    this.#refresh();
  }

  #perform(effect: Effect): void {
    switch (effect.type) {
      case 'callOpen':
        void this.#callOpen();
        return;
      case 'joinTopic':
        if (this.#epoch !== null && !this.#isClosing) this.#topic.join(this.#epoch);
        return;
      case 'leaveTopic':
        this.#topic.leave();
        return;
      case 'checkHead':
        void this.#fetcher.catchUp();
        return;
      case 'send':
        this.#sender.kick();
        return;
      case 'sendWhileHidden':
        this.#sender.flushHidden();
        return;
      case 'startRetry':
        this.#startRetry(effect.wait);
        return;
      case 'stopRetry':
        this.#retry?.cancel();
        this.#retry = null;
        return;
      case 'startHeadCheck':
        this.#headCheck?.();
        this.#headCheck = this.#ports.clock.after(HEAD_CHECK_MS, () => {
          // Hidden tabs do not poll; the timer goes on, `cameBack` checks at once.
          if (this.#ports.surroundings.isVisible()) this.#dispatch({ type: 'headCheckDue' });
          else this.#perform(effect);
        });
        return;
      case 'stopHeadCheck':
        this.#headCheck?.();
        this.#headCheck = null;
        return;
      default:
        assertNever(effect);
    }
  }

  #startRetry(wait: Wait): void {
    const { clock, random } = this.#ports;
    this.#retry?.cancel();
    const ms = wait.kind === 'move' ? MOVE_JITTER_MS * random.next() : backoffMs(wait.attempt, random.next());
    const cancel = clock.after(ms, () => {
      this.#retry = null;
      this.#dispatch({ type: 'retryDue' });
    });
    this.#retry = { cancel, at: clock.now() + ms };
  }

  // ── view ───────────────────────────────────────────────────────────────────────────────────────────────────────

  #refresh(): void {
    const becameReady = this.#becomeReady();
    const view = viewOf(this.#parts(), this.#view);
    this.#couldEdit ||= view.editable;
    if (becameReady) this.#sender.kick();
    if (view === this.#view) return;
    this.#view = view;
    this.#changes.notify();
  }

  #parts(): Parts {
    return {
      state: this.#state,
      isReady: this.#isReady,
      isClosed: this.#isClosing,
      own: this.#own,
      outboxes: this.#allOutboxes(),
      onlyInMemory: this.#device.holdsOnlyInMemory,
      lastTryFailed: this.#lastTryFailed,
      lastSaved: this.#lastSaved,
      upToDate: this.#head !== null && this.#replica.seq >= this.#head && !this.#replica.hasGap,
      retryAt: this.#retry?.at ?? null,
      role: this.#role,
      lastError: this.#lastError,
      document: this.#document,
      workspace: this.#workspace,
      roster: this.#topic.peers,
      damaged: this.#replica.damaged,
    };
  }

  #allOutboxes(): readonly Outbox[] {
    return [...this.#orphans.all, this.#own];
  }

  // ── closing ────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Leaves the topic at once, then brings the last edits and the text out, as far as calls succeed (I9). */
  async #close(): Promise<void> {
    this.#isClosing = true;
    this.#stopSurroundings();
    this.#patience?.();
    this.#publish?.();
    this.#carets.stop();
    this.#topic.leave();
    this.#refresh();
    await this.#booted;
    await this.#sender.drain();
    await this.#textNote.flush();
    this.#fetcher.stop();
    this.#dispatch({ type: 'closeAsked' });
    await this.#device.settled();
    this.#orphans.release();
    this.#ownLock?.();
    this.#changes.clear();
    this.doc.destroy();
  }
}
