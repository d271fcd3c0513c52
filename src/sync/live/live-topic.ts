// The live topic of one document, or its view topic: joins and leaves channels, ignores a channel that was left, and
// accepts rows, presenters, writers and "moved" from the database alone. `TopicModeSwitch` decides which of the two to join,
// and when.
import type { Bytes } from '../../lib/bytes.ts';
import type { TopicMode } from '../connection/connection-state.ts';
import type { Channel } from '../ports.ts';
import { decodeBeside } from '../protocol/beside.ts';
import { decodeLiveUpdate } from '../protocol/live-update.ts';
import { decodePresenting } from '../protocol/presenting.ts';
import { decodeRows } from '../protocol/row.ts';
import { EVENTS, type Epoch, liveTopic, viewTopic } from '../protocol/topics.ts';
import type { SessionContext } from '../session-context.ts';

/** The part of the context that the topic reads. */
type TopicContext = Pick<SessionContext, 'documentId' | 'sessionId' | 'presence' | 'emit'> & {
  readonly ports: Pick<SessionContext['ports'], 'link'>;
};

export class LiveTopic {
  readonly #context: TopicContext;
  #channel: { readonly channel: () => Channel | null; readonly epoch: Epoch } | null = null;

  constructor(context: TopicContext) {
    this.#context = context;
  }

  /** The epoch of the topic that is joined or being joined. */
  get epoch(): Epoch | null {
    return this.#channel?.epoch ?? null;
  }

  join(epoch: Epoch, mode: TopicMode = 'live'): void {
    const { documentId, sessionId, presence, ports, emit } = this.#context;
    this.leave();
    let channel: Channel | null = null;
    const mine = { channel: () => channel, epoch };
    this.#channel = mine;
    const isCurrent = () => this.#channel === mine;
    channel = ports.link.join(
      mode === 'live' ? liveTopic(documentId, epoch) : viewTopic(documentId, epoch),
      { presence: mode === 'live' ? sessionId : null },
      {
        joined: () => {
          if (!isCurrent()) return;
          if (mode === 'live') presence.joinedLive();
          emit({ type: 'topicJoined' });
        },
        lost: (reason, detail) => {
          if (!isCurrent()) return;
          this.#forget();
          emit({ type: 'topicLost', reason, detail });
        },
        message: (event, payload, fromDatabase) => {
          if (isCurrent()) this.#receive(event, payload, fromDatabase);
        },
        peers: (peers) => {
          if (!isCurrent()) return;
          presence.set(peers);
          emit({ type: 'peersChanged' });
        },
      },
    );
  }

  leave(): void {
    const left = this.#channel;
    if (left === null) return;
    this.#forget();
    left.channel()?.leave();
  }

  send(bytes: Bytes): void {
    if (this.#context.presence.isOnLive) this.#channel?.channel()?.send(EVENTS.liveUpdate, bytes);
  }

  #forget(): void {
    this.#channel = null;
    this.#context.presence.left();
    this.#context.emit({ type: 'peersChanged' });
  }

  /** Drops what does not decode: the next head check brings what mattered. */
  #receive(event: string, payload: Bytes, fromDatabase: boolean): void {
    const { emit } = this.#context;
    if (event === EVENTS.liveUpdate && !fromDatabase) {
      const update = decodeLiveUpdate(payload);
      if (update.ok) emit({ type: 'liveUpdateReceived', update: update.value });
    } else if (event === EVENTS.rows && fromDatabase) {
      const message = decodeRows(payload);
      if (message.ok) emit({ type: 'rowsPublished', message: message.value });
    } else if (event === EVENTS.moved && fromDatabase) {
      emit({ type: 'topicMoved' });
    } else if (event === EVENTS.presenting && fromDatabase) {
      const message = decodePresenting(payload);
      if (message !== null) emit({ type: 'presentingSaid', message });
    } else if (event === EVENTS.beside && fromDatabase) {
      const message = decodeBeside(payload);
      if (message !== null) emit({ type: 'besideSaid', message });
    }
  }
}
