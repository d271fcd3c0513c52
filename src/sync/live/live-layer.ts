// Everything that passes between the people on a page without being a row: the live topic with its presence list, live updates out
// and in, carets, and the other tabs of this browser. Lost, doubled or late, it changes nothing in the end (I7).
import type { Awareness } from 'y-protocols/awareness';
import type { Cancel } from '../../lib/cancel.ts';
import type { LiveUpdate } from '../../protocol/live-update.ts';
import type { DocumentId, SessionId, UserId } from '../../protocol/ids.ts';
import { type DocumentRole, mayEdit } from '../../protocol/roles.ts';
import type { Part, Row, RowMessage } from '../../protocol/row.ts';
import type { Epoch } from '../../protocol/topics.ts';
import { Backlog } from './backlog.ts';
import { Carets } from './carets.ts';
import { LiveUpdateReceiver, type LiveUpdateReceiverHost } from './live-update-receiver.ts';
import { LiveUpdateSender } from './live-update-sender.ts';
import type { DocumentState } from '../state/document-state.ts';
import { LiveTopic } from './live-topic.ts';
import { TabSync } from './tab-sync.ts';
import type { Batch, Outbox } from '../state/outbox.ts';
import type { Clock, Peer, Ports } from '../ports.ts';
import { TopicModeSwitch } from './topic-mode.ts';

export interface LiveLayerHost extends Omit<LiveUpdateReceiverHost, 'isPresent'> {
  joined(): void;
  lost(reason: 'denied' | 'closed' | 'disconnected'): void;
  moved(): void;
  rows(message: RowMessage): void;
  /** A peer knows this row to be the newest. */
  head(seq: number): void;
  /** Presence list, or what is shown, changed. */
  changed(): void;
  role(): DocumentRole | null;
  isVisible(): boolean;
}

export type LiveLayerOptions = {
  readonly document: DocumentId;
  readonly session: SessionId;
  readonly user: UserId;
  /** False: log-only mode. Carets and heads still go out, text comes by rows alone. */
  readonly liveUpdates: boolean;
  /** Deliveries of live updates per second and document, shared by all who write. */
  readonly budget: number;
  /** The newest schema this app understands, and writes. */
  readonly schemaVersion: number;
  /** Readers leave the live topic for the view topic when more sessions than this are on it. */
  readonly maxOnLive: number;
};

export class LiveLayer {
  readonly #host: LiveLayerHost;
  readonly #state: DocumentState;
  readonly #hasLiveUpdates: boolean;
  readonly #schemaVersion: number;
  readonly #topic: LiveTopic;
  readonly #topicMode: TopicModeSwitch;
  readonly #carets: Carets;
  readonly #sender: LiveUpdateSender;
  readonly #receiver: LiveUpdateReceiver;
  readonly #tabSync: TabSync | null;
  readonly #clock: Clock;
  readonly #received: LiveUpdate[] = [];
  #applying: Cancel | null = null;
  readonly #backlog = new Backlog();
  /** Rows up to here were looked for on the device. */
  #readForSeq = 0;

  constructor(
    host: LiveLayerHost,
    ports: Ports,
    state: DocumentState,
    awareness: Awareness,
    options: LiveLayerOptions,
  ) {
    const { document, session, user } = options;
    this.#host = host;
    this.#state = state;
    this.#clock = ports.clock;
    this.#hasLiveUpdates = options.liveUpdates;
    this.#schemaVersion = options.schemaVersion;
    const topicHost = {
      joined: () => this.#joined(),
      lost: (reason: 'denied' | 'closed' | 'disconnected', detail: string) => this.#lost(reason, detail),
      moved: () => host.moved(),
      rows: (message: RowMessage) => {
        if (message.kind === 'rows') this.fetched(message.rows);
        host.rows(message);
      },
      liveUpdate: (update: LiveUpdate) => this.#receive(update),
      peersChanged: () => this.#peersChanged(),
    };
    this.#topic = new LiveTopic(topicHost, ports.link, document, { session, user });
    const topicModeHost = {
      role: () => host.role(),
      present: () => (this.#topic.others === null ? null : this.#topic.peers.length),
      isAwake: () => host.isLive() && host.isVisible(),
      moved: () => this.#changeTopic(),
      ask: () => void host.catchUp(),
    };
    this.#topicMode = new TopicModeSwitch(topicModeHost, ports.clock, ports.random, options.maxOnLive);
    const senderHost = {
      isJoined: () => this.#topic.isOnLive,
      headSeq: () => state.seq,
      send: (bytes: Uint8Array<ArrayBuffer>) => this.#topic.send(bytes),
      unacknowledged: () => this.#unacknowledged(),
      caret: () => this.#carets.own,
    };
    this.#sender = new LiveUpdateSender(senderHost, ports.clock, session, options.budget, () => ports.random.next());
    this.#carets = new Carets(awareness, session, () => this.#sender.changed());
    const receiverHost = {
      ...host,
      isPresent: (one: SessionId) => this.#topic.peers.some((peer) => peer.session === one),
    };
    this.#receiver = new LiveUpdateReceiver(receiverHost, ports, document, state.held, state.known);
    const tabSyncHost = {
      own: () => state.own,
      seq: () => state.seq,
      received: (edits: readonly Part[], dependencies: readonly Part[]) => this.#receiveFromTab(edits, dependencies),
      ahead: (seq: number) => void this.#readRows(seq),
    };
    this.#tabSync = options.liveUpdates ? new TabSync(tabSyncHost, ports.tabs, document) : null;
  }

  get peers(): readonly Peer[] {
    return this.#topic.peers;
  }

  /** The epoch of the topic we are on or are joining. */
  get epoch(): Epoch | null {
    return this.#topic.epoch;
  }

  /** Rows come by themselves only now and then: who hears of one asks. */
  get isCrowded(): boolean {
    return this.#hasLiveUpdates && this.#sender.isCrowded;
  }

  /** Log-only mode with others here: they see nothing of an edit before its row. */
  get peersAwaitRows(): boolean {
    return !this.#hasLiveUpdates && (this.#topic.others ?? 0) > 0;
  }

  /**
   * For how many people an append is to be published: for nobody when all of it went out in live updates already, or when the
   * budget is used up.
   */
  joined(outbox: Outbox, nTo: number): number | null {
    const isFramed = outbox === this.#state.own && nTo > 0 && nTo <= this.#sender.sentN;
    if (isFramed || (this.#hasLiveUpdates && !this.#sender.takePublishTurn())) return 0;
    return this.#topic.others;
  }

  /** On the view topic, or on the way there: nobody is known, and rows are asked for by who keeps them coming. */
  get isViewing(): boolean {
    return this.#topicMode.mode === 'view';
  }

  join(epoch: Epoch): void {
    this.leave();
    this.#topic.join(epoch, this.#topicMode.mode);
  }

  leave(): void {
    this.#topicMode.left();
    this.#topic.leave();
    this.#receiver.schedule();
  }

  /** An own edit, or the own session may be named in live updates from now on. */
  edited(): void {
    this.#sender.changed();
    this.#tabSync?.edited();
  }

  acknowledged(): void {
    this.#sender.acknowledged();
  }

  /** Whose rows are new shares the budget. */
  fetched(rows: readonly Row[]): void {
    for (const row of rows) this.#sender.peerWrote(row.session);
  }

  /** Rows came, or the connection changed. */
  settled(): void {
    this.#topicMode.check();
    this.#receiver.schedule();
  }

  cameLive(): void {
    this.#receiver.cameLive();
  }

  /** L6 */
  checkRights(): void {
    void this.#receiver.checkRights();
  }

  askTabs(): void {
    this.#tabSync?.ask();
  }

  close(): void {
    this.#applying?.();
    this.#topicMode.stop();
    this.#carets.stop();
    this.#sender.stop();
    this.#receiver.stop();
    this.#topic.leave();
    this.#tabSync?.leave();
  }

  #joined(): void {
    this.#host.joined();
    this.#topicMode.joined();
  }

  /** From the one to the other; while neither is joined, the next join is the new one's. */
  #changeTopic(): void {
    const { epoch } = this.#topic;
    if (epoch !== null) this.join(epoch);
    this.#receiver.schedule();
  }

  #lost(reason: 'denied' | 'closed' | 'disconnected', detail: string): void {
    // Realtime closes the channel of who sends too much, and says why just before.
    if (/too many messages/iu.test(detail)) this.#sender.slowDown();
    this.#topicMode.left();
    this.#host.lost(reason);
  }

  #peersChanged(): void {
    this.#carets.setPeers(this.#topic.peers);
    this.#sender.setPeers(this.#topic.peers);
    this.#topicMode.check();
    this.#host.changed();
  }

  #receive(liveUpdate: LiveUpdate): void {
    if (liveUpdate.session === this.#state.own.session) {
      this.#state.verifyOwnLiveUpdate(liveUpdate.update);
      return;
    }
    // A live update that tells the head alone follows an acknowledgement.
    this.#sender.peerWrote(liveUpdate.session);
    if (this.#hasLiveUpdates) this.#receiver.receive(liveUpdate);
    this.#received.push(liveUpdate);
    this.#applying ??= this.#clock.after(0, () => this.#applyReceived());
  }

  /** What live updates say besides their words: when those of all that came together are shown. */
  #applyReceived(): void {
    this.#applying = null;
    const received = this.#received.splice(0);
    for (const liveUpdate of received) this.#carets.receive(liveUpdate);
    this.#host.head(Math.max(...received.map(({ head }) => head)));
    this.#receiver.schedule();
    this.#host.changed();
  }

  #receiveFromTab(edits: readonly Part[], dependencies: readonly Part[]): void {
    // What other tabs of a former editor could not send is theirs to keep. Shown here it would be dropped after a while
    // (D7) and, being lacked by what builds on it, asked for and shown again.
    const role = this.#host.role();
    if (role !== null && !mayEdit(role)) return;
    const { known, own } = this.#state;
    for (const part of [...dependencies, ...edits]) {
      if (part.session === own.session) continue;
      if (edits.includes(part)) known.learnOtherTab(part);
      else known.learnFromTab(part);
      if (known.clientIdOf(part.session) === part.clientId) this.#receiver.receivePart(part);
    }
    this.#receiver.schedule();
    this.#host.changed();
  }

  /** While calls fail, the rows that other tabs of this browser have are on the device. */
  async #readRows(seq: number): Promise<void> {
    if (this.#host.isLive() || seq <= this.#readForSeq) return;
    this.#readForSeq = seq;
    await this.#state.readRows();
    this.#receiver.schedule();
    this.#host.changed();
  }

  /** L1. Registered first: nobody shows live updates of a session that the database does not know. */
  #unacknowledged(): Batch | null {
    const { own } = this.#state;
    if (!this.#hasLiveUpdates || own.isEmpty || own.refused !== null || !own.isRegistered) return null;
    // SY2: older apps are on the topic until the page was raised and everybody has asked for the next one.
    if (this.#state.schemaVersion < this.#schemaVersion) return null;
    return this.#backlog.of(own);
  }
}
