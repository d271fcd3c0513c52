// The open sockets of a server. Ends those without a channel, and all of them when messages were lost or the server
// stops.
import { setTimeout as delay } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import type { RealtimeSocket } from './socket.ts';

const SHUTDOWN_CLOSE = 1012;
/** How long clients have to answer the closing handshake. */
const SHUTDOWN_MS = 1_000;

export class OpenSockets {
  /** Each with a promise that resolves when it is closed. */
  readonly #sockets = new Map<RealtimeSocket, Promise<unknown>>();
  /** Opened since the last sweep, so they may be about to join. */
  readonly #newSockets = new Set<RealtimeSocket>();

  add(socket: RealtimeSocket, ws: WebSocket): void {
    this.#sockets.set(socket, new Promise((resolve) => ws.on('close', resolve)));
    this.#newSockets.add(socket);
    ws.on('close', () => {
      this.#sockets.delete(socket);
      this.#newSockets.delete(socket);
    });
  }

  sweepEmpty(): void {
    for (const socket of this.#sockets.keys()) {
      if (!socket.hasChannels && !this.#newSockets.has(socket)) socket.terminate();
    }
    this.#newSockets.clear();
  }

  /** With 1012, so that clients reconnect later. */
  closeAll(): void {
    for (const socket of this.#sockets.keys()) socket.close(SHUTDOWN_CLOSE);
  }

  /** Closes every socket, and terminates those that do not answer in time. */
  async endAll(): Promise<void> {
    const ended = [...this.#sockets.values()];
    this.closeAll();
    await Promise.race([Promise.all(ended), delay(SHUTDOWN_MS, null, { ref: false })]);
    for (const socket of this.#sockets.keys()) socket.terminate();
  }
}
