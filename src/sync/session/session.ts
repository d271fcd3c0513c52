// A document session: one open page in one tab. Its parts share a context and report events; every event arrives in the
// one switch below, which says what follows. Knows no Supabase, no DOM, no clock of its own.
import type { Awareness } from 'y-protocols/awareness';
import type * as Y from 'yjs';
import { assertNever } from '../../lib/assert.ts';
import type { Bytes } from '../../lib/bytes.ts';
import type { Cancel } from '../../lib/cancel.ts';
import { isOldApp } from '../connection/machine.ts';
import { GAP_WHILE_APPENDING_MS } from '../log/log-fetcher.ts';
import { type WeftError, weftError } from '../protocol/errors.ts';
import type { DocumentId, SessionId, UserId } from '../protocol/ids.ts';
import type { AppendAnswer, RowsAnswer } from '../protocol/log-answers.ts';
import type { Place } from '../protocol/place.ts';
import type { Stance } from '../protocol/presenting.ts';
import type { RowMessage } from '../protocol/row.ts';
import { outboxToPutBack } from '../recovery/put-back.ts';
import { type SetAside, setAside } from '../recovery/set-aside.ts';
import type { SessionContext } from '../session-context.ts';
import type { SessionEvent } from '../session-event.ts';
import type { Outbox } from '../state/outbox.ts';
import { mergeUpdates } from '../updates/merge-updates.ts';
import { DocUpdates } from './doc-updates.ts';
import { InboundQueue } from './inbound-queue.ts';
import { liveDiagnostics } from './live-diagnostics.ts';
import { Opening, accessOf } from './opening.ts';
import { PublishedView } from './published-view.ts';
import { queuedPorts } from './queued-ports.ts';
import { type Restart, type RestartableSession, RestartingSession } from './restarting-session.ts';
import type { Session } from './session-api.ts';
import { type SessionOptions, createContext } from './session-options.ts';
import { type SessionParts, createParts } from './session-parts.ts';
import { sessionView } from './session-view.ts';
import { ViewFacts } from './view-facts.ts';
import type { LiveDiagnostics, SessionView } from './views.ts';

const EVENT_OF = { online: 'cameOnline', offline: 'wentOffline', hidden: 'wentHidden', visible: 'cameBack' } as const;

/** Opens a document for one tab. Errors show in the view; nothing is thrown. */
export function openSession(documentId: DocumentId, options: SessionOptions): Session {
  return new RestartingSession(options.ports, (restart) => new DocumentSession(documentId, options, restart));
}

class DocumentSession implements RestartableSession {
  readonly documentId: DocumentId;
  readonly sessionId: SessionId;
  readonly user: UserId;
  readonly awareness: Awareness;

  readonly #context: SessionContext;
  readonly #inbound: InboundQueue;
  readonly #parts: SessionParts;
  readonly #facts = new ViewFacts();
  readonly #opening: Opening;
  readonly #onMustStartAnew: () => void;
  readonly #setAsideAt: number | null;

  readonly #docs: DocUpdates;
  readonly #view: PublishedView<SessionView>;
  readonly #stopEnvironment: Cancel;
  readonly #booted: Promise<void>;
  /** The user could type at some time. Before, a binding that tidies up must not write (SY9). */
  #couldEdit = false;
  #closing: Promise<void> | null = null;

  constructor(documentId: DocumentId, options: SessionOptions, { setAside, onMustStartAnew }: Restart) {
    this.#onMustStartAnew = onMustStartAnew;
    this.#setAsideAt = setAside?.entry.at ?? null;
    this.#inbound = new InboundQueue(options.ports.clock);
    const ports = queuedPorts(options.ports, this.#inbound);
    const context = createContext(documentId, options, ports, (event) => this.#on(event));
    this.#context = context;
    this.documentId = documentId;
    this.user = context.user;
    this.sessionId = context.sessionId;
    this.awareness = context.awareness;
    this.#parts = createParts(context, this.awareness, options);
    this.#opening = new Opening(context, this.#parts, this.#facts, setAside);
    this.#stopEnvironment = ports.environment.onChange((fact) => {
      this.#parts.machine.dispatch({ type: EVENT_OF[fact] });
      // NB1: it may have missed what they posted, and nothing else brings that now.
      if (fact === 'visible' || fact === 'offline') this.#parts.tabs.ask();
    });
    this.#docs = new DocUpdates(this.doc, ports.clock, {
      edited: (update, doc) => this.#changed(update, doc),
      received: (bytes, doc) => this.#received(bytes, doc),
    });
    this.#view = new PublishedView(this.#currentView(null));
    this.#booted = this.#opening.start();
  }

  get doc(): Y.Doc {
    return this.#context.state.doc;
  }

  get historyBeganAt(): number {
    return this.#context.state.log.historyBeganAt ?? 0;
  }

  // Fields, because React calls both without their object.
  readonly getView = (): SessionView => this.#view.current;
  readonly subscribe = (run: () => void): Cancel => this.#view.subscribe(run);

  mayGrow(bytes: number): boolean {
    return this.#parts.size.mayGrow(bytes);
  }

  liveDiagnostics(): LiveDiagnostics {
    return liveDiagnostics(this.#context, this.#parts);
  }

  present(place: Place): void {
    this.#parts.stage.present(place);
  }

  stopPresenting(): void {
    this.#parts.stage.stopPresenting();
  }

  setStance(stance: Stance): void {
    this.#parts.stage.setStance(stance);
  }

  retry(): void {
    this.#parts.machine.dispatch({ type: 'retryAsked' });
  }

  pauseRemote(ms: number): Cancel {
    return this.#inbound.pause(ms);
  }

  onBeforeRemote(run: () => void): Cancel {
    return this.#inbound.onBefore(run);
  }

  unsentFile(): Bytes {
    const { pending } = this.#context.state;
    const ofOtherTabs = pending.ofOtherTabs.map(({ part }) => part);
    const ownEntries = pending.all().flatMap(({ entries }) => entries);
    return mergeUpdates([...ofOtherTabs, ...ownEntries].map(({ update }) => update));
  }

  get shownSeq(): number {
    return this.#context.state.log.seq;
  }

  get isCopyDue(): boolean {
    return this.#parts.textCopy.isDue;
  }

  async setAside(): Promise<SetAside> {
    this.#stop();
    this.#parts.fetcher.stop();
    this.#parts.machine.dispatch({ type: 'closeAsked' });
    await this.#booted;
    const aside = await setAside(this.#context);
    this.#release();
    return aside;
  }

  withDependencies(update: Bytes): Bytes {
    return this.#context.state.pending.dependencies.withHeld(update);
  }

  putBack(update: Bytes): void {
    const { ports, state } = this.#context;
    const { at, historyBeganAt } = state.log;
    const before = this.#setAsideAt;
    // HI9: what was typed while the page began anew has nothing to do with a restore either.
    const isErased = before !== null && before < (historyBeganAt ?? 0);
    state.pending.putBack(outboxToPutBack(ports.random, update, isErased ? before : at));
    this.#parts.sender.sendNow();
    this.#refresh();
  }

  destroy(): void {
    this.#view.close();
    this.awareness.destroy();
    this.#docs.destroy();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  // ── a key press, from top to bottom; the numbers are the steps in ARCHITECTURE.md ──────────────────────────────

  /** 1. The user, or what acts for the user, changed a document. */
  #changed(update: Uint8Array, doc: Y.Doc): void {
    if (doc === this.doc) this.#parts.size.changed(update.length);
    if (this.#facts.isClosing || !this.#couldEdit) return;
    // SY2: an editor that does not know the new content tidies it away; that must never be kept, let alone sent.
    if (isOldApp(this.#context.connection.state)) return;
    const edit = new Uint8Array(update);
    // A key struck before the editor has bound the document that replaced this one.
    if (doc !== this.doc && !this.#context.state.showOwnEdit(edit)) return;
    this.#edited(edit);
  }

  #edited(edit: Bytes): void {
    const { liveSender, sender, tabs, textCopy } = this.#parts;
    // 2. It gets its number, goes into the outbox, and its write to the store starts in this task (D5).
    this.#context.state.pending.addEdit(edit);
    // The receipt leaves "saved".
    this.#refresh();
    // 3. When this task has ended, a message goes to this browser's tabs (NB1), and a live update to the others as
    // soon as it has its turn (L1).
    liveSender.changed();
    tabs.edited();
    // 4. After a pause in typing, or 250 ms, all unacknowledged edits go into one append (D2). Its answer comes to
    // `#acknowledged`.
    sender.edited();
    // Two seconds after the last edit, title, text and mentions are copied for the lists and the search (SY16).
    textCopy.edited();
  }

  #acknowledged(outbox: Outbox, answer: AppendAnswer): void {
    const { ports, state } = this.#context;
    const { arrivals, fetcher, liveSender, publisher, textCopy } = this.#parts;
    arrivals.rowsArriving(answer.rows);
    // 6. One store transaction deletes the acknowledged entries and stores the answer's rows (I2).
    this.#sendIfMore(state.acknowledged(outbox, answer));
    // The others learn of the new head (L4), and watchers get the row if the database could not publish it (SY19).
    liveSender.acknowledged(answer.seq);
    if (answer.seq !== null) {
      publisher.saved(answer.seq);
      this.#facts.lastSaved = Object.freeze({ seq: answer.seq, at: ports.clock.now() });
    }
    if (answer.unpublished) publisher.publishLater(answer.publishIn);
    // SY16: the text of a tab that is gone counts too; no one else copies it.
    if (outbox !== state.pending.own) textCopy.edited();
    if (state.pending.own.isEmpty) textCopy.retry();
    // 7. The machine steps, the view is refreshed: if nothing waits any more, the receipt says "saved".
    this.#answered(answer);
    if (answer.more) void fetcher.catchUp();
  }

  // ── what the parts report ──────────────────────────────────────────────────────────────────────────────────────

  #on(event: SessionEvent): void {
    const parts = this.#parts;
    switch (event.type) {
      // The machine
      case 'callOpen':
        return void this.#opening.callOpen();
      case 'joinTopic':
        return parts.topicMode.join();
      case 'leaveTopic':
        return parts.topicMode.leave();
      case 'checkHead':
        return void parts.fetcher.catchUp();
      case 'send':
        return parts.sender.sendNow();
      case 'sendWhileHidden':
        parts.sender.sendWhileHidden();
        return void parts.textCopy.flushHidden();
      case 'machineStepped':
        return this.#stepped(event.cameLive);
      // The log
      case 'appendAnswered':
        return this.#acknowledged(event.outbox, event.answer);
      case 'relayAnswered':
        return this.#fetched(event.answer, 0);
      case 'sessionRegistered':
        this.#sendIfMore(this.#context.state.registered(event.outbox, event.lastN));
        parts.liveSender.changed();
        return parts.tabs.edited();
      case 'rowsFetched':
        return this.#fetched(event.answer, event.requestStamp);
      case 'callFailed':
        return this.#callFailed(event.error);
      // The live topic
      case 'topicJoined':
        parts.machine.dispatch({ type: 'joined' });
        return parts.topicMode.joined();
      case 'topicLost':
        // Realtime closes the channel of a client that sends too much, and says why just before.
        if (/too many messages/iu.test(event.detail)) parts.liveSender.slowDown();
        parts.topicMode.lost();
        return parts.machine.dispatch({ type: 'linkLost', reason: event.reason });
      case 'topicMoved':
        return parts.machine.dispatch({ type: 'moved' });
      case 'rowsPublished':
        return this.#published(event.message);
      case 'peersChanged':
        parts.names.check();
        parts.announcer.peersChanged();
        parts.carets.peersChanged();
        if (!this.#context.presence.isOnLive) parts.writersBeside.stop();
        parts.liveSender.peersChanged();
        parts.topicMode.check();
        return this.#refresh();
      case 'sessionsNamed':
        this.#context.presence.named();
        parts.carets.peersChanged();
        return this.#refresh();
      case 'liveUpdateReceived':
        parts.inbox.receive(event.update);
        return parts.crowdFetcher.check();
      case 'presentingSaid':
        return parts.stage.said(event.message);
      case 'besideSaid':
        return parts.writersBeside.said(event.message);
      case 'stanceChanged':
        if (this.#context.connection.isLive) void parts.fetcher.catchUp();
        return this.#refresh();
      case 'caretMoved':
        return parts.liveSender.changed();
      case 'caretUnregistered':
        return void parts.sender.register();
      case 'liveUpdatesDropped':
        return parts.rebuilder.drop(event.upTo);
      case 'epochMoved':
        return void parts.liveReceiver.checkRights();
      // The other tabs
      case 'tabPosted':
        return parts.inbox.receiveFromTab(event.edits, event.dependencies);
      case 'tabIsAhead':
        return void parts.inbox.readRowsOfTabs(event.seq);
      // The document state; the next two wait for the end of the task, because the state is in the middle of a change.
      case 'recoveredOutboxShown':
        return void Promise.resolve().then(() => parts.sender.sendNow());
      case 'logContradicted':
        return void Promise.resolve().then(() => parts.rebuilder.rebuild());
      case 'outboxRefused':
        return parts.machine.dispatch({ type: 'outboxRefused' });
      case 'documentReplaced':
        return this.#replaced();
      case 'mustStartAnew':
        return this.#mustStartAnew();
      // Snapshots
      case 'snapshotFoundWrong':
        this.#facts.wrongSnapshot = event.seq;
        return this.#refresh();
      case 'snapshotCorrected':
        return parts.rebuilder.rebuild();
      case 'storeChanged':
      case 'viewChanged':
        return this.#refresh();
      default:
        return assertNever(event);
    }
  }

  // ── rows in ────────────────────────────────────────────────────────────────────────────────────────────────────

  /** A document applied this many bytes of remote changes. */
  #received(bytes: number, doc: Y.Doc): void {
    if (doc === this.doc) this.#parts.size.changed(bytes);
  }

  #published(message: RowMessage): void {
    const { state } = this.#context;
    const rows = message.kind === 'rows' ? message.rows : [];
    this.#parts.liveSender.rowsArrived(rows);
    this.#parts.liveSender.published(message.head);
    this.#parts.crowdFetcher.check();
    this.#parts.arrivals.rowsArriving(rows);
    this.#parts.names.need(rows.map(({ session }) => session));
    // HI2: the rows do not continue those that are here.
    if (!state.published(rows, message.head)) this.#parts.fetcher.doubted();
    if (state.log.isBehind)
      this.#parts.fetcher.missed(message.head, this.#parts.sender.isSending ? GAP_WHILE_APPENDING_MS : 0);
    this.#settle();
    this.#refresh();
  }

  #fetched(answer: RowsAnswer, requestStamp: number): void {
    const { connection, schemaVersion, state } = this.#context;
    const needed = answer.schemaVersion ?? 0;
    if (needed > schemaVersion) {
      this.#callFailed(weftError('WF004', `the page needs schema ${needed}`));
      // While the open call of a page from the device is still under way, that call reports it.
      if (!isOldApp(connection.state)) return;
    }
    this.#parts.arrivals.rowsArriving(answer.rows);
    state.fetched(answer, requestStamp);
    this.#answered(answer);
    this.#parts.stage.learn(answer);
  }

  #answered({
    epoch,
    role,
    rows,
    snapshotWanted,
  }: Pick<RowsAnswer, 'epoch' | 'role' | 'rows' | 'snapshotWanted'>): void {
    this.#parts.liveSender.rowsArrived(rows);
    this.#parts.crowdFetcher.answered();
    this.#facts.lastTryFailed = false;
    const moved = this.#context.rights.answered(role, epoch, this.#parts.topic.epoch);
    this.#parts.machine.dispatch({ type: 'answered', access: accessOf(role), moved });
    this.#parts.snapshots.learnWanted(snapshotWanted === true);
    this.#parts.snapshots.check();
  }

  /** HI3. At the end of the task: a part may be in the middle of a change. */
  #mustStartAnew(): void {
    void Promise.resolve().then(() => {
      if (!this.#facts.isClosing) this.#onMustStartAnew();
    });
  }

  #callFailed(error: WeftError): void {
    if (error.code === 'WF016') return this.#mustStartAnew();
    this.#facts.lastTryFailed = true;
    this.#facts.lastError = error;
    this.#parts.machine.respectRetryAfter(error);
    this.#parts.machine.dispatch({ type: 'callFailed', code: error.code });
  }

  // ── what follows ───────────────────────────────────────────────────────────────────────────────────────────────

  #stepped(cameLive: boolean): void {
    if (cameLive) {
      this.#parts.liveReceiver.cameLive();
      this.#parts.announcer.cameLive();
      this.#parts.textCopy.retry();
      this.#parts.rebuilder.retry();
    }
    this.#context.store.retryWrites();
    this.#settle();
    this.#refresh();
  }

  /** Rows came, or the connection changed: topic and held live updates may be due for something else. */
  #settle(): void {
    this.#parts.topicMode.check();
    this.#parts.names.check();
    this.#parts.liveReceiver.schedule();
  }

  #sendIfMore(isMore: Promise<boolean>): void {
    void isMore.then((more) => {
      if (more) this.#parts.sender.sendNow();
    });
  }

  /** L6: another document has the page now. Editors bind it when the view says so. */
  #replaced(): void {
    this.#docs.replaceDoc(this.doc);
    this.#facts.rebuilds += 1;
    this.#context.state.pending.rebuilt();
    this.#parts.sender.sendNow();
    this.#settle();
    this.#refresh();
  }

  #currentView(before: SessionView | null): SessionView {
    const { liveSender, machine, size, stage } = this.#parts;
    return sessionView(
      this.#context,
      this.#facts,
      { ...stage.view, retryAt: machine.retryAt, size: size.level, isSlowed: liveSender.isSlowed },
      before,
    );
  }

  #refresh(): void {
    const becameReady = this.#opening.becomeReady();
    const view = this.#currentView(this.#view.current);
    this.#couldEdit ||= view.editable;
    if (becameReady) this.#parts.sender.sendNow();
    this.#view.set(view);
  }

  /** Leaves the topic at once, then gets the last edits and the text out, as far as calls succeed (I9, SY11). */
  async #close(): Promise<void> {
    this.#stop();
    this.#refresh();
    await this.#booted;
    await this.#parts.sender.drain();
    await this.#parts.textCopy.close();
    this.#parts.fetcher.stop();
    this.#parts.machine.dispatch({ type: 'closeAsked' });
    await this.#context.store.settled();
    this.#release();
    this.destroy();
  }

  #stop(): void {
    this.#facts.isClosing = true;
    this.#inbound.openForever();
    this.#stopEnvironment();
    this.#opening.stop();
    for (const part of this.#parts.stopAtOnce) part.stop();
  }

  #release(): void {
    this.#context.state.pending.recovered.release();
    this.#opening.releaseLock();
  }
}
