// Carets of the people on the live topic: the own one goes out in frames when it changed and somebody is there to see
// it; others' are shown only while the roster names them.
import type { Awareness } from 'y-protocols/awareness';
import { type Bytes, equalBytes } from '../lib/bytes.ts';
import type { Cancel } from '../lib/cancel.ts';
import { type Frame, encodeFrame } from '../protocol/frame.ts';
import type { SessionId } from '../protocol/ids.ts';
import { packCaret, unpackCaret } from './caret.ts';
import type { Clock, Peer } from './ports.ts';
import { setRemoteState } from './quiet-awareness.ts';

/** At most 10 caret frames per second … */
export const CARET_INTERVAL_MS = 100;
/** … and with many people fewer: deliveries per second and document, shared by all who move a caret. */
const DELIVERIES_PER_SECOND = 100;
const WRITES_FOR_MS = 5_000;
/** After an acknowledgement without any later frame: tells the others which row is the newest (L4). */
export const HEAD_FRAME_MS = 200;
/** Who appended this recently sends a frame when somebody joins (L5). */
const APPENDED_LATELY_MS = 5_000;
const MAX_STRANGERS = 64;
/** Yjs client ids have 32 bits: numbers above are free to name sessions of which no client id is known. */
const FIRST_KEY = 2 ** 32;
const EMPTY: Bytes = new Uint8Array(0);

export interface CaretsHost {
  isJoined(): boolean;
  headSeq(): number;
  sendFrame(bytes: Bytes): void;
}

export class Carets {
  readonly #host: CaretsHost;
  readonly #clock: Clock;
  readonly #awareness: Awareness;
  readonly #session: SessionId;
  readonly #stopListening: Cancel;
  #peers: readonly Peer[] = [];
  /** Newest caret per session, of sessions the roster does not name yet too: presence is slower than frames. */
  readonly #latest = new Map<SessionId, { readonly caret: Bytes; readonly at: number }>();
  readonly #keys = new Map<SessionId, number>();
  #sent: Bytes = Uint8Array.of(0);
  #sentAt = Number.NEGATIVE_INFINITY;
  #ackedAt = Number.NEGATIVE_INFINITY;
  #timer: Cancel | null = null;
  #headTimer: Cancel | null = null;
  #isStopped = false;

  constructor(host: CaretsHost, clock: Clock, awareness: Awareness, session: SessionId) {
    this.#host = host;
    this.#clock = clock;
    this.#awareness = awareness;
    this.#session = session;
    const listen = (_change: unknown, origin: unknown) => {
      if (origin === 'local') this.#localChanged();
    };
    awareness.on('update', listen);
    this.#stopListening = () => awareness.off('update', listen);
  }

  /** The roster of the topic, or nobody when the topic is left. */
  setPeers(peers: readonly Peer[]): void {
    const known = new Set(this.#peers.map((peer) => peer.session));
    const others = peers.filter((peer) => peer.session !== this.#session);
    const someoneCame = others.some((peer) => !known.has(peer.session));
    const gone = this.#peers.filter((peer) => !others.some((other) => other.session === peer.session));
    this.#peers = others;
    for (const peer of gone) {
      this.#latest.delete(peer.session);
      this.#show(peer.session);
    }
    for (const peer of others) this.#show(peer.session);
    if (!someoneCame) return;
    const appendedLately = this.#clock.now() - this.#ackedAt < APPENDED_LATELY_MS;
    if (appendedLately || this.#hasCaret()) {
      this.#sent = EMPTY;
      this.#schedule();
    }
  }

  receive(frame: Frame): void {
    if (frame.session === this.#session || frame.caret.length === 0) return;
    if (unpackCaret(frame.caret) === undefined) return;
    this.#latest.delete(frame.session);
    this.#latest.set(frame.session, { caret: frame.caret, at: this.#clock.now() });
    for (const session of this.#latest.keys()) {
      if (this.#latest.size <= MAX_STRANGERS + this.#peers.length) break;
      if (!this.#peers.some((peer) => peer.session === session)) this.#latest.delete(session);
    }
    this.#show(frame.session);
  }

  acknowledged(): void {
    if (this.#isStopped) return;
    this.#ackedAt = this.#clock.now();
    this.#headTimer?.();
    this.#headTimer = this.#clock.after(HEAD_FRAME_MS, () => {
      this.#headTimer = null;
      if (this.#canSend()) this.#send(EMPTY);
    });
  }

  stop(): void {
    this.#isStopped = true;
    this.#stopListening();
    this.#timer?.();
    this.#headTimer?.();
    this.#timer = null;
    this.#headTimer = null;
  }

  #localChanged(): void {
    if (!equalBytes(this.#caret(), this.#sent)) this.#schedule();
  }

  #schedule(): void {
    if (this.#timer !== null || !this.#canSend()) return;
    const wait = this.#sentAt + this.#interval() - this.#clock.now();
    if (wait <= 0) this.#sendCaret();
    else {
      this.#timer = this.#clock.after(wait, () => {
        this.#timer = null;
        this.#sendCaret();
      });
    }
  }

  #sendCaret(): void {
    const caret = this.#caret();
    if (!this.#canSend() || equalBytes(caret, this.#sent)) return;
    this.#sent = caret;
    this.#send(caret);
  }

  #send(caret: Bytes): void {
    this.#sentAt = this.#clock.now();
    this.#headTimer?.();
    this.#headTimer = null;
    const head = this.#host.headSeq();
    this.#host.sendFrame(encodeFrame({ session: this.#session, nFrom: 0, nTo: 0, head, update: EMPTY, caret }));
  }

  /** None when alone, and none into a channel that is not joined. */
  #canSend(): boolean {
    return this.#host.isJoined() && this.#peers.length > 0;
  }

  #interval(): number {
    const now = this.#clock.now();
    const writers =
      1 + this.#peers.filter((peer) => now - (this.#latest.get(peer.session)?.at ?? -Infinity) < WRITES_FOR_MS).length;
    return Math.max(CARET_INTERVAL_MS, (1000 * this.#peers.length * writers) / DELIVERIES_PER_SECOND);
  }

  #caret(): Bytes {
    return packCaret(this.#awareness.getLocalState()?.['cursor']);
  }

  #hasCaret(): boolean {
    return this.#caret().length > 1;
  }

  #show(session: SessionId): void {
    const peer = this.#peers.find((other) => other.session === session);
    const key = this.#keys.get(session) ?? FIRST_KEY + this.#keys.size;
    this.#keys.set(session, key);
    const latest = this.#latest.get(session);
    const cursor = latest === undefined ? null : unpackCaret(latest.caret);
    if (peer === undefined || cursor === null || cursor === undefined) {
      setRemoteState(this.#awareness, key, null);
      return;
    }
    const before = this.#awareness.states.get(key);
    if (before !== undefined && equalBytes(packCaret(before['cursor']), latest?.caret ?? EMPTY)) return;
    setRemoteState(this.#awareness, key, { cursor, session, user: peer.user });
  }
}
