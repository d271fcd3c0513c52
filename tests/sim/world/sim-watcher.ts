// Someone without an account who watches the page by link.
import { bodyOf } from 'weft-document/names.ts';
import { weftError } from 'weft-sync/protocol/errors.ts';
import type { LinkSecret } from 'weft-sync/protocol/ids.ts';
import type { WatchView } from 'weft-sync/session/views.ts';
import { openWatch } from 'weft-sync/session/watch-session.ts';
import type { WatchedLog } from 'weft-sync/session/watched-page.ts';
import { snapshotMaker } from 'weft-sync/snapshot/snapshot-maker.ts';
import { MemoryEnvironment } from 'weft-sync/testing/memory-environment.ts';
import type { MemoryServer } from 'weft-sync/testing/memory-server.ts';
import { seededRandom } from 'weft-sync/testing/seeded-random.ts';
import type { SimClock } from 'weft-sync/testing/sim-clock.ts';
import { newDoc } from 'weft-sync/updates/new-doc.ts';
import { err } from '../../../src/lib/result.ts';
import { SCHEMA_VERSION } from '../../../src/protocol/limits.ts';
import { DOCUMENT } from '../../sync/sync-harness.ts';
import { contentOf, hasPending } from '../checks/document-content.ts';
import type { LogChecker } from '../checks/log-checker.ts';
import { PresenterChecker } from '../checks/presenter-checker.ts';
import { type Network, TIMEOUT_MS } from './network.ts';
import { SIM_CODEC } from './sim-codec.ts';
import { SimLink } from './sim-link.ts';
import { TabScheduler } from './tab-scheduler.ts';

/** The content of an empty document. */
const NOTHING = contentOf(newDoc(), bodyOf(newDoc()));

/** After this many rows it takes none for a while, like a script with a slow reader. */
const ROWS_UNTIL_FULL = 7;
const FULL_MS = 700;

export class SimWatcher {
  readonly session;
  /** The rows that it got, as long as each follows the one before. */
  #followedSeq = 0;
  #wrongAt: number | null = null;
  #isFull = false;
  readonly #follows: boolean;
  readonly #secret: LinkSecret;
  readonly #server: MemoryServer;
  readonly #link: SimLink;
  #isRevoked = false;

  constructor(
    secret: LinkSecret,
    clock: SimClock,
    server: MemoryServer,
    network: Network,
    seed: number,
    checker: LogChecker,
  ) {
    this.#secret = secret;
    this.#follows = seed % 2 === 0;
    this.#server = server;
    const scheduler = new TabScheduler(clock);
    const log = server.watchLog();
    this.#link = new SimLink(server.hub, {
      user: null,
      name: 'watcher',
      scheduler,
      network,
      faults: { isRealtimeCut: false, isCutNoticed: false, isTokenExpired: false },
      maxMessagesPerSecond: Number.POSITIVE_INFINITY,
    });
    this.session = openWatch(secret, {
      schemaVersion: SCHEMA_VERSION,
      // One follows row by row, as a script does, and one shows the page.
      ...(this.#follows ? { log: this.#follow(clock) } : {}),
      ports: {
        clock,
        random: seededRandom(seed),
        link: this.#link,
        watchLog: {
          openWatch: async (...args) => {
            const fate = network.callFate(false);
            const lost = err(weftError('WF011', 'no answer'));
            if (fate.kind === 'requestLost') {
              await scheduler.wait(TIMEOUT_MS);
              return lost;
            }
            if (fate.kind === 'answerLost') {
              void scheduler.wait(fate.thereMs).then(() => log.openWatch(...args));
              await scheduler.wait(fate.failsAfterMs);
              return lost;
            }
            await scheduler.wait(fate.thereMs);
            const answer = await log.openWatch(...args);
            await scheduler.wait(fate.backMs);
            return answer;
          },
        },
        environment: new MemoryEnvironment(),
        snapshots: snapshotMaker(SIM_CODEC),
      },
    });
    const presenters = new PresenterChecker(server, checker, 'a watcher');
    this.session.subscribe(() => presenters.viewChanged(this.presenter));
  }

  #follow(clock: SimClock): WatchedLog {
    return {
      advanced: ({ since, seq: reached }) => {
        if (since !== this.#followedSeq || this.#isFull) this.#wrongAt ??= reached;
        this.#followedSeq = reached;
        this.#isFull = reached % ROWS_UNTIL_FULL === 0;
        if (this.#isFull) {
          clock.after(FULL_MS, () => {
            this.#isFull = false;
            this.session.retry();
          });
        }
        return !this.#isFull;
      },
      replaced: () => {},
      caughtUp: () => {},
    };
  }

  get isOver(): boolean {
    return this.#isRevoked;
  }

  get presenter(): WatchView['presenter'] {
    return this.session.getView().presenter;
  }

  loseServer(): void {
    this.#link.close('disconnected', 'server gone');
  }

  findServer(): void {
    this.#link.connect();
  }

  revoke(): void {
    this.#isRevoked = true;
    this.#server.revokeLink(this.#secret);
  }

  /** Whether it shows this content, or the end of its link. */
  isQuiet(content: string): boolean {
    const { doc, getView } = this.session;
    if (this.#hasEnded) return true;
    return this.#isRevoked ? getView().phase === 'ended' : contentOf(doc, bodyOf(doc)) === content;
  }

  /** HI8: it follows row by row, and the log became another one. */
  get #hasEnded(): boolean {
    const { error, phase } = this.session.getView();
    return phase === 'failed' && error?.code === 'WF016' && this.#follows;
  }

  check(checker: LogChecker): void {
    const { doc, getView } = this.session;
    if (this.#hasEnded) return;
    checker.expectSame('[WA3] phase of a watcher', getView().phase, this.#isRevoked ? 'ended' : 'live');
    checker.expectSame('[WA8] the first row that was reported out of order or without room', this.#wrongAt, null);
    const presenters = this.#server.presenter(DOCUMENT) !== null && !this.#isRevoked;
    checker.expectSame('[PR1] a watcher shows a presenter', this.presenter !== null, presenters);
    checker.expectSame('[WA9] erased characters of a watcher', checker.history.inDoc(doc), 0);
    checker.expectSame('pending structs of a watcher', hasPending(doc), false);
    checker.expectSame(
      '[WA1] content of a watcher',
      contentOf(doc, bodyOf(doc)),
      this.#isRevoked ? NOTHING : checker.content,
    );
  }
}
