// A second document from the log, beside the one that is shown: what was shown and must go (L6, D7) cannot be taken out
// of a Yjs document, deletions and map values of it least of all.
import type * as Y from 'yjs';
import type { Bytes } from '../../lib/bytes.ts';
import { type Result, err, ok } from '../../lib/result.ts';
import { type WeftError, weftError } from '../../protocol/errors.ts';
import type { DocumentId, SessionId } from '../../protocol/ids.ts';
import { MAX_ROWS_PER_ANSWER } from '../../protocol/limits.ts';
import type { DocumentStore } from '../state/document-store.ts';
import type { HeldUpdate } from '../state/held-updates.ts';
import type { DocumentState } from '../state/document-state.ts';
import { newDoc } from '../updates/new-doc.ts';
import type { Log, StoredSnapshot } from '../ports.ts';
import { Replica } from '../state/replica.ts';

/** An acknowledged row that is still on its way here makes a rebuild wait for it. */
const MAX_TRIES = 5;

export type ReplayedLog = { readonly doc: Y.Doc; readonly replica: Replica };

/** The log up to `seq` at least: from the store as far as that holds it, the rest by calls. */
export async function replayLog(
  device: DocumentStore,
  log: Log,
  document: DocumentId,
  seq: () => number,
  unpack: (state: Bytes, sha256: string | null) => Promise<Bytes | null>,
): Promise<Result<ReplayedLog, WeftError>> {
  // A client id that nobody has: own edits come back as foreign ones, and Yjs changes an id that meets itself.
  const doc = newDoc();
  const replica = new Replica(doc, null);
  const show = async (snapshot: StoredSnapshot | null, sha256: string | null): Promise<boolean> => {
    const state = snapshot === null ? null : await unpack(snapshot.state, sha256);
    return snapshot === null || (state !== null && replica.applySnapshot(snapshot.seq, state));
  };
  await device.settled();
  const stored = await device.load();
  if (stored !== null && (await show(stored.snapshot, null))) replica.take(stored.rows);
  let isOpened = false;
  while (replica.seq < seq()) {
    const before = replica.seq;
    if (before === 0 && !isOpened) {
      const opened = await log.open(document, 0);
      if (!opened.ok) return opened;
      isOpened = true;
      const { snapshot, rows } = opened.value;
      // SN6: one that cannot be read costs the way through the rows, from the first on.
      if (!(await show(snapshot, snapshot?.sha256 ?? null))) continue;
      replica.take(rows);
    } else {
      const answer = await log.rowsSince(document, before, MAX_ROWS_PER_ANSWER);
      if (!answer.ok) return answer;
      replica.take(answer.value.rows);
    }
    if (replica.seq === before) return err(weftError('WF011', 'the log ends too early'));
  }
  return ok({ doc, replica });
}

export interface RebuilderHost {
  state(): DocumentState;
  catchUp(): Promise<boolean>;
  failed(error: WeftError): void;
  /** `session.doc` is another one. */
  replaced(before: Y.Doc): void;
}

/** Takes live updates out of the view, one rebuild at a time; what failed is done when `retry` is called. */
export class Rebuilder {
  readonly #host: RebuilderHost;
  readonly #replay: () => Promise<Result<ReplayedLog, WeftError>>;
  /** Live updates of these sessions up to these numbers. */
  readonly #dropped = new Map<SessionId, number>();
  #isDue = false;
  #isRunning = false;
  #isStopped = false;

  constructor(host: RebuilderHost, replay: () => Promise<Result<ReplayedLog, WeftError>>) {
    this.#host = host;
    this.#replay = replay;
  }

  drop(upTo: ReadonlyMap<SessionId, number>): void {
    for (const [session, n] of upTo) this.#dropped.set(session, Math.max(n, this.#dropped.get(session) ?? 0));
    this.retry();
  }

  /** SN8: what was shown is not what the log says; the store has been put right. */
  rebuild(): void {
    this.#isDue = true;
    this.retry();
  }

  retry(): void {
    if (!this.#isRunning) void this.#run();
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    for (let tries = 0; tries < MAX_TRIES && (await this.#rebuildOnce()); tries += 1);
    this.#isRunning = false;
  }

  /** Whether another try makes sense at once. */
  async #rebuildOnce(): Promise<boolean> {
    const state = this.#host.state();
    state.held.dropWaiting(this.#isDropped);
    // Own edits build on what is left of them: it goes into the log with those.
    if (this.#isStopped || !(this.#isDue || state.showsNeedlessly(this.#isDropped))) {
      this.#dropped.clear();
      return false;
    }
    const fresh = await this.#replay();
    if (this.#isStopped) return false;
    if (!fresh.ok) {
      this.#host.failed(fresh.error);
      return false;
    }
    const before = state.doc;
    if (!state.rebuild(fresh.value, this.#isDropped)) return this.#host.catchUp();
    this.#dropped.clear();
    this.#isDue = false;
    this.#host.replaced(before);
    return false;
  }

  readonly #isDropped = ({ part }: HeldUpdate): boolean => part.nTo <= (this.#dropped.get(part.session) ?? 0);
}
