// Who is on the live topic, as presence says. The list keeps its identity while it says the same.
import type { SessionId } from '../../protocol/ids.ts';
import type { Peer } from '../ports.ts';

const NOBODY: readonly Peer[] = Object.freeze([]);

export class Presence {
  readonly #own: SessionId;
  #peers: readonly Peer[] = NOBODY;

  constructor(own: SessionId) {
    this.#own = own;
  }

  get peers(): readonly Peer[] {
    return this.#peers;
  }

  /**
   * Others on the topic; null while the presence list does not name ourselves: it is not synced yet, and "nobody" would make
   * the server spare a message that somebody waits for.
   */
  get others(): number | null {
    return this.#peers.some((peer) => peer.session === this.#own) ? this.#peers.length - 1 : null;
  }

  set(peers: readonly Peer[]): void {
    const sorted = [...peers].sort((a, b) => (a.session < b.session ? -1 : 1));
    const same =
      sorted.length === this.#peers.length && sorted.every((peer, at) => peer.session === this.#peers[at]?.session);
    if (!same) this.#peers = Object.freeze(sorted);
  }

  clear(): void {
    this.#peers = NOBODY;
  }
}
