// A simulated world from one seed: a server, a network that fails, and the devices of people who edit, read and watch one
// page. The events in it are in tests/sim/phases.
import { blankSeed } from 'weft-document/seed.ts';
import { MAX_ON_LIVE } from 'weft-sync/live/topic-mode.ts';
import type { LinkSecret, UserId } from 'weft-sync/protocol/ids.ts';
import { MAX_ROWS_PER_ANSWER } from 'weft-sync/protocol/limits.ts';
import { mayEdit } from 'weft-sync/protocol/roles.ts';
import { MemoryLocks } from 'weft-sync/testing/memory-locks.ts';
import { MemoryServer } from 'weft-sync/testing/memory-server.ts';
import { MemoryStore } from 'weft-sync/testing/memory-store.ts';
import { MemoryTabs } from 'weft-sync/testing/memory-tabs.ts';
import { SimClock } from 'weft-sync/testing/sim-clock.ts';
import { prng } from '../../../src/lib/prng.ts';
import { parseLinkSecret } from '../../../src/protocol/ids.ts';
import { SCHEMA_VERSION } from '../../../src/protocol/limits.ts';
import { DOCUMENT, SECRET, userId } from '../../sync/sync-harness.ts';
import { Coverage } from '../checks/coverage.ts';
import { LogChecker } from '../checks/log-checker.ts';
import { Network } from './network.ts';
import { SimManager } from './sim-manager.ts';
import { SimPeople } from './sim-people.ts';
import { type Device, SimTab } from './sim-tab.ts';
import { SimWatcher } from './sim-watcher.ts';

/** How often `becomeQuiet` looks whether everyone agrees. */
export const STEP_MS = 500;
/** Without faults everyone must agree within this time. */
const QUIET_WITHIN_MS = 180_000;
const MAX_TABS = 7;
/** Multiples of the usual fault rate. */
const FAULT_RATES = [0.3, 1, 2];
const TIGHT_MESSAGES_PER_SECOND = 4;
const MESSAGES_PER_SECOND = 40;
/** In some worlds readers leave the live topic early, because eight tabs are rare. */
const FEW_ON_LIVE = 3;
/** In some worlds answers are full soon. */
const FEW_ROWS_PER_ANSWER = 3;
const VIEWER = userId(9);
const SECOND_SECRET = requiredSecret('BBBBBBBBBBBBBBBBBBBBBB');

export type SimOptions = {
  /** False: edits travel as rows of the log only. */
  readonly liveUpdates: boolean;
  /** True: backups of the server are restored, and nothing is erased. The probes are left out. */
  readonly goesBack?: boolean;
  /** True: words are erased in every world, and stores fail and words are erased four times as often. */
  readonly isHarsh?: boolean;
};

export class SimWorld {
  readonly clock = new SimClock();
  readonly server = new MemoryServer(this.clock, SCHEMA_VERSION);
  readonly coverage = new Coverage();
  readonly network: Network;
  readonly checker: LogChecker;
  readonly people: SimPeople;
  readonly manager: SimManager;
  /** All tabs ever opened, in this order. */
  readonly tabs: SimTab[] = [];
  readonly devices: Device[] = [];
  readonly watchers: readonly SimWatcher[];
  readonly options: SimOptions;
  readonly #maxMessagesPerSecond: number;
  readonly #maxOnLive: number;
  #tabSeed: number;
  #isLinkRevoked = false;
  /** Words are erased in some worlds: in them what sessions numbered is put back, so less can be checked. */
  readonly erases: boolean;

  constructor(seed: number, options: SimOptions) {
    this.options = options;
    this.erases = options.goesBack !== true && (options.isHarsh === true || seed % 3 === 0);
    this.people = new SimPeople(seed, this.coverage);
    const faultRate = FAULT_RATES[seed % FAULT_RATES.length] ?? 1;
    this.network = new Network(this.clock, prng(seed * 4 + 3), faultRate, this.coverage);
    this.#tabSeed = seed * 1000;
    this.server.hub.losesPublished = () => this.#losesBroadcast();
    this.server.hub.refusesPresence = () => this.#refusesPresence();
    this.server.createDocument(DOCUMENT, blankSeed());
    this.checker = new LogChecker(this.server, this.coverage);
    this.manager = new SimManager(this.clock, this.server, this.network, this.checker);
    // Without live updates tabs send so little that only a tight limit is ever reached.
    const isTight = this.people.chance(0.3) || !options.liveUpdates;
    this.#maxMessagesPerSecond = isTight ? TIGHT_MESSAGES_PER_SECOND : MESSAGES_PER_SECOND;
    this.server.rowsPerAnswer = seed % 5 === 3 ? FEW_ROWS_PER_ANSWER : MAX_ROWS_PER_ANSWER;
    this.#maxOnLive = seed % 4 === 1 ? FEW_ON_LIVE : MAX_ON_LIVE;
    // Two to six, more often few: more editors cost more time than they find faults.
    const editors = 2 + Math.floor(this.people.random() ** 2 * 5);
    for (let n = 1; n <= editors; n++) {
      this.#addDevice(userId(n), `editor ${n}`);
      // Some editors have a second device.
      if (this.people.chance(0.15)) this.#addDevice(userId(n), `editor ${n}'s phone`);
      this.checker.setRole(userId(n), 'editor');
    }
    this.checker.setRole(VIEWER, 'viewer');
    this.#addDevice(VIEWER, 'viewer');
    for (const device of this.devices) this.openTabIfRoom(device);
    this.watchers = [SECRET, SECOND_SECRET].map((secret, at) => {
      this.server.createLink(DOCUMENT, secret);
      return new SimWatcher(secret, this.clock, this.server, this.network, seed + at, this.checker);
    });
  }

  /** Readers leave the live topic early. */
  get hasFewOnLive(): boolean {
    return this.#maxOnLive === FEW_ON_LIVE;
  }

  // ── tabs ───────────────────────────────────────────────────────────────────────────────────────────────────────

  openTab(device: Device): SimTab {
    const { clock, server, network, checker } = this;
    const environment = {
      clock,
      server,
      network,
      checker,
      maxMessagesPerSecond: this.#maxMessagesPerSecond,
      liveUpdates: this.options.liveUpdates,
      maxOnLive: this.#maxOnLive,
    };
    const tab = new SimTab(device, environment, ++this.#tabSeed);
    this.tabs.push(tab);
    return tab;
  }

  /** Opens a tab, unless many are open and one more would only cost time. */
  openTabIfRoom(device: Device): void {
    if (this.openTabs().length >= MAX_TABS) return;
    this.coverage.count('tab opened later');
    this.openTab(device);
  }

  /** Tabs that were neither killed nor closed. A frozen tab is open. */
  openTabs(): readonly SimTab[] {
    return this.tabs.filter((tab) => !tab.isDead && !tab.isClosed);
  }

  /**
   * Open tabs of people with access that show the content of the log. A tab of a former editor may also show edits that
   * it could not send.
   */
  tabsShowingLog(): readonly SimTab[] {
    const { checker } = this;
    return this.openTabs().filter((tab) => checker.roleOf(tab.device.user) !== null && tab.content === checker.content);
  }

  /** Everyone else closes the page. */
  async closeAllBut(stay: readonly SimTab[]): Promise<void> {
    for (const tab of this.openTabs()) if (!stay.includes(tab)) void tab.close();
    await this.becomeQuiet();
  }

  // ── outages ────────────────────────────────────────────────────────────────────────────────────────────────────

  /** The whole server goes away, and with it every connection to Realtime. */
  stopServer(): void {
    if (this.network.isServerDown) return;
    this.coverage.count('server away');
    this.network.note('server away');
    this.network.isServerDown = true;
    for (const one of [...this.openTabs(), ...this.watchers]) one.loseServer();
  }

  startServer(): void {
    if (!this.network.isServerDown) return;
    this.network.note('server back');
    this.network.isServerDown = false;
    for (const one of [...this.openTabs(), ...this.watchers]) one.findServer();
  }

  /** The server stops, and comes back as it was some rows ago (HI1–HI8). */
  goBack(): void {
    if (this.network.isServerDown) return;
    const seqs = this.server.rows(DOCUMENT).map(({ seq }) => seq);
    const seq = seqs[Math.max(0, seqs.length - 1 - Math.floor(this.people.random() ** 2 * seqs.length))] ?? 1;
    const isFinal = this.people.chance(0.2);
    this.network.note(`goes back to ${seq}`);
    this.coverage.count(isFinal ? 'final restore' : 'server went back');
    // Realtime may stay: hosted projects have it elsewhere.
    const stops = this.people.chance(0.7);
    if (stops) this.stopServer();
    this.checker.goBack(seq, isFinal);
    if (stops) void this.clock.after(this.network.between(500, 5_000), () => this.startServer());
  }

  // ── rights ─────────────────────────────────────────────────────────────────────────────────────────────────────

  moveTopic(): void {
    this.coverage.count('topic moved');
    this.server.moveTopic(DOCUMENT);
  }

  /** An editor becomes a viewer, or loses access. */
  lowerRole(user: UserId, role: 'viewer' | null): void {
    if (!mayEdit(this.checker.roleOf(user))) return;
    this.coverage.count(role === null ? 'person removed' : 'editor made viewer');
    this.network.note(`${user} ${String(role)}`);
    this.checker.setRole(user, role);
  }

  restoreRole(user: UserId): void {
    if (user === VIEWER || mayEdit(this.checker.roleOf(user))) return;
    this.coverage.count('role restored');
    this.checker.setRole(user, 'editor');
  }

  /** Revokes the second watch link, once. */
  revokeLink(): void {
    if (this.#isLinkRevoked) return;
    this.#isLinkRevoked = true;
    this.coverage.count('watch link revoked');
    this.watchers.at(-1)?.revoke();
  }

  // ── quiet ──────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Runs until everyone shows the log and nothing is unsent, or until the time for that is over. */
  async becomeQuiet(): Promise<void> {
    const end = this.clock.now() + QUIET_WITHIN_MS;
    do {
      this.#retryRefusedTabs();
      await this.clock.run(STEP_MS);
    } while (this.clock.now() < end && !this.#isQuiet());
  }

  /** A user whose access was restored has to retry; one whose tab was refused while opening has to reload (SY8). */
  #retryRefusedTabs(): void {
    for (const tab of this.openTabs()) {
      const { error, phase } = tab.session.getView();
      if (this.checker.roleOf(tab.device.user) === null) continue;
      if (phase === 'failed') {
        // First close, then open, as a reload does: the new page finds what the old one stored on the device.
        void tab.close().then(() => this.openTab(tab.device));
      } else if (error?.code === 'WF001' || error?.code === 'WF016') {
        // A refusal is shown rather than why calls fail.
        tab.session.retry();
      }
    }
  }

  #isQuiet(): boolean {
    const isShown = this.watchers.every((watcher) => watcher.isQuiet(this.checker.content));
    return isShown && this.openTabs().every((tab) => this.#isSettled(tab));
  }

  #isSettled(tab: SimTab): boolean {
    const role = this.checker.roleOf(tab.device.user);
    const { receipt, upToDate, connection, unsent, editable, lastN, ackedN } = tab.session.getView();
    // A tab without access has to learn that it has none.
    if (role === null) return !editable;
    // What it still sends may wait for a call that gets no answer.
    if (receipt === 'refused' && this.checker.mayRefuse(tab.device.store)) return !editable || lastN === ackedN;
    // A tab that lost the message "moved" learns of it from the next head check, up to 30 s later.
    if (tab.isElsewhere(this.checker.topic)) return false;
    if (!upToDate || connection !== 'live' || (mayEdit(role) ? receipt !== 'saved' : editable)) return false;
    return tab.content === this.checker.content || (!mayEdit(role) && unsent.edits > 0);
  }

  // ── set-up ─────────────────────────────────────────────────────────────────────────────────────────────────────

  #addDevice(user: UserId, name: string): void {
    this.devices.push({
      name,
      user,
      store: new MemoryStore(),
      locks: new MemoryLocks(),
      tabs: new MemoryTabs(this.clock),
    });
  }

  #losesBroadcast(): boolean {
    const isLost = this.network.fails(0.1);
    if (isLost) this.coverage.count('broadcast lost by the server');
    return isLost;
  }

  #refusesPresence(): boolean {
    const isRefused = this.network.fails(0.1);
    if (isRefused) this.coverage.count('presence refused');
    return isRefused;
  }
}

function requiredSecret(text: string): LinkSecret {
  const secret = parseLinkSecret(text);
  if (secret === null) throw new Error('malformed secret');
  return secret;
}
