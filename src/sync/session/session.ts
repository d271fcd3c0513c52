// The one runner of a document session: keeps the machine's state, performs its effects through the ports, and lets
// the parts (document state, sender, live layer) know of each other. Knows no Supabase, no DOM, no clock of its own.
import type { Awareness } from 'y-protocols/awareness';
import type * as Y from 'yjs';
import type { Bytes } from '../../lib/bytes.ts';
import type { Cancel } from '../../lib/cancel.ts';
import { Subscribable } from '../../lib/subscribable.ts';
import type { AppendAnswer, DocumentSummary, OpenAnswer, RowsAnswer, Workspace } from '../../protocol/answers.ts';
import { type WeftError, weftError } from '../../protocol/errors.ts';
import type { DocumentId, SessionId, UserId } from '../../protocol/ids.ts';
import { type DocumentRole, mayEdit as roleMayEdit } from '../../protocol/roles.ts';
import { DocumentStore } from '../state/document-store.ts';
import { LogFetcher, GAP_WHILE_APPENDING_MS } from '../log/log-fetcher.ts';
import { DocumentState } from '../state/document-state.ts';
import { LIVE_BUDGET } from '../live/live-update-sender.ts';
import { InboundQueue } from './inbound-queue.ts';
import { queuedPorts } from './queued-ports.ts';
import { LiveLayer, type LiveLayerHost } from '../live/live-layer.ts';
import { type Access, connectionOf, isOldApp, mayEdit, maySend } from '../connection/machine.ts';
import { randomClientId, newDoc } from '../updates/new-doc.ts';
import { recoverOutboxes, takeLock } from '../state/recovered-outboxes.ts';
import { type Outbox, mergeUpdates } from '../state/outbox.ts';
import { type PageLimits, PageSize, stateBytes } from './page-size.ts';
import { MachineRunner, type MachineRunnerHost } from './machine-runner.ts';
import type { OutboxKey, Ports } from '../ports.ts';
import { timerlessAwareness } from '../live/timerless-awareness.ts';
import { Rebuilder, replayLog } from '../recovery/rebuilder.ts';
import { Rights } from '../connection/rights.ts';
import { LogSender, type LogSenderHost } from '../log/log-sender.ts';
import type { Session } from './session-api.ts';
import { type SessionFacts, sessionView } from './session-view.ts';
import { SnapshotScheduler, type SnapshotSchedulerHost } from '../snapshot/snapshot-scheduler.ts';
import { TailPublisher } from '../log/tail-publisher.ts';
import { type PageText, TextCopy } from '../log/text-copy.ts';
import { unpackSnapshot } from '../snapshot/unpack-snapshot.ts';
import type { SessionView } from './views.ts';
import { MAX_ON_LIVE } from '../live/topic-mode.ts';

/** A device that holds the page shows it after this long without an answer. */
export const OPEN_PATIENCE_MS = 1_000;
/** A peer knows a higher head: the row is on its way as a rule. */
const HEAD_HINT_MS = 2_000;
const HEAD_HINT_JITTER_MS = 1_000;
/** A reloaded page holds its lock for a moment longer than it lives; a tab that lives is asked ever more rarely. */
const RECOVER_AGAIN_MS = 300;
const RECOVER_AGAIN_MAX_MS = 30_000;
/** Editors bind the new document as soon as the view tells them; a key struck before is one of the new document. */
const FORMER_DOC_MS = 10_000;

const EVENT_OF = { online: 'cameOnline', offline: 'wentOffline', hidden: 'wentHidden', visible: 'cameBack' } as const;

export type SessionOptions = {
  readonly user: UserId;
  readonly ports: Ports;
  /** The newest schema this app understands. */
  readonly schemaVersion: number;
  /** False: log-only mode, text travels by rows alone (slower to be seen, and sparing where the budget is small). */
  readonly liveUpdates?: boolean;
  /** Deliveries of live updates per second in this document, shared by all who write: what a Realtime plan allows. */
  readonly liveBudget?: number;
  /** What lists show and search finds of the page, read when a copy is due (SY16). Left out: nothing is copied. */
  readonly readText?: (doc: Y.Doc) => PageText;
  /** Smaller ones in tests. */
  readonly pageLimits?: PageLimits;
  /** Who only reads leaves the live topic when more sessions than this are on it. Left out: 8. */
  readonly maxOnLive?: number;
};

/** Opens a document for one tab. Errors show in the view; nothing is thrown. */
export function openSession(documentId: DocumentId, options: SessionOptions): Session {
  return new DocumentSession(documentId, options);
}

class DocumentSession implements Session {
  readonly documentId: DocumentId;
  readonly sessionId: SessionId;
  readonly user: UserId;
  readonly awareness: Awareness;

  readonly #ports: Ports;
  readonly #inbound: InboundQueue;
  readonly #schemaVersion: number;
  readonly #changes = new Subscribable();
  readonly #machine: MachineRunner;
  readonly #store: DocumentStore;
  readonly #state: DocumentState;
  readonly #sender: LogSender;
  readonly #fetcher: LogFetcher;
  readonly #live: LiveLayer;
  readonly #rebuilder: Rebuilder;
  readonly #rights = new Rights(() => this.#live.checkRights());
  readonly #publisher: TailPublisher;
  readonly #textCopy: TextCopy | null;
  readonly #snapshots: SnapshotScheduler;
  readonly #size: PageSize;
  readonly #stopSurroundings: Cancel;
  readonly #booted: Promise<void>;

  #ownLock: Cancel | null = null;
  #patience: Cancel | null = null;
  #recovering: Cancel | null = null;

  /** The device holds the page, in a schema this app understands. */
  #isStored = false;
  #isPatienceOver = false;
  /** Head of the first open answer: everything up to it must be there before the editor binds. */
  #target: number | null = null;
  #isReady = false;
  /** The user could type at some time. Before, a binding that tidies up must not write (SY9). */
  #couldEdit = false;
  #document: DocumentSummary | null = null;
  #workspace: Workspace | null = null;
  #lastSaved: SessionView['lastSaved'] = null;
  #lastTryFailed = false;
  #lastError: WeftError | null = null;
  #rebuilds = 0;
  /** Replaced by a rebuild; an editor may still be bound to them for a moment. */
  #formerDocs: readonly { readonly doc: Y.Doc; readonly at: number }[] = [];
  #wasLive = false;
  #wrongSnapshot: number | null = null;
  #isClosing = false;
  #closing: Promise<void> | null = null;
  #view: SessionView;

  constructor(documentId: DocumentId, options: SessionOptions) {
    const { user, schemaVersion, pageLimits, liveUpdates = true } = options;
    const { maxOnLive = MAX_ON_LIVE, liveBudget = LIVE_BUDGET } = options;
    this.#inbound = new InboundQueue(options.ports.clock);
    const ports = queuedPorts(options.ports, this.#inbound);
    const { clock, log, random } = ports;
    this.documentId = documentId;
    this.user = user;
    this.sessionId = random.session();
    const doc = newDoc(randomClientId(() => random.next()));
    this.awareness = timerlessAwareness(doc);
    this.#ports = ports;
    this.#schemaVersion = schemaVersion;
    this.#machine = new MachineRunner(this.#policyHost(), clock, random);
    this.#store = new DocumentStore(ports.store, documentId, schemaVersion, () => this.#refresh());
    const refused = () => this.#machine.dispatch({ type: 'outboxRefused' });
    const unpack = ports.snapshots?.unpack ?? unpackSnapshot;
    const stateHost = {
      now: () => clock.now(),
      random: () => random.next(),
      outboxRefused: refused,
      outboxShown: () => void Promise.resolve().then(() => this.#sender.sendNow()),
      contradicted: () => void Promise.resolve().then(() => this.#rebuilder.rebuild()),
      unpack,
    };
    this.#state = new DocumentState(stateHost, this.sessionId, doc, this.awareness, this.#store);
    this.#sender = new LogSender(this.#senderHost(), clock, log, documentId, schemaVersion);
    const fetcherHost = {
      seq: () => this.#state.seq,
      isViewing: () => this.#live.isViewing,
      requestStamp: () => this.#state.requestStamp(),
      fetched: (answer: RowsAnswer, asked: number) => this.#fetched(answer, asked),
      failed: (error: WeftError) => this.#callFailed(error),
    };
    this.#fetcher = new LogFetcher(fetcherHost, clock, log, documentId);
    const shared = { document: documentId, session: this.sessionId, user, schemaVersion };
    const live = { ...shared, liveUpdates, maxOnLive, budget: liveBudget };
    this.#live = new LiveLayer(this.#liveHost(), ports, this.#state, this.awareness, live);
    const rebuilderHost = {
      state: () => this.#state,
      catchUp: () => this.#fetcher.catchUp(),
      failed: (error: WeftError) => this.#callFailed(error),
      replaced: (before: Y.Doc) => this.#replaced(before),
    };
    const replay = () => replayLog(this.#store, log, documentId, () => this.#state.seq, unpack);
    this.#rebuilder = new Rebuilder(rebuilderHost, replay);
    const settledSeq = () => (this.#state.own.isEmpty && maySend(this.#machine.state) ? this.#state.seq : null);
    this.#publisher = new TailPublisher({ savedSeq: () => this.#lastSaved?.seq ?? 0 }, clock, log, documentId);
    const leastSeq = () => (this.#state.seq > 0 && maySend(this.#machine.state) ? this.#state.seq : null);
    const { readText } = options;
    const read = readText === undefined ? null : () => readText(this.doc);
    this.#textCopy = read === null ? null : new TextCopy({ settledSeq, leastSeq, read }, clock, log, documentId);
    this.#size = new PageSize(
      { measure: () => stateBytes(this.doc), changed: () => this.#refresh() },
      clock,
      pageLimits,
    );
    this.#snapshots = new SnapshotScheduler(this.#snapshotsHost(), ports, documentId);
    this.#stopSurroundings = ports.surroundings.onChange((fact) => {
      this.#machine.dispatch({ type: EVENT_OF[fact] });
      // NB1: it may have missed what they said, and nobody else tells it now.
      if (fact === 'visible' || fact === 'offline') this.#live.askTabs();
    });
    doc.on('update', this.#updated);
    this.#view = sessionView(this.#parts(), null);
    this.#booted = this.#boot();
  }

  get doc(): Y.Doc {
    return this.#state.doc;
  }

  // A field, as `subscribe`: React calls both without their object.
  readonly getView = (): SessionView => this.#view;

  readonly subscribe = (run: () => void): Cancel => this.#changes.subscribe(run);

  mayGrow(bytes: number): boolean {
    return this.#size.mayGrow(bytes);
  }

  retry(): void {
    this.#machine.dispatch({ type: 'retryAsked' });
  }

  pauseRemote(ms: number): Cancel {
    return this.#inbound.pause(ms);
  }

  onBeforeRemote(run: () => void): Cancel {
    return this.#inbound.onBefore(run);
  }

  unsentFile(): Bytes {
    const otherTabs = this.#state.ofOtherTabs.map(({ part }) => part.update);
    const own = this.#state.all().flatMap((outbox) => outbox.entries.map((entry) => entry.update));
    return mergeUpdates([...otherTabs, ...own]);
  }

  get isCopyDue(): boolean {
    return this.#textCopy?.isDue ?? false;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  // ── opening ────────────────────────────────────────────────────────────────────────────────────────────────────

  async #boot(): Promise<void> {
    const { locks, clock } = this.#ports;
    // The own lock first: no other tab may take for an recovered outbox what this one is about to write.
    this.#ownLock = await takeLock(locks, this.sessionId);
    const { stored, outboxes: recovered } = await recoverOutboxes(this.#store, locks);
    this.#rights.restore(await this.#state.restore(stored, recovered));
    if (this.#isClosing) return;
    // WF004: a page of a newer app is not shown before the open call has said so to the machine.
    this.#isStored = this.#rights.role !== null && this.#state.schemaVersion <= this.#schemaVersion;
    if (this.#isStored) {
      this.#patience = clock.after(OPEN_PATIENCE_MS, () => {
        this.#isPatienceOver = true;
        this.#refresh();
      });
    }
    this.#machine.start();
    this.#refresh();
    this.#recoverLater(RECOVER_AGAIN_MS);
  }

  /** D6: an outbox whose tab dies while this page is open is taken over too. */
  #recoverLater(waitMs: number): void {
    if (this.#isClosing || !this.#state.hasLockedOutboxes) return;
    this.#recovering = this.#ports.clock.after(waitMs, () => {
      void this.#state.recoverFreed(this.#ports.locks).then(async (isMore) => {
        if (isMore && !this.#isClosing) {
          this.#refresh();
          // Its tab may have seen rows that did not reach this one yet.
          await this.#fetcher.catchUp();
          this.#sender.sendNow();
        }
        this.#recoverLater(Math.min(2 * waitMs, RECOVER_AGAIN_MAX_MS));
      });
    });
  }

  async #callOpen(): Promise<void> {
    const asked = this.#state.requestStamp();
    const answer = await this.#ports.log.open(this.documentId, this.#state.seq);
    if (this.#isClosing) return;
    if (answer.ok) {
      await this.#opened(answer.value, asked);
      return;
    }
    this.#lastError = answer.error;
    this.#machine.respectRetryAfter(answer.error);
    this.#machine.dispatch({ type: 'openFailed', code: answer.error.code });
  }

  async #opened(answer: OpenAnswer, asked: number): Promise<void> {
    // SY2: read-only before anything newer reaches an editor that may be bound already, and would tidy it away.
    const isNewer = answer.schemaVersion > this.#schemaVersion;
    if (isNewer) this.#openedWith(answer, 'newer');
    await this.#state.opened(answer, asked);
    if (this.#isClosing) return;
    this.#target ??= answer.head;
    if (answer.textSeq < answer.head && accessOf(answer.role) === 'edit') this.#textCopy?.edited();
    if (isNewer) this.#refresh();
    else this.#openedWith(answer, accessOf(answer.role));
    const given = answer.snapshot?.seq ?? 0;
    this.#snapshots.opened(this.#state.seq < given ? given : null);
    // A full answer, or a snapshot that could not be read: the rest comes in pieces.
    if (this.#state.isBehind) void this.#fetcher.catchUp();
  }

  #openedWith(answer: OpenAnswer, access: Access): void {
    this.#document = answer.document;
    this.#workspace = answer.workspace;
    const moved = this.#rights.opened(answer.role, answer.epoch, this.#live.epoch);
    this.#machine.dispatch({ type: 'opened', access, moved });
    // Before the first answer the machine has no state to keep this in.
    if (this.#state.toSend().some(({ refused }) => refused !== null)) this.#machine.dispatch({ type: 'outboxRefused' });
  }

  /**
   * SY1: the editor may bind when everything the open call knew of is there; or, when this device holds the page, after
   * the call failed or took longer than a second.
   */
  #becomeReady(): boolean {
    if (this.#isReady || this.#machine.state.status === 'closed') return false;
    const isOpened = this.#target !== null && this.#state.seq >= this.#target;
    const hasWaited = this.#isPatienceOver || this.#machine.state.status !== 'opening';
    if (!isOpened && !(this.#isStored && hasWaited)) return false;
    this.#state.keepClientId();
    this.#patience?.();
    this.#patience = null;
    this.#isReady = true;
    return true;
  }

  // ── edits out ──────────────────────────────────────────────────────────────────────────────────────────────────

  readonly #updated = (update: Uint8Array, _origin: unknown, doc: Y.Doc, transaction: Y.Transaction): void => {
    if (doc === this.doc) this.#size.changed(update.length);
    if (!transaction.local || this.#isClosing || !this.#couldEdit) return;
    // SY2: an editor that does not know the new content tidies it away; that must never be kept, let alone sent.
    if (isOldApp(this.#machine.state)) return;
    const bytes = new Uint8Array(update);
    // A key struck before the editor has turned to the document that replaced this one.
    if (doc !== this.doc && !this.#state.showOwn(bytes)) return;
    this.#state.edited(bytes);
    this.#textCopy?.edited();
    this.#sender.edited();
    this.#live.edited();
    this.#refresh();
  };

  /** L6: the same page without what was dropped. Editors bind the new document when the view tells them. */
  #replaced(before: Y.Doc): void {
    this.doc.on('update', this.#updated);
    const at = this.#ports.clock.now();
    const isOver = (former: { readonly at: number }) => former.at + FORMER_DOC_MS <= at;
    // Not destroyed: the awareness, which stays, goes with the first of them.
    for (const former of this.#formerDocs.filter(isOver)) former.doc.off('update', this.#updated);
    this.#formerDocs = [...this.#formerDocs.filter((former) => !isOver(former)), { doc: before, at }];
    this.#rebuilds += 1;
    this.#live.settled();
    this.#refresh();
  }

  #senderHost(): LogSenderHost {
    return {
      outboxes: () => this.#state.toSend(),
      maySend: () => this.#isReady && maySend(this.#machine.state),
      peersAwaitRows: () => this.#live.peersAwaitRows,
      audienceOf: (outbox, nTo) => this.#live.joined(outbox, nTo),
      knownSeq: () => this.#state.seq,
      dependenciesOf: (outbox, batch) => this.#state.dependenciesOf(outbox, batch),
      dependenciesToAppendFirst: (dependencies) => this.#state.dependenciesToAppendFirst(dependencies),
      relayed: (answer) => this.#fetched(answer, 0),
      unregistered: (parts) => this.#state.unregistered(parts),
      registeredElsewhere: (key: OutboxKey) => this.#state.known.learnRegistered(key),
      catchUp: () => this.#fetcher.catchUp(),
      acknowledged: (outbox, answer) => this.#acknowledged(outbox, answer),
      registered: (outbox, lastN) => {
        this.#sendMore(this.#state.registered(outbox, lastN));
        this.#live.edited();
      },
      refused: (outbox, error) => this.#state.refuse(outbox, error),
      failed: (error) => this.#callFailed(error),
    };
  }

  #acknowledged(outbox: Outbox, answer: AppendAnswer): void {
    this.#sendMore(this.#state.acknowledged(outbox, answer));
    if (answer.seq !== null) this.#lastSaved = Object.freeze({ seq: answer.seq, at: this.#ports.clock.now() });
    this.#live.acknowledged();
    if (answer.unpublished) this.#publisher.later();
    // SY16: of a tab that is gone, too; nobody else copies what it wrote.
    if (outbox !== this.#state.own) this.#textCopy?.edited();
    if (this.#state.own.isEmpty) this.#textCopy?.tryAgain();
    this.#answered(answer);
    if (answer.more) void this.#fetcher.catchUp();
  }

  #sendMore(isMore: Promise<boolean>): void {
    void isMore.then((more) => {
      if (more) this.#sender.sendNow();
    });
  }

  // ── rows in ────────────────────────────────────────────────────────────────────────────────────────────────────

  #liveHost(): LiveLayerHost {
    return {
      joined: () => this.#machine.dispatch({ type: 'joined' }),
      lost: (reason) => this.#machine.dispatch({ type: 'linkLost', reason }),
      moved: () => this.#machine.dispatch({ type: 'moved' }),
      rows: (message) => {
        this.#state.published(message.kind === 'rows' ? message.rows : [], message.head);
        if (this.#state.isBehind)
          this.#fetcher.missed(message.head, this.#sender.isSending ? GAP_WHILE_APPENDING_MS : 0);
        this.#live.settled();
        this.#refresh();
      },
      head: (seq) => {
        if (seq <= this.#state.seq) return;
        const jitter = HEAD_HINT_JITTER_MS * this.#ports.random.next();
        // L4: rows of live updates that are held let them go, and what lacks something may become complete.
        const isUrgent = this.#state.held.waiting.length > 0;
        this.#fetcher.hinted(seq, isUrgent ? 0 : this.#live.isCrowded ? jitter : HEAD_HINT_MS + jitter);
      },
      changed: () => this.#refresh(),
      role: () => this.#rights.role,
      isVisible: () => this.#ports.surroundings.isVisible(),
      isLive: () => this.#isLive,
      mayAppend: () => this.#isReady && maySend(this.#machine.state) && roleMayEdit(this.#rights.role),
      catchUp: () => this.#fetcher.catchUp(),
      partsToRelay: (liveUpdates) => this.#state.partsToRelay(liveUpdates),
      relay: (parts) => this.#sender.relay(this.#state.own, parts),
      relayed: (answer) => this.#fetched(answer, 0),
      drop: (upTo) => this.#rebuilder.drop(upTo),
      failed: (error) => this.#callFailed(error),
      askTabs: () => this.#live.askTabs(),
    };
  }

  #fetched(answer: RowsAnswer, asked: number): void {
    const needed = answer.schemaVersion ?? 0;
    if (needed > this.#schemaVersion) {
      this.#callFailed(weftError('WF004', `the page needs schema ${needed}`));
      // Shown from the device while the open call is still under way: that one will say so.
      if (!isOldApp(this.#machine.state)) return;
    }
    this.#state.fetched(answer, asked);
    this.#answered(answer);
  }

  #answered(answer: Pick<RowsAnswer, 'epoch' | 'role' | 'rows'>): void {
    this.#live.fetched(answer.rows);
    this.#lastTryFailed = false;
    const moved = this.#rights.answered(answer.role, answer.epoch, this.#live.epoch);
    this.#machine.dispatch({ type: 'answered', access: accessOf(answer.role), moved });
    this.#snapshots.check();
  }

  #callFailed(error: WeftError): void {
    this.#lastTryFailed = true;
    this.#lastError = error;
    this.#machine.respectRetryAfter(error);
    this.#machine.dispatch({ type: 'callFailed', code: error.code });
  }

  #snapshotsHost(): SnapshotSchedulerHost {
    return {
      takenBytes: () => this.#state.takenBytes,
      seq: () => this.#state.seq,
      lastN: () => this.#state.own.lastN,
      isQuiet: () =>
        connectionOf(this.#machine.state)?.status === 'live' &&
        this.#state.own.isEmpty &&
        this.#state.isUpToDate &&
        this.#ports.surroundings.isVisible(),
      mayEdit: () => roleMayEdit(this.#rights.role) && mayEdit(this.#machine.state),
      load: () => this.#store.load(),
      keep: (snapshot) => this.#state.keep(snapshot),
      foundWrong: (seq) => {
        this.#wrongSnapshot = seq;
        this.#refresh();
      },
      putRight: () => this.#rebuilder.rebuild(),
    };
  }

  #policyHost(): MachineRunnerHost {
    return {
      isVisible: () => this.#ports.surroundings.isVisible(),
      callOpen: () => void this.#callOpen(),
      joinTopic: () => {
        const { epoch } = this.#rights;
        if (epoch === null || this.#isClosing) return;
        this.#rights.joining();
        this.#live.join(epoch);
      },
      leaveTopic: () => this.#live.leave(),
      checkHead: () => void this.#fetcher.catchUp(),
      send: () => this.#sender.sendNow(),
      sendWhileHidden: () => {
        this.#sender.sendWhileHidden();
        void this.#textCopy?.flushHidden();
      },
      stepped: () => this.#stepped(),
    };
  }

  #stepped(): void {
    const isLive = this.#isLive;
    if (isLive && !this.#wasLive) {
      this.#live.cameLive();
      this.#textCopy?.tryAgain();
      this.#rebuilder.retry();
    }
    this.#wasLive = isLive;
    this.#store.retryWrites();
    this.#live.settled();
    this.#refresh();
  }

  get #isLive(): boolean {
    const { state } = this.#machine;
    return connectionOf(state)?.status === 'live';
  }

  // ── view ───────────────────────────────────────────────────────────────────────────────────────────────────────

  #refresh(): void {
    const becameReady = this.#becomeReady();
    const view = sessionView(this.#parts(), this.#view);
    this.#couldEdit ||= view.editable;
    if (becameReady) this.#sender.sendNow();
    if (view === this.#view) return;
    this.#view = view;
    this.#changes.notify();
  }

  #parts(): SessionFacts {
    return {
      state: this.#machine.state,
      isReady: this.#isReady,
      isClosed: this.#isClosing,
      own: this.#state.own,
      outboxes: this.#state.all(),
      ofOtherTabs: this.#state.ofOtherTabs,
      onlyInMemory: this.#store.hasOnlyInMemory,
      beingStored: this.#store.beingStored,
      lastTryFailed: this.#lastTryFailed,
      lastSaved: this.#lastSaved,
      upToDate: this.#state.isUpToDate,
      retryAt: this.#machine.retryAt,
      role: this.#rights.role,
      lastError: this.#lastError,
      document: this.#document,
      workspace: this.#workspace,
      peers: this.#live.peers,
      rebuilds: this.#rebuilds,
      damaged: this.#state.damaged,
      size: this.#size.level,
      wrongSnapshot: this.#wrongSnapshot,
    };
  }

  // ── closing ────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Leaves the topic at once, then brings the last edits and the text out, as far as calls succeed (I9). */
  async #close(): Promise<void> {
    this.#isClosing = true;
    this.#inbound.openForever();
    this.#stopSurroundings();
    this.#patience?.();
    this.#publisher.stop();
    this.#recovering?.();
    this.#snapshots.stop();
    this.#size.stop();
    this.#live.close();
    this.#rebuilder.stop();
    this.#refresh();
    await this.#booted;
    await this.#sender.drain();
    await this.#textCopy?.close();
    this.#fetcher.stop();
    this.#machine.dispatch({ type: 'closeAsked' });
    await this.#state.close();
    this.#ownLock?.();
    this.#changes.clear();
    this.awareness.destroy();
    for (const doc of [...this.#formerDocs.map((former) => former.doc), this.doc]) doc.destroy();
  }
}

const accessOf = (role: DocumentRole): 'edit' | 'read' => (roleMayEdit(role) ? 'edit' : 'read');
