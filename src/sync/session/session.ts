// A document session: one open page in one tab. Its parts share a context and report events; every event arrives in the one
// switch below, which says what follows. Knows no Supabase, no DOM, no clock of its own.
import type { Awareness } from 'y-protocols/awareness';
import type * as Y from 'yjs';
import { assertNever } from '../../lib/assert.ts';
import type { Bytes } from '../../lib/bytes.ts';
import type { Cancel } from '../../lib/cancel.ts';
import { Subscribable } from '../../lib/subscribable.ts';
import type { AppendAnswer, OpenAnswer, RowsAnswer } from '../../protocol/answers.ts';
import { type WeftError, weftError } from '../../protocol/errors.ts';
import type { DocumentId, SessionId, UserId } from '../../protocol/ids.ts';
import { type DocumentRole, mayEdit } from '../../protocol/roles.ts';
import type { RowMessage } from '../../protocol/row.ts';
import { type Access, isOldApp } from '../connection/machine.ts';
import { Carets } from '../live/carets.ts';
import { LiveInbox } from '../live/live-inbox.ts';
import { LiveTopic } from '../live/live-topic.ts';
import { LiveUpdateReceiver } from '../live/live-update-receiver.ts';
import { LiveUpdateSender } from '../live/live-update-sender.ts';
import { TabSync } from '../live/tab-sync.ts';
import { TopicModeSwitch } from '../live/topic-mode.ts';
import { GAP_WHILE_APPENDING_MS, LogFetcher } from '../log/log-fetcher.ts';
import { LogSender } from '../log/log-sender.ts';
import { PendingPublisher } from '../log/pending-publisher.ts';
import { TextCopy } from '../log/text-copy.ts';
import { OutboxRecovery } from '../recovery/outbox-recovery.ts';
import { Rebuilder } from '../recovery/rebuilder.ts';
import type { SessionContext } from '../session-context.ts';
import type { SessionEvent } from '../session-event.ts';
import { SnapshotScheduler } from '../snapshot/snapshot-scheduler.ts';
import type { Outbox } from '../state/outbox.ts';
import { mergeUpdates } from '../state/outbox.ts';
import { recoverOutboxes, takeLock } from '../state/recovered-outboxes.ts';
import { stateBytes } from '../updates/state-bytes.ts';
import { InboundQueue } from './inbound-queue.ts';
import { MachineRunner } from './machine-runner.ts';
import { PageSize } from './page-size.ts';
import { queuedPorts } from './queued-ports.ts';
import type { Session } from './session-api.ts';
import { type SessionOptions, createContext } from './session-options.ts';
import { type SessionFacts, sessionView } from './session-view.ts';
import type { SessionView } from './views.ts';

/** A page that the device holds is shown after this long without an answer. */
export const OPEN_PATIENCE_MS = 1_000;
/** When a peer knows a higher head, its row is usually on its way. */
const HEAD_HINT_MS = 2_000;
const HEAD_HINT_JITTER_MS = 1_000;
/** Editors bind a new document as soon as the view says so; a key struck in the former one still counts this long. */
const FORMER_DOC_MS = 10_000;

const EVENT_OF = { online: 'cameOnline', offline: 'wentOffline', hidden: 'wentHidden', visible: 'cameBack' } as const;

/** Opens a document for one tab. Errors show in the view; nothing is thrown. */
export function openSession(documentId: DocumentId, options: SessionOptions): Session {
  return new DocumentSession(documentId, options);
}

class DocumentSession implements Session {
  readonly documentId: DocumentId;
  readonly sessionId: SessionId;
  readonly user: UserId;
  readonly awareness: Awareness;

  readonly #context: SessionContext;
  readonly #inbound: InboundQueue;
  readonly #machine: MachineRunner;
  readonly #fetcher: LogFetcher;
  readonly #sender: LogSender;
  readonly #publisher: PendingPublisher;
  readonly #textCopy: TextCopy;
  readonly #topicMode: TopicModeSwitch;
  readonly #topic: LiveTopic;
  readonly #carets: Carets;
  readonly #tabs: TabSync;
  readonly #liveSender: LiveUpdateSender;
  readonly #liveReceiver: LiveUpdateReceiver;
  readonly #inbox: LiveInbox;
  readonly #rebuilder: Rebuilder;
  readonly #recovery: OutboxRecovery;
  readonly #snapshots: SnapshotScheduler;
  readonly #size: PageSize;

  readonly #changes = new Subscribable();
  readonly #stopSurroundings: Cancel;
  readonly #booted: Promise<void>;
  #releaseOwnLock: Cancel | null = null;
  #patience: Cancel | null = null;
  /** The device holds the page, in a schema this app understands. */
  #isStored = false;
  #isPatienceOver = false;
  /** Head of the first open answer: everything up to it must be here before the editor binds. */
  #target: number | null = null;
  /** The user could type at some time. Before, a binding that tidies up must not write (SY9). */
  #couldEdit = false;
  #wasLive = false;
  /** Replaced by rebuilds; an editor may still be bound to one for a moment. */
  #formerDocs: readonly { readonly doc: Y.Doc; readonly at: number }[] = [];
  #facts: Omit<SessionFacts, 'isClosing' | 'retryAt' | 'size'> = {
    document: null,
    workspace: null,
    lastSaved: null,
    lastTryFailed: false,
    lastError: null,
    rebuilds: 0,
    wrongSnapshot: null,
  };
  #isClosing = false;
  #closing: Promise<void> | null = null;
  #view: SessionView;

  constructor(documentId: DocumentId, options: SessionOptions) {
    this.#inbound = new InboundQueue(options.ports.clock);
    const ports = queuedPorts(options.ports, this.#inbound);
    const context = createContext(documentId, options, ports, (event) => this.#on(event));
    this.#context = context;
    this.documentId = documentId;
    this.user = context.user;
    this.sessionId = context.sessionId;
    this.awareness = context.awareness;
    this.#machine = new MachineRunner(context);
    this.#topic = new LiveTopic(context);
    this.#carets = new Carets(context, this.awareness);
    this.#liveSender = new LiveUpdateSender(context, this.#topic, this.#carets);
    this.#fetcher = new LogFetcher(context);
    this.#sender = new LogSender(context, this.#fetcher, this.#liveSender);
    this.#publisher = new PendingPublisher(context);
    this.#textCopy = new TextCopy(context, options.readText ?? null);
    this.#topicMode = new TopicModeSwitch(context, this.#topic, this.#fetcher);
    this.#tabs = new TabSync(context);
    this.#liveReceiver = new LiveUpdateReceiver(context, this.#fetcher, this.#sender, this.#tabs);
    this.#inbox = new LiveInbox(context, this.#liveReceiver, this.#liveSender, this.#carets);
    this.#rebuilder = new Rebuilder(context, this.#fetcher);
    this.#recovery = new OutboxRecovery(context, this.#fetcher, this.#sender);
    this.#snapshots = new SnapshotScheduler(context);
    this.#size = new PageSize(() => stateBytes(this.doc), context.emit, ports.clock, options.pageLimits);
    this.#stopSurroundings = ports.surroundings.onChange((fact) => {
      this.#machine.dispatch({ type: EVENT_OF[fact] });
      // NB1: it may have missed what they posted, and nothing else brings that now.
      if (fact === 'visible' || fact === 'offline') this.#tabs.ask();
    });
    this.doc.on('update', this.#updated);
    this.#view = this.#currentView(null);
    this.#booted = this.#boot();
  }

  get doc(): Y.Doc {
    return this.#context.state.doc;
  }

  // Fields, because React calls both without their object.
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
    const { pending } = this.#context.state;
    const ofOtherTabs = pending.ofOtherTabs.map(({ part }) => part.update);
    return mergeUpdates([
      ...ofOtherTabs,
      ...pending.all().flatMap(({ entries }) => entries.map((entry) => entry.update)),
    ]);
  }

  get isCopyDue(): boolean {
    return this.#textCopy.isDue;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  // ── a key press, from top to bottom ────────────────────────────────────────────────────────────────────────────

  /** A transaction changed a document. A local one is an edit of the user. */
  readonly #updated = (update: Uint8Array, _origin: unknown, doc: Y.Doc, { local }: Y.Transaction): void => {
    if (doc === this.doc) this.#size.changed(update.length);
    if (!local || this.#isClosing || !this.#couldEdit) return;
    // SY2: an editor that does not know the new content tidies it away; that must never be kept, let alone sent.
    if (isOldApp(this.#context.connection.state)) return;
    const edit = new Uint8Array(update);
    // A key struck before the editor has bound the document that replaced this one.
    if (doc !== this.doc && !this.#context.state.showOwnEdit(edit)) return;
    this.#edited(edit);
  };

  #edited(edit: Bytes): void {
    // 1. It gets its number, goes into the outbox, and its write to the store starts in this task (D5).
    this.#context.state.pending.addEdit(edit);
    // 2. The receipt leaves "saved".
    this.#refresh();
    // 3. When this task has ended, a live update goes to the others (L1) and a message to this browser's tabs (NB1).
    this.#liveSender.changed();
    this.#tabs.edited();
    // 4. After a pause in typing, all unacknowledged edits go into one append (D2). Its answer comes to `#acknowledged`.
    this.#sender.edited();
    // 5. Two seconds after the last edit, title and text are copied for lists and search (SY16).
    this.#textCopy.edited();
  }

  #acknowledged(outbox: Outbox, answer: AppendAnswer): void {
    const { ports, state } = this.#context;
    // 6. One store transaction deletes the acknowledged entries and stores the answer's rows (I2).
    this.#sendIfMore(state.acknowledged(outbox, answer));
    // 7. The others learn of the new head (L4), and watchers get the row if the database could not publish it (SY19).
    this.#liveSender.acknowledged();
    if (answer.seq !== null) {
      this.#publisher.saved(answer.seq);
      this.#note({ lastSaved: Object.freeze({ seq: answer.seq, at: ports.clock.now() }) });
    }
    if (answer.unpublished) this.#publisher.publishLater();
    // SY16: the text of a tab that is gone counts too; nobody else copies it.
    if (outbox !== state.pending.own) this.#textCopy.edited();
    if (state.pending.own.isEmpty) this.#textCopy.retry();
    // 8. The machine steps, the view is refreshed: nothing waits any more, the receipt says "saved".
    this.#answered(answer);
    if (answer.more) void this.#fetcher.catchUp();
  }

  // ── what the parts report ──────────────────────────────────────────────────────────────────────────────────────

  #on(event: SessionEvent): void {
    switch (event.type) {
      // The machine
      case 'callOpen':
        return void this.#callOpen();
      case 'joinTopic':
        return this.#joinTopic();
      case 'leaveTopic':
        return this.#topicMode.leave();
      case 'checkHead':
        return void this.#fetcher.catchUp();
      case 'send':
        return this.#sender.sendNow();
      case 'sendWhileHidden':
        this.#sender.sendWhileHidden();
        return void this.#textCopy.flushHidden();
      case 'machineStepped':
        return this.#stepped();
      // The log
      case 'appendAnswered':
        return this.#acknowledged(event.outbox, event.answer);
      case 'relayAnswered':
        return this.#fetched(event.answer, 0);
      case 'sessionRegistered':
        this.#sendIfMore(this.#context.state.registered(event.outbox, event.lastN));
        this.#liveSender.changed();
        return this.#tabs.edited();
      case 'rowsFetched':
        return this.#fetched(event.answer, event.requestStamp);
      case 'callFailed':
        return this.#callFailed(event.error);
      // The live topic
      case 'topicJoined':
        this.#machine.dispatch({ type: 'joined' });
        return this.#topicMode.joined();
      case 'topicLost':
        // Realtime closes the channel of a client that sends too much, and says why just before.
        if (/too many messages/iu.test(event.detail)) this.#liveSender.slowDown();
        this.#topicMode.lost();
        return this.#machine.dispatch({ type: 'linkLost', reason: event.reason });
      case 'topicMoved':
        return this.#machine.dispatch({ type: 'moved' });
      case 'rowsPublished':
        return this.#published(event.message);
      case 'peersChanged':
        this.#carets.peersChanged();
        this.#liveSender.peersChanged();
        this.#topicMode.check();
        return this.#refresh();
      case 'liveUpdateReceived':
        return this.#inbox.receive(event.update);
      case 'headReported':
        return this.#headReported(event.seq);
      case 'caretMoved':
        return this.#liveSender.changed();
      case 'liveUpdatesDropped':
        return this.#rebuilder.drop(event.upTo);
      case 'epochMoved':
        return void this.#liveReceiver.checkRights();
      // The other tabs
      case 'tabPosted':
        return this.#inbox.receiveFromTab(event.edits, event.dependencies);
      case 'tabIsAhead':
        return void this.#inbox.readRowsOfTabs(event.seq);
      // The document state; the next two wait for the end of the task, because the state is in the middle of a change.
      case 'recoveredOutboxShown':
        return void Promise.resolve().then(() => this.#sender.sendNow());
      case 'logContradicted':
        return void Promise.resolve().then(() => this.#rebuilder.rebuild());
      case 'outboxRefused':
        return this.#machine.dispatch({ type: 'outboxRefused' });
      case 'documentReplaced':
        return this.#replaced(event.before);
      // Snapshots
      case 'snapshotFoundWrong':
        this.#note({ wrongSnapshot: event.seq });
        return this.#refresh();
      case 'snapshotCorrected':
        return this.#rebuilder.rebuild();
      case 'storeChanged':
      case 'viewChanged':
        return this.#refresh();
      default:
        return assertNever(event);
    }
  }

  // ── opening ────────────────────────────────────────────────────────────────────────────────────────────────────

  async #boot(): Promise<void> {
    const { ports, rights, schemaVersion, state, store } = this.#context;
    // The own lock first: no other tab may recover what this one is about to write.
    this.#releaseOwnLock = await takeLock(ports.locks, this.sessionId);
    const { stored, outboxes } = await recoverOutboxes(store, ports.locks);
    rights.restore(await state.restore(stored, outboxes));
    if (this.#isClosing) return;
    // WF004: a page of a newer app is not shown before the open call has told the machine.
    this.#isStored = rights.role !== null && state.log.schemaVersion <= schemaVersion;
    if (this.#isStored) {
      this.#patience = ports.clock.after(OPEN_PATIENCE_MS, () => {
        this.#isPatienceOver = true;
        this.#refresh();
      });
    }
    this.#machine.start();
    this.#refresh();
    this.#recovery.start();
  }

  async #callOpen(): Promise<void> {
    const { ports, state } = this.#context;
    const requestStamp = state.pending.requestStamp();
    const answer = await ports.log.open(this.documentId, state.log.seq);
    if (this.#isClosing) return;
    if (answer.ok) {
      await this.#opened(answer.value, requestStamp);
      return;
    }
    this.#note({ lastError: answer.error });
    this.#machine.respectRetryAfter(answer.error);
    this.#machine.dispatch({ type: 'openFailed', code: answer.error.code });
  }

  async #opened(answer: OpenAnswer, requestStamp: number): Promise<void> {
    const { schemaVersion, state } = this.#context;
    // SY2: read-only before anything newer reaches an editor that may be bound already, and would tidy it away.
    const isNewer = answer.schemaVersion > schemaVersion;
    if (isNewer) this.#openedWith(answer, 'newer');
    await state.opened(answer, requestStamp);
    if (this.#isClosing) return;
    this.#target ??= answer.head;
    if (answer.textSeq < answer.head && accessOf(answer.role) === 'edit') this.#textCopy.edited();
    if (isNewer) this.#refresh();
    else this.#openedWith(answer, accessOf(answer.role));
    const given = answer.snapshot?.seq ?? 0;
    this.#snapshots.opened(state.log.seq < given ? given : null);
    // A full answer, or a snapshot that could not be read: the rest comes in pieces.
    if (state.log.isBehind) void this.#fetcher.catchUp();
  }

  #openedWith(answer: OpenAnswer, access: Access): void {
    const { rights, state } = this.#context;
    this.#note({ document: answer.document, workspace: answer.workspace });
    const moved = rights.opened(answer.role, answer.epoch, this.#topic.epoch);
    this.#machine.dispatch({ type: 'opened', access, moved });
    // Before the first answer the machine has no state that could hold this.
    if (state.pending.toSend().some(({ refused }) => refused !== null))
      this.#machine.dispatch({ type: 'outboxRefused' });
  }

  /**
   * SY1: the editor may bind when everything the open call named is here; or, when this device holds the page, after the
   * call failed or took longer than a second.
   */
  #becomeReady(): boolean {
    const { connection, state } = this.#context;
    if (connection.isReady || connection.state.status === 'closed') return false;
    const isOpened = this.#target !== null && state.log.seq >= this.#target;
    const hasWaited = this.#isPatienceOver || connection.state.status !== 'opening';
    if (!isOpened && !(this.#isStored && hasWaited)) return false;
    state.ensureUniqueClientId();
    this.#patience?.();
    this.#patience = null;
    connection.isReady = true;
    return true;
  }

  // ── rows in ────────────────────────────────────────────────────────────────────────────────────────────────────

  #published(message: RowMessage): void {
    const { state } = this.#context;
    const rows = message.kind === 'rows' ? message.rows : [];
    this.#liveSender.rowsArrived(rows);
    state.published(rows, message.head);
    if (state.log.isBehind) this.#fetcher.missed(message.head, this.#sender.isSending ? GAP_WHILE_APPENDING_MS : 0);
    this.#settle();
    this.#refresh();
  }

  #headReported(seq: number): void {
    const { ports, state } = this.#context;
    if (seq <= state.log.seq) return;
    const jitter = HEAD_HINT_JITTER_MS * ports.random.next();
    // L4: rows confirm held live updates, and may complete those that wait.
    const isUrgent = state.pending.held.waiting.length > 0;
    this.#fetcher.hinted(seq, isUrgent ? 0 : this.#liveSender.isCrowded ? jitter : HEAD_HINT_MS + jitter);
  }

  #fetched(answer: RowsAnswer, requestStamp: number): void {
    const { connection, schemaVersion, state } = this.#context;
    const needed = answer.schemaVersion ?? 0;
    if (needed > schemaVersion) {
      this.#callFailed(weftError('WF004', `the page needs schema ${needed}`));
      // While the open call of a page from the device is still under way, that call reports it.
      if (!isOldApp(connection.state)) return;
    }
    state.fetched(answer, requestStamp);
    this.#answered(answer);
  }

  #answered({ epoch, role, rows }: Pick<RowsAnswer, 'epoch' | 'role' | 'rows'>): void {
    this.#liveSender.rowsArrived(rows);
    this.#note({ lastTryFailed: false });
    const moved = this.#context.rights.answered(role, epoch, this.#topic.epoch);
    this.#machine.dispatch({ type: 'answered', access: accessOf(role), moved });
    this.#snapshots.check();
  }

  #callFailed(error: WeftError): void {
    this.#note({ lastTryFailed: true, lastError: error });
    this.#machine.respectRetryAfter(error);
    this.#machine.dispatch({ type: 'callFailed', code: error.code });
  }

  // ── what follows ───────────────────────────────────────────────────────────────────────────────────────────────

  #joinTopic(): void {
    const { rights } = this.#context;
    if (rights.epoch === null || this.#isClosing) return;
    rights.joining();
    this.#topicMode.join(rights.epoch);
  }

  #stepped(): void {
    const { isLive } = this.#context.connection;
    if (isLive && !this.#wasLive) {
      this.#liveReceiver.cameLive();
      this.#textCopy.retry();
      this.#rebuilder.retry();
    }
    this.#wasLive = isLive;
    this.#context.store.retryWrites();
    this.#settle();
    this.#refresh();
  }

  /** Rows came, or the connection changed: topic and held live updates may be due for something else. */
  #settle(): void {
    this.#topicMode.check();
    this.#liveReceiver.schedule();
  }

  #sendIfMore(isMore: Promise<boolean>): void {
    void isMore.then((more) => {
      if (more) this.#sender.sendNow();
    });
  }

  /** L6: the same page without what was dropped. Editors bind the new document when the view says so. */
  #replaced(before: Y.Doc): void {
    this.doc.on('update', this.#updated);
    const at = this.#context.ports.clock.now();
    const isOver = (former: { readonly at: number }) => former.at + FORMER_DOC_MS <= at;
    // Not destroyed: the awareness, which stays, goes with the first of them.
    for (const former of this.#formerDocs.filter(isOver)) former.doc.off('update', this.#updated);
    this.#formerDocs = [...this.#formerDocs.filter((former) => !isOver(former)), { doc: before, at }];
    this.#note({ rebuilds: this.#facts.rebuilds + 1 });
    this.#settle();
    this.#refresh();
  }

  #note(facts: Partial<SessionFacts>): void {
    this.#facts = { ...this.#facts, ...facts };
  }

  #currentView(before: SessionView | null): SessionView {
    const { retryAt } = this.#machine;
    const facts = { ...this.#facts, isClosing: this.#isClosing, retryAt, size: this.#size.level };
    return sessionView(this.#context, facts, before);
  }

  #refresh(): void {
    const becameReady = this.#becomeReady();
    const view = this.#currentView(this.#view);
    this.#couldEdit ||= view.editable;
    if (becameReady) this.#sender.sendNow();
    if (view === this.#view) return;
    this.#view = view;
    this.#changes.notify();
  }

  /** Leaves the topic at once, then gets the last edits and the text out, as far as calls succeed (I9, SY11). */
  async #close(): Promise<void> {
    this.#isClosing = true;
    this.#inbound.openForever();
    this.#stopSurroundings();
    this.#patience?.();
    for (const part of [this.#publisher, this.#recovery, this.#snapshots, this.#size, this.#inbox]) part.stop();
    for (const part of [this.#topicMode, this.#carets, this.#liveSender, this.#liveReceiver]) part.stop();
    this.#tabs.leave();
    this.#rebuilder.stop();
    this.#refresh();
    await this.#booted;
    await this.#sender.drain();
    await this.#textCopy.close();
    this.#fetcher.stop();
    this.#machine.dispatch({ type: 'closeAsked' });
    await this.#context.state.close();
    this.#releaseOwnLock?.();
    this.#changes.clear();
    this.awareness.destroy();
    for (const doc of [...this.#formerDocs.map((former) => former.doc), this.doc]) doc.destroy();
  }
}

const accessOf = (role: DocumentRole): 'edit' | 'read' => (mayEdit(role) ? 'edit' : 'read');
