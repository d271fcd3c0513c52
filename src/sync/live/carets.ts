// Carets of the people on the live topic, as the awareness object the editor's binding knows: the own one is told to
// whoever sends frames, others' are shown only while the roster names them.
import type { Awareness } from 'y-protocols/awareness';
import { type Bytes, equalBytes } from '../../lib/bytes.ts';
import type { Cancel } from '../../lib/cancel.ts';
import type { LiveUpdate } from '../../protocol/live-update.ts';
import type { SessionId } from '../../protocol/ids.ts';
import { type Cursor, packCaret, unpackCaret } from './caret.ts';
import type { Peer } from '../ports.ts';
import { setRemoteState } from './timerless-awareness.ts';

/** A caret as it came, and what it says; null: none. */
type Told = { readonly packed: Bytes; readonly cursor: Cursor | null };

const MAX_STRANGERS = 64;
/** Yjs client ids have 32 bits: numbers above are free to name sessions of which no client id is known. */
const FIRST_KEY = 2 ** 32;

export class Carets {
  readonly #awareness: Awareness;
  readonly #session: SessionId;
  readonly #stopListening: Cancel;
  #peers: readonly Peer[] = [];
  /** Newest caret per session, of sessions the roster does not name yet too: presence is slower than frames. */
  readonly #latest = new Map<SessionId, Told>();
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

  /** The roster of the topic, or nobody when the topic is left. */
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

  receive(frame: LiveUpdate): void {
    if (frame.session === this.#session || frame.caret.length === 0) return;
    const before = this.#latest.get(frame.session);
    // Frames that say it once more are frequent; the cursor stays the same object then.
    const cursor =
      before !== undefined && equalBytes(before.packed, frame.caret) ? before.cursor : unpackCaret(frame.caret);
    if (cursor === undefined) return;
    this.#latest.delete(frame.session);
    this.#latest.set(frame.session, { packed: frame.caret, cursor });
    for (const session of this.#latest.keys()) {
      if (this.#latest.size <= MAX_STRANGERS + this.#peers.length) break;
      if (!this.#peers.some((peer) => peer.session === session)) this.#latest.delete(session);
    }
    this.#show(frame.session);
  }

  stop(): void {
    this.#stopListening();
  }

  #show(session: SessionId): void {
    const peer = this.#peers.find((other) => other.session === session);
    // Who was never in the roster has nothing to take back; a key for each would be kept for ever.
    if (peer === undefined && !this.#keys.has(session)) return;
    const key = this.#keys.get(session) ?? FIRST_KEY + this.#keys.size;
    this.#keys.set(session, key);
    const cursor = this.#latest.get(session)?.cursor ?? null;
    if (peer === undefined || cursor === null) setRemoteState(this.#awareness, key, null);
    else if (this.#awareness.states.get(key)?.['cursor'] !== cursor)
      setRemoteState(this.#awareness, key, { cursor, session, user: peer.user });
  }
}
