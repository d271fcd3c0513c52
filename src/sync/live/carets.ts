// Puts the carets of the people on the live topic into the awareness object that the editor's binding knows. Others'
// carets are shown only while presence lists their sessions, under the name that the database has for them. Sends nothing: the
// own caret goes out with live updates.
import type { Awareness } from 'y-protocols/awareness';
import { type Bytes, equalBytes } from '../../lib/bytes.ts';
import type { Cancel } from '../../lib/cancel.ts';
import type { Peer } from '../connection/presence.ts';
import type { SessionId } from '../protocol/ids.ts';
import type { LiveUpdate } from '../protocol/live-update.ts';
import type { SessionContext } from '../session-context.ts';
import { type Cursor, packCaret, unpackCaret } from './caret.ts';
import type { SessionNames } from './session-names.ts';
import { setRemoteState } from './timerless-awareness.ts';

/** A caret as it arrived, and the cursor in it; null: no cursor. */
type ReceivedCaret = { readonly packed: Bytes; readonly cursor: Cursor | null };

const MAX_UNKNOWN_SESSIONS = 64;
/** Awareness is keyed by client id, and those of peers are not known here: larger numbers than 32 bits stand for them. */
const FIRST_KEY = 2 ** 32;

/** A live update with text makes the receiver ask for the session's client id, and the answer has the name too. */
const NAME_BEHIND_TEXT_MS = 500;

type CaretsContext = Pick<SessionContext, 'sessionId' | 'presence' | 'emit' | 'state'>;

export class Carets {
  readonly #context: CaretsContext;
  readonly #names: Pick<SessionNames, 'need'>;
  readonly #awareness: Awareness;
  readonly #stopListening: Cancel;
  #peers: readonly Peer[] = [];
  /** The newest caret per session, also of sessions that presence does not list yet: it is slower than live updates. */
  readonly #latest = new Map<SessionId, ReceivedCaret>();
  readonly #keys = new Map<SessionId, number>();

  constructor(context: CaretsContext, awareness: Awareness, names: Pick<SessionNames, 'need'>) {
    this.#context = context;
    this.#names = names;
    this.#awareness = awareness;
    const listen = (_change: unknown, origin: unknown) => {
      if (origin === 'local') context.emit({ type: 'caretMoved' });
    };
    awareness.on('update', listen);
    this.#stopListening = () => awareness.off('update', listen);
  }

  /** The own caret, packed; one zero byte when there is none. */
  get own(): Bytes {
    return packCaret(this.#awareness.getLocalState()?.['cursor']);
  }

  /** Presence or names have changed. */
  peersChanged(): void {
    const { presence, sessionId } = this.#context;
    const others = presence.peers.filter((peer) => peer.session !== sessionId);
    const gone = this.#peers.filter((peer) => !others.some((other) => other.session === peer.session));
    this.#peers = others;
    for (const peer of gone) {
      this.#latest.delete(peer.session);
      this.#show(peer.session);
    }
    // Presence is slower than live updates.
    this.#names.need(others.flatMap(({ session }) => (this.#hasCursor(session) ? [session] : [])));
    for (const peer of others) this.#show(peer.session);
  }

  receive(liveUpdate: LiveUpdate): void {
    if (liveUpdate.session === this.#context.sessionId || liveUpdate.caret.length === 0) return;
    const before = this.#latest.get(liveUpdate.session);
    // Most live updates repeat the caret; then the cursor stays the same object.
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
    if (cursor !== null) this.#names.need([liveUpdate.session], liveUpdate.update.length > 0 ? NAME_BEHIND_TEXT_MS : 0);
    this.#show(liveUpdate.session);
  }

  stop(): void {
    this.#stopListening();
  }

  #hasCursor(session: SessionId): boolean {
    return (this.#latest.get(session)?.cursor ?? null) !== null;
  }

  #show(session: SessionId): void {
    const peer = this.#peers.find((other) => other.session === session);
    // A session that was never present has no state to remove, and a key for each would be kept for ever.
    if (peer === undefined && !this.#keys.has(session)) return;
    const key = this.#keys.get(session) ?? FIRST_KEY + this.#keys.size;
    this.#keys.set(session, key);
    const cursor = this.#latest.get(session)?.cursor ?? null;
    const user = this.#context.state.pending.known.userOf(session);
    const shown = this.#awareness.states.get(key);
    if (peer === undefined || cursor === null || user === null) setRemoteState(this.#awareness, key, null);
    else if (shown?.['cursor'] !== cursor || shown['user'] !== user)
      setRemoteState(this.#awareness, key, { cursor, session, user });
  }
}
