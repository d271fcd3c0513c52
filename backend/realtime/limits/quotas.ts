// Limits on all sockets together: connections, joins, messages. In a hosted project they depend on the plan. Also
// limits the presence calls of each person.
import { CallLimit } from './call-limit.ts';
import type { RealtimeOptions } from './options.ts';
import { RateMeter } from './rate-meter.ts';

export class Quotas {
  readonly #options: RealtimeOptions;
  readonly #joins: RateMeter;
  readonly #events: RateMeter;
  readonly #presence: RateMeter;
  readonly #ticking: NodeJS.Timeout;
  /** Sockets with at least one join. */
  readonly #users = new Set<object>();
  /** Calls of track and untrack by person, while a window is open. */
  readonly #presenceCalls = new Map<unknown, CallLimit>();

  constructor(options: RealtimeOptions) {
    this.#options = options;
    const meter = () => new RateMeter(options.rateTickMs, options.rateTicks);
    this.#joins = meter();
    this.#events = meter();
    this.#presence = meter();
    this.#ticking = setInterval(() => {
      for (const each of [this.#joins, this.#events, this.#presence]) each.tick();
      const now = performance.now();
      for (const [person, limit] of this.#presenceCalls) if (limit.isOver(now)) this.#presenceCalls.delete(person);
    }, options.rateTickMs);
    this.#ticking.unref();
  }

  get tooManyUsers(): boolean {
    return this.#users.size >= this.#options.maxUsers;
  }

  get tooManyJoins(): boolean {
    return this.#joins.average >= this.#options.maxJoinsPerSecond;
  }

  get tooManyEvents(): boolean {
    return this.#events.average >= this.#options.maxEventsPerSecond;
  }

  get tooManyPresenceEvents(): boolean {
    return this.#presence.average > this.#options.maxPresenceEventsPerSecond;
  }

  isUser(socket: object): boolean {
    return this.#users.has(socket);
  }

  addUser(socket: object): void {
    this.#users.add(socket);
  }

  removeUser(socket: object): void {
    this.#users.delete(socket);
  }

  countJoin(): void {
    this.#joins.add();
  }

  /** Counts a message that is sent, or delivered to one receiver. */
  countEvents(): void {
    this.#events.add();
  }

  countPresenceEvents(count = 1): void {
    this.#presence.add(count);
  }

  /** Counts a call of track or untrack. False above the limit of this person, or of a socket without one. */
  takePresenceCall(person: unknown): boolean {
    const { presenceCallsPerPerson, presenceWindowMs } = this.#options;
    const limit = this.#presenceCalls.get(person) ?? new CallLimit(presenceCallsPerPerson, presenceWindowMs);
    this.#presenceCalls.set(person, limit);
    return limit.take(performance.now());
  }

  stop(): void {
    clearInterval(this.#ticking);
  }
}
