// Limits and delays of the Realtime server; the defaults are those of supabase/realtime, but for what a plan limits: nobody
// pays for these messages. Tests shorten the delays.

export type RealtimeOptions = {
  /** Before a refused handshake is answered. */
  readonly connectErrorDelayMs: number;
  /** Before a refused join is answered. */
  readonly channelErrorDelayMs: number;
  /** A socket that sends nothing for so long is closed with 1000. */
  readonly idleTimeoutMs: number;
  /** How often sockets without any channel are looked for and dropped. */
  readonly emptySocketSweepMs: number;
  /** A token is looked at again after so long, or at its expiry. */
  readonly tokenCheckMs: number;
  /** Of one broadcast or presence payload, with its envelope (see `payload-size.ts`). */
  readonly maxPayloadBytes: number;
  /** A longer frame drops the socket. */
  readonly maxFrameBytes: number;
  /** A socket that lets so much pile up is dropped: it would cost everybody's memory. */
  readonly maxBufferedBytes: number;
  /** Only private channels may be joined. */
  readonly privateOnly: boolean;
  /** Channels of one socket at the same time. */
  readonly maxChannels: number;
  /** Sockets that have joined something. Of a hosted project this and what follows depends on its plan. */
  readonly maxUsers: number;
  readonly maxJoinsPerSecond: number;
  /** Messages sent plus messages delivered, of all sockets. */
  readonly maxEventsPerSecond: number;
  readonly maxPresenceEventsPerSecond: number;
  /** Those per second are averages over so many ticks of so many milliseconds. */
  readonly rateTicks: number;
  readonly rateTickMs: number;
  /** Calls of track and untrack per channel and window. */
  readonly presenceCalls: number;
  readonly presenceWindowMs: number;
  /** Rows of realtime.messages are kept so long. */
  readonly retentionHours: number;
  readonly retentionSweepMs: number;
  /** What the operator should know; never a payload or a token. */
  readonly log: (line: string) => void;
};

export const DEFAULT_OPTIONS: RealtimeOptions = {
  connectErrorDelayMs: 2_000,
  channelErrorDelayMs: 5_000,
  idleTimeoutMs: 60_000,
  emptySocketSweepMs: 600_000,
  tokenCheckMs: 300_000,
  maxPayloadBytes: 3_000_500,
  maxFrameBytes: 5_000_000,
  maxBufferedBytes: 16_000_000,
  privateOnly: false,
  maxChannels: 100,
  maxUsers: 10_000,
  maxJoinsPerSecond: 1_000,
  maxEventsPerSecond: 50_000,
  maxPresenceEventsPerSecond: 50_000,
  rateTicks: 12,
  rateTickMs: 5_000,
  presenceCalls: 5,
  presenceWindowMs: 30_000,
  retentionHours: 72,
  retentionSweepMs: 3_600_000,
  log: (line) => process.stderr.write(`realtime: ${line}\n`),
};
