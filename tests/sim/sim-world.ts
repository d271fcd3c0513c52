// A seeded world: people who type, a watcher, and everything that goes wrong between them. `live` lets it happen,
// `heal` ends the trouble, `check` compares what everybody sees with the log and the log with every receipt.
import * as Y from 'yjs';
import { prng } from '../../src/lib/prng.ts';
import { MemoryLocks } from '../../src/platform/memory/memory-locks.ts';
import { MemoryServer } from '../../src/platform/memory/memory-server.ts';
import { MemoryTabs } from '../../src/platform/memory/memory-tabs.ts';
import { MemoryStore } from '../../src/platform/memory/memory-store.ts';
import { MemorySurroundings } from '../../src/platform/memory/memory-surroundings.ts';
import { seededRandom } from '../../src/platform/memory/seeded-random.ts';
import { SimClock } from '../../src/platform/memory/sim-clock.ts';
import { SCHEMA_VERSION } from '../../src/protocol/limits.ts';
import { newDoc } from '../../src/sync/new-doc.ts';
import { openWatch } from '../../src/sync/watch-session.ts';
import { DOCUMENT, SECRET, WORKSPACE, userId } from '../sync/world.ts';
import { Network } from './network.ts';
import { type Device, SimTab } from './sim-tab.ts';

const LIVE_MS = 20_000;
const HEAL_MS = 90_000;

export type SimOptions = { readonly kills?: boolean; readonly freezes?: boolean; readonly moves?: boolean };

export class SimWorld {
  readonly clock = new SimClock();
  readonly server = new MemoryServer(this.clock);
  readonly network: Network;
  readonly tabs: SimTab[] = [];
  readonly watch;
  readonly problems: string[] = [];
  readonly #random: () => number;
  readonly devices: Device[] = [];
  readonly #options: Required<SimOptions>;
  #tabSeed: number;

  constructor(seed: number, options: SimOptions = {}) {
    this.#options = { kills: true, freezes: true, moves: true, ...options };
    this.#random = prng(seed);
    this.#tabSeed = seed * 100;
    this.network = new Network(this.clock, this.#random);
    this.server.createDocument(DOCUMENT, WORKSPACE);
    this.server.createWatchLink(DOCUMENT, SECRET);
    const people = 2 + Math.floor(this.#random() * 3);
    for (let n = 1; n <= people; n++) {
      this.server.setRole(DOCUMENT, userId(n), 'editor');
      this.devices.push({ user: userId(n), store: new MemoryStore(), locks: new MemoryLocks(), tabs: new MemoryTabs(this.clock) });
    }
    for (const device of this.devices) this.#openTab(device);
    this.watch = openWatch(SECRET, {
      schemaVersion: SCHEMA_VERSION,
      ports: {
        clock: this.clock,
        random: seededRandom(seed + 1),
        link: this.server.hub.link(null, (deliver, fromDatabase) =>
          this.network.carry((run) => run(), false, fromDatabase, deliver),
        ),
        watchLog: this.server.watchLog(),
        surroundings: new MemorySurroundings(),
      },
    });
  }

  async live(): Promise<void> {
    const end = this.clock.now() + LIVE_MS;
    while (this.clock.now() < end) {
      await this.clock.run(20 + this.#random() * 120);
      for (const tab of this.tabs) if (tab.mayType && this.#chance(0.5)) this.#type(tab.session.doc);
      this.#trouble();
    }
  }

  /** The network works again; whoever was killed comes back on the same device; then everybody rests. */
  async heal(): Promise<void> {
    this.network.isHealed = true;
    for (const tab of this.tabs.filter((each) => !each.isDead)) {
      tab.thaw();
      tab.goOnline();
      tab.surroundings.say('visible');
    }
    for (const device of this.devices) this.#openTab(device);
    await this.clock.run(HEAL_MS);
  }

  async check(): Promise<void> {
    const truth = this.#replayCheckingEveryPrefix();
    const living = this.tabs.filter((tab) => !tab.isDead);
    for (const [at, tab] of living.entries()) {
      const view = tab.session.getView();
      this.#same(`content of tab ${at}`, content(tab.session.doc), content(truth));
      this.#same(`receipt of tab ${at}`, view.receipt, 'saved');
      this.#same(`tab ${at} is up to date`, view.upToDate, true);
      this.#same(`connection of tab ${at}`, view.connection, 'live');
      this.#same(`damaged rows in tab ${at}`, view.damaged.length, 0);
      this.#same(`pending structs in tab ${at}`, hasPending(tab.session.doc), false);
    }
    this.#same('content of the watcher', content(this.watch.doc), content(truth));
    this.#checkRows();
    for (const device of this.devices) this.#same('left in an outbox', (await device.store.unsent()).length, 0);
  }

  async close(): Promise<void> {
    const living = this.tabs.filter((tab) => !tab.isDead);
    const closing = Promise.all(living.map((tab) => tab.session.close()));
    this.watch.close();
    await this.clock.run(30_000);
    await closing;
    this.#same('timers left', this.clock.pending, 0);
    this.#same('channels left', this.server.hub.channels, 0);
    for (const tab of living) this.#same('listeners left', tab.surroundings.listeners, 0);
    for (const device of this.devices) this.#same('locks left', device.locks.held, 0);
  }

  #openTab(device: Device): void {
    const tab = new SimTab(device, this.server, this.clock, this.network, ++this.#tabSeed);
    this.tabs.push(tab);
    const { session } = tab;
    session.subscribe(() => {
      const view = session.getView();
      // I1, I5: at the very moment the receipt says so, the rows are there.
      const promised = view.receipt === 'saved' ? view.lastN : view.ackedN;
      if (promised > this.#loggedN(session.sessionId))
        this.problems.push(`${view.receipt} before n ${promised} was logged`);
    });
  }

  #loggedN(session: string): number {
    return this.server.rows(DOCUMENT).reduce((n, row) => (row.session === session ? Math.max(n, row.nTo) : n), 0);
  }

  #trouble(): void {
    const tab = this.tabs[Math.floor(this.#random() * this.tabs.length)];
    const device = this.devices[Math.floor(this.#random() * this.devices.length)];
    if (tab === undefined || device === undefined || tab.isDead) return;
    if (this.#chance(0.02)) tab.loseChannel();
    if (this.#chance(0.03)) tab.goOffline(this.#chance(0.5));
    if (this.#chance(0.08)) tab.goOnline();
    if (this.#chance(0.03)) tab.surroundings.say('hidden');
    if (this.#chance(0.06)) tab.surroundings.say('visible');
    if (this.#options.moves && this.#chance(0.005)) this.server.moveTopic(DOCUMENT);
    if (this.#options.freezes && this.#chance(0.02)) tab.freeze(this.#chance(0.5));
    if (this.#chance(0.1)) tab.thaw();
    if (this.#options.kills && this.#chance(0.02)) tab.kill();
    if (this.tabs.filter((other) => !other.isDead).length < this.devices.length + 2 && this.#chance(0.05)) {
      this.#openTab(device);
    }
  }

  #chance(probability: number): boolean {
    return this.#random() < probability;
  }

  #type(doc: Y.Doc): void {
    const text = doc.getText('t');
    const body = doc.getXmlFragment('body');
    const at = Math.floor(this.#random() * (text.length + 1));
    const kind = this.#random();
    if (kind < 0.5) text.insert(at, String.fromCharCode(97 + Math.floor(this.#random() * 26)));
    else if (kind < 0.65 && text.length > 0) text.delete(Math.min(at, text.length - 1), 1);
    else if (kind < 0.75 && text.length > 0)
      text.format(Math.min(at, text.length - 1), 1, { bold: this.#chance(0.7) || null });
    else if (kind < 0.85) body.insert(Math.floor(this.#random() * (body.length + 1)), [new Y.XmlElement('block')]);
    else if (kind < 0.95 && body.length > 0) this.#typeInBlock(body);
    else if (body.length > 0) body.delete(Math.floor(this.#random() * body.length), 1);
  }

  #typeInBlock(body: Y.XmlFragment): void {
    const block = body.get(Math.floor(this.#random() * body.length));
    if (!(block instanceof Y.XmlElement)) return;
    if (this.#chance(0.3)) block.setAttribute('kind', this.#chance(0.5) ? 'heading' : 'task');
    const text = block.firstChild;
    if (text instanceof Y.XmlText) text.insert(Math.floor(this.#random() * (text.length + 1)), 'x');
    else block.insert(0, [new Y.XmlText('new')]);
  }

  /** I11: nothing is ever pending, whatever row the replay ends with. */
  #replayCheckingEveryPrefix(): Y.Doc {
    const doc = newDoc();
    for (const row of this.server.rows(DOCUMENT)) {
      doc.transact(() => {
        for (const part of row.carried) Y.applyUpdate(doc, part.update);
        if (row.update.length > 0) Y.applyUpdate(doc, row.update);
      });
      if (hasPending(doc)) {
        this.problems.push(`row ${row.seq} is incomplete`);
        break;
      }
    }
    return doc;
  }

  #checkRows(): void {
    const last = new Map<string, number>();
    for (const [at, row] of this.server.rows(DOCUMENT).entries()) {
      this.#same('seq', row.seq, at + 1);
      if (row.nTo === 0) continue;
      const before = last.get(row.session) ?? 0;
      if (row.nFrom > before + 1 || row.nTo <= before)
        this.problems.push(`row ${row.seq} is out of its session's order`);
      last.set(row.session, row.nTo);
    }
    for (const tab of this.tabs) {
      const { ackedN } = tab.session.getView();
      if (ackedN > (last.get(tab.session.sessionId) ?? 0)) this.problems.push('acknowledged but not in the log');
    }
  }

  #same(what: string, is: unknown, should: unknown): void {
    if (is !== should) this.problems.push(`${what}: ${String(is)} instead of ${String(should)}`);
  }
}

export async function runSeed(seed: number, options: SimOptions = {}): Promise<SimWorld> {
  const world = new SimWorld(seed, options);
  await world.live();
  await world.heal();
  await world.check();
  await world.close();
  return world;
}

const hasPending = (doc: Y.Doc): boolean => doc.store.pendingStructs !== null || doc.store.pendingDs !== null;

/** Content, never state: equal content has different bytes in one document of a hundred. */
function content(doc: Y.Doc): string {
  return `${JSON.stringify(doc.getText('t').toDelta())} ${doc.getXmlFragment('body').toString()}`;
}
