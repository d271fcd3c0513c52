// A tab's channels through the simulated Realtime: refused, timed out, closed, limited, with presence that is late and
// sometimes wrong for a moment.
import type { Cancel } from '../../../src/lib/cancel.ts';
import type { Transport, MemoryHub, MemoryLink } from '../../memory/memory-hub.ts';
import type { Bytes } from '../../../src/lib/bytes.ts';
import type { UserId } from '../../../src/protocol/ids.ts';
import type { Channel, Link, LinkEvents, Peer } from '../../../src/sync/ports.ts';
import type { TabScheduler } from './tab-scheduler.ts';
import { type Network, TIMEOUT_MS } from './network.ts';

/** The real server delays the answer to a refused join. */
const DENIED_AFTER_MS = 5_000;
const DELIVERY_MS = 1;
const NOTHING: Channel = { send: () => {}, leave: () => {} };

export interface Wire {
  readonly isRealtimeCut: boolean;
  readonly isTokenExpired: boolean;
}

export class SimLink implements Link {
  readonly #scheduler: TabScheduler;
  readonly #network: Network;
  readonly #wire: Wire;
  readonly #link: MemoryLink;
  readonly #name: string;
  readonly #maxPerSecond: number;
  readonly #sentLiveUpdate: (payload: Bytes, others: number) => void;
  #joined: { readonly topic: string } | null = null;
  /** Was closed for sending too much, and sends less from then on. */
  wasLimited = false;
  #sentAt: number[] = [];
  #sent = 0;
  #received = 0;

  constructor(
    hub: MemoryHub,
    user: UserId | null,
    scheduler: TabScheduler,
    network: Network,
    wire: Wire,
    name: string,
    maxPerSecond: number,
    sentFrame: (payload: Bytes, others: number) => void = () => {},
  ) {
    this.#scheduler = scheduler;
    this.#network = network;
    this.#wire = wire;
    this.#name = name;
    this.#maxPerSecond = maxPerSecond;
    this.#sentLiveUpdate = sentFrame;
    const transport: Transport = (deliver, fromDatabase, event, payload) => {
      const nth = ++this.#sent;
      network.transport(
        (run) => scheduler.later(run),
        wire.isRealtimeCut,
        { event, payload, fromDatabase, to: name },
        () => {
          if (nth < this.#received) network.coverage.count('message out of order');
          this.#received = Math.max(this.#received, nth);
          network.note(`${name} hears`);
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

  join(...[topic, options, on]: Parameters<Link['join']>): Channel {
    const scheduler = this.#scheduler;
    if (scheduler.isDead) return NOTHING;
    const { coverage } = this.#network;
    const fail = (ms: number, reason: 'denied' | 'disconnected', kind: 'join refused' | 'join timed out'): Channel => {
      const cancel = scheduler.after(ms, () => {
        coverage.count(kind);
        on.lost(reason, kind);
      });
      return { send: () => {}, leave: cancel };
    };
    if (this.#wire.isRealtimeCut || this.#network.fails(0.03))
      return fail(TIMEOUT_MS, 'disconnected', 'join timed out');
    if (this.#wire.isTokenExpired || this.#network.fails(0.06)) return fail(DENIED_AFTER_MS, 'denied', 'join refused');
    if (topic.startsWith('v:')) coverage.count('reader on the view topic');
    const joined = { topic };
    this.#joined = joined;
    const gone = () => {
      presence.stop();
      if (this.#joined === joined) this.#joined = null;
    };
    const presence = new LatePresence(scheduler, this.#network, (peers) => on.peers(peers));
    const isOther = (peer: Peer) => peer.session !== options.presence?.session;
    const scheduled: LinkEvents = {
      joined: () => scheduler.later(() => on.joined()),
      lost: (reason, detail) => {
        gone();
        if (reason === 'denied') coverage.count('join refused');
        scheduler.later(() => on.lost(reason, detail));
      },
      message: (event, payload, fromDatabase) => scheduler.later(() => on.message(event, payload, fromDatabase)),
      peers: (peers) => presence.tell(peers),
    };
    const { joinsAfterMs } = this.#network;
    const link = this.#link;
    let channel: Channel = joinsAfterMs > 0 ? NOTHING : link.join(topic, options, scheduled);
    const late =
      joinsAfterMs > 0
        ? scheduler.after(joinsAfterMs, () => void (channel = link.join(topic, options, scheduled)))
        : () => {};
    return {
      send: (event, payload) => {
        if (scheduler.isDead || this.#isOverLimit() || this.#wire.isRealtimeCut) return;
        this.#sentLiveUpdate(payload, presence.received.filter(isOther).length);
        channel.send(event, payload);
      },
      leave: () => {
        gone();
        late();
        channel.leave();
      },
    };
  }

  /** The channel of a tab that sends too much is closed, with the reason. */
  #isOverLimit(): boolean {
    const now = this.#scheduler.now();
    this.#sentAt = [...this.#sentAt.filter((at) => at > now - 1_000), now];
    if (this.#sentAt.length <= this.#maxPerSecond || this.#network.isHealed) return false;
    this.#sentAt = [];
    this.wasLimited = true;
    this.#network.coverage.count('closed for too many messages');
    this.#scheduler.after(DELIVERY_MS, () => this.close('closed', 'Too many messages per second'));
    return true;
  }
}

/** Presence arrives in order but late, and at times omits somebody or keeps somebody for a moment. */
class LatePresence {
  readonly #scheduler: TabScheduler;
  readonly #network: Network;
  readonly #report: (peers: readonly Peer[]) => void;
  readonly #timers = new Set<Cancel>();
  #lastAt = 0;
  received: readonly Peer[] = [];
  #last: readonly Peer[] = [];

  constructor(scheduler: TabScheduler, network: Network, report: (peers: readonly Peer[]) => void) {
    this.#scheduler = scheduler;
    this.#network = network;
    this.#report = report;
  }

  tell(peers: readonly Peer[]): void {
    const network = this.#network;
    const isLate = network.fails(0.3);
    if (isLate) network.coverage.count('presence late');
    let delay = isLate ? network.between(300, 1_500) : network.between(1, 40);
    if (network.fails(0.1)) {
      network.coverage.count('presence wrong');
      const ghosts = this.#last.filter((old) => peers.every((peer) => peer.session !== old.session));
      const missed = peers[Math.floor(network.random() * peers.length)];
      this.#sayAfter(delay, network.chance(0.5) ? [...peers, ...ghosts] : peers.filter((peer) => peer !== missed));
      delay += network.between(100, 1_500);
    }
    this.#sayAfter(delay, peers);
    this.#last = peers;
  }

  stop(): void {
    for (const cancel of this.#timers) cancel();
    this.#timers.clear();
  }

  #sayAfter(ms: number, peers: readonly Peer[]): void {
    const now = this.#scheduler.now();
    this.#lastAt = Math.max(this.#lastAt, now + ms);
    const cancel = this.#scheduler.after(this.#lastAt - now, () => {
      this.#timers.delete(cancel);
      this.received = peers;
      this.#report(peers);
    });
    this.#timers.add(cancel);
  }
}
