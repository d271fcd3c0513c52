// One tab of the simulated world: its ports run through a gate that can freeze, and that a killed tab never passes.
import type { Cancel } from '../../src/lib/cancel.ts';
import { type Result, err } from '../../src/lib/result.ts';
import type { Carrier, MemoryLink } from '../../src/platform/memory/memory-hub.ts';
import type { MemoryLocks } from '../../src/platform/memory/memory-locks.ts';
import type { MemoryServer } from '../../src/platform/memory/memory-server.ts';
import type { MemoryTabs } from '../../src/platform/memory/memory-tabs.ts';
import type { MemoryStore } from '../../src/platform/memory/memory-store.ts';
import { MemorySurroundings } from '../../src/platform/memory/memory-surroundings.ts';
import { seededRandom } from '../../src/platform/memory/seeded-random.ts';
import type { SimClock } from '../../src/platform/memory/sim-clock.ts';
import { type WeftError, weftError } from '../../src/protocol/errors.ts';
import type { UserId } from '../../src/protocol/ids.ts';
import { SCHEMA_VERSION } from '../../src/protocol/limits.ts';
import type { Link, LinkEvents, Log, Ports, Store } from '../../src/sync/ports.ts';
import { openSession } from '../../src/sync/session.ts';
import { DOCUMENT } from '../sync/world.ts';
import type { Network } from './network.ts';

const TIMEOUT_MS = 10_000;
/** IndexedDB writes of the last moments before a kill are lost. */
const MAX_WRITE_MS = 15;

export type Device = { readonly user: UserId; readonly store: MemoryStore; readonly locks: MemoryLocks; readonly tabs: MemoryTabs };

export class SimTab {
  readonly surroundings = new MemorySurroundings();
  readonly session;
  readonly #clock: SimClock;
  readonly #network: Network;
  readonly #locks;
  readonly #tabs;
  readonly #link: MemoryLink;
  #isDead = false;
  #isFrozen = false;
  #isOffline = false;
  #waiting: (() => void)[] = [];

  constructor(device: Device, server: MemoryServer, clock: SimClock, network: Network, seed: number) {
    this.#clock = clock;
    this.#network = network;
    this.#locks = device.locks.tab();
    this.#tabs = device.tabs.tab((deliver) => {
      // A frozen tab hears nothing (TB4), and messages between tabs of one browser are not lost.
      if (!this.#isFrozen) void clock.after(1, () => this.#later(deliver));
    });
    const carry: Carrier = (deliver, fromDatabase) =>
      network.carry((run) => this.#later(run), this.#isOffline, fromDatabase, deliver);
    this.#link = server.hub.link(device.user, carry);
    const ports: Ports = {
      clock: { now: () => clock.now(), after: (ms, run) => this.#after(ms, run) },
      random: seededRandom(seed),
      log: this.#log(server.log(device.user)),
      link: this.#gatedLink(),
      store: this.#lateStore(device.store),
      locks: this.#locks,
      tabs: this.#tabs,
      surroundings: this.surroundings,
    };
    this.session = openSession(DOCUMENT, { user: device.user, ports, schemaVersion: SCHEMA_VERSION });
  }

  get isDead(): boolean {
    return this.#isDead;
  }
  get isFrozen(): boolean {
    return this.#isFrozen;
  }
  get mayType(): boolean {
    return !this.#isDead && !this.#isFrozen && this.session.getView().editable;
  }

  kill(): void {
    this.#isDead = true;
    this.#waiting = [];
    this.#link.close('disconnected');
    this.#locks.die();
    this.#tabs.die();
  }

  /** Some browsers let go of a frozen tab's locks: then another tab adopts what this one still holds. */
  freeze(letsGoOfLocks: boolean): void {
    this.#isFrozen = true;
    if (letsGoOfLocks) this.#locks.die();
  }

  thaw(): void {
    if (!this.#isFrozen) return;
    this.#isFrozen = false;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const run of waiting) this.#later(run);
  }

  /** `noticed`: the browser says so; otherwise calls and messages just get nowhere. */
  goOffline(noticed: boolean): void {
    this.#isOffline = true;
    if (!noticed) return;
    this.surroundings.say('offline');
    this.#link.close('disconnected');
  }

  goOnline(): void {
    if (!this.#isOffline) return;
    this.#isOffline = false;
    this.#link.close('disconnected');
    this.surroundings.say('online');
  }

  loseChannel(): void {
    this.#link.close('closed');
  }

  /** Runs now, at the thaw, or never. */
  #later(run: () => void): void {
    if (this.#isDead) return;
    if (this.#isFrozen) this.#waiting.push(() => this.#later(run));
    else run();
  }

  #after(ms: number, run: () => void): Cancel {
    let isCancelled = false;
    const cancel = this.#clock.after(ms, () =>
      this.#later(() => {
        if (!isCancelled) run();
      }),
    );
    return () => {
      isCancelled = true;
      cancel();
    };
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#clock.after(ms, resolve));
  }

  /** Resolves for this tab's code only while it lives. */
  #passGate<T>(value: T): Promise<T> {
    return new Promise((resolve) => this.#later(() => resolve(value)));
  }

  #log(log: Log): Log {
    const lost = err(weftError('WF011', 'no answer'));
    const call =
      <Args extends unknown[], T>(run: (...args: Args) => Promise<Result<T, WeftError>>) =>
      async (...args: Args): Promise<Result<T, WeftError>> => {
        const fate = this.#network.callFate(this.#isOffline);
        if (fate.kind === 'requestLost') {
          await this.#wait(fate.fails === 'at once' ? 1 : TIMEOUT_MS);
          return this.#passGate(lost);
        }
        await this.#wait(fate.thereMs);
        // A dead tab's request is on its way all the same: it is executed, and nobody hears the answer.
        const answer = await run(...args);
        if (fate.kind === 'answerLost') {
          await this.#wait(Math.max(0, TIMEOUT_MS - fate.thereMs));
          return this.#passGate(lost);
        }
        await this.#wait(fate.backMs);
        return this.#passGate(answer);
      };
    return {
      open: call(log.open),
      startSession: call(log.startSession),
      append: call(log.append),
      rowsSince: call(log.rowsSince),
      sessionInfo: call(log.sessionInfo),
      publishTail: call(log.publishTail),
      saveText: call(log.saveText),
    };
  }

  #gatedLink(): Link {
    return {
      join: (topic, options, on) => {
        if (this.#isDead) return { send: () => {}, leave: () => {} };
        if (this.#isOffline) {
          const cancel = this.#after(TIMEOUT_MS, () => on.lost('disconnected', 'no answer'));
          return { send: () => {}, leave: cancel };
        }
        const gated: LinkEvents = {
          joined: () => this.#later(() => on.joined()),
          lost: (reason, detail) => this.#later(() => on.lost(reason, detail)),
          message: (event, payload, fromDatabase) => this.#later(() => on.message(event, payload, fromDatabase)),
          roster: (peers) => this.#later(() => on.roster(peers)),
        };
        const channel = this.#link.join(topic, options, gated);
        return {
          send: (event, payload) => {
            if (!this.#isOffline && !this.#isDead) channel.send(event, payload);
          },
          leave: () => channel.leave(),
        };
      },
    };
  }

  /** Writes reach the disk in order, some moments later, or never when the tab is killed before. */
  #lateStore(store: MemoryStore): Store {
    let last = 0;
    const write = async <T>(run: () => Promise<T>): Promise<T> => {
      last = Math.max(last, this.#clock.now() + this.#network.random() * MAX_WRITE_MS);
      await this.#wait(last - this.#clock.now());
      if (this.#isDead) return new Promise(() => {});
      const value = await run();
      return this.#passGate(value);
    };
    return {
      load: (document) => write(() => store.load(document)),
      saveRows: (...args) => write(() => store.saveRows(...args)),
      addEntry: (...args) => write(() => store.addEntry(...args)),
      acknowledge: (...args) => write(() => store.acknowledge(...args)),
      refuse: (...args) => write(() => store.refuse(...args)),
      forget: (document) => write(() => store.forget(document)),
      forgetAll: () => write(() => store.forgetAll()),
      unsent: () => write(() => store.unsent()),
    };
  }
}
