// A share link's watcher: follows one document without an account. Rows come from the database alone, no
// edit is made, nothing is stored on the device, and when the link ends the text is gone at once.
import type * as Y from 'yjs';
import { backoffMs } from '../../lib/async/backoff.ts';
import type { Bytes } from '../../lib/bytes.ts';
import type { Cancel } from '../../lib/cancel.ts';
import { parseJsonOrNull } from '../../lib/parse-or-null.ts';
import { ShownPresenter } from '../live/shown-presenter.ts';
import type { Channel, Clock, Link, Random, SnapshotMaker, Environment, WatchLog } from '../ports.ts';
import { type WeftError, weftError } from '../protocol/errors.ts';
import type { LinkSecret, SessionId } from '../protocol/ids.ts';
import { type WatchAnswer, commentsMessage } from '../protocol/log-answers.ts';
import { type Stance, decodePresenting } from '../protocol/presenting.ts';
import { decodeRows } from '../protocol/row.ts';
import { EVENTS, WATCH_AGAIN_MS } from '../protocol/topics.ts';
import { unpackSnapshot } from '../snapshot/unpack-snapshot.ts';
import { ChangeTime } from '../state/change-time.ts';
import { PublishedView } from './published-view.ts';
import type { LinkWatch } from './session-api.ts';
import type { WatchView } from './views.ts';
import { type WatchStart, type WatchedLog, WatchedPage } from './watched-page.ts';

/** A first join that takes longer than this shows as reconnecting. */
const JOIN_PATIENCE_MS = 1_000;

/** All watchers learn of an erasure at once: each asks at a random moment within this time. */
const ASK_ERASED_WITHIN_MS = 2_000;

const BLANK = {
  documentId: null,
  title: '',
  role: null,
  changedAt: null,
  presenter: null,
  showsHistory: false,
  comments: null,
  rebuilds: 0,
} as const;

export type WatchPorts = {
  readonly clock: Clock;
  readonly random: Random;
  readonly link: Link;
  readonly watchLog: WatchLog;
  readonly environment: Environment;
  readonly snapshots?: Pick<SnapshotMaker, 'unpack'>;
};

export type WatchSessionOptions = {
  readonly ports: WatchPorts;
  readonly schemaVersion: number;
  /** WA8: where an earlier watcher stopped. Left out: from the present page on. */
  readonly from?: WatchStart;
  /** WA8: gets every row. Left out: the page is only shown. */
  readonly log?: WatchedLog;
};

/** Opens a share link for watching. Errors show in the view; nothing is thrown. */
export function openWatch(secret: LinkSecret, options: WatchSessionOptions): LinkWatch {
  return new Watch(secret, options);
}

class Watch implements LinkWatch {
  readonly #secret: LinkSecret;
  readonly #ports: WatchPorts;
  readonly #schemaVersion: number;
  #erasedTimer: Cancel | null = null;
  readonly #page: WatchedPage;
  readonly #changeTime = new ChangeTime();
  readonly #view = new PublishedView<WatchView>({ ...BLANK, phase: 'opening', error: null });
  readonly #stopEnvironment: Cancel;
  readonly #log: WatchedLog | null;
  /** WA8: the server must have at least this row. */
  readonly #from: number;
  #channel: { left: boolean; readonly channel: () => Channel | null } | null = null;
  #isJoined = false;
  /**
   * The device says that it has no network, and nothing has come from the server since. The channel notices it half a minute
   * later.
   */
  #isOffline = false;
  #isAsking = false;
  #askAgain = false;
  #failures = 0;
  #losses = 0;
  #askTimer: Cancel | null = null;
  #joinTimer: Cancel | null = null;
  #topic: string | null = null;
  /** The first join is in progress and not late: the phase is neither live nor reconnecting. */
  #isFirstJoin = true;
  #firstJoinTimer: Cancel | null = null;
  #isOver = false;
  readonly #presenter: ShownPresenter;
  /** Made up here, and told to the database alone, which counts it once (WC2). */
  readonly #watcher: SessionId;
  #stance: Stance = 'none';

  constructor(secret: LinkSecret, { ports, schemaVersion, from, log }: WatchSessionOptions) {
    this.#secret = secret;
    this.#ports = ports;
    this.#schemaVersion = schemaVersion;
    this.#watcher = ports.random.session();
    this.#presenter = new ShownPresenter(ports.clock, null, () => this.#presenterChanged());
    this.#log = log ?? null;
    this.#from = from?.seq ?? 0;
    this.#page = new WatchedPage({
      from: from ?? null,
      log: this.#log,
      changeTime: this.#changeTime,
      unpack: ports.snapshots?.unpack ?? unpackSnapshot,
      onReplaced: () => this.#set({ rebuilds: this.#view.current.rebuilds + 1 }),
    });
    this.#stopEnvironment = ports.environment.onChange((fact) => {
      if (fact === 'online' || fact === 'visible') this.retry();
      else if (fact === 'offline') this.#deviceOffline();
      else if (this.#failures === 0) this.#askTimer?.();
    });
    void this.#open();
  }

  // Fields, because React calls both without their object.
  readonly getView = (): WatchView => this.#view.current;
  readonly subscribe = (run: () => void): Cancel => this.#view.subscribe(run);

  setStance(stance: Stance): void {
    if (this.#isOver || stance === this.#stance) return;
    this.#stance = stance;
    void this.#open();
  }

  get doc(): Y.Doc {
    return this.#page.doc;
  }

  get shownSeq(): number {
    return this.#page.seq;
  }

  get shownAt(): number | null {
    return this.#page.at;
  }

  retry(): void {
    if (this.#isOver) return;
    this.#page.resume();
    void this.#open();
    if (this.#channel === null && this.#topic !== null) this.#joinTopic(this.#topic);
  }

  close(): void {
    this.#stop();
    this.#view.close();
    this.#page.close();
  }

  async #open(): Promise<void> {
    if (this.#isAsking) {
      this.#askAgain = true;
      return;
    }
    this.#isAsking = true;
    this.#askTimer?.();
    this.#askTimer = null;
    const before = this.#page.fetchedSeq;
    const watching = { watcher: this.#watcher, stance: this.#stance };
    const { askAt, askSince } = this.#page;
    const answer = await this.#ports.watchLog.openWatch(this.#secret, askSince, watching, askAt);
    if (answer.ok) await this.#opened(answer.value);
    else this.#failed(answer.error);
    this.#isAsking = false;
    if (this.#isOver) return;
    const isBehind = this.#askAgain || (answer.ok && answer.value.more && this.#page.fetchedSeq > before);
    this.#askAgain = false;
    if (isBehind) void this.#open();
    // A hidden page asks when it is visible again, unless a call failed: words may have been erased.
    else if (this.#failures > 0 || this.#ports.environment.isVisible())
      this.#askTimer = this.#ports.clock.after(this.#untilNextAsk(), () => void this.#open());
  }

  #untilNextAsk(): number {
    return this.#failures === 0
      ? WATCH_AGAIN_MS
      : Math.min(WATCH_AGAIN_MS, backoffMs(this.#failures, this.#ports.random.next()));
  }

  #deviceOffline(): void {
    this.#isOffline = true;
    this.#set({});
  }

  async #opened(answer: WatchAnswer): Promise<void> {
    this.#failures = 0;
    this.#isOffline = false;
    if (this.#isOver) return;
    if (answer.schemaVersion > this.#schemaVersion) {
      this.#end('failed', weftError('WF004', `page ${answer.schemaVersion}, app ${this.#schemaVersion}`));
      return;
    }
    if (answer.head < this.#from) {
      this.#end('failed', weftError('unknown', `the page ends at row ${answer.head}, before row ${this.#from}`));
      return;
    }
    const taken = await this.#page.takeAnswer(answer);
    if (this.#isOver) return;
    if (taken === 'otherLog') return this.#end('failed', weftError('WF016'));
    if (taken === 'damaged') return this.#failed(weftError('WF019'));
    if (taken === 'again') this.#askAgain = true;
    this.#changeTime.raise(answer.changedAt);
    this.#presenter.learn(answer.presenting);
    if (this.#page.seq >= answer.head) this.#log?.caughtUp(this.#changeTime.at);
    if (this.#isOver) return;
    this.#set({
      documentId: answer.documentId,
      title: answer.title,
      role: answer.role,
      showsHistory: answer.history,
      comments: answer.comments,
      error: null,
      changedAt: this.#changeTime.shown(this.#ports.clock),
    });
    // No one may join the topic of a link to comment or edit, and nothing is shown of its page.
    if (answer.role !== 'viewer') return;
    if (this.#topic === answer.topic && (this.#channel !== null || this.#joinTimer !== null)) return;
    this.#topic = answer.topic;
    if (this.#isFirstJoin)
      this.#firstJoinTimer ??= this.#ports.clock.after(JOIN_PATIENCE_MS, () => this.#firstJoinEnded());
    this.#joinTopic(answer.topic);
  }

  #firstJoinEnded(): void {
    this.#isFirstJoin = false;
    this.#set({});
  }

  #presenterChanged(): void {
    // WC3: a later presenter asks anew.
    if (this.#presenter.current === null) this.#stance = 'none';
    this.#set({ presenter: this.#presenter.current });
  }

  #failed(error: WeftError): void {
    if (this.#isOver) return;
    if (error.code === 'WF009') {
      this.#end('ended', error);
      return;
    }
    if (error.code === 'WF016') {
      // HI8: the log is another one.
      this.#page.startAnew();
      this.#askAgain = true;
      return;
    }
    this.#failures += 1;
    this.#set({ error });
  }

  #joinTopic(topic: string): void {
    this.#leave();
    this.#joinTimer?.();
    this.#joinTimer = null;
    let channel: Channel | null = null;
    const mine = { left: false, channel: () => channel };
    this.#channel = mine;
    channel = this.#ports.link.join(
      topic,
      { presence: null },
      {
        joined: () => {
          if (mine.left) return;
          this.#isJoined = true;
          this.#losses = 0;
          this.#firstJoinEnded();
          // Joined first, then fetched: rows published in between are not lost.
          void this.#open();
        },
        lost: () => {
          if (!mine.left) this.#lost(topic);
        },
        message: (event, payload, fromDatabase) => {
          if (!mine.left && fromDatabase) this.#receive(event, payload);
        },
        peers: () => {},
      },
    );
  }

  #lost(topic: string): void {
    this.#channel = null;
    this.#isJoined = false;
    this.#losses += 1;
    this.#firstJoinEnded();
    const wait = backoffMs(this.#losses, this.#ports.random.next());
    this.#joinTimer = this.#ports.clock.after(wait, () => {
      this.#joinTimer = null;
      this.#joinTopic(topic);
    });
  }

  #receive(event: string, payload: Bytes): void {
    if (this.#isOffline) {
      this.#isOffline = false;
      this.#set({});
    }
    if (event === EVENTS.ended) {
      this.#end('ended', weftError('WF009'));
      return;
    }
    if (event === EVENTS.erased) {
      this.#erasedTimer ??= this.#ports.clock.after(ASK_ERASED_WITHIN_MS * this.#ports.random.next(), () => {
        this.#erasedTimer = null;
        void this.#open();
      });
    }
    if (event === EVENTS.presenting) {
      const news = decodePresenting(payload);
      if (news !== null) this.#presenter.learn(news);
    }
    if (event === EVENTS.comments) {
      const news = parseJsonOrNull(commentsMessage, new TextDecoder().decode(payload));
      if (news !== null) this.#set({ comments: news.change });
    }
    if (event !== EVENTS.rows) return;
    const message = decodeRows(payload);
    if (!message.ok) return;
    const before = this.#page.seq;
    // HI2: rows that do not continue those that are here.
    if (message.value.kind === 'rows' && !this.#page.takeRows(message.value.rows)) void this.#open();
    if (this.#page.seq > before) this.#set({ changedAt: this.#changeTime.shown(this.#ports.clock) });
    if (this.#page.seq < message.value.head && !this.#page.isFull) void this.#open();
  }

  #end(phase: 'ended' | 'failed', error: WeftError): void {
    this.#stop();
    this.#page.clear();
    this.#page.close();
    this.#view.set({ ...BLANK, phase, error });
  }

  #stop(): void {
    this.#isOver = true;
    this.#stopEnvironment();
    this.#askTimer?.();
    this.#joinTimer?.();
    this.#firstJoinTimer?.();
    this.#erasedTimer?.();
    this.#presenter.stop();
    this.#askTimer = null;
    this.#joinTimer = null;
    this.#leave();
  }

  #leave(): void {
    const left = this.#channel;
    this.#channel = null;
    this.#isJoined = false;
    if (left === null) return;
    left.left = true;
    left.channel()?.leave();
  }

  #set(change: Partial<Omit<WatchView, 'phase'>>): void {
    if (this.#isOver) return;
    const isOpening = this.#topic === null || this.#isFirstJoin;
    const isLive = this.#isJoined && !this.#isOffline;
    const phase = isOpening ? 'opening' : isLive ? 'live' : 'reconnecting';
    this.#view.set({ ...this.#view.current, ...change, phase });
  }
}
