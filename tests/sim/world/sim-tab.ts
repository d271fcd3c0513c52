// One tab of the simulated world: a session whose ports run through a scheduler, which stops while the tab is frozen and for
// ever when it is killed. Also everything that can happen to a tab, and the checks of what it does.
import { bodyOf } from 'weft-document/names.ts';
import type { Log, Ports, PresentCall } from 'weft-sync/ports.ts';
import type { UserId } from 'weft-sync/protocol/ids.ts';
import { MAX_LIVE_UPDATE_BYTES } from 'weft-sync/protocol/limits.ts';
import { decodeLiveUpdate } from 'weft-sync/protocol/live-update.ts';
import { openSession } from 'weft-sync/session/session.ts';
import { snapshotMaker } from 'weft-sync/snapshot/snapshot-maker.ts';
import { MemoryEnvironment } from 'weft-sync/testing/memory-environment.ts';
import type { MemoryLocks } from 'weft-sync/testing/memory-locks.ts';
import type { MemoryServer } from 'weft-sync/testing/memory-server.ts';
import type { MemoryStore } from 'weft-sync/testing/memory-store.ts';
import type { MemoryTabs } from 'weft-sync/testing/memory-tabs.ts';
import { seededRandom } from 'weft-sync/testing/seeded-random.ts';
import type { SimClock } from 'weft-sync/testing/sim-clock.ts';
import type * as Y from 'yjs';
import type { Bytes } from '../../../src/lib/bytes.ts';
import { SCHEMA_VERSION } from '../../../src/protocol/limits.ts';
import { DOCUMENT } from '../../sync/sync-harness.ts';
import { contentOf, hasPending, textOf } from '../checks/document-content.ts';
import type { LogChecker } from '../checks/log-checker.ts';
import { PresenterChecker } from '../checks/presenter-checker.ts';
import type { Network } from './network.ts';
import { SIM_CODEC } from './sim-codec.ts';
import { SimLink } from './sim-link.ts';
import { simLog } from './sim-log.ts';
import { MAX_WRITE_MS, simStore } from './sim-store.ts';
import { TabScheduler } from './tab-scheduler.ts';

/** One browser of one user. All its tabs share the store, the locks and the channel between tabs. */
export type Device = {
  readonly name: string;
  readonly user: UserId;
  readonly store: MemoryStore;
  readonly locks: MemoryLocks;
  readonly tabs: MemoryTabs;
};

/** The parts of the world that a tab uses. */
export type TabOptions = {
  readonly clock: SimClock;
  readonly server: MemoryServer;
  readonly network: Network;
  readonly checker: LogChecker;
  readonly maxMessagesPerSecond: number;
  readonly liveUpdates: boolean;
  /** Readers leave the live topic when more sessions are on it. */
  readonly maxOnLive: number;
};

/** How long Realtime's heartbeat takes to notice that nothing comes back. */
const HEARTBEAT_MS = 5_000;
/** Presence lists a killed tab for at most this much longer. */
const GHOST_MS = 3_000;

export class SimTab {
  readonly name: string;
  readonly device: Device;
  readonly environment = new MemoryEnvironment();
  readonly session;
  readonly scheduler: TabScheduler;
  // Faults, which the tab's calls (simLog) and its channels (SimLink) read.
  isHttpCut = false;
  isAppendCut = false;
  isRealtimeCut = false;
  isCutNoticed = false;
  isTokenExpired = false;
  isThrottled = false;
  /** How many messages the tab has sent on its topic. */
  messagesSent = 0;
  /** How often it has called `present`. */
  presentCalls = 0;
  readonly #presenters: PresenterChecker;
  readonly #network: Network;
  readonly #checker: LogChecker;
  readonly #locks;
  readonly #tabs;
  readonly #link: SimLink;
  /** Former ones too: presence lists a session for a moment after another has taken its place (HI3). */
  readonly #sessions = new Set<unknown>();
  #doc: Y.Doc | null = null;
  #closing: Promise<void> | null = null;
  /** While the user edits: no other local update is allowed. */
  #isActing = false;
  /** Whether remote changes were ever paused. */
  #wasPaused = false;
  /** Cached until the next change. */
  #content: string | null = null;

  constructor(
    device: Device,
    { clock, server, network, checker, maxMessagesPerSecond, liveUpdates, maxOnLive }: TabOptions,
    seed: number,
  ) {
    this.device = device;
    this.name = `${device.name}#${seed}`;
    this.scheduler = new TabScheduler(clock);
    this.#network = network;
    this.#checker = checker;
    this.#locks = device.locks.tab();
    // A frozen tab receives nothing (TB4); messages between tabs of one browser are not lost.
    this.#tabs = device.tabs.tab((deliver) => {
      if (!this.scheduler.isFrozen) void clock.after(1, () => this.scheduler.later(deliver));
    });
    this.#link = new SimLink(server.hub, {
      user: device.user,
      name: this.name,
      scheduler: this.scheduler,
      network,
      faults: this,
      maxMessagesPerSecond,
      onSend: (payload, others) => {
        this.messagesSent += 1;
        this.#checkSentLiveUpdate(payload, others);
      },
    });
    const random = seededRandom(seed);
    const log = checker.log(device.user, () => this.session.sessionId);
    this.#presenters = new PresenterChecker(server, checker, this.name);
    const ports: Ports = {
      clock: { now: () => clock.now(), after: (ms, run) => this.scheduler.after(ms, run) },
      random,
      log: simLog({ ...log, present: (call) => this.#present(log, call) }, this.scheduler, network, this, this.name),
      link: this.#link,
      store: simStore(device.store, this.scheduler, network, checker),
      locks: this.#locks,
      tabs: this.#tabs,
      environment: this.environment,
      snapshots: snapshotMaker(SIM_CODEC),
    };
    const readText = (doc: Y.Doc) => ({ title: 'title', bodyText: textOf(doc).toString() });
    const options = { user: device.user, ports, schemaVersion: SCHEMA_VERSION, liveUpdates, maxOnLive, readText };
    this.session = openSession(DOCUMENT, options);
    this.#sessions.add(this.session.sessionId);
    this.#watchDoc();
    this.session.subscribe(() => this.#viewChanged());
  }

  get isDead(): boolean {
    return this.scheduler.isDead;
  }
  /** LR2: it sends less for a minute or more, since its channel was closed for too many messages or a row was lost. */
  get isSlowed(): boolean {
    return this.session.liveDiagnostics().share < 1;
  }
  get isClosed(): boolean {
    return this.#closing !== null;
  }
  get mayType(): boolean {
    return !this.scheduler.isDead && !this.scheduler.isFrozen && this.session.getView().editable;
  }

  close(): Promise<void> {
    this.#closing ??= this.session.close();
    return this.#closing;
  }

  /** The content that the tab shows. */
  get content(): string {
    this.#content ??= contentOf(this.session.doc, bodyOf(this.session.doc));
    return this.#content;
  }

  /** How many carets and people this tab shows under another name than that of the session's owner, or people without one. */
  misnamed(ownerOf: (session: unknown) => UserId | undefined): number {
    const carets = [...this.session.awareness.getStates().values()].filter(({ session }) => session !== undefined);
    return [...carets, ...this.session.getView().peers].filter(({ session, user }) => user !== ownerOf(session)).length;
  }

  hadSession(session: unknown): boolean {
    return this.#sessions.has(session);
  }

  /** How many people this tab lists without a name. */
  get unnamed(): number {
    return this.session.getView().peers.filter(({ user }) => user === null).length;
  }

  /** The user edits the document. */
  readonly act = (edit: () => void): void => {
    this.#network.note(`${this.name} types`);
    this.#isActing = true;
    edit();
    this.#isActing = false;
  };

  /** Whether the tab is on the view topic, as one of many readers. */
  get isViewing(): boolean {
    return this.#link.topic?.startsWith('v:') === true;
  }

  /** Whether the tab is on a topic of another epoch than this live topic. */
  isElsewhere(topic: string): boolean {
    return this.#link.topic !== null && this.#link.topic.slice(1) !== topic.slice(1);
  }

  kill(): void {
    const { coverage } = this.#network;
    coverage.count('tab killed');
    if (this.session.getView().unsent.edits > 0) coverage.count('tab killed with unsaved edits');
    this.#network.note(`${this.name} is killed`);
    this.#checker.checkStoredInTime(this.device.store, this.session.sessionId, this.scheduler.now() - MAX_WRITE_MS);
    this.scheduler.kill();
    this.#locks.die();
    this.#tabs.die();
    void this.scheduler.wait(this.#network.between(0, GHOST_MS)).then(() => this.#link.close('disconnected', 'ghost'));
  }

  /** Some browsers release a frozen tab's locks. Then another tab recovers the outbox of this one. */
  freeze(releasesLocks: boolean): void {
    if (this.scheduler.isFrozen) return;
    this.#network.coverage.count(releasesLocks ? 'tab frozen without its lock' : 'tab frozen with its lock');
    this.scheduler.freeze();
    if (releasesLocks) this.#locks.loseAll();
  }

  thaw(): void {
    this.scheduler.thaw();
  }

  cut(what: 'everything' | 'Realtime' | 'HTTP', isNoticed: boolean): void {
    if (this.isHttpCut || this.isRealtimeCut) return;
    this.#network.coverage.count(what === 'everything' ? 'cut off from everything' : `cut off from ${what} alone`);
    this.isHttpCut = what !== 'Realtime';
    this.isRealtimeCut = what !== 'HTTP';
    if (what === 'everything' && isNoticed) {
      this.environment.set('offline');
      this.isCutNoticed = true;
      this.#link.close('disconnected', 'offline');
    } else if (this.isRealtimeCut) {
      this.scheduler.after(this.#network.between(1_000, HEARTBEAT_MS), () => {
        if (!this.isRealtimeCut) return;
        this.isCutNoticed = true;
        this.#link.close('disconnected', 'heartbeat timeout');
      });
    }
  }

  /** Ends a cut. */
  reconnect(): void {
    this.isHttpCut = false;
    this.isRealtimeCut = false;
    this.isCutNoticed = false;
    if (!this.environment.isOnline()) this.environment.set('online');
    this.#link.connect();
  }

  /** The server is gone, and with it the connection to Realtime. */
  loseServer(): void {
    this.#link.close('disconnected', 'server gone');
  }

  /** The server can be reached again. The device was never offline, so the browser says nothing. */
  findServer(): void {
    if (!this.isRealtimeCut) this.#link.connect();
  }

  /** Realtime closes the channel for sending too much. */
  limit(): void {
    this.#link.close('closed', 'Too many messages per second');
  }

  /** Calls are refused and the channel is closed until there is a new token. */
  expireToken(): void {
    if (this.isTokenExpired) return;
    this.isTokenExpired = true;
    this.#network.coverage.count('closed by an expired token');
    this.#link.close('closed', 'Token has expired 0 seconds ago');
  }

  loseChannel(): void {
    this.#network.coverage.count('phx_close');
    this.#link.close('closed', 'phx_close');
  }

  setVisibility(to: 'hidden' | 'visible'): void {
    if (this.environment.isVisible() === (to === 'visible') || this.scheduler.isFrozen) return;
    if (to === 'hidden') this.#network.coverage.count('tab hidden');
    this.environment.set(to);
  }

  /** Ends every fault of this tab. */
  recover(): void {
    this.thaw();
    this.isTokenExpired = false;
    this.isThrottled = false;
    this.reconnect();
    this.setVisibility('visible');
  }

  /** Pauses remote changes, as an editor does while the user composes a word. */
  pauseRemote(ms: number): void {
    this.session.pauseRemote(ms);
    this.#wasPaused = true;
  }

  #watchDoc(): void {
    const { doc, sessionId } = this.session;
    this.#doc = doc;
    this.#content = null;
    doc.on('afterTransaction', () => {
      this.#content = null;
      if (hasPending(doc)) this.#checker.problem(`[I3] structs or deletions are pending in ${this.name}`);
    });
    doc.on('update', (update: Uint8Array, _origin: unknown, _doc: Y.Doc, { local }: Y.Transaction) => {
      if (!local || this.session.doc !== doc) return;
      if (!this.#isActing) this.#checker.problem(`[ID1] ${this.name} made an edit that no one typed`);
      this.#checker.editMade(sessionId, new Uint8Array(update), this.scheduler.now());
    });
  }

  async #present(log: Log, call: PresentCall): ReturnType<Log['present']> {
    this.presentCalls += 1;
    const answer = await log.present(call);
    // Probes present in every world.
    if (!this.#network.isHealed) this.#countPresent(call, answer);
    return answer;
  }

  #countPresent({ place }: PresentCall, answer: Awaited<ReturnType<Log['present']>>): void {
    const { coverage } = this.#network;
    if (!answer.ok) {
      if (answer.error.code === 'WF015') coverage.count('presenting while another does');
      return;
    }
    coverage.count(place === null ? 'presenting stopped' : 'place presented');
    const { people, links } = answer.value.followers;
    if (people.length + links > 0) coverage.count('presenter followed');
  }

  /** L1: a live update is valid, of this session, small enough, and sent only if someone else is there. */
  #checkSentLiveUpdate(payload: Bytes, others: number): void {
    const liveUpdate = decodeLiveUpdate(payload);
    const { session } = this;
    if (!liveUpdate.ok)
      return this.#checker.problem(`[L1] ${this.name} sends an invalid live update: ${liveUpdate.error.detail}`);
    const { nFrom, nTo, update } = liveUpdate.value;
    this.#checker.expectSame(
      `[L1] session in a live update of ${this.name}`,
      liveUpdate.value.session,
      session.sessionId,
    );
    // While remote changes are paused, a tab does not know yet that someone left. If it is frozen as well, the pause
    // lasts longer than requested.
    const isAlone = others === 0 && !this.#wasPaused;
    this.#checker.expectSame(`[L1] a live update of ${this.name} with no one else there`, isAlone, false);
    this.#checker.expectSame(
      `[L1] size of a live update of ${this.name}`,
      payload.length <= MAX_LIVE_UPDATE_BYTES,
      true,
    );
    if (update.length === 0) return;
    this.#network.coverage.count('live update with text');
    this.#checker.checkLiveUpdate(session.sessionId, nFrom, nTo, update);
  }

  #viewChanged(): void {
    this.#sessions.add(this.session.sessionId);
    if (this.session.doc !== this.#doc) {
      this.#network.coverage.count('document rebuilt');
      this.#watchDoc();
    }
    const { receipt, lastN, ackedN, presenter } = this.session.getView();
    this.#presenters.viewChanged(presenter);
    this.#checker.checkReceipt(this.session.sessionId, receipt === 'saved' ? lastN : ackedN, receipt);
  }
}
