// Lists who is on the live topic, as Realtime presence reports it. The list keeps its identity while nothing changes.
import type { SessionId } from '../../protocol/ids.ts';
import type { Peer } from '../ports.ts';

const NOBODY: readonly Peer[] = Object.freeze([]);

export class Presence {
  readonly #own: SessionId;
  #peers: readonly Peer[] = NOBODY;
  #isOnLive = false;

  constructor(own: SessionId) {
    this.#own = own;
  }

  /** Everybody on the live topic, this session included. */
  get peers(): readonly Peer[] {
    return this.#peers;
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
    return this.#isOnLive && this.has(this.#own) ? this.#peers.length - 1 : null;
  }

  has(session: SessionId): boolean {
    return this.#peers.some((peer) => peer.session === session);
  }

  joinedLive(): void {
    this.#isOnLive = true;
  }

  set(peers: readonly Peer[]): void {
    const sorted = [...peers].sort((a, b) => (a.session < b.session ? -1 : 1));
    const isSame =
      sorted.length === this.#peers.length && sorted.every((peer, at) => peer.session === this.#peers[at]?.session);
    if (!isSame) this.#peers = Object.freeze(sorted);
  }

  left(): void {
    this.#peers = NOBODY;
    this.#isOnLive = false;
  }
}
