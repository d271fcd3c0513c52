// Lists who is on the live topic. Realtime presence says which sessions are there, and anybody there may claim any session and
// any user: the database's answer counts first (`KnownSessions`). The list keeps its identity while nothing changes.
import type { SessionId, UserId } from '../../protocol/ids.ts';
import type { Peer } from '../ports.ts';

/** More claims than this are not looked at: each change of presence brings all of them again. */
export const MAX_CLAIMS = 1_000;
const NOBODY: readonly Peer[] = Object.freeze([]);

/** The user of a session according to the database, null if it has not been asked or does not know the session. */
type NameSession = (session: SessionId) => UserId | null;

export class Presence {
  readonly #own: Peer;
  readonly #userOf: NameSession;
  #claims: readonly Peer[] = NOBODY;
  #peers: readonly Peer[] = NOBODY;
  #sessions: ReadonlySet<SessionId> = new Set();
  #disputed: readonly SessionId[] = [];
  #isOnLive = false;

  constructor(own: Peer, userOf: NameSession) {
    this.#own = own;
    this.#userOf = userOf;
  }

  /** Everybody on the live topic, this session included. */
  get peers(): readonly Peer[] {
    return this.#peers;
  }

  /** Sessions that are claimed for several users, of whom the database has named none. */
  get disputed(): readonly SessionId[] {
    return this.#disputed;
  }

  /** The live topic is joined: what is sent there reaches the others. */
  get isOnLive(): boolean {
    return this.#isOnLive;
  }

  /**
   * How many others are on the live topic. Null while this session is not on it or not in the list: the list is not
   * synced then, and "nobody" would make the server omit a message that somebody waits for.
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

  /** A session may be claimed several times. */
  set(claims: readonly Peer[]): void {
    this.#claims = claims.slice(0, MAX_CLAIMS);
    this.named();
  }

  /** The database has named sessions. */
  named(): void {
    const claimed = new Map<SessionId, Set<UserId>>();
    for (const { session, user } of this.#claims) {
      claimed.set(session, (claimed.get(session) ?? new Set()).add(user));
    }
    const before = new Map(this.#peers.map(({ session, user }) => [session, user]));
    const peers = [...claimed].map(([session, users]): Peer => {
      const shown = before.get(session);
      // Who is shown stays, so that nobody can take their place by another claim.
      const claim = shown !== undefined && users.has(shown) ? shown : [...users].sort()[0];
      return { session, user: this.#nameOf(session) ?? claim ?? this.#own.user };
    });
    this.#disputed = [...claimed].flatMap(([session, users]) =>
      users.size > 1 && this.#nameOf(session) === null ? [session] : [],
    );
    peers.sort((a, b) => (a.session < b.session ? -1 : 1));
    const isSame =
      peers.length === this.#peers.length &&
      peers.every(({ session, user }, at) => {
        const other = this.#peers[at];
        return session === other?.session && user === other.user;
      });
    if (isSame) return;
    this.#peers = Object.freeze(peers);
    this.#sessions = new Set(claimed.keys());
  }

  left(): void {
    this.#claims = NOBODY;
    this.#peers = NOBODY;
    this.#sessions = new Set();
    this.#disputed = [];
    this.#isOnLive = false;
  }

  #nameOf(session: SessionId): UserId | null {
    return session === this.#own.session ? this.#own.user : this.#userOf(session);
  }
}
