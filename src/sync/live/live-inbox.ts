// Takes in what arrives from the others: live updates of the topic, and edits of this browser's other tabs. Passes their
// text, carets and heads to the parts that show or fetch them; shows nothing itself.
import type { Cancel } from '../../lib/cancel.ts';
import type { LogFetcher } from '../log/log-fetcher.ts';
import type { LiveUpdate } from '../protocol/live-update.ts';
import { mayEdit } from '../protocol/roles.ts';
import type { Part } from '../protocol/row.ts';
import type { SessionContext } from '../session-context.ts';
import type { Carets } from './carets.ts';
import type { LiveUpdateReceiver } from './live-update-receiver.ts';
import type { LiveUpdateSender } from './live-update-sender.ts';

/** When a peer knows a higher head, its row is usually on its way. */
const HEAD_HINT_MS = 2_000;
const HEAD_HINT_JITTER_MS = 1_000;

export class LiveInbox {
  readonly #context: SessionContext;
  readonly #receiver: LiveUpdateReceiver;
  readonly #sender: LiveUpdateSender;
  readonly #carets: Carets;
  readonly #fetcher: LogFetcher;
  readonly #received: LiveUpdate[] = [];
  #applying: Cancel | null = null;
  /** Rows up to here have been read from the device. */
  #readForSeq = 0;

  constructor(
    context: SessionContext,
    receiver: LiveUpdateReceiver,
    sender: LiveUpdateSender,
    carets: Carets,
    fetcher: LogFetcher,
  ) {
    this.#context = context;
    this.#receiver = receiver;
    this.#sender = sender;
    this.#carets = carets;
    this.#fetcher = fetcher;
  }

  receive(update: LiveUpdate): void {
    const { hasLiveUpdates, ports, sessionId, state } = this.#context;
    if (update.session === sessionId) {
      state.pending.forgery.verifyOwnLiveUpdate(update.update);
      return;
    }
    // A live update that only names the head follows an acknowledgement: its author writes.
    this.#sender.peerWrote(update.session, update.nTo > 0 || update.head > state.log.seq);
    if (hasLiveUpdates) this.#receiver.receive(update);
    this.#received.push(update);
    this.#applying ??= ports.clock.after(0, () => this.#applyReceived());
  }

  receiveFromTab(edits: readonly Part[], dependencies: readonly Part[]): void {
    const { emit, rights, sessionId, state } = this.#context;
    // Unsent edits of a former editor's other tabs stay there. Shown here, they would be dropped after a while (D7) and,
    // because later edits build on them, asked for and shown again.
    if (rights.role !== null && !mayEdit(rights.role)) return;
    const { known } = state.pending;
    for (const part of [...dependencies, ...edits]) {
      if (part.session === sessionId) continue;
      if (edits.includes(part)) known.learnOtherTab(part);
      else known.learnFromTab(part);
      if (known.clientIdOf(part.session) === part.clientId) this.#receiver.receivePart(part);
    }
    this.#receiver.schedule();
    emit({ type: 'viewChanged' });
  }

  /** While this tab is not live, reads the rows that this browser's other tabs have stored on the device. */
  async readRowsOfTabs(seq: number): Promise<void> {
    const { connection, emit, state } = this.#context;
    if (connection.isLive || seq <= this.#readForSeq) return;
    this.#readForSeq = seq;
    await state.readStoredRows();
    this.#receiver.schedule();
    emit({ type: 'viewChanged' });
  }

  stop(): void {
    this.#applying?.();
  }

  /** Takes the carets and heads of everything that arrived together, after its text. */
  #applyReceived(): void {
    const { emit } = this.#context;
    this.#applying = null;
    const received = this.#received.splice(0);
    for (const update of received) this.#carets.receive(update);
    this.#headReported(Math.max(...received.map(({ head }) => head)));
    this.#receiver.schedule();
    emit({ type: 'viewChanged' });
  }

  /** A peer names this row as the newest (L4). */
  #headReported(seq: number): void {
    const { ports, state } = this.#context;
    if (seq <= state.log.seq) return;
    const jitter = HEAD_HINT_JITTER_MS * ports.random.next();
    // Rows confirm held live updates, and may complete those that wait.
    const isUrgent = state.pending.held.waiting.length > 0;
    this.#fetcher.hinted(seq, isUrgent ? 0 : this.#sender.isCrowded ? jitter : HEAD_HINT_MS + jitter);
  }
}
