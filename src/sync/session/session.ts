// The one runner of a document session: keeps the machine's state, performs its effects through the ports, and lets
// the parts (ledger, sender, live layer) know of each other. Knows no Supabase, no DOM, no clock of its own.
import type { Awareness } from 'y-protocols/awareness';
import type * as Y from 'yjs';
import type { Bytes } from '../../lib/bytes.ts';
import type { Cancel } from '../../lib/cancel.ts';
import { Subscribable } from '../../lib/subscribable.ts';
import type { AppendAnswer, DocumentSummary, OpenAnswer, RowsAnswer, Workspace } from '../../protocol/answers.ts';
import { type WeftError, weftError } from '../../protocol/errors.ts';
import type { DocumentId, SessionId, UserId } from '../../protocol/ids.ts';
import { type DocumentRole, mayEdit as roleMayEdit } from '../../protocol/roles.ts';
import { Device } from '../log/document-store.ts';
import { Fetcher, GAP_WHILE_APPENDING_MS } from '../log/log-fetcher.ts';
import { Ledger } from './document-state.ts';
import { LIVE_BUDGET } from '../live/live-update-sender.ts';
import { Gate } from './inbound-queue.ts';
import { gatedPorts } from './queued-ports.ts';
import { LiveLayer, type LiveLayerHost } from '../live/live-layer.ts';
import { type Access, connectionOf, isOldApp, mayEdit, maySend } from './machine.ts';
import { drawClientId, newDoc } from '../updates/new-doc.ts';
import { adopt, takeLock } from '../recovery/recovered-outboxes.ts';
import { type Outbox, mergeUpdates } from '../log/outbox.ts';
import { type PageLimits, PageSize, stateBytes } from './page-size.ts';
import { Policy, type PolicyHost } from './machine-runner.ts';
import type { OutboxKey, Ports } from '../ports.ts';
import { quietAwareness } from '../live/timerless-awareness.ts';
import { Rebuilder, replayLog } from '../recovery/rebuilder.ts';
import { Rights } from './rights.ts';
import { Sender, type SenderHost } from '../log/log-sender.ts';
import type { Session } from './session-api.ts';
import { type Parts, viewOf } from './session-view.ts';
import { Snapshots, type SnapshotsHost } from '../snapshot/snapshot-scheduler.ts';
import { TailPublisher } from '../log/tail-publisher.ts';
import { type PageText, TextNote } from './text-copy.ts';
import { unpackSnapshot } from '../snapshot/unpack-snapshot.ts';
import type { SessionView } from './views.ts';
import { MAX_ON_LIVE } from '../live/topic-mode.ts';

/** A device that holds the page shows it after this long without an answer. */
export const OPEN_PATIENCE_MS = 1_000;
/** A peer knows a higher head: the row is on its way as a rule. */
const HEAD_HINT_MS = 2_000;
const HEAD_HINT_JITTER_MS = 1_000;
/** A reloaded page holds its lock for a moment longer than it lives; a tab that lives is asked ever more rarely. */
const ADOPT_AGAIN_MS = 300;
const ADOPT_AGAIN_MAX_MS = 30_000;
/** Editors bind the new document as soon as the view tells them; a key struck before is one of the new document. */
const FORMER_DOC_MS = 10_000;

const EVENT_OF = { online: 'cameOnline', offline: 'wentOffline', hidden: 'wentHidden', visible: 'cameBack' } as const;

export type SessionOptions = {
  readonly user: UserId;
  readonly ports: Ports;
  /** The newest schema this app understands. */
  readonly schemaVersion: number;
  /** False: rows mode, text travels by rows alone (slower to be seen, and sparing where the budget is small). */
  readonly frames?: boolean;
  /** Deliveries of frames per second in this document, shared by all who write: what a Realtime plan allows. */
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
  readonly #gate: Gate;
  readonly #schemaVersion: number;
  readonly #changes = new Subscribable();
  readonly #policy: Policy;
  readonly #device: Device;
  readonly #ledger: Ledger;
  readonly #sender: Sender;
  readonly #fetcher: Fetcher;
  readonly #live: LiveLayer;
  readonly #rebuilder: Rebuilder;
  readonly #rights = new Rights(() => this.#live.audit());
  readonly #publisher: TailPublisher;
  readonly #textNote: TextNote | null;
  readonly #snapshots: Snapshots;
  readonly #size: PageSize;
  readonly #stopSurroundings: Cancel;
  readonly #booted: Promise<void>;

  #ownLock: Cancel | null = null;
  #patience: Cancel | null = null;
  #adopting: Cancel | null = null;

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
    const { user, schemaVersion, pageLimits, frames = true } = options;
    const { maxOnLive = MAX_ON_LIVE, liveBudget = LIVE_BUDGET } = options;
    this.#gate = new Gate(options.ports.clock);
    const ports = gatedPorts(options.ports, this.#gate);
    const { clock, log, random } = ports;
    this.documentId = documentId;
    this.user = user;
    this.sessionId = random.session();
    const doc = newDoc(drawClientId(() => random.next()));
    this.awareness = quietAwareness(doc);
    this.#ports = ports;
    this.#schemaVersion = schemaVersion;
    this.#policy = new Policy(this.#policyHost(), clock, random);
    this.#device = new Device(ports.store, documentId, schemaVersion, () => this.#refresh());
    const refused = () => this.#policy.dispatch({ type: 'outboxRefused' });
    const unpack = ports.snapshots?.unpack ?? unpackSnapshot;
    const ledgerHost = {
      now: () => clock.now(),
      random: () => random.next(),
      outboxRefused: refused,
      outboxShown: () => void Promise.resolve().then(() => this.#sender.kick()),
      contradicted: () => void Promise.resolve().then(() => this.#rebuilder.renew()),
      unpack,
    };
    this.#ledger = new Ledger(ledgerHost, this.sessionId, doc, this.awareness, this.#device);
    this.#sender = new Sender(this.#senderHost(), clock, log, documentId, schemaVersion);
    const fetcherHost = {
      seq: () => this.#ledger.seq,
      isViewing: () => this.#live.isViewing,
      asking: () => this.#ledger.asking(),
      fetched: (answer: RowsAnswer, asked: number) => this.#fetched(answer, asked),
      failed: (error: WeftError) => this.#callFailed(error),
    };
    this.#fetcher = new Fetcher(fetcherHost, clock, log, documentId);
    const shared = { document: documentId, session: this.sessionId, user, schemaVersion };
    const live = { ...shared, frames, maxOnLive, budget: liveBudget };
    this.#live = new LiveLayer(this.#liveHost(), ports, this.#ledger, this.awareness, live);
    const rebuilderHost = {
      ledger: () => this.#ledger,
      catchUp: () => this.#fetcher.catchUp(),
      failed: (error: WeftError) => this.#callFailed(error),
      replaced: (before: Y.Doc) => this.#replaced(before),
    };
    const replay = () => replayLog(this.#device, log, documentId, () => this.#ledger.seq, unpack);
    this.#rebuilder = new Rebuilder(rebuilderHost, replay);
    const settledSeq = () => (this.#ledger.own.isEmpty && maySend(this.#policy.state) ? this.#ledger.seq : null);
    this.#publisher = new TailPublisher({ savedSeq: () => this.#lastSaved?.seq ?? 0 }, clock, log, documentId);
    const leastSeq = () => (this.#ledger.seq > 0 && maySend(this.#policy.state) ? this.#ledger.seq : null);
    const { readText } = options;
    const read = readText === undefined ? null : () => readText(this.doc);
    this.#textNote = read === null ? null : new TextNote({ settledSeq, leastSeq, read }, clock, log, documentId);
    this.#size = new PageSize(
      { measure: () => stateBytes(this.doc), changed: () => this.#refresh() },
      clock,
      pageLimits,
    );
    this.#snapshots = new Snapshots(this.#snapshotsHost(), ports, documentId);
    this.#stopSurroundings = ports.surroundings.onChange((fact) => {
      this.#policy.dispatch({ type: EVENT_OF[fact] });
      // NB1: it may have missed what they said, and nobody else tells it now.
      if (fact === 'visible' || fact === 'offline') this.#live.askTabs();
    });
    doc.on('update', this.#updated);
    this.#view = viewOf(this.#parts(), null);
    this.#booted = this.#boot();
  }

  get doc(): Y.Doc {
    return this.#ledger.doc;
  }

  // A field, as `subscribe`: React calls both without their object.
  readonly getView = (): SessionView => this.#view;

  readonly subscribe = (run: () => void): Cancel => this.#changes.subscribe(run);

  mayGrow(bytes: number): boolean {
    return this.#size.mayGrow(bytes);
  }

  retry(): void {
    this.#policy.dispatch({ type: 'retryAsked' });
  }

  holdOthers(ms: number): Cancel {
    return this.#gate.hold(ms);
  }

  beforeOthers(run: () => void): Cancel {
    return this.#gate.before(run);
  }

  unsentFile(): Bytes {
    const neighbours = this.#ledger.neighbours.map(({ part }) => part.update);
    const own = this.#ledger.all().flatMap((outbox) => outbox.entries.map((entry) => entry.update));
    return mergeUpdates([...neighbours, ...own]);
  }

  get isCopyDue(): boolean {
    return this.#textNote?.isDue ?? false;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  // ── opening ────────────────────────────────────────────────────────────────────────────────────────────────────

  async #boot(): Promise<void> {
    const { locks, clock } = this.#ports;
    // The own lock first: no other tab may take for an orphan what this one is about to write.
    this.#ownLock = await takeLock(locks, this.sessionId);
    const { stored, orphans } = await adopt(this.#device, locks);
    this.#rights.restore(await this.#ledger.restore(stored, orphans));
    if (this.#isClosing) return;
    // WF004: a page of a newer app is not shown before the open call has said so to the machine.
    this.#isStored = this.#rights.role !== null && this.#ledger.schemaVersion <= this.#schemaVersion;
    if (this.#isStored) {
      this.#patience = clock.after(OPEN_PATIENCE_MS, () => {
        this.#isPatienceOver = true;
        this.#refresh();
      });
    }
    this.#policy.start();
    this.#refresh();
    this.#adoptLater(ADOPT_AGAIN_MS);
  }

  /** D6: an outbox whose tab dies while this page is open is taken over too. */
  #adoptLater(waitMs: number): void {
    if (this.#isClosing || !this.#ledger.hasHeldOrphans) return;
    this.#adopting = this.#ports.clock.after(waitMs, () => {
      void this.#ledger.adoptFreed(this.#ports.locks).then(async (isMore) => {
        if (isMore && !this.#isClosing) {
          this.#refresh();
          // Its tab may have seen rows that did not reach this one yet.
          await this.#fetcher.catchUp();
          this.#sender.kick();
        }
        this.#adoptLater(Math.min(2 * waitMs, ADOPT_AGAIN_MAX_MS));
      });
    });
  }

  async #callOpen(): Promise<void> {
    const asked = this.#ledger.asking();
    const answer = await this.#ports.log.open(this.documentId, this.#ledger.seq);
    if (this.#isClosing) return;
    if (answer.ok) {
      await this.#opened(answer.value, asked);
      return;
    }
    this.#lastError = answer.error;
    this.#policy.bePatient(answer.error);
    this.#policy.dispatch({ type: 'openFailed', code: answer.error.code });
  }

  async #opened(answer: OpenAnswer, asked: number): Promise<void> {
    // SY2: read-only before anything newer reaches an editor that may be bound already, and would tidy it away.
    const isNewer = answer.schemaVersion > this.#schemaVersion;
    if (isNewer) this.#openedWith(answer, 'newer');
    await this.#ledger.opened(answer, asked);
    if (this.#isClosing) return;
    this.#target ??= answer.head;
    if (answer.textSeq < answer.head && accessOf(answer.role) === 'edit') this.#textNote?.edited();
    if (isNewer) this.#refresh();
    else this.#openedWith(answer, accessOf(answer.role));
    const given = answer.snapshot?.seq ?? 0;
    this.#snapshots.opened(this.#ledger.seq < given ? given : null);
    // A full answer, or a snapshot that could not be read: the rest comes in pieces.
    if (this.#ledger.isBehind) void this.#fetcher.catchUp();
  }

  #openedWith(answer: OpenAnswer, access: Access): void {
    this.#document = answer.document;
    this.#workspace = answer.workspace;
    const moved = this.#rights.opened(answer.role, answer.epoch, this.#live.epoch);
    this.#policy.dispatch({ type: 'opened', access, moved });
    // Before the first answer the machine has no state to keep this in.
    if (this.#ledger.toSend().some(({ refused }) => refused !== null)) this.#policy.dispatch({ type: 'outboxRefused' });
  }

  /**
   * SY1: the editor may bind when everything the open call knew of is there; or, when this device holds the page, after
   * the call failed or took longer than a second.
   */
  #becomeReady(): boolean {
    if (this.#isReady || this.#policy.state.status === 'closed') return false;
    const isOpened = this.#target !== null && this.#ledger.seq >= this.#target;
    const hasWaited = this.#isPatienceOver || this.#policy.state.status !== 'opening';
    if (!isOpened && !(this.#isStored && hasWaited)) return false;
    this.#ledger.keepClientId();
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
    if (isOldApp(this.#policy.state)) return;
    const bytes = new Uint8Array(update);
    // A key struck before the editor has turned to the document that replaced this one.
    if (doc !== this.doc && !this.#ledger.showOwn(bytes)) return;
    this.#ledger.edited(bytes);
    this.#textNote?.edited();
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

  #senderHost(): SenderHost {
    return {
      outboxes: () => this.#ledger.toSend(),
      maySend: () => this.#isReady && maySend(this.#policy.state),
      isAwaited: () => this.#live.isAwaited,
      joined: (outbox, nTo) => this.#live.joined(outbox, nTo),
      knownSeq: () => this.#ledger.seq,
      carriedBy: (outbox, batch) => this.#ledger.carriedBy(outbox, batch),
      carriedBefore: (dependencies) => this.#ledger.carriedBefore(dependencies),
      rescued: (answer) => this.#fetched(answer, 0),
      unregistered: (parts) => this.#ledger.unregistered(parts),
      registeredElsewhere: (key: OutboxKey) => this.#ledger.known.learnRegistered(key),
      catchUp: () => this.#fetcher.catchUp(),
      acknowledged: (outbox, answer) => this.#acknowledged(outbox, answer),
      registered: (outbox, lastN) => {
        this.#sendMore(this.#ledger.registered(outbox, lastN));
        this.#live.edited();
      },
      refused: (outbox, error) => this.#ledger.refuse(outbox, error),
      failed: (error) => this.#callFailed(error),
    };
  }

  #acknowledged(outbox: Outbox, answer: AppendAnswer): void {
    this.#sendMore(this.#ledger.acknowledged(outbox, answer));
    if (answer.seq !== null) this.#lastSaved = Object.freeze({ seq: answer.seq, at: this.#ports.clock.now() });
    this.#live.acknowledged();
    if (answer.unpublished) this.#publisher.later();
    // SY16: of a tab that is gone, too; nobody else copies what it wrote.
    if (outbox !== this.#ledger.own) this.#textNote?.edited();
    if (this.#ledger.own.isEmpty) this.#textNote?.tryAgain();
    this.#answered(answer);
    if (answer.more) void this.#fetcher.catchUp();
  }

  #sendMore(isMore: Promise<boolean>): void {
    void isMore.then((more) => {
      if (more) this.#sender.kick();
    });
  }

  // ── rows in ────────────────────────────────────────────────────────────────────────────────────────────────────

  #liveHost(): LiveLayerHost {
    return {
      joined: () => this.#policy.dispatch({ type: 'joined' }),
      lost: (reason) => this.#policy.dispatch({ type: 'linkLost', reason }),
      moved: () => this.#policy.dispatch({ type: 'moved' }),
      rows: (message) => {
        this.#ledger.heard(message.kind === 'rows' ? message.rows : [], message.head);
        if (this.#ledger.isBehind)
          this.#fetcher.missed(message.head, this.#sender.isSending ? GAP_WHILE_APPENDING_MS : 0);
        this.#live.settled();
        this.#refresh();
      },
      head: (seq) => {
        if (seq <= this.#ledger.seq) return;
        const jitter = HEAD_HINT_JITTER_MS * this.#ports.random.next();
        // L4: rows of frames that are held let them go, and what lacks something may become complete.
        const isUrgent = this.#ledger.frames.waiting.length > 0;
        this.#fetcher.hinted(seq, isUrgent ? 0 : this.#live.isCrowded ? jitter : HEAD_HINT_MS + jitter);
      },
      changed: () => this.#refresh(),
      role: () => this.#rights.role,
      isVisible: () => this.#ports.surroundings.isVisible(),
      isLive: () => this.#isLive,
      mayAppend: () => this.#isReady && maySend(this.#policy.state) && roleMayEdit(this.#rights.role),
      catchUp: () => this.#fetcher.catchUp(),
      carriedForRescue: (frames) => this.#ledger.carriedForRescue(frames),
      rescue: (parts) => this.#sender.rescue(this.#ledger.own, parts),
      rescued: (answer) => this.#fetched(answer, 0),
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
      if (!isOldApp(this.#policy.state)) return;
    }
    this.#ledger.fetched(answer, asked);
    this.#answered(answer);
  }

  #answered(answer: Pick<RowsAnswer, 'epoch' | 'role' | 'rows'>): void {
    this.#live.fetched(answer.rows);
    this.#lastTryFailed = false;
    const moved = this.#rights.answered(answer.role, answer.epoch, this.#live.epoch);
    this.#policy.dispatch({ type: 'answered', access: accessOf(answer.role), moved });
    this.#snapshots.nudge();
  }

  #callFailed(error: WeftError): void {
    this.#lastTryFailed = true;
    this.#lastError = error;
    this.#policy.bePatient(error);
    this.#policy.dispatch({ type: 'callFailed', code: error.code });
  }

  #snapshotsHost(): SnapshotsHost {
    return {
      takenBytes: () => this.#ledger.takenBytes,
      seq: () => this.#ledger.seq,
      lastN: () => this.#ledger.own.lastN,
      isQuiet: () =>
        connectionOf(this.#policy.state)?.status === 'live' &&
        this.#ledger.own.isEmpty &&
        this.#ledger.isUpToDate &&
        this.#ports.surroundings.isVisible(),
      mayEdit: () => roleMayEdit(this.#rights.role) && mayEdit(this.#policy.state),
      load: () => this.#device.load(),
      keep: (snapshot) => this.#ledger.keep(snapshot),
      foundWrong: (seq) => {
        this.#wrongSnapshot = seq;
        this.#refresh();
      },
      putRight: () => this.#rebuilder.renew(),
    };
  }

  #policyHost(): PolicyHost {
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
      send: () => this.#sender.kick(),
      sendWhileHidden: () => {
        this.#sender.flushHidden();
        void this.#textNote?.flushHidden();
      },
      stepped: () => this.#stepped(),
    };
  }

  #stepped(): void {
    const isLive = this.#isLive;
    if (isLive && !this.#wasLive) {
      this.#live.cameLive();
      this.#textNote?.tryAgain();
      this.#rebuilder.retry();
    }
    this.#wasLive = isLive;
    this.#device.tryAgain();
    this.#live.settled();
    this.#refresh();
  }

  get #isLive(): boolean {
    const { state } = this.#policy;
    return connectionOf(state)?.status === 'live';
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
      state: this.#policy.state,
      isReady: this.#isReady,
      isClosed: this.#isClosing,
      own: this.#ledger.own,
      outboxes: this.#ledger.all(),
      neighbours: this.#ledger.neighbours,
      onlyInMemory: this.#device.holdsOnlyInMemory,
      beingStored: this.#device.beingStored,
      lastTryFailed: this.#lastTryFailed,
      lastSaved: this.#lastSaved,
      upToDate: this.#ledger.isUpToDate,
      retryAt: this.#policy.retryAt,
      role: this.#rights.role,
      lastError: this.#lastError,
      document: this.#document,
      workspace: this.#workspace,
      roster: this.#live.peers,
      rebuilds: this.#rebuilds,
      damaged: this.#ledger.damaged,
      size: this.#size.word,
      wrongSnapshot: this.#wrongSnapshot,
    };
  }

  // ── closing ────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Leaves the topic at once, then brings the last edits and the text out, as far as calls succeed (I9). */
  async #close(): Promise<void> {
    this.#isClosing = true;
    this.#gate.openForGood();
    this.#stopSurroundings();
    this.#patience?.();
    this.#publisher.stop();
    this.#adopting?.();
    this.#snapshots.stop();
    this.#size.stop();
    this.#live.close();
    this.#rebuilder.stop();
    this.#refresh();
    await this.#booted;
    await this.#sender.drain();
    await this.#textNote?.close();
    this.#fetcher.stop();
    this.#policy.dispatch({ type: 'closeAsked' });
    await this.#ledger.close();
    this.#ownLock?.();
    this.#changes.clear();
    this.awareness.destroy();
    for (const doc of [...this.#formerDocs.map((former) => former.doc), this.doc]) doc.destroy();
  }
}

const accessOf = (role: DocumentRole): 'edit' | 'read' => (roleMayEdit(role) ? 'edit' : 'read');
