// How much of this machine the callers may take. Generous for people, tight for programs that mean harm; the limits per
// address do not hold for this machine itself, unless asked for.
import type { Rate } from './token-buckets.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

export type GatewayLimits = {
  /** Requests of one address. Sign-ins have limits of their own (auth/rate-limits.ts). */
  readonly requests: Rate;
  /** TCP connections, of everybody and of one address. */
  readonly connections: number;
  readonly connectionsPerAddress: number;
  /** Open WebSockets of one address: behind a trusted proxy they share its connections. */
  readonly socketsPerAddress: number;
  /** A longer address of a request is refused (414). */
  readonly urlBytes: number;
  /** All headers of a request, and how many (431). */
  readonly headerBytes: number;
  readonly headers: number;
  /** One body, what one address and what all have under way at once. A snapshot of 20 MiB is 27 MiB as base64 in JSON. */
  readonly bodyBytes: number;
  readonly bodyBytesPerAddress: number;
  readonly bodyBytesOfAll: number;
  /** A body may take so long, and longer as it goes on arriving at least this fast; then 408. */
  readonly bodyGraceMs: number;
  readonly bodyBytesPerSecond: number;
  /** Headers have to be there, and the whole request. */
  readonly headersMs: number;
  readonly requestMs: number;
  /** A connection on which nothing moves: somebody does not read what they asked for. */
  readonly idleMs: number;
  /** Between two requests. Longer than the 60 s that proxies keep theirs, or they would use one that is gone. */
  readonly keepAliveMs: number;
  /** How often Node looks for connections that took too long. */
  readonly checkMs: number;
  /** Whether the limits per address hold for 127.0.0.1 and ::1 too. */
  readonly forLoopback: boolean;
};

export const DEFAULT_LIMITS: GatewayLimits = {
  requests: { burst: 1_000, perSecond: 200 },
  connections: 4_000,
  connectionsPerAddress: 512,
  socketsPerAddress: 512,
  urlBytes: 16 * KIB,
  headerBytes: 32 * KIB,
  headers: 100,
  bodyBytes: 48 * MIB,
  bodyBytesPerAddress: 128 * MIB,
  bodyBytesOfAll: 384 * MIB,
  bodyGraceMs: 20_000,
  bodyBytesPerSecond: 4 * KIB,
  headersMs: 15_000,
  requestMs: 600_000,
  idleMs: 120_000,
  keepAliveMs: 75_000,
  checkMs: 5_000,
  forLoopback: false,
};
