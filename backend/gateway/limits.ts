// Limits on what clients may use: generous for people, tight for abusive programs. Limits per address count an IPv6
// address by its /64 network, and do not apply to this machine itself unless `forLoopback` is set.
import type { JsonLimits } from '../json-inspector.ts';
import type { Rate } from './token-buckets.ts';

export type BodyLimits = JsonLimits & { readonly bytes: number };

const KIB = 1024;
const MIB = 1024 * KIB;

export type GatewayLimits = {
  /** Requests per address. Sign-ins have further limits (auth/rate-limits.ts). */
  readonly requests: Rate;
  /** Requests of an address that are handled at a time; further ones wait. Half of the connections to the database. */
  readonly requestsAtOnce: number;
  /** Uploads of files of an address; they may take long, and must not keep its other requests waiting. */
  readonly uploadsAtOnce: number;
  /** TCP connections, in total and per address. */
  readonly connections: number;
  readonly connectionsPerAddress: number;
  /** Open WebSockets per client address. Behind a trusted proxy this is the only limit: connections are the proxy's. */
  readonly socketsPerAddress: number;
  /** Longer request URLs get 414. The longest one that the app sends lists 150 people in 6 KiB. */
  readonly urlBytes: number;
  /** Size of all headers of a request, and their number; beyond either: 431. */
  readonly headerBytes: number;
  readonly headers: number;
  /** One body, by who sends it: a signed-in person or the secret key, or someone who has only the public key. */
  readonly body: BodyLimits;
  readonly anonymousBody: BodyLimits;
  /** Bytes of the bodies that one address sends at a time, and of all bodies. */
  readonly bodyBytesPerAddress: number;
  readonly bodyBytesInTotal: number;
  /** A body may take `bodyGraceMs`, plus a second for every `bodyBytesPerSecond` that have arrived; then 408. */
  readonly bodyGraceMs: number;
  readonly bodyBytesPerSecond: number;
  /** Time until the headers, and until the whole request, must have arrived. */
  readonly headersMs: number;
  readonly requestMs: number;
  /** A connection without traffic is closed after this time, for example when a client stops reading its answer. */
  readonly idleMs: number;
  /** Idle time between two requests. Longer than the usual 60 s of proxies, or they would reuse a closed connection. */
  readonly keepAliveMs: number;
  /** How often Node checks for connections that have timed out. */
  readonly checkMs: number;
  /** Whether limits per address apply to 127.0.0.1 and ::1 too. */
  readonly forLoopback: boolean;
};

export const DEFAULT_LIMITS: GatewayLimits = {
  requests: { burst: 1_000, perSecond: 200 },
  requestsAtOnce: 8,
  uploadsAtOnce: 16,
  connections: 4_000,
  connectionsPerAddress: 512,
  socketsPerAddress: 512,
  urlBytes: 8 * KIB,
  headerBytes: 32 * KIB,
  headers: 100,
  // A snapshot of 20 MiB takes 27 MiB as base64, in one string. An append has at most 1,000 dependencies, of five values each.
  body: { bytes: 48 * MIB, jsonValues: 20_000, jsonDepth: 100 },
  // The longest anonymous call is a sign-up, whose metadata may be a few kB. JSON of this size is parsed in 0.1 ms.
  anonymousBody: { bytes: 16 * KIB, jsonValues: 200, jsonDepth: 16 },
  bodyBytesPerAddress: 128 * MIB,
  bodyBytesInTotal: 384 * MIB,
  bodyGraceMs: 20_000,
  bodyBytesPerSecond: 4 * KIB,
  headersMs: 15_000,
  requestMs: 600_000,
  idleMs: 120_000,
  keepAliveMs: 75_000,
  checkMs: 5_000,
  forLoopback: false,
};
