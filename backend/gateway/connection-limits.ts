// How many connections there may be, in all and from one address; who comes above that is told so and let go.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type AddressSet, callerOf, isLoopback, normalizeAddress } from './addresses.ts';
import type { GatewayLimits } from './limits.ts';
import { rawRefusal, retryLater } from './refusal.ts';

/** How long somebody who is let go may take to read why. */
const FAREWELL_MS = 1_000;
const RETRY_MS = 10_000;

/** Counts things under way for each caller; a caller with none takes no memory. */
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

/** `isRefused`: its requests, if any come in yet, are not to be answered. */
export function limitConnections(
  server: Server,
  limits: Pick<GatewayLimits, 'connections' | 'connectionsPerAddress' | 'forLoopback'>,
  trusted: AddressSet,
  say: (address: string, why: string) => void,
): { readonly isRefused: (socket: Duplex) => boolean } {
  const refused = new WeakSet<Duplex>();
  const perCaller = new CallerCounts();
  let open = 0;
  server.on('connection', (socket: Socket) => {
    const address = normalizeAddress(socket.remoteAddress ?? '');
    // All that come through a proxy come from its address.
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
    say(address, 'too many connections');
    socket.end(rawRefusal(retryLater(503, 'There are too many connections.', RETRY_MS)));
    setTimeout(() => socket.destroy(), FAREWELL_MS).unref();
  });
  // Behind the polite limit one that costs nothing: those who are being let go count as well.
  server.maxConnections = limits.connections + 256;
  return { isRefused: (socket) => refused.has(socket) };
}
