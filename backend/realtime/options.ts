// Limits and delays of the Realtime server; the defaults are those of supabase/realtime. Tests shorten the delays.

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
  maxBufferedBytes: 50_000_000,
  presenceCalls: 5,
  presenceWindowMs: 30_000,
  retentionHours: 72,
  retentionSweepMs: 3_600_000,
  log: (line) => process.stderr.write(`realtime: ${line}\n`),
};
