// One WebSocket: decodes and encodes frames, keeps its channels, and closes when it must. Knows nothing about what
// channels send.
import { setTimeout as delay } from 'node:timers/promises';
import { type RawData, WebSocket } from 'ws';
import { JsonInspector } from '../../json-inspector.ts';
import { admit } from '../channel/admission.ts';
import { type ChannelServices, type ChannelWire, SocketChannel } from '../channel/channel.ts';
import { decodeBinary, decodeText } from '../wire/frame-decoder.ts';
import { encodeMessage } from '../wire/frame-encoder.ts';
import { type Incoming, type JsonObject, type Ref, TOPIC_PREFIX, type WireFrame } from '../wire/wire-message.ts';

const IDLE_CLOSE = 1000;
/** Sent after one join too many. */
const AWAY_CLOSE = 1001;
/** Joins are answered while less than this part of `maxBufferedBytes` is unsent. */
const JOINING_SHARE = 0.25;
const DRAIN_CHECK_MS = 20;
/** A waiting message takes this much memory besides its frame. */
const MESSAGE_OVERHEAD_BYTES = 1_000;

export class RealtimeSocket {
  readonly #ws: WebSocket;
  /** The API key that opened the socket, and the token of channels that bring none. */
  readonly #token: string;
  readonly #services: ChannelServices;
  readonly #channels = new Map<string, SocketChannel>();
  readonly #idle: NodeJS.Timeout;
  readonly #ending = new AbortController();
  readonly #wire: ChannelWire;
  #inbox: Promise<void> = Promise.resolve();
  /** Frames that are not handled yet. */
  #waitingBytes = 0;
  #closed = false;

  constructor(ws: WebSocket, token: string, services: ChannelServices) {
    this.#ws = ws;
    this.#token = token;
    this.#services = services;
    this.#idle = setTimeout(() => ws.close(IDLE_CLOSE), services.options.idleTimeoutMs);
    this.#wire = {
      sendFrame: (frame) => this.#sendFrame(frame),
      send: (joinRef, ref, topic, event, payload) => this.#send(joinRef, ref, topic, event, payload),
      presences: () => [...this.#channels.values()].filter((channel) => channel.isPresent).length,
      remove: (channel) => {
        // A newer join of the same topic may have replaced it already.
        if (this.#channels.get(channel.topic) === channel) this.#channels.delete(channel.topic);
      },
    };
    ws.on('message', (data, isBinary) => this.#receive(data, isBinary));
    ws.on('ping', () => this.#idle.refresh());
    ws.on('error', () => ws.terminate());
    ws.on('close', () => this.#end());
  }

  get hasChannels(): boolean {
    return this.#channels.size > 0;
  }

  close(code: number): void {
    this.#ws.close(code);
  }

  /** Closes without the closing handshake. */
  terminate(): void {
    this.#ws.terminate();
  }

  #receive(data: RawData, isBinary: boolean): void {
    this.#idle.refresh();
    // The server sets no binaryType, so ws delivers single buffers only.
    if (!Buffer.isBuffer(data)) return;
    if (data.length > this.#services.options.maxFrameBytes) return this.terminate();
    if (!isBinary && !this.#isModest(data)) return this.terminate();
    const message = isBinary ? decodeBinary(data) : decodeText(data.toString());
    if (message === null) return;
    // Its receivers parse it.
    if (message.kind === 'broadcast' && message.encoding === 'json' && !this.#isModest(message.content)) {
      return this.terminate();
    }
    const bytes = data.length + MESSAGE_OVERHEAD_BYTES;
    this.#countWaiting(bytes);
    // One after the other, like Phoenix: a join delays the messages behind it (by five seconds when it is refused).
    this.#inbox = this.#inbox
      .then(() => this.#handle(message))
      .then(({ inChannel }) => void inChannel.then(() => this.#countWaiting(-bytes)))
      .catch((error: unknown) => {
        this.#services.options.log(
          `a socket failed: ${error instanceof Error ? (error.stack ?? error.message) : 'unknown'}`,
        );
        this.terminate();
      });
  }

  #isModest(json: Uint8Array): boolean {
    return new JsonInspector(this.#services.options.frameJson).accepts(json);
  }

  #countWaiting(bytes: number): void {
    this.#waitingBytes += bytes;
    const isTooMuch = this.#waitingBytes > this.#services.options.maxWaitingBytes;
    if (isTooMuch === this.#ws.isPaused) return;
    if (isTooMuch) this.#ws.pause();
    else this.#ws.resume();
  }

  /** Resolves when the next message may be handled; a channel may still be busy with this one. */
  async #handle(message: Incoming): Promise<{ readonly inChannel: Promise<void> }> {
    const channel = this.#closed ? undefined : this.#channels.get(message.topic);
    const isJoin = message.kind === 'message' && message.event === 'phx_join' && message.topic.startsWith(TOPIC_PREFIX);
    if (channel !== undefined && !isJoin) return { inChannel: channel.receive(message) };
    if (!this.#closed && isJoin) await this.#join(message);
    else if (!this.#closed) this.#answer(message);
    return { inChannel: Promise.resolve() };
  }

  /** Answers a message that is for no channel. */
  #answer(message: Incoming): void {
    const { ref, topic } = message;
    const event = message.kind === 'broadcast' ? 'broadcast' : message.event;
    if (topic === 'phoenix' && event === 'heartbeat') return this.#reply(null, ref, topic, 'ok', {});
    // Leaving a topic that was not joined succeeds.
    if (event === 'phx_leave') return this.#reply(message.joinRef, ref, topic, 'ok', {});
    this.#reply(null, ref, topic, 'error', { reason: 'unmatched topic' });
  }

  async #join(message: Incoming & { readonly kind: 'message' }): Promise<void> {
    const { topic, ref } = message;
    const joinRef = message.joinRef ?? ref;
    await this.#drained();
    const replaced = await this.#removeChannel(topic);
    const admission = await admit(this.#services, {
      topic,
      joinRef,
      payload: message.payload,
      socketToken: this.#token,
      socket: this,
      channels: this.#channels.size,
    });
    if (!admission.ok) await this.#waitToRefuse();
    if (this.#closed) return;
    let channel: SocketChannel | null = null;
    if (admission.ok) {
      channel = new SocketChannel(this.#services, this.#wire, admission.value);
      this.#channels.set(topic, channel);
      this.#services.quotas.addUser(this);
      // The answer of Supabase Realtime to a join that asks for no changes of tables.
      this.#reply(joinRef, ref, topic, 'ok', { postgres_changes: [] });
    } else {
      this.#reply(joinRef, ref, topic, 'error', { reason: admission.error.reason });
    }
    // In the order of Supabase Realtime: first the reply to the new join, then the end of the old channel.
    if (replaced !== null) this.#send(replaced.joinRef, replaced.joinRef, topic, 'phx_close', {});
    channel?.start();
    if (!admission.ok && admission.error.closesSocket) this.close(AWAY_CLOSE);
  }

  /** A socket has one channel per topic: a second join ends the first, private or public. */
  async #removeChannel(topic: string): Promise<SocketChannel | null> {
    const channel = this.#channels.get(topic);
    if (channel === undefined) return null;
    await channel.settled();
    // By now, an earlier leave has been answered.
    if (this.#channels.get(topic) !== channel) return null;
    channel.endSilently();
    return channel;
  }

  /** A join brings the presence state of its topic. Many at once must not end the socket of someone who reads slowly. */
  async #drained(): Promise<void> {
    const mostUnsent = JOINING_SHARE * this.#services.options.maxBufferedBytes;
    while (!this.#closed && this.#ws.bufferedAmount > mostUnsent) {
      await delay(DRAIN_CHECK_MS, null, { signal: this.#ending.signal }).catch(() => {});
    }
  }

  async #waitToRefuse(): Promise<void> {
    // Rejects when the socket closes; then no one is left to answer.
    await delay(this.#services.options.channelErrorDelayMs, null, { signal: this.#ending.signal }).catch(() => {});
  }

  #end(): void {
    this.#closed = true;
    this.#ending.abort();
    clearTimeout(this.#idle);
    this.#services.quotas.removeUser(this);
    for (const channel of this.#channels.values()) channel.endSilently();
  }

  #reply(joinRef: Ref, ref: Ref, topic: string, status: 'ok' | 'error', response: JsonObject): void {
    this.#send(joinRef, ref, topic, 'phx_reply', { status, response });
  }

  #send(joinRef: Ref, ref: Ref, topic: string, event: string, payload: JsonObject): void {
    this.#sendFrame(encodeMessage({ joinRef, ref, topic, event, payload }));
  }

  #sendFrame(frame: WireFrame): void {
    if (this.#ws.readyState !== WebSocket.OPEN) return;
    this.#ws.send(frame.data, { binary: frame.binary });
    if (this.#ws.bufferedAmount > this.#services.options.maxBufferedBytes) this.terminate();
  }
}
