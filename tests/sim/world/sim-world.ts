// A seeded world: people who type, some who only look, and everything that goes wrong between them. `live` lets it
// happen, `heal` ends the faults, `check` compares what everybody sees with the log, and the log with every receipt.
import * as Y from 'yjs';
import { blankSeed } from '../../../src/document/seed.ts';
import { prng } from '../../../src/lib/prng.ts';
import { MemoryLocks } from '../../memory/memory-locks.ts';
import { MemoryTabs } from '../../memory/memory-tabs.ts';
import { MemoryServer } from '../../memory/memory-server.ts';
import { MemoryStore } from '../../memory/memory-store.ts';
import { SimClock } from '../../memory/sim-clock.ts';
import { type LinkSecret, type UserId, parseLinkSecret } from '../../../src/protocol/ids.ts';
import { MAX_ROWS_PER_ANSWER } from '../../../src/protocol/limits.ts';
import { mayEdit } from '../../../src/protocol/roles.ts';
import { MAX_ON_LIVE } from '../../../src/sync/live/topic-mode.ts';
import { DOCUMENT, SECRET, WORKSPACE, userId } from '../../sync/sync-harness.ts';
import { hasPending, textOf } from '../checks/document-content.ts';
import { Network } from './network.ts';
import { probe } from '../phases/probes.ts';
import { type Device, SimTab } from './sim-tab.ts';
import { SimWatcher } from './sim-watcher.ts';
import { Coverage } from '../checks/coverage.ts';
import { injectFaults } from '../phases/faults.ts';
import { RandomTyping } from './random-typing.ts';
import { appendCorruptRow } from '../phases/corrupting-app.ts';
import { LogChecker } from '../checks/log-checker.ts';

const LIVE_MS = 10_000;
const STEP_MS = 500;
/** After the faults everybody must agree within this time … */
const HEAL_MS = 180_000;
/** … and still agree this much later. */
const REST_MS = 20_000;
/** Longer than it takes to relay live updates or to give them up (D7). */
const STAY_MS = 20_000;
const MAX_TABS = 7;
/** Multiples of the usual fault rate. */
const FAULT_RATES = [0.3, 1, 2];
const TIGHT_MESSAGES_PER_SECOND = 4;
const MESSAGES_PER_SECOND = 40;
/** In some worlds readers leave the live topic early, because eight tabs are rare. */
const FEW_ON_LIVE = 3;
/** In some worlds answers are full soon. */
const FEW_ROWS_PER_ANSWER = 3;
const SECOND_SECRET = mustSecret('BBBBBBBBBBBBBBBBBBBBBB');

export type SimOptions = {
  /** False: text travels by rows alone. */
  readonly liveUpdates: boolean;
};

export class Simulation {
  readonly clock = new SimClock();
  readonly server = new MemoryServer(this.clock);
  readonly coverage = new Coverage();
  readonly network: Network;
  readonly checker: LogChecker;
  readonly tabs: SimTab[] = [];
  readonly devices: Device[] = [];
  readonly watchers: readonly SimWatcher[];
  readonly options: SimOptions;
  readonly #people: () => number;
  /**
   * In every seventh world words are composed, and remote changes wait meanwhile. Its own random stream leaves the
   * other worlds as they were.
   */
  readonly #composing: (() => number) | null;
  readonly #typing: RandomTyping;
  readonly #maxMessages: number;
  readonly #maxOnLive: number;
  #tabSeed: number;
  #isLinkRevoked = false;

  constructor(seed: number, options: SimOptions) {
    this.options = options;
    // Separate random streams, so that a change in what people type leaves the faults as they were.
    this.#people = prng(seed * 4 + 1);
    this.#composing = seed % 7 === 6 ? prng(seed * 4) : null;
    this.#typing = new RandomTyping(prng(seed * 4 + 2), this.coverage);
    const network = prng(seed * 4 + 3);
    this.#tabSeed = seed * 1000;
    this.network = new Network(this.clock, network, FAULT_RATES[seed % FAULT_RATES.length] ?? 1, this.coverage);
    this.server.hub.losesPublished = () => this.#losesBroadcast();
    this.server.createDocument(DOCUMENT, WORKSPACE, blankSeed());
    this.checker = new LogChecker(this.server, this.coverage);
    this.#maxMessages = this.#chance(0.3) ? TIGHT_MESSAGES_PER_SECOND : MESSAGES_PER_SECOND;
    // Two to six, more often few: a crowd costs more than it finds.
    this.server.rowsPerAnswer = seed % 5 === 3 ? FEW_ROWS_PER_ANSWER : MAX_ROWS_PER_ANSWER;
    this.#maxOnLive = seed % 4 === 1 ? FEW_ON_LIVE : MAX_ON_LIVE;
    const editors = 2 + Math.floor(this.#people() ** 2 * 5);
    for (let n = 1; n <= editors; n++) {
      this.#addDevice(userId(n), `editor ${n}`);
      // A laptop and a phone.
      if (this.#chance(0.15)) this.#addDevice(userId(n), `editor ${n}'s phone`);
      this.checker.setRole(userId(n), 'editor');
    }
    this.checker.setRole(userId(9), 'viewer');
    this.#addDevice(userId(9), 'viewer');
    for (const device of this.devices) this.openTab(device);
    this.watchers = [SECRET, SECOND_SECRET].map((secret, at) => {
      this.server.createWatchLink(DOCUMENT, secret);
      return new SimWatcher(secret, this.clock, this.server, this.network, seed + at);
    });
  }

  async live(): Promise<void> {
    const end = this.clock.now() + LIVE_MS;
    while (this.clock.now() < end) {
      const passed = 30 + this.#people() * 170;
      await this.clock.run(passed);
      for (const tab of this.tabs) if (this.#chance(0.45) && tab.mayType) this.#typeIn(tab);
      this.#compose();
      injectFaults(this, passed);
    }
  }

  /** The network works again; killed tabs are opened again on the same device; then everybody rests. */
  async heal(): Promise<void> {
    this.network.isHealed = true;
    for (const device of this.devices) device.store.setBroken(false);
    for (const { user } of this.devices) if (this.#chance(0.6)) this.restoreRole(user);
    for (const tab of this.#living()) tab.recover();
    for (const device of this.devices) this.#open(device);
    await this.becomeQuiet();
    // Calls in flight when the faults ended may still fail, and what looked settled may not have been.
    await this.clock.run(REST_MS);
    await this.becomeQuiet();
    await this.clock.run(REST_MS);
    await this.#stayQuiet();
  }

  /** Nobody types: nothing is appended, and nobody's document is rebuilt. */
  async #stayQuiet(): Promise<void> {
    const { checker } = this;
    const rows = this.server.rows(DOCUMENT).length;
    const rebuilds = this.#living().map(({ session }) => session.getView().rebuilds);
    await this.clock.run(STAY_MS);
    checker.expectSame('[D7] rows appended while nobody types', this.server.rows(DOCUMENT).length - rows, 0);
    for (const [at, tab] of this.#living().entries())
      checker.expectSame(
        `[L6] rebuilds of ${tab.name} while nothing happens`,
        tab.session.getView().rebuilds,
        rebuilds[at],
      );
  }

  /** Once everybody agrees: how soon they do. */
  async probe(): Promise<void> {
    for (const tab of this.#living()) this.#checkTab(tab);
    await probe(this);
    await this.becomeQuiet();
    await this.clock.run(STEP_MS);
  }

  async check(): Promise<void> {
    const { checker } = this;
    for (const tab of this.#living()) this.#checkTab(tab);
    for (const watcher of this.watchers) watcher.check(checker);
    checker.checkTyped();
    checker.checkSessions(this.#living().map(({ session }) => session.sessionId));
    for (const { name, user, store } of this.devices) {
      await checker.checkKept(store, name);
      if (!mayEdit(checker.roleOf(user))) continue;
      checker.checkStored(store, name);
      await checker.checkSent(store, name);
    }
  }

  async close(): Promise<void> {
    const closed = this.tabs.filter((tab) => !tab.isDead);
    const closing = Promise.all(closed.map((tab) => tab.close()));
    for (const watcher of this.watchers) watcher.session.close();
    await this.clock.run(30_000);
    await closing;
    const { checker } = this;
    checker.expectSame('[I9] timers left', this.clock.pending, 0);
    checker.expectSame('[I9] channels left', this.server.hub.channels, 0);
    for (const tab of closed) checker.expectSame(`[I9] listeners left by ${tab.name}`, tab.environment.listeners, 0);
    for (const { name, locks, tabs } of this.devices) {
      checker.expectSame(`[I9] locks left by ${name}`, locks.held, 0);
      checker.expectSame(`[I9] tab channels left by ${name}`, tabs.joined, 0);
    }
    checker.destroy();
  }

  // ── what befalls ───────────────────────────────────────────────────────────────────────────────────────────────

  openTab(device: Device): void {
    if (this.#living().length >= MAX_TABS) return;
    this.coverage.count('tab opened later');
    this.#open(device);
  }

  openOn(device: Device): SimTab {
    this.#open(device);
    const tab = this.tabs.at(-1);
    if (tab === undefined) throw new Error('no tab');
    return tab;
  }

  /**
   * Tabs of people who may look and that show what the log says. A former editor's tab also shows what it could not
   * send.
   */
  inRoom(): readonly SimTab[] {
    const { checker } = this;
    return this.#living().filter((tab) => checker.roleOf(tab.device.user) !== null && tab.content === checker.content);
  }

  /** Everybody else closes the page. */
  async leaveOnly(stay: readonly SimTab[]): Promise<void> {
    for (const tab of this.#living()) if (!stay.includes(tab)) void tab.close();
    await this.becomeQuiet();
  }

  moveTopic(): void {
    this.coverage.count('topic moved');
    this.server.moveTopic(DOCUMENT);
  }

  takeRole(user: UserId, role: 'viewer' | null): void {
    if (!mayEdit(this.checker.roleOf(user))) return;
    this.coverage.count(role === null ? 'person removed' : 'editor made viewer');
    this.network.note(`${user} ${String(role)}`);
    this.checker.setRole(user, role);
  }

  restoreRole(user: UserId): void {
    if (user === userId(9) || mayEdit(this.checker.roleOf(user))) return;
    this.coverage.count('role restored');
    this.checker.setRole(user, 'editor');
  }

  corruptLog(): void {
    this.coverage.count('damaged row');
    void appendCorruptRow(this.checker, this.network.random);
  }

  revokeLink(): void {
    if (this.#isLinkRevoked) return;
    this.#isLinkRevoked = true;
    this.coverage.count('watch link revoked');
    this.watchers.at(-1)?.revoke();
  }

  // ── inside ─────────────────────────────────────────────────────────────────────────────────────────────────────

  #addDevice(user: UserId, name: string): void {
    this.devices.push({
      name,
      user,
      store: new MemoryStore(),
      locks: new MemoryLocks(),
      tabs: new MemoryTabs(this.clock),
    });
  }

  #open(device: Device): void {
    const { clock, server, network, checker } = this;
    const surrounding = {
      clock,
      server,
      network,
      checker,
      maxMessagesPerSecond: this.#maxMessages,
      liveUpdates: this.options.liveUpdates,
      maxOnLive: this.#maxOnLive,
    };
    this.tabs.push(new SimTab(device, surrounding, ++this.#tabSeed));
  }

  #living(): readonly SimTab[] {
    return this.tabs.filter((tab) => !tab.isDead && !tab.isClosed);
  }

  #chance(probability: number): boolean {
    return this.#people() < probability;
  }

  #losesBroadcast(): boolean {
    const isLost = this.network.fails(0.1);
    if (isLost) this.coverage.count('broadcast lost by the server');
    return isLost;
  }

  #compose(): void {
    const random = this.#composing;
    if (random === null) return;
    for (const tab of this.#living()) {
      if (random() > 0.15) continue;
      tab.pauseRemote(50 + random() * 1_950);
      this.coverage.count('remote changes paused');
    }
  }

  #typeIn(tab: SimTab): void {
    const { session } = tab;
    tab.act(() => this.#typing.type(session.doc));
    if (this.#chance(0.3)) this.#moveCaret(session.doc, session.awareness);
  }

  #moveCaret(doc: Y.Doc, awareness: SimTab['session']['awareness']): void {
    const text = textOf(doc);
    const at = Math.floor(this.#people() * (text.length + 1));
    const position = Y.relativePositionToJSON(Y.createRelativePositionFromTypeIndex(text, at));
    awareness.setLocalStateField('cursor', { anchor: position, head: position });
  }

  async becomeQuiet(): Promise<void> {
    const end = this.clock.now() + HEAL_MS;
    do {
      this.#tryAgain();
      await this.clock.run(STEP_MS);
    } while (this.clock.now() < end && !this.#isQuiet());
  }

  /** A user who was removed and is let in again has to retry, and one who was refused at opening to reload (SY8). */
  #tryAgain(): void {
    for (const tab of this.#living()) {
      const { error, phase } = tab.session.getView();
      if (this.checker.roleOf(tab.device.user) === null) continue;
      if (phase === 'failed') {
        // One after the other, as a reload does: what the old page still stores on the device is there for the new one.
        void tab.close().then(() => this.#open(tab.device));
      } else if (error?.code === 'WF001') {
        tab.session.retry();
      }
    }
  }

  #isQuiet(): boolean {
    const isShown = this.watchers.every((watcher) => watcher.isQuiet(this.checker.content));
    return isShown && this.#living().every((tab) => this.#isSettled(tab));
  }

  #isSettled(tab: SimTab): boolean {
    const role = this.checker.roleOf(tab.device.user);
    const { receipt, upToDate, connection, unsent, editable } = tab.session.getView();
    // A user who lost a right has to learn of it.
    if (role === null) return !editable;
    if (receipt === 'refused' && this.checker.hadHoles(tab.device.store)) return true;
    // The next head check makes up for a lost "moved", up to 30 s later.
    if (tab.isElsewhere(this.checker.topic)) return false;
    if (!upToDate || connection !== 'live' || (mayEdit(role) ? receipt !== 'saved' : editable)) return false;
    return this.#showsLog(tab) || (!mayEdit(role) && unsent.edits > 0);
  }

  #showsLog({ content }: SimTab): boolean {
    return content === this.checker.content;
  }

  #checkTab(tab: SimTab): void {
    const { checker } = this;
    const view = tab.session.getView();
    const role = checker.roleOf(tab.device.user);
    const says = (what: string) => `${what} of ${tab.name}`;
    checker.expectSame(says('pending structs'), hasPending(tab.session.doc), false);
    checker.expectSame(says('[L6] channels on a former topic'), tab.isElsewhere(checker.topic), false);
    checker.expectSame(says('[ID1] numbered edits'), view.lastN, checker.typedBy(tab.session.sessionId));
    if (role === null) {
      checker.expectSame(says('editable without a role'), view.editable, false);
      return;
    }
    if (view.receipt === 'refused' && checker.hadHoles(tab.device.store)) return;
    // A tab that began with a snapshot never saw the rows below it.
    const seen = checker.hasSnapshot ? view.damaged : checker.damaged;
    checker.expectSame(
      says('[D8] damaged rows'),
      view.damaged.join(),
      checker.damaged.filter((seq) => seen.includes(seq)).join(),
    );
    checker.expectSame(says('[I5] up to date'), view.upToDate, true);
    checker.expectSame(says('connection'), view.connection, 'live');
    if (mayEdit(role)) checker.expectSame(says('[I5] receipt'), view.receipt, 'saved');
    else checker.expectSame(says('editable as a viewer'), view.editable, false);
    // A former editor keeps seeing what they could not send.
    if (mayEdit(role) || view.unsent.edits === 0)
      checker.expectSame(says('[I7] content'), tab.content, checker.content);
  }
}

function mustSecret(text: string): LinkSecret {
  const secret = parseLinkSecret(text);
  if (secret === null) throw new Error('malformed secret');
  return secret;
}
