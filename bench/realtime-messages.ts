// Counts the Realtime messages of several people second by second, as Supabase does: one when it is sent, one for each person
// who receives it. Presence is counted by itself, because it has a limit of its own.
import * as v from 'valibot';
import { parseOrNull } from '../src/lib/parse-or-null.ts';
import type { ClientNetwork, Direction } from './client-network.ts';

/** A reply, or a notice of the system. */
const refused = v.object({
  status: v.literal('error'),
  message: v.optional(v.string()),
  response: v.optional(v.unknown()),
});
const KINDS = ['sent', 'delivered', 'rows', 'presence'] as const;
type Kind = (typeof KINDS)[number];
/** A received binary message: its fourth byte is the length of the mark that messages of the database have. */
const MARK_LENGTH_AT = 3;

export class RealtimeMessages {
  #startedAt = performance.now();
  #counts: Record<Kind, number[]> = { sent: [], delivered: [], rows: [], presence: [] };
  readonly #stops: (() => void)[];
  /** Requests and channels that the server refused, with its words. */
  readonly #notices = new Map<string, number>();
  refused = 0;
  closed = 0;

  constructor(networks: readonly ClientNetwork[]) {
    this.#stops = networks.map((network) => {
      /** Channels that the client leaves by itself. */
      const left = new Set<unknown>();
      return network.onMessage((direction, message, isBinary) => {
        if (isBinary) this.#countBinary(direction, message);
        else this.#countText(JSON.parse(Buffer.from(message).toString()), direction, left);
      });
    });
  }

  /** Counts anew from here. */
  restart(): void {
    this.#startedAt = performance.now();
    this.#counts = { sent: [], delivered: [], rows: [], presence: [] };
    this.#notices.clear();
    this.refused = 0;
    this.closed = 0;
  }

  stop(): void {
    for (const stop of this.#stops) stop();
  }

  perSecond(): Readonly<Record<Kind, readonly number[]>> {
    const seconds = Math.max(...KINDS.map((kind) => this.#counts[kind].length));
    const filled = (kind: Kind) => Array.from({ length: seconds }, (_, second) => this.#counts[kind][second] ?? 0);
    return { sent: filled('sent'), delivered: filled('delivered'), rows: filled('rows'), presence: filled('presence') };
  }

  /** Messages per second, presence excepted, over the busiest stretch of this many seconds. */
  highestAverage(seconds: number): number {
    const { sent, delivered, rows } = this.perSecond();
    const all = sent.map((count, second) => count + (delivered[second] ?? 0) + (rows[second] ?? 0));
    const length = Math.min(seconds, all.length);
    const stretches = Array.from({ length: all.length - length + 1 }, (_, from) => all.slice(from, from + length));
    return Math.max(0, ...stretches.map((one) => one.reduce((sum, count) => sum + count, 0) / Math.max(1, length)));
  }

  describe(): string {
    const counts = this.perSecond();
    const highest = `${this.highestAverage(5).toFixed(1)} in 5 s, ${this.highestAverage(60).toFixed(1)} in a minute`;
    const total = KINDS.map((kind) => `${counts[kind].reduce((sum, count) => sum + count, 0)} ${kind}`).join(', ');
    const notices = [...this.#notices].map(([text, count]) => `${count} × ${text}`).join(', ');
    return `${total} in ${counts.sent.length} s; highest ${highest}; ${this.closed} closed; ${notices}`;
  }

  #countBinary(direction: Direction, message: Uint8Array): void {
    if (direction === 'up') this.#count('sent');
    else this.#count((message[MARK_LENGTH_AT] ?? 0) > 0 ? 'rows' : 'delivered');
  }

  #countText(message: unknown, direction: Direction, left: Set<unknown>): void {
    if (!Array.isArray(message)) return;
    const [joinRef, , , event, payload]: unknown[] = message;
    if (event === 'phx_leave') left.add(joinRef);
    if (event === 'presence' || event === 'presence_diff' || event === 'presence_state') this.#count('presence');
    // y-supabase broadcasts as JSON, Weft as bytes.
    if (event === 'broadcast') this.#count(direction === 'up' ? 'sent' : 'delivered');
    if (direction === 'up') return;
    if (event === 'phx_close' && !left.has(joinRef)) this.closed++;
    const refusal = parseOrNull(refused, payload);
    if (refusal === null) return;
    this.refused++;
    const text = refusal.message ?? JSON.stringify(refusal.response);
    this.#notices.set(text, (this.#notices.get(text) ?? 0) + 1);
  }

  #count(kind: Kind): void {
    const second = Math.floor((performance.now() - this.#startedAt) / 1_000);
    this.#counts[kind][second] = (this.#counts[kind][second] ?? 0) + 1;
  }
}
