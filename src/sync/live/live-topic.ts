// The live topic of one document, or its view topic: joins and leaves channels, drops what comes from a channel that was given up, and
// takes rows and "moved" from the database alone.
import type { Bytes } from '../../lib/bytes.ts';
import { type LiveUpdate, decodeLiveUpdate } from '../../protocol/live-update.ts';
import type { DocumentId, SessionId, UserId } from '../../protocol/ids.ts';
import { type RowMessage, decodeRows } from '../../protocol/row.ts';
import { EVENTS, type Epoch, liveTopic, viewTopic } from '../../protocol/topics.ts';
import type { Channel, Link, Peer } from '../ports.ts';
import { Presence } from '../connection/presence.ts';
import type { TopicMode } from './topic-mode.ts';

export interface LiveTopicHost {
  joined(): void;
  lost(reason: 'denied' | 'closed' | 'disconnected', detail: string): void;
  moved(): void;
  rows(message: RowMessage): void;
  liveUpdate(liveUpdate: LiveUpdate): void;
  peersChanged(): void;
}

export class LiveTopic {
  readonly #host: LiveTopicHost;
  readonly #link: Link;
  readonly #document: DocumentId;
  readonly #self: { readonly session: SessionId; readonly user: UserId };
  readonly #presence: Presence;
  #channel: { readonly channel: () => Channel | null; readonly epoch: Epoch } | null = null;
  #isJoined = false;
  #mode: TopicMode = 'live';

  constructor(host: LiveTopicHost, link: Link, document: DocumentId, self: { session: SessionId; user: UserId }) {
    this.#host = host;
    this.#link = link;
    this.#document = document;
    this.#self = self;
    this.#presence = new Presence(self.session);
  }

  /** Only there others hear what is sent. */
  get isOnLive(): boolean {
    return this.#isJoined && this.#mode === 'live';
  }

  /** The epoch of the topic we are on or are joining. */
  get epoch(): Epoch | null {
    return this.#channel?.epoch ?? null;
  }

  get peers(): readonly Peer[] {
    return this.#presence.peers;
  }

  get others(): number | null {
    return this.isOnLive ? this.#presence.others : null;
  }

  join(epoch: Epoch, mode: TopicMode = 'live'): void {
    this.leave();
    this.#mode = mode;
    let channel: Channel | null = null;
    const mine = { channel: () => channel, epoch };
    this.#channel = mine;
    const current = () => this.#channel === mine;
    channel = this.#link.join(
      mode === 'live' ? liveTopic(this.#document, epoch) : viewTopic(this.#document, epoch),
      { presence: mode === 'live' ? this.#self : null },
      {
        joined: () => {
          if (!current()) return;
          this.#isJoined = true;
          this.#host.joined();
        },
        lost: (reason, detail) => {
          if (!current()) return;
          this.#forget();
          this.#host.lost(reason, detail);
        },
        message: (event, payload, fromDatabase) => {
          if (current()) this.#receive(event, payload, fromDatabase);
        },
        peers: (peers) => {
          if (!current()) return;
          this.#presence.set(peers);
          this.#host.peersChanged();
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
    if (this.isOnLive) this.#channel?.channel()?.send(EVENTS.liveUpdate, bytes);
  }

  #forget(): void {
    this.#channel = null;
    this.#isJoined = false;
    this.#presence.clear();
    this.#host.peersChanged();
  }

  /** Whatever does not decode is dropped: the next head check brings what mattered. */
  #receive(event: string, payload: Bytes, fromDatabase: boolean): void {
    if (event === EVENTS.liveUpdate && !fromDatabase) {
      const liveUpdate = decodeLiveUpdate(payload);
      if (liveUpdate.ok) this.#host.liveUpdate(liveUpdate.value);
    } else if (event === EVENTS.rows && fromDatabase) {
      const message = decodeRows(payload);
      if (message.ok) this.#host.rows(message.value);
    } else if (event === EVENTS.moved && fromDatabase) {
      this.#host.moved();
    }
  }
}
