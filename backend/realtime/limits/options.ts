// Limits and delays of the Realtime server. Defaults are those of Supabase Realtime, except for the rates, which are above those
// of any plan, and for the sizes of joins and presence, which it hardly limits. Tests shorten the delays.
import type { JsonLimits } from '../../json-inspector.ts';

export type RealtimeOptions = {
  /** Delay before a refused handshake is answered. */
  readonly connectErrorDelayMs: number;
  /** Delay before a refused join is answered. */
  readonly channelErrorDelayMs: number;
  /** A socket that sends nothing for this time is closed with 1000. */
  readonly idleTimeoutMs: number;
  /** How often sockets without channels are closed. */
  readonly emptySocketSweepMs: number;
  /** A token is checked after this time, or at its expiry. */
  readonly tokenCheckMs: number;
  /** The largest broadcast, including its envelope (see `payload-size.ts`). */
  readonly maxPayloadBytes: number;
  /** Topic and payload of a join, which a channel keeps: its token has about 1 kB. */
  readonly maxJoinBytes: number;
  /** A longer frame closes the socket. */
  readonly maxFrameBytes: number;
  /** Limits of the JSON in a frame. Parsing more would stop the event loop, so a frame above them closes the socket. */
  readonly frameJson: JsonLimits;
  /** While more than this waits for its turn, the server does not read the socket: a refused join alone takes five seconds. */
  readonly maxWaitingBytes: number;
  /** A socket with more unsent bytes is closed, since it would use everyone's memory. */
  readonly maxBufferedBytes: number;
  /** The largest presence state (see `presenceSize`). Weft's own states have about 200 bytes. */
  readonly maxPresenceBytes: number;
  /** Presence states of one socket, over all its topics. A tab of Weft has two. */
  readonly maxPresencesPerSocket: number;
  /** The states of one person on one topic: about 20 tabs on one page. */
  readonly maxPresenceBytesPerPerson: number;
  /** All states of one topic: everyone who joins receives them in one message. */
  readonly maxPresenceBytesPerTopic: number;
  /** Whether only private channels may be joined. */
  readonly privateOnly: boolean;
  /** Channels per socket. */
  readonly maxChannels: number;
  /** Sockets with at least one join. In a hosted project this limit and the next ones depend on the plan. */
  readonly maxUsers: number;
  readonly maxJoinsPerSecond: number;
  /** Messages sent plus messages delivered, over all sockets. */
  readonly maxEventsPerSecond: number;
  readonly maxPresenceEventsPerSecond: number;
  /** Rates per second are averages over this many ticks of this many milliseconds. */
  readonly rateTicks: number;
  readonly rateTickMs: number;
  /** Calls of track and untrack per channel and time window. */
  readonly presenceCalls: number;
  /** The same for all channels of a person, since a new channel starts with a new limit. */
  readonly presenceCallsPerPerson: number;
  readonly presenceWindowMs: number;
  /** How long rows stay in realtime.messages. */
  readonly retentionHours: number;
  readonly retentionSweepMs: number;
  /** Receives log lines, which never hold a payload or a token. */
  readonly log: (line: string) => void;
};

export const DEFAULT_OPTIONS: RealtimeOptions = {
  connectErrorDelayMs: 2_000,
  channelErrorDelayMs: 5_000,
  idleTimeoutMs: 60_000,
  emptySocketSweepMs: 600_000,
  tokenCheckMs: 300_000,
  maxPayloadBytes: 3_000_500,
  maxJoinBytes: 65_536,
  maxFrameBytes: 5_000_000,
  frameJson: { jsonValues: 20_000, jsonDepth: 100 },
  maxWaitingBytes: 8_000_000,
  maxBufferedBytes: 16_000_000,
  maxPresenceBytes: 1_024,
  maxPresencesPerSocket: 20,
  maxPresenceBytesPerPerson: 4_096,
  maxPresenceBytesPerTopic: 262_144,
  privateOnly: false,
  maxChannels: 100,
  maxUsers: 10_000,
  maxJoinsPerSecond: 1_000,
  maxEventsPerSecond: 50_000,
  maxPresenceEventsPerSecond: 50_000,
  rateTicks: 12,
  rateTickMs: 5_000,
  presenceCalls: 5,
  presenceCallsPerPerson: 100,
  presenceWindowMs: 30_000,
  retentionHours: 72,
  retentionSweepMs: 3_600_000,
  log: (line) => process.stderr.write(`realtime: ${line}\n`),
};
