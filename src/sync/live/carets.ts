// Carets of the people on the live topic, as the awareness object the editor's binding knows: the own one is told to
// whoever sends live updates, others' are shown only while the presence list names them.
import type { Awareness } from 'y-protocols/awareness';
import { type Bytes, equalBytes } from '../../lib/bytes.ts';
import type { Cancel } from '../../lib/cancel.ts';
import type { LiveUpdate } from '../../protocol/live-update.ts';
import type { SessionId } from '../../protocol/ids.ts';
import { type Cursor, packCaret, unpackCaret } from './caret.ts';
import type { Peer } from '../ports.ts';
import { setRemoteState } from './timerless-awareness.ts';

/** A caret as it came, and what it says; null: none. */
type ReceivedCaret = { readonly packed: Bytes; readonly cursor: Cursor | null };

const MAX_UNKNOWN_SESSIONS = 64;
/** Yjs client ids have 32 bits: numbers above are free to name sessions of which no client id is known. */
const FIRST_KEY = 2 ** 32;

export class Carets {
  readonly #awareness: Awareness;
  readonly #session: SessionId;
  readonly #stopListening: Cancel;
  #peers: readonly Peer[] = [];
  /** Newest caret per session, of sessions the presence list does not name yet too: presence is slower than live updates. */
  readonly #latest = new Map<SessionId, ReceivedCaret>();
  readonly #keys = new Map<SessionId, number>();

  constructor(awareness: Awareness, session: SessionId, moved: () => void) {
    this.#awareness = awareness;
    this.#session = session;
    const listen = (_change: unknown, origin: unknown) => {
      if (origin === 'local') moved();
    };
    awareness.on('update', listen);
    this.#stopListening = () => awareness.off('update', listen);
  }

  /** The own caret, packed; one zero byte when there is none. */
  get own(): Bytes {
    return packCaret(this.#awareness.getLocalState()?.['cursor']);
  }

  /** The presence list of the topic, or nobody when the topic is left. */
  setPeers(peers: readonly Peer[]): void {
    const others = peers.filter((peer) => peer.session !== this.#session);
    const gone = this.#peers.filter((peer) => !others.some((other) => other.session === peer.session));
    this.#peers = others;
    for (const peer of gone) {
      this.#latest.delete(peer.session);
      this.#show(peer.session);
    }
    for (const peer of others) this.#show(peer.session);
  }

  receive(liveUpdate: LiveUpdate): void {
    if (liveUpdate.session === this.#session || liveUpdate.caret.length === 0) return;
    const before = this.#latest.get(liveUpdate.session);
    // Live updates that say it once more are frequent; the cursor stays the same object then.
    const cursor =
      before !== undefined && equalBytes(before.packed, liveUpdate.caret)
        ? before.cursor
        : unpackCaret(liveUpdate.caret);
    if (cursor === undefined) return;
    this.#latest.delete(liveUpdate.session);
    this.#latest.set(liveUpdate.session, { packed: liveUpdate.caret, cursor });
    for (const session of this.#latest.keys()) {
      if (this.#latest.size <= MAX_UNKNOWN_SESSIONS + this.#peers.length) break;
      if (!this.#peers.some((peer) => peer.session === session)) this.#latest.delete(session);
    }
    this.#show(liveUpdate.session);
  }

  stop(): void {
    this.#stopListening();
  }

  #show(session: SessionId): void {
    const peer = this.#peers.find((other) => other.session === session);
    // Who was never in the presence list has nothing to take back; a key for each would be kept for ever.
    if (peer === undefined && !this.#keys.has(session)) return;
    const key = this.#keys.get(session) ?? FIRST_KEY + this.#keys.size;
    this.#keys.set(session, key);
    const cursor = this.#latest.get(session)?.cursor ?? null;
    if (peer === undefined || cursor === null) setRemoteState(this.#awareness, key, null);
    else if (this.#awareness.states.get(key)?.['cursor'] !== cursor)
      setRemoteState(this.#awareness, key, { cursor, session, user: peer.user });
  }
}
