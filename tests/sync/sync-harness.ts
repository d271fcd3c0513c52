// One document, users, tabs and a virtual clock over the memory server: the vocabulary of the session's tests.
import type { Append, Channel, Clock, Log, Ports, SnapshotMaker, WatchLog } from 'weft-sync/ports.ts';
import { type WeftError, weftError } from 'weft-sync/protocol/errors.ts';
import {
  type DocumentId,
  type SessionId,
  type UserId,
  parseDocumentId,
  parseUserId,
  type LinkSecret,
} from 'weft-sync/protocol/ids.ts';
import type { AppendAnswer } from 'weft-sync/protocol/log-answers.ts';
import type { DocumentRole } from 'weft-sync/protocol/roles.ts';
import type { PageLimits } from 'weft-sync/session/page-size.ts';
import { openSession } from 'weft-sync/session/session.ts';
import { type WatchSessionOptions, openWatch } from 'weft-sync/session/watch-session.ts';
import { MemoryEnvironment } from 'weft-sync/testing/memory-environment.ts';
import { MemoryLocks } from 'weft-sync/testing/memory-locks.ts';
import { memoryPorts } from 'weft-sync/testing/memory-ports.ts';
import { MemoryServer } from 'weft-sync/testing/memory-server.ts';
import { MemoryStore } from 'weft-sync/testing/memory-store.ts';
import { MemoryTabs } from 'weft-sync/testing/memory-tabs.ts';
import { seededRandom } from 'weft-sync/testing/seeded-random.ts';
import { SimClock } from 'weft-sync/testing/sim-clock.ts';
import { newDoc } from 'weft-sync/updates/new-doc.ts';
import * as Y from 'yjs';
import { type Result, err } from '../../src/lib/result.ts';
import { parseLinkSecret } from '../../src/protocol/ids.ts';
import { SCHEMA_VERSION } from '../../src/protocol/limits.ts';

function must<T>(value: T | null): T {
  if (value === null) throw new Error('malformed id in a test');
  return value;
}

export const DOCUMENT: DocumentId = must(parseDocumentId('d0000000-0000-4000-8000-000000000001'));
export const SECRET: LinkSecret = must(parseLinkSecret('AAAAAAAAAAAAAAAAAAAAAA'));
export const userId = (n: number): UserId =>
  must(parseUserId(`b0000000-0000-4000-8000-${String(n).padStart(12, '0')}`));

/**
 * Schema of pages and apps in these tests, whatever the product's is by now: where the two differ, a page moves to
 * another topic at its first edit.
 */
const SCHEMA = 1;

/** Calls of one tab fail like this: an error per function name, or `never` for no answer. */
export type CallFaults = {
  /** Called before each call. An error is answered instead, and nothing reaches the server. */
  before: (name: keyof Log) => WeftError | 'never' | null;
  /** Called after the server has done its work. The caller gets the error instead of the answer. */
  after: (name: keyof Log) => WeftError | 'never' | null;
};

export const OFFLINE = weftError('WF011', 'network down');

export class SyncHarness {
  readonly clock = new SimClock();
  readonly server = new MemoryServer(this.clock, SCHEMA_VERSION);
  /** Off unless a test asks for them: what the log promises holds without live updates. */
  readonly liveUpdates: boolean;
  /** For pages that tabs opened from now on show. */
  pageLimits: PageLimits | null = null;
  /** Messages per second that the page may cause. */
  liveBudget: number | null = null;
  /** Makes the snapshots of tabs opened from now on. */
  maker: SnapshotMaker | null = null;
  /** Replaces the random numbers of all tabs. */
  random: (() => number) | null = null;
  readonly #users = new Map<string, UserId>();
  #seed: number;

  constructor(seed = 1, { liveUpdates = false }: { readonly liveUpdates?: boolean } = {}) {
    this.#seed = seed * 1000;
    this.liveUpdates = liveUpdates;
    this.server.createDocument(DOCUMENT);
  }

  userId(name: string): UserId {
    const user = this.#users.get(name) ?? userId(this.#users.size + 1);
    this.#users.set(name, user);
    return user;
  }

  /** A user with a role and a device of their own. */
  user(name: string, role: DocumentRole | null = 'editor'): TestUser {
    const user = this.userId(name);
    if (role !== null) this.server.setRole(DOCUMENT, user, role);
    return new TestUser(this, name, user);
  }

  watchLink(): void {
    this.server.createLink(DOCUMENT, SECRET);
  }

  watch(
    refuse: () => WeftError | null = () => null,
    clock: Clock = this.clock,
    more: Pick<WatchSessionOptions, 'from' | 'log'> = {},
  ): TestWatcher {
    return new TestWatcher(this, refuse, clock, more);
  }

  /** So many more watchers by the link ask for its page now. */
  async watchedBy(count: number): Promise<void> {
    const log = this.server.watchLog();
    for (let nth = 0; nth < count; nth++)
      await log.openWatch(SECRET, 0, { watcher: this.unopenedSession(), stance: 'none' });
  }

  /** A session that never opened anything. */
  unopenedSession(): SessionId {
    return seededRandom(this.nextSeed()).session();
  }

  nextSeed(): number {
    return ++this.#seed;
  }

  run(ms: number): Promise<void> {
    return this.clock.run(ms);
  }

  /** The document according to the log alone. */
  replay(): Y.Doc {
    const doc = newDoc();
    for (const row of this.server.rows(DOCUMENT)) {
      doc.transact(() => {
        for (const part of row.dependencies) Y.applyUpdate(doc, part.update);
        if (row.update.length > 0) Y.applyUpdate(doc, row.update);
      });
    }
    return doc;
  }

  get logText(): string {
    return this.replay().getText('t').toString();
  }
}

/** A device's store with hooks for tests. */
class TestStore extends MemoryStore {
  /** Rows are shown, but the tab dies before they are stored. */
  dropRows = false;
  onLoad: () => void = () => {};

  override saveRows(...args: Parameters<MemoryStore['saveRows']>): Promise<boolean> {
    return this.dropRows ? Promise.resolve(true) : super.saveRows(...args);
  }
  override async load(...args: Parameters<MemoryStore['load']>): ReturnType<MemoryStore['load']> {
    const loaded = await super.load(...args);
    this.onLoad();
    return loaded;
  }
}

export class TestUser {
  readonly store = new TestStore();
  readonly locks = new MemoryLocks();
  readonly browser: MemoryTabs;
  readonly #harness: SyncHarness;
  readonly name: string;
  readonly user: UserId;

  constructor(harness: SyncHarness, name: string, user: UserId) {
    this.#harness = harness;
    this.browser = new MemoryTabs(harness.clock);
    this.name = name;
    this.user = user;
  }

  /** Opens the document in a new tab. Run the clock to let it become ready. */
  open(schemaVersion = SCHEMA): TestTab {
    return new TestTab(this.#harness, this, schemaVersion);
  }

  async opened(schemaVersion = SCHEMA): Promise<TestTab> {
    const tab = this.open(schemaVersion);
    await this.#harness.run(50);
    return tab;
  }
}

export class TestTab {
  readonly environment = new MemoryEnvironment();
  readonly session;
  readonly faults: CallFaults = { before: () => null, after: () => null };
  readonly calls: (keyof Log)[] = [];
  /** Appends that were asked to outlive the page. */
  keepalives = 0;
  /** The epoch of the newest topic. */
  epoch = '';
  /** The newest topic. */
  topic = '';
  /** Called at every join. */
  onJoin: (topic: string) => void = () => {};
  liveUpdatesSent = 0;
  /** Changes what presence lists for this tab. */
  listPeers: (sessions: readonly SessionId[]) => readonly SessionId[] = (peers) => peers;
  /** Called for every live update that this tab sends. */
  onSend: () => void = () => {};
  /** Called with every message that reaches this tab. */
  onMessage: (event: string, payload: Uint8Array) => void = () => {};
  /** Other tabs of the browser find this one frozen. */
  isFrozenForTabs = false;
  /** Called when another tab of the browser posts. */
  onTab: () => void = () => {};
  /** So many of the next messages are lost. */
  dropMessages = 0;
  /** Whether a message is lost. */
  lose: (event: string) => boolean = () => false;
  /** Delays a call before it reaches the server. */
  hold: (name: keyof Log) => Promise<void> | null = () => null;
  /** Delays an answer. */
  holdAnswer: (name: keyof Log) => Promise<void> | null = () => null;
  /** Changes appends on their way. */
  tamper: (append: Append) => Append = (append) => append;
  /** Answers appends instead of the server. */
  answerAppendWith: (() => Result<AppendAnswer, WeftError>) | null = null;
  readonly link;
  readonly #locks;
  readonly #tabs;
  #isDead = false;
  #isOffline = false;
  readonly #waitingJoins = new Set<() => void>();

  constructor(harness: SyncHarness, user: TestUser, schemaVersion: number) {
    this.#locks = user.locks.tab();
    this.#tabs = user.browser.tab((deliver) => {
      if (!this.isFrozenForTabs) {
        this.onTab();
        harness.clock.after(1, deliver);
      }
    });
    const random = seededRandom(harness.nextSeed());
    const ports = memoryPorts(harness.server, {
      user: user.user,
      clock: harness.clock,
      random: { session: () => random.session(), next: () => harness.random?.() ?? random.next() },
      store: user.store,
      locks: this.#locks,
      tabs: this.#tabs,
      environment: this.environment,
      transport: (deliver) => {
        if (this.dropMessages > 0) this.dropMessages -= 1;
        else harness.clock.after(1, deliver);
      },
    });
    this.link = ports.link;
    const log = faultyLog(ports.log, this.faults, this.calls, {
      call: (name) => this.hold(name),
      answer: (name) => this.holdAnswer(name),
    });
    const append: Log['append'] = (one, options) => {
      if (options?.keepalive === true) this.keepalives += 1;
      return this.answerAppendWith === null
        ? log.append(this.tamper(one), options)
        : Promise.resolve(this.answerAppendWith());
    };
    const link: Ports['link'] = {
      join: (topic, options, on) => {
        if (this.#isDead) return { send: () => {}, leave: () => {} };
        if (this.#isOffline) {
          // LK7: it waits for a connection.
          let channel: Channel | null = null;
          const join = () => (channel = link.join(topic, options, on));
          this.#waitingJoins.add(join);
          return {
            send: (event, payload) => channel?.send(event, payload),
            leave: () => {
              this.#waitingJoins.delete(join);
              channel?.leave();
            },
          };
        }
        this.epoch = topic.split(':').at(-1) ?? '';
        this.topic = topic;
        this.onJoin(topic);
        const channel = ports.link.join(topic, options, {
          ...on,
          peers: (peers) => on.peers(this.listPeers(peers)),
          message: (event, payload, fromDatabase) => {
            if (this.lose(event)) return;
            this.onMessage(event, payload);
            on.message(event, payload, fromDatabase);
          },
        });
        return {
          leave: () => channel.leave(),
          send: (event, payload) => {
            this.liveUpdatesSent += 1;
            this.onSend();
            channel.send(event, payload);
          },
        };
      },
    };
    const maker = harness.maker === null ? {} : { snapshots: harness.maker };
    const faulty: Ports = { ...ports, ...maker, link, log: { ...log, append } };
    const { liveUpdates, liveBudget } = harness;
    this.session = openSession(DOCUMENT, {
      user: user.user,
      ports: faulty,
      schemaVersion,
      liveUpdates,
      readText: (doc) => ({ title: 'Notes', bodyText: doc.getText('t').toString() }),
      ...(liveBudget === null ? {} : { liveBudget: () => liveBudget }),
      ...(harness.pageLimits === null ? {} : { pageLimits: harness.pageLimits }),
    });
  }

  get view() {
    return this.session.getView();
  }
  get text(): string {
    return this.session.doc.getText('t').toString();
  }
  type(text: string, at = this.text.length): void {
    this.session.doc.getText('t').insert(at, text);
  }
  delete(at: number, length = 1): void {
    this.session.doc.getText('t').delete(at, length);
  }
  goOffline(): void {
    this.environment.set('offline');
    this.loseServer();
  }
  /** `faults`: how calls fail from then on. */
  goOnline(faults: CallFaults['before'] = () => null): void {
    this.findServer(faults);
    this.environment.set('online');
  }
  /** The server goes away, of which the browser says nothing. */
  loseServer(faults: CallFaults['before'] = () => OFFLINE): void {
    this.#isOffline = true;
    this.faults.before = faults;
    this.link.close('disconnected');
  }
  findServer(faults: CallFaults['before'] = () => null): void {
    this.#isOffline = false;
    this.faults.before = faults;
    for (const join of this.#waitingJoins) join();
    this.#waitingJoins.clear();
  }
  /** The tab is killed: nothing of it runs any more, its locks are free, its memory is gone. */
  die(): void {
    this.#isDead = true;
    this.faults.before = () => 'never';
    this.link.close('disconnected');
    this.#locks.die();
    this.#tabs.die();
  }
}

export class TestWatcher {
  readonly environment = new MemoryEnvironment();
  readonly link;
  readonly session;
  /** Calls of `open_watch`. */
  asked = 0;
  /** So many of the next messages are lost. */
  drop = 0;
  refuse: () => WeftError | null;

  constructor(
    harness: SyncHarness,
    refuse: () => WeftError | null,
    clock: Clock,
    more: Pick<WatchSessionOptions, 'from' | 'log'>,
  ) {
    this.refuse = refuse;
    this.link = harness.server.hub.link(null, (deliver) => {
      if (this.drop > 0) this.drop -= 1;
      else harness.clock.after(1, deliver);
    });
    const log = harness.server.watchLog();
    const watchLog: WatchLog = {
      openWatch: async (secret, since, watching, at) => {
        this.asked += 1;
        const error = this.refuse();
        return error === null ? log.openWatch(secret, since, watching, at) : err(error);
      },
    };
    const ports = {
      clock,
      random: seededRandom(harness.nextSeed()),
      link: this.link,
      watchLog,
      environment: this.environment,
      ...(harness.maker === null ? {} : { snapshots: harness.maker }),
    };
    this.session = openWatch(SECRET, { schemaVersion: SCHEMA, ports, ...more });
  }

  get view() {
    return this.session.getView();
  }
  get text(): string {
    return this.session.doc.getText('t').toString();
  }
}

const NEVER = new Promise<never>(() => {});

function faultyLog(
  log: Log,
  faults: CallFaults,
  calls: (keyof Log)[],
  hold: Readonly<Record<'call' | 'answer', (name: keyof Log) => Promise<void> | null>>,
): Log {
  const wrap =
    <Args extends unknown[], Value>(
      name: keyof Log,
      call: (...args: Args) => Promise<Value | { ok: false; error: WeftError }>,
    ) =>
    async (...args: Args): Promise<Value | { ok: false; error: WeftError }> => {
      calls.push(name);
      await hold.call(name);
      const before = faults.before(name);
      if (before === 'never') return NEVER;
      if (before !== null) return { ok: false, error: before };
      const answer = await call(...args);
      await hold.answer(name);
      const after = faults.after(name);
      if (after === 'never') return NEVER;
      return after === null ? answer : { ok: false, error: after };
    };
  return {
    open: wrap('open', log.open),
    startSession: wrap('startSession', log.startSession),
    append: wrap('append', log.append),
    putBack: wrap('putBack', log.putBack),
    rowsSince: wrap('rowsSince', log.rowsSince),
    keepWatching: wrap('keepWatching', log.keepWatching),
    present: wrap('present', log.present),
    announce: wrap('announce', log.announce),
    sessionInfo: wrap('sessionInfo', log.sessionInfo),
    publishPending: wrap('publishPending', log.publishPending),
    saveText: wrap('saveText', log.saveText),
    claimSnapshot: wrap('claimSnapshot', log.claimSnapshot),
    saveSnapshot: wrap('saveSnapshot', log.saveSnapshot),
  };
}
