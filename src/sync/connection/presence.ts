// Lists which sessions are on the live topic, as Realtime presence has them. Anyone there may claim any session; only the
// database says whose it is (`KnownSessions`). The list keeps its identity while nothing changes.
import type { SessionId, UserId } from '../protocol/ids.ts';

/** `user` is null until the database has named the session's user. */
export type Peer = { readonly session: SessionId; readonly user: UserId | null };

/** Claims beyond this number are ignored, because each change of presence brings all of them again. */
export const MAX_CLAIMS = 1_000;
const NO_PEERS: readonly Peer[] = Object.freeze([]);

/** Returns the user whom the database names for a session; null if it has not been asked or does not know the session. */
type UserOf = (session: SessionId) => UserId | null;

export class Presence {
  readonly #own: { readonly session: SessionId; readonly user: UserId };
  readonly #userOf: UserOf;
  #sessions: ReadonlySet<SessionId> = new Set();
  #peers: readonly Peer[] = NO_PEERS;
  #isOnLive = false;

  constructor(own: { readonly session: SessionId; readonly user: UserId }, userOf: UserOf) {
    this.#own = own;
    this.#userOf = userOf;
  }

  /** Everyone on the live topic, this session included. */
  get peers(): readonly Peer[] {
    return this.#peers;
  }

  /** Sessions whose user the database has not named. */
  get unnamed(): readonly SessionId[] {
    return this.#peers.flatMap(({ session, user }) => (user === null ? [session] : []));
  }

  /** The live topic is joined: what is sent there reaches the others. */
  get isOnLive(): boolean {
    return this.#isOnLive;
  }

  /**
   * How many others are on the live topic. Null while this session is not on it or not in the list: the list is not
   * synced then, and "no one" would make the server omit a message that someone waits for.
   */
  get others(): number | null {
    return this.#isOnLive && this.has(this.#own.session) ? this.#peers.length - 1 : null;
  }

  has(session: SessionId): boolean {
    return this.#sessions.has(session);
  }

  joinedLive(): void {
    this.#isOnLive = true;
  }

  /** A session that is claimed several times counts once. */
  set(claims: readonly SessionId[]): void {
    this.#sessions = new Set(claims.slice(0, MAX_CLAIMS));
    this.named();
  }

  /** The database has named sessions. */
  named(): void {
    const sorted = [...this.#sessions].sort();
    const peers = sorted.map((session): Peer => ({ session, user: this.#whoseIs(session) }));
    const isSame =
      peers.length === this.#peers.length &&
      peers.every(({ session, user }, at) => {
        const other = this.#peers[at];
        return session === other?.session && user === other.user;
      });
    if (!isSame) this.#peers = Object.freeze(peers);
  }

  left(): void {
    this.#sessions = new Set();
    this.#peers = NO_PEERS;
    this.#isOnLive = false;
  }

  #whoseIs(session: SessionId): UserId | null {
    return session === this.#own.session ? this.#own.user : this.#userOf(session);
  }
}
