// A tab's channels through the simulated Realtime. Without a connection a join waits; else it may be refused or time out. A
// channel is closed if it sends too much, messages may get lost, and presence arrives late and is sometimes wrong for a
// moment, or refused.
import type { Channel, Link, LinkEvents } from 'weft-sync/ports.ts';
import type { SessionId, UserId } from 'weft-sync/protocol/ids.ts';
import type { Transport, MemoryHub, MemoryLink } from 'weft-sync/testing/memory-hub.ts';
import type { Bytes } from '../../../src/lib/bytes.ts';
import type { Cancel } from '../../../src/lib/cancel.ts';
import { type Network, TIMEOUT_MS } from './network.ts';
import type { TabScheduler } from './tab-scheduler.ts';

/** The real server delays the answer to a refused join. */
const DENIED_AFTER_MS = 5_000;
const DELIVERY_MS = 1;
/** LK7: the connection is back at a random moment within this time. */
export const CONNECTS_WITHIN_MS = 3_000;
const NO_CHANNEL: Channel = { send: () => {}, leave: () => {} };

/** Faults of a tab's connection to Realtime. */
export interface RealtimeFaults {
  readonly isRealtimeCut: boolean;
  /** The heartbeat has noticed the cut. Before that, a join is sent and gets no answer. */
  readonly isCutNoticed: boolean;
  readonly isTokenExpired: boolean;
}

export type SimLinkOptions = {
  /** Null for a watcher without an account. */
  readonly user: UserId | null;
  readonly name: string;
  readonly scheduler: TabScheduler;
  readonly network: Network;
  readonly faults: RealtimeFaults;
  readonly maxMessagesPerSecond: number;
  /** Called with every message that is sent, and how many others presence lists at that moment. */
  readonly onSend?: (payload: Bytes, others: number) => void;
};

export class SimLink implements Link {
  readonly #scheduler: TabScheduler;
  readonly #network: Network;
  readonly #faults: RealtimeFaults;
  readonly #link: MemoryLink;
  readonly #name: string;
  readonly #maxMessagesPerSecond: number;
  readonly #onSend: (payload: Bytes, others: number) => void;
  #joined: { readonly topic: string } | null = null;
  /** Joins that wait for a connection. */
  readonly #waiting = new Set<() => void>();
  /** When the messages of the last second were sent. */
  #sentAt: number[] = [];
  /** Messages to this tab are numbered, to count those that arrive out of order. */
  #lastNumber = 0;
  #highestReceived = 0;

  constructor(hub: MemoryHub, options: SimLinkOptions) {
    const { user, name, scheduler, network, faults, maxMessagesPerSecond, onSend = () => {} } = options;
    this.#scheduler = scheduler;
    this.#network = network;
    this.#faults = faults;
    this.#name = name;
    this.#maxMessagesPerSecond = maxMessagesPerSecond;
    this.#onSend = onSend;
    const transport: Transport = (deliver, fromDatabase, event, payload) => {
      const number = ++this.#lastNumber;
      network.transport(
        (run) => scheduler.later(run),
        faults.isRealtimeCut,
        { event, payload, fromDatabase, to: name },
        () => {
          if (number < this.#highestReceived) network.coverage.count('message out of order');
          this.#highestReceived = Math.max(this.#highestReceived, number);
          network.note(`${name} receives`);
          deliver();
        },
      );
    };
    this.#link = hub.link(user, transport);
  }

  /** The topic of the channel that is joined, or being joined. */
  get topic(): string | null {
    return this.#joined?.topic ?? null;
  }

  close(reason: 'closed' | 'disconnected', detail: string): void {
    this.#network.note(`${this.#name} ${detail}`);
    this.#link.close(reason, detail);
  }

  /** The server can be reached again. */
  connect(): void {
    for (const begin of this.#waiting) begin();
    this.#waiting.clear();
  }

  join(...join: Parameters<Link['join']>): Channel {
    if (this.#scheduler.isDead) return NO_CHANNEL;
    return this.#isWithoutConnection() ? this.#joinLater(join) : this.#joinNow(join);
  }

  #isWithoutConnection(): boolean {
    const { isRealtimeCut, isCutNoticed } = this.#faults;
    return this.#network.isServerDown || (isRealtimeCut && isCutNoticed);
  }

  /** LK7: the join waits for a connection. */
  #joinLater(join: Parameters<Link['join']>): Channel {
    this.#network.coverage.count('join without a connection');
    let channel = NO_CHANNEL;
    let stopConnecting = () => {};
    const begin = () => {
      stopConnecting = this.#scheduler.after(this.#network.between(0, CONNECTS_WITHIN_MS), () => {
        channel = this.join(...join);
      });
    };
    this.#waiting.add(begin);
    return {
      send: (event, payload) => channel.send(event, payload),
      leave: () => {
        this.#waiting.delete(begin);
        stopConnecting();
        channel.leave();
      },
    };
  }

  #joinNow([topic, options, on]: Parameters<Link['join']>): Channel {
    const scheduler = this.#scheduler;
    const { coverage } = this.#network;
    const fail = (ms: number, reason: 'denied' | 'disconnected', kind: 'join refused' | 'join timed out'): Channel => {
      const cancel = scheduler.after(ms, () => {
        coverage.count(kind);
        on.lost(reason, kind);
      });
      return { send: () => {}, leave: cancel };
    };
    if (this.#faults.isRealtimeCut || this.#network.fails(0.03))
      return fail(TIMEOUT_MS, 'disconnected', 'join timed out');
    if (this.#faults.isTokenExpired || this.#network.fails(0.06))
      return fail(DENIED_AFTER_MS, 'denied', 'join refused');
    if (topic.startsWith('v:')) coverage.count('reader on the view topic');
    const joined = { topic };
    this.#joined = joined;
    const left = () => {
      presence.stop();
      if (this.#joined === joined) this.#joined = null;
    };
    const presence = new LatePresence(scheduler, this.#network, (peers) => on.peers(peers));
    const isOther = (session: SessionId) => session !== options.presence;
    const scheduled: LinkEvents = {
      joined: () => scheduler.later(() => on.joined()),
      lost: (reason, detail) => {
        left();
        if (reason === 'denied') coverage.count('join refused');
        scheduler.later(() => on.lost(reason, detail));
      },
      message: (event, payload, fromDatabase) => scheduler.later(() => on.message(event, payload, fromDatabase)),
      peers: (peers) => presence.update(peers),
    };
    const { joinsAfterMs } = this.#network;
    const link = this.#link;
    let channel: Channel = joinsAfterMs > 0 ? NO_CHANNEL : link.join(topic, options, scheduled);
    const cancelJoin =
      joinsAfterMs > 0
        ? scheduler.after(joinsAfterMs, () => void (channel = link.join(topic, options, scheduled)))
        : () => {};
    return {
      send: (event, payload) => {
        if (scheduler.isDead || this.#isOverLimit() || this.#isCut()) return;
        this.#onSend(payload, presence.received.filter(isOther).length);
        channel.send(event, payload);
      },
      leave: () => {
        left();
        cancelJoin();
        channel.leave();
      },
    };
  }

  #isCut(): boolean {
    return this.#faults.isRealtimeCut || this.#network.isServerDown;
  }

  /** Realtime closes the channel of a tab that sends too much. */
  #isOverLimit(): boolean {
    const now = this.#scheduler.now();
    this.#sentAt = [...this.#sentAt.filter((at) => at > now - 1_000), now];
    if (this.#sentAt.length <= this.#maxMessagesPerSecond || this.#network.isHealed) return false;
    this.#sentAt = [];
    this.#network.coverage.count('closed for too many messages');
    this.#scheduler.after(DELIVERY_MS, () => this.close('closed', 'Too many messages per second'));
    return true;
  }
}

/** Presence arrives in order but late. Sometimes it omits someone, or lists someone who left, for a moment. */
class LatePresence {
  readonly #scheduler: TabScheduler;
  readonly #network: Network;
  readonly #report: (peers: readonly SessionId[]) => void;
  readonly #timers = new Set<Cancel>();
  #lastReportAt = 0;
  /** The list that the tab received last. */
  received: readonly SessionId[] = [];
  /** The list that the server sent last. */
  #sent: readonly SessionId[] = [];

  constructor(scheduler: TabScheduler, network: Network, report: (peers: readonly SessionId[]) => void) {
    this.#scheduler = scheduler;
    this.#network = network;
    this.#report = report;
  }

  update(peers: readonly SessionId[]): void {
    const network = this.#network;
    const isLate = network.fails(0.3);
    if (isLate) network.coverage.count('presence late');
    let delay = isLate ? network.between(300, 1_500) : network.between(1, 40);
    if (network.fails(0.1)) {
      network.coverage.count('presence wrong');
      const ghosts = this.#sent.filter((old) => !peers.includes(old));
      const missed = peers[Math.floor(network.random() * peers.length)];
      this.#reportAfter(delay, network.chance(0.5) ? [...peers, ...ghosts] : peers.filter((peer) => peer !== missed));
      delay += network.between(100, 1_500);
    }
    this.#reportAfter(delay, peers);
    this.#sent = peers;
  }

  stop(): void {
    for (const cancel of this.#timers) cancel();
    this.#timers.clear();
  }

  #reportAfter(ms: number, peers: readonly SessionId[]): void {
    const now = this.#scheduler.now();
    this.#lastReportAt = Math.max(this.#lastReportAt, now + ms);
    const cancel = this.#scheduler.after(this.#lastReportAt - now, () => {
      this.#timers.delete(cancel);
      this.received = peers;
      this.#report(peers);
    });
    this.#timers.add(cancel);
  }
}
