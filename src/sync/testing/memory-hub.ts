// Realtime in memory: private topics, presence, broadcasts from clients and from the database. Like the real server, it checks
// the right to join at the join and the right to send at the first message, and never again on that channel.
import type { Bytes } from '../../lib/bytes.ts';
import type { Cancel } from '../../lib/cancel.ts';
import type { Channel, Clock, JoinOptions, Link, LinkEvents } from '../ports.ts';
import type { SessionId, UserId } from '../protocol/ids.ts';

/** The real server waits before it refuses a join. */
const DENIED_AFTER_MS = 5_000;
const DELIVERY_MS = 1;
/** LK8: refused presence is tracked again, ever more rarely. */
const TRACK_AGAIN_MS = 2_000;
const TRACK_AGAIN_MAX_MS = 30_000;

export interface TopicPolicy {
  mayJoin(topic: string, user: UserId | null): boolean;
  maySend(topic: string, user: UserId | null): boolean;
}

/** Transports a message to one client: runs `deliver` later, never, or several times. */
export type Transport = (deliver: () => void, fromDatabase: boolean, event: string, payload: Bytes) => void;

type Member = {
  readonly topic: string;
  readonly user: UserId | null;
  readonly session: SessionId | null;
  readonly on: LinkEvents;
  readonly link: object;
  state: 'joining' | 'joined' | 'gone';
  /** Null before the first message. */
  maySend: boolean | null;
  cancelJoin: Cancel | null;
  /** Whether presence lists the session. */
  isTracked: boolean;
  cancelTrack: Cancel | null;
};

export class MemoryHub {
  readonly #clock: Clock;
  readonly #policy: TopicPolicy;
  readonly #members = new Set<Member>();
  /** Whether the next message of the database is lost. It can be, because `realtime.send` ignores its own errors. */
  losesPublished: () => boolean = () => false;
  /** Whether the next session that joins is not listed yet, as above the server's limits of presence. */
  refusesPresence: () => boolean = () => false;

  constructor(clock: Clock, policy: TopicPolicy) {
    this.#clock = clock;
    this.#policy = policy;
  }

  /** How many channels are joined or joining. */
  get channels(): number {
    return this.#members.size;
  }

  link(
    user: UserId | null,
    transport: Transport = (deliver) => void this.#clock.after(DELIVERY_MS, deliver),
  ): MemoryLink {
    const link: MemoryLink = {
      join: (topic, options, on) => this.#join(link, user, topic, options, on),
      close: (reason, detail = reason) => {
        for (const member of [...this.#members]) if (member.link === link) this.#lose(member, reason, detail);
      },
    };
    this.#transports.set(link, transport);
    return link;
  }

  readonly #transports = new WeakMap<object, Transport>();

  /** Sends to everyone on the topic as `realtime.send` does, marked as coming from the database. */
  publish(topic: string, event: string, payload: Bytes): void {
    if (!this.losesPublished()) this.#broadcast(topic, event, payload, null);
  }

  #join(link: object, user: UserId | null, topic: string, { presence }: JoinOptions, on: LinkEvents): Channel {
    const member: Member = {
      topic,
      user,
      session: presence,
      on,
      link,
      state: 'joining',
      maySend: null,
      cancelJoin: null,
      isTracked: false,
      cancelTrack: null,
    };
    this.#members.add(member);
    member.cancelJoin = this.#clock.after(DELIVERY_MS, () => {
      if (!this.#policy.mayJoin(topic, user)) {
        member.cancelJoin = this.#clock.after(DENIED_AFTER_MS, () => this.#lose(member, 'denied', 'denied'));
        return;
      }
      member.state = 'joined';
      on.joined();
      if (presence !== null) this.#track(member);
    });
    return {
      send: (event, payload) => {
        if (member.state !== 'joined') return;
        member.maySend ??= this.#policy.maySend(topic, user);
        if (member.maySend) this.#broadcast(topic, event, payload, member);
      },
      leave: () => this.#remove(member),
    };
  }

  #broadcast(topic: string, event: string, payload: Bytes, sender: Member | null): void {
    for (const member of this.#members) {
      if (member === sender || member.topic !== topic || member.state !== 'joined') continue;
      const copy = payload.slice();
      const deliver = () => {
        if (member.state === 'joined') member.on.message(event, copy, sender === null);
      };
      this.#transports.get(member.link)?.(deliver, sender === null, event, copy);
    }
  }

  #track(member: Member, againMs = TRACK_AGAIN_MS): void {
    member.isTracked = !this.refusesPresence();
    if (!member.isTracked) {
      const next = Math.min(2 * againMs, TRACK_AGAIN_MAX_MS);
      member.cancelTrack = this.#clock.after(againMs, () => this.#track(member, next));
    }
    this.#sendPresence(member.topic);
  }

  #sendPresence(topic: string): void {
    const present = [...this.#members].filter((member) => member.topic === topic && member.state === 'joined');
    const sessions = present.flatMap((member) => (member.isTracked && member.session) || []);
    for (const member of present) {
      if (member.session === null) continue;
      this.#clock.after(DELIVERY_MS, () => {
        if (member.state === 'joined') member.on.peers(sessions);
      });
    }
  }

  #lose(member: Member, reason: LostReason, detail: string): void {
    if (member.state === 'gone') return;
    this.#remove(member);
    member.on.lost(reason, detail);
  }

  #remove(member: Member): void {
    if (member.state === 'gone') return;
    member.state = 'gone';
    member.cancelJoin?.();
    member.cancelTrack?.();
    this.#members.delete(member);
    if (member.session !== null) this.#sendPresence(member.topic);
  }
}

type LostReason = Parameters<LinkEvents['lost']>[0];

export type MemoryLink = Link & {
  /** Ends every channel of this link, as the server or the network does. */
  close(reason: LostReason, detail?: string): void;
};
