// Limits the number of open connections, in total and per address (for IPv6 per /64). A connection above the limit gets a
// 503 and is closed.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type AddressSet, callerOf, isLoopback, normalizeAddress } from './addresses.ts';
import type { GatewayLimits } from './limits.ts';
import { rawRefusal, retryLater } from './refusal.ts';

/** How long a refused client has to read the answer. */
const CLOSE_DELAY_MS = 1_000;
const RETRY_MS = 10_000;

/** A counter per caller. A caller whose count is zero takes no memory. */
export class CallerCounts {
  readonly #counts = new Map<string, number>();

  of(caller: string): number {
    return this.#counts.get(caller) ?? 0;
  }

  add(caller: string, amount: number): void {
    const count = this.of(caller) + amount;
    if (count > 0) this.#counts.set(caller, count);
    else this.#counts.delete(caller);
  }
}

/** `isRefused` says whether a connection was refused: requests that still arrive on it get no answer. */
export function limitConnections(
  server: Server,
  limits: Pick<GatewayLimits, 'connections' | 'connectionsPerAddress' | 'forLoopback'>,
  trusted: AddressSet,
  log: (address: string, reason: string) => void,
): { readonly isRefused: (socket: Duplex) => boolean } {
  const refused = new WeakSet<Duplex>();
  const perCaller = new CallerCounts();
  let open = 0;
  server.on('connection', (socket: Socket) => {
    const address = normalizeAddress(socket.remoteAddress ?? '');
    // All clients of a proxy share its address.
    const isCounted = !trusted.has(address) && (limits.forLoopback || !isLoopback(address));
    const caller = isCounted ? callerOf(address) : null;
    const tooMany =
      open >= limits.connections || (caller !== null && perCaller.of(caller) >= limits.connectionsPerAddress);
    open++;
    if (caller !== null) perCaller.add(caller, 1);
    socket.once('close', () => {
      open--;
      if (caller !== null) perCaller.add(caller, -1);
    });
    if (!tooMany) return;
    refused.add(socket);
    log(address, 'too many connections');
    socket.end(rawRefusal(retryLater(503, 'There are too many connections.', RETRY_MS)));
    setTimeout(() => socket.destroy(), CLOSE_DELAY_MS).unref();
  });
  // A second, cheaper limit: above it Node closes new connections without an answer. Refused ones count until they close.
  server.maxConnections = limits.connections + 256;
  return { isRefused: (socket) => refused.has(socket) };
}
