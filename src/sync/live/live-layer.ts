// Everything that passes between the people on a page without being a row: the live topic with its roster, frames out
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
import { FrameReceiver, type FrameReceiverHost } from './live-update-receiver.ts';
import { FrameSender } from './live-update-sender.ts';
import type { Ledger } from '../session/document-state.ts';
import { LiveTopic } from './live-topic.ts';
import { Neighbours } from './tab-sync.ts';
import type { Batch, Outbox } from '../log/outbox.ts';
import type { Clock, Peer, Ports } from '../ports.ts';
import { ViewSeat } from './topic-mode.ts';

export interface LiveLayerHost extends Omit<FrameReceiverHost, 'isPresent'> {
  joined(): void;
  lost(reason: 'denied' | 'closed' | 'disconnected'): void;
  moved(): void;
  rows(message: RowMessage): void;
  /** A peer knows this row to be the newest. */
  head(seq: number): void;
  /** Roster, or what is shown, changed. */
  changed(): void;
  role(): DocumentRole | null;
  isVisible(): boolean;
}

export type LiveLayerOptions = {
  readonly document: DocumentId;
  readonly session: SessionId;
  readonly user: UserId;
  /** False: rows mode. Carets and heads still go out, text comes by rows alone. */
  readonly frames: boolean;
  /** Deliveries of frames per second and document, shared by all who write. */
  readonly budget: number;
  /** The newest schema this app understands, and writes. */
  readonly schemaVersion: number;
  /** Readers leave the live topic for the view topic when more sessions than this are on it. */
  readonly maxOnLive: number;
};

export class LiveLayer {
  readonly #host: LiveLayerHost;
  readonly #ledger: Ledger;
  readonly #hasFrames: boolean;
  readonly #schemaVersion: number;
  readonly #topic: LiveTopic;
  readonly #seat: ViewSeat;
  readonly #carets: Carets;
  readonly #sender: FrameSender;
  readonly #receiver: FrameReceiver;
  readonly #neighbours: Neighbours | null;
  readonly #clock: Clock;
  readonly #told: LiveUpdate[] = [];
  #telling: Cancel | null = null;
  readonly #backlog = new Backlog();
  /** Rows up to here were looked for on the device. */
  #readForSeq = 0;

  constructor(host: LiveLayerHost, ports: Ports, ledger: Ledger, awareness: Awareness, options: LiveLayerOptions) {
    const { document, session, user } = options;
    this.#host = host;
    this.#ledger = ledger;
    this.#clock = ports.clock;
    this.#hasFrames = options.frames;
    this.#schemaVersion = options.schemaVersion;
    const topicHost = {
      joined: () => this.#joined(),
      lost: (reason: 'denied' | 'closed' | 'disconnected', detail: string) => this.#lost(reason, detail),
      moved: () => host.moved(),
      rows: (message: RowMessage) => {
        if (message.kind === 'rows') this.fetched(message.rows);
        host.rows(message);
      },
      frame: (frame: LiveUpdate) => this.#heard(frame),
      rosterChanged: () => this.#rosterChanged(),
    };
    this.#topic = new LiveTopic(topicHost, ports.link, document, { session, user });
    const seatHost = {
      role: () => host.role(),
      present: () => (this.#topic.others === null ? null : this.#topic.peers.length),
      isAwake: () => host.isLive() && host.isVisible(),
      moved: () => this.#changeTopic(),
      ask: () => void host.catchUp(),
    };
    this.#seat = new ViewSeat(seatHost, ports.clock, ports.random, options.maxOnLive);
    const senderHost = {
      isJoined: () => this.#topic.isOnLive,
      headSeq: () => ledger.seq,
      sendFrame: (bytes: Uint8Array<ArrayBuffer>) => this.#topic.sendFrame(bytes),
      unacknowledged: () => this.#unacknowledged(),
      caret: () => this.#carets.own,
    };
    this.#sender = new FrameSender(senderHost, ports.clock, session, options.budget, () => ports.random.next());
    this.#carets = new Carets(awareness, session, () => this.#sender.changed());
    const receiverHost = {
      ...host,
      isPresent: (one: SessionId) => this.#topic.peers.some((peer) => peer.session === one),
    };
    this.#receiver = new FrameReceiver(receiverHost, ports, document, ledger.frames, ledger.known);
    const neighboursHost = {
      own: () => ledger.own,
      seq: () => ledger.seq,
      heard: (edits: readonly Part[], dependencies: readonly Part[]) => this.#heardFromTab(edits, dependencies),
      ahead: (seq: number) => void this.#readRows(seq),
    };
    this.#neighbours = options.frames ? new Neighbours(neighboursHost, ports.tabs, document) : null;
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
    return this.#hasFrames && this.#sender.isCrowded;
  }

  /** Rows mode with others here: they see nothing of an edit before its row. */
  get isAwaited(): boolean {
    return !this.#hasFrames && (this.#topic.others ?? 0) > 0;
  }

  /**
   * For how many people an append is to be published: for nobody when all of it went out in frames already, or when the
   * budget is used up.
   */
  joined(outbox: Outbox, nTo: number): number | null {
    const isFramed = outbox === this.#ledger.own && nTo > 0 && nTo <= this.#sender.framedN;
    if (isFramed || (this.#hasFrames && !this.#sender.mayPublish())) return 0;
    return this.#topic.others;
  }

  /** On the view topic, or on the way there: nobody is known, and rows are asked for by who keeps them coming. */
  get isViewing(): boolean {
    return this.#seat.seat === 'view';
  }

  join(epoch: Epoch): void {
    this.leave();
    this.#topic.join(epoch, this.#seat.seat);
  }

  leave(): void {
    this.#seat.left();
    this.#topic.leave();
    this.#receiver.schedule();
  }

  /** An own edit, or the own session may be named in frames from now on. */
  edited(): void {
    this.#sender.changed();
    this.#neighbours?.edited();
  }

  acknowledged(): void {
    this.#sender.acknowledged();
  }

  /** Whose rows are new shares the budget. */
  fetched(rows: readonly Row[]): void {
    for (const row of rows) this.#sender.heard(row.session);
  }

  /** Rows came, or the connection changed. */
  settled(): void {
    this.#seat.check();
    this.#receiver.schedule();
  }

  cameLive(): void {
    this.#receiver.cameLive();
  }

  /** L6 */
  audit(): void {
    void this.#receiver.audit();
  }

  askTabs(): void {
    this.#neighbours?.ask();
  }

  close(): void {
    this.#telling?.();
    this.#seat.stop();
    this.#carets.stop();
    this.#sender.stop();
    this.#receiver.stop();
    this.#topic.leave();
    this.#neighbours?.leave();
  }

  #joined(): void {
    this.#host.joined();
    this.#seat.joined();
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
    this.#seat.left();
    this.#host.lost(reason);
  }

  #rosterChanged(): void {
    this.#carets.setPeers(this.#topic.peers);
    this.#sender.setPeers(this.#topic.peers);
    this.#seat.check();
    this.#host.changed();
  }

  #heard(frame: LiveUpdate): void {
    if (frame.session === this.#ledger.own.session) {
      this.#ledger.heardOwn(frame.update);
      return;
    }
    // A frame that tells the head alone follows an acknowledgement.
    this.#sender.heard(frame.session);
    if (this.#hasFrames) this.#receiver.receive(frame);
    this.#told.push(frame);
    this.#telling ??= this.#clock.after(0, () => this.#tell());
  }

  /** What frames say besides their words: when those of all that came together are shown. */
  #tell(): void {
    this.#telling = null;
    const told = this.#told.splice(0);
    for (const frame of told) this.#carets.receive(frame);
    this.#host.head(Math.max(...told.map(({ head }) => head)));
    this.#receiver.schedule();
    this.#host.changed();
  }

  #heardFromTab(edits: readonly Part[], dependencies: readonly Part[]): void {
    // What other tabs of a former editor could not send is theirs to keep. Shown here it would be dropped after a while
    // (D7) and, being lacked by what builds on it, asked for and shown again.
    const role = this.#host.role();
    if (role !== null && !mayEdit(role)) return;
    const { known, own } = this.#ledger;
    for (const part of [...dependencies, ...edits]) {
      if (part.session === own.session) continue;
      if (edits.includes(part)) known.learnNeighbour(part);
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
    await this.#ledger.readRows();
    this.#receiver.schedule();
    this.#host.changed();
  }

  /** L1. Registered first: nobody shows frames of a session that the database does not know. */
  #unacknowledged(): Batch | null {
    const { own } = this.#ledger;
    if (!this.#hasFrames || own.isEmpty || own.refused !== null || !own.isRegistered) return null;
    // SY2: older apps are on the topic until the page was raised and everybody has asked for the next one.
    if (this.#ledger.schemaVersion < this.#schemaVersion) return null;
    return this.#backlog.of(own);
  }
}
