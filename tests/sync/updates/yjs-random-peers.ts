// Editors on one document for Yjs's random tests: real sessions over the memory server, with calls and messages that
// take time, in place of Yjs's TestConnector. One source of randomness for everything.
import * as prng from 'lib0/prng';
import type { Log } from 'weft-sync/ports.ts';
import type { WeftError } from 'weft-sync/protocol/errors.ts';
import type { Session } from 'weft-sync/session/session-api.ts';
import type { SessionOptions } from 'weft-sync/session/session-options.ts';
import { openSession } from 'weft-sync/session/session.ts';
import { MemoryEnvironment } from 'weft-sync/testing/memory-environment.ts';
import { memoryPorts } from 'weft-sync/testing/memory-ports.ts';
import { MemoryServer } from 'weft-sync/testing/memory-server.ts';
import { seededRandom } from 'weft-sync/testing/seeded-random.ts';
import { SimClock } from 'weft-sync/testing/sim-clock.ts';
import type * as Y from 'yjs';
import { err } from '../../../src/lib/result.ts';
import { SCHEMA_VERSION } from '../../../src/protocol/limits.ts';
import { DOCUMENT, OFFLINE, userId } from '../sync-harness.ts';

const QUIET_WITHIN_MS = 600_000;

/** Sessions are opened in these ways, one per layer, and all must give the same documents. */
export type Mode = { readonly name: string; readonly options: Partial<SessionOptions> };

export class Peers {
  readonly clock = new SimClock();
  readonly server = new MemoryServer(this.clock, SCHEMA_VERSION);
  readonly peers: readonly Peer[];

  constructor(count: number, mode: Mode, random: prng.PRNG) {
    this.server.createDocument(DOCUMENT);
    this.peers = Array.from({ length: count }, (_, at) => new Peer(this, at + 1, mode, random));
  }

  async opened(): Promise<this> {
    await this.clock.until(() => this.peers.every(({ session }) => session.getView().editable));
    return this;
  }

  /** Everyone is connected, everything is on the server, and everyone has all of it. */
  async settled(): Promise<void> {
    for (const peer of this.peers) peer.connect();
    const isQuiet = ({ session }: Peer) => {
      const { receipt, upToDate, connection } = session.getView();
      return receipt === 'saved' && upToDate && connection === 'live';
    };
    await this.clock.until(() => this.peers.every(isQuiet), QUIET_WITHIN_MS);
    // One head check after the last append, because `upToDate` refers to the last answer.
    await this.clock.run(31_000);
    await this.clock.until(() => this.peers.every(isQuiet), QUIET_WITHIN_MS);
  }

  async closed(): Promise<void> {
    const closing = Promise.all(this.peers.map(({ session }) => session.close()));
    await this.clock.run(60_000);
    await closing;
  }
}

export class Peer {
  readonly session: Session;
  /** Yjs updates made here; each is one numbered edit. */
  edits = 0;
  /** Local updates that no one here made: receiving must not edit (ID1). */
  receivedEdits = 0;
  isOnline = true;
  readonly #environment = new MemoryEnvironment();
  readonly #link;
  #isEditing = false;

  constructor({ clock, server }: Peers, n: number, { options }: Mode, random: prng.PRNG) {
    const user = userId(n);
    server.setRole(DOCUMENT, user, 'editor');
    const ports = memoryPorts(server, {
      user,
      clock,
      random: seededRandom(prng.uint32(random, 1, 2 ** 31)),
      environment: this.#environment,
      transport: (deliver) => {
        if (!this.isOnline || prng.int32(random, 0, 99) < 5) return;
        clock.after(prng.int32(random, 1, 120), () => this.isOnline && deliver());
        if (prng.int32(random, 0, 99) < 3) clock.after(prng.int32(random, 1, 3_000), () => this.isOnline && deliver());
      },
    });
    this.#link = ports.link;
    const travel = () =>
      new Promise<boolean>((resolve) => clock.after(prng.int32(random, 1, 60), () => resolve(this.isOnline)));
    this.session = openSession(DOCUMENT, {
      schemaVersion: SCHEMA_VERSION,
      ...options,
      user,
      ports: { ...ports, log: distant(ports.log, travel) },
    });
    this.doc.on('update', (_update: Uint8Array, _origin: unknown, _doc: Y.Doc, transaction: Y.Transaction) => {
      if (!transaction.local) return;
      if (this.#isEditing) this.edits += 1;
      else this.receivedEdits += 1;
    });
  }

  get doc(): Y.Doc {
    return this.session.doc;
  }

  edit(make: (doc: Y.Doc) => void): void {
    this.#isEditing = true;
    make(this.doc);
    this.#isEditing = false;
  }

  disconnect(): void {
    if (!this.isOnline) return;
    this.isOnline = false;
    this.#environment.set('offline');
    this.#link.close('disconnected');
  }

  connect(): void {
    if (this.isOnline) return;
    this.isOnline = true;
    this.#environment.set('online');
  }
}

/** Every call takes two trips; one that comes back false loses the request, or the answer of an executed call. */
function distant(log: Log, travel: () => Promise<boolean>): Log {
  const over =
    <Args extends unknown[], Value>(
      call: (...args: Args) => Promise<Value | { readonly ok: false; readonly error: WeftError }>,
    ) =>
    async (...args: Args): Promise<Value | { readonly ok: false; readonly error: WeftError }> => {
      if (!(await travel())) return err(OFFLINE);
      const answer = await call(...args);
      return (await travel()) ? answer : err(OFFLINE);
    };
  return {
    ...log,
    open: over(log.open),
    startSession: over(log.startSession),
    append: over(log.append),
    rowsSince: over(log.rowsSince),
    keepWatching: over(log.keepWatching),
    announce: over(log.announce),
    sessionInfo: over(log.sessionInfo),
    publishPending: over(log.publishPending),
    saveText: over(log.saveText),
  };
}
