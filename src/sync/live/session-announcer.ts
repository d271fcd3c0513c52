// Tells the database that this session is on the page together with others (CA5): until it has registered to write,
// they learn from there alone whose it is. While this tab sends to the live topic it says so too, and learns how many
// pages share the project's live budget (LR1).
import type { Cancel } from '../../lib/cancel.ts';
import type { SessionContext } from '../session-context.ts';

/** How often a session that sends says so: the database counts it for 15 s. */
export const ANNOUNCE_WRITING_MS = 5_000;
/** The second time comes sooner: people on other pages may have begun at the same moment, and the first answer lacks them. */
const SECOND_ANNOUNCEMENT_MS = 1_000;
/** An older announcement is repeated for newcomers, because the database forgets announcements when it crashes. */
const ANNOUNCE_AGAIN_MS = 60_000;
const FIRST_RETRY_MS = 2_000;
const MAX_RETRY_MS = 60_000;

type AnnouncerContext = Pick<SessionContext, 'connection' | 'documentId' | 'ports' | 'presence' | 'sessionId'>;

export class SessionAnnouncer {
  readonly #context: AnnouncerContext;
  #others: ReadonlySet<string> = new Set();
  #announcedAt = Number.NEGATIVE_INFINITY;
  #writingDueAt = Number.NEGATIVE_INFINITY;
  #isAsking = false;
  #retryMs = FIRST_RETRY_MS;
  #retry: Cancel | null = null;
  /** The last call failed. */
  #hasFailed = false;
  #isStopped = false;
  #busyPages = 1;

  constructor(context: AnnouncerContext) {
    this.#context = context;
  }

  /** On how many of the project's pages people write, this one included, as the last answer said. */
  get busyPages(): number {
    return this.#busyPages;
  }

  /** Presence has changed. */
  peersChanged(): void {
    const { ports, presence, sessionId } = this.#context;
    const before = this.#others;
    const others = presence.peers.map(({ session }) => session).filter((session) => session !== sessionId);
    this.#others = new Set(others);
    const isOld = ports.clock.now() - this.#announcedAt >= ANNOUNCE_AGAIN_MS;
    if (isOld && others.some((session) => !before.has(session))) void this.#announce(false);
  }

  /** A call that failed while the connection was not live was not repeated, and the others may be the same as before. */
  cameLive(): void {
    if (this.#hasFailed && this.#others.size > 0) void this.#announce(false);
  }

  /** This tab sends a live update, or a row is published for it. */
  sending(): void {
    const { clock, random } = this.#context.ports;
    if (clock.now() < this.#writingDueAt || this.#isAsking) return;
    const hasJustBegun = clock.now() - this.#writingDueAt > ANNOUNCE_WRITING_MS;
    const pause = hasJustBegun ? SECOND_ANNOUNCEMENT_MS : ANNOUNCE_WRITING_MS;
    this.#writingDueAt = clock.now() + pause * (0.75 + 0.5 * random.next());
    void this.#announce(true);
  }

  stop(): void {
    this.#isStopped = true;
    this.#retry?.();
    this.#retry = null;
  }

  async #announce(isWriting: boolean): Promise<void> {
    const { connection, documentId, ports, sessionId } = this.#context;
    if (this.#isAsking || this.#isStopped) return;
    this.#isAsking = true;
    this.#retry?.();
    this.#retry = null;
    const answer = await ports.log.announce(documentId, sessionId, isWriting);
    this.#isAsking = false;
    this.#hasFailed = !answer.ok;
    if (this.#isStopped) return;
    if (answer.ok) {
      this.#busyPages = Math.max(1, answer.value.busyPages);
      this.#announcedAt = ports.clock.now();
      this.#retryMs = FIRST_RETRY_MS;
      return;
    }
    // Not reported as `callFailed`: other calls decide whether this page is offline.
    if (this.#others.size === 0 || !connection.isLive) return;
    this.#retry = ports.clock.after(this.#retryMs, () => void this.#announce(isWriting));
    this.#retryMs = Math.min(2 * this.#retryMs, MAX_RETRY_MS);
  }
}
