// A session that starts anew when the log turns out to be another one, or rebuilds fail again and again (HI3): the
// session inside it sets aside what it holds and ends, and another one, with ids of its own, opens the page. To the
// outside both are the same page, with another document.
import type { Awareness } from 'y-protocols/awareness';
import type * as Y from 'yjs';
import type { Bytes } from '../../lib/bytes.ts';
import type { Cancel } from '../../lib/cancel.ts';
import type { Ports } from '../ports.ts';
import type { DocumentId, SessionId, UserId } from '../protocol/ids.ts';
import type { Place } from '../protocol/place.ts';
import type { Stance } from '../protocol/presenting.ts';
import type { SetAside } from '../recovery/set-aside.ts';
import { mergeUpdates } from '../updates/merge-updates.ts';
import { PublishedView } from './published-view.ts';
import type { Session } from './session-api.ts';
import type { LiveDiagnostics, SessionView } from './views.ts';

/** The first pause before another start within `FORGIVE_MS`; then twice as long each time. */
const PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;
const FORGIVE_MS = 120_000;
/** Until the next session is ready, the page stays editable this long; what is typed meanwhile is only in this tab. */
const TYPING_ON_MS = 5_000;
/** Editors bind the new document as soon as the view says so; until then keys reach the former one. */
const FORMER_MS = 10_000;

export interface RestartableSession extends Session {
  /** Ends without sending anything. Its document and its view stay until `destroy`. */
  setAside(): Promise<SetAside>;
  /** An edit of its document and the live updates that it builds on, for the session that takes over. */
  withDependencies(update: Bytes): Bytes;
  /** Sends these edits although they have no number here. */
  putBack(update: Bytes): void;
  destroy(): void;
}

export type Restart = {
  /** The outbox that the previous session set aside; null: there was no previous session. */
  readonly setAside: SetAside | null;
  readonly onMustStartAnew: () => void;
};

type Open = (restart: Restart) => RestartableSession;

export class RestartingSession implements Session {
  readonly #clock: Ports['clock'];
  readonly #open: Open;
  readonly #view: PublishedView<SessionView>;
  readonly #beforeRemote = new Map<() => void, Cancel>();
  #current: RestartableSession;
  #stopFollowing: Cancel;
  /** The session that takes over, until its page is ready. */
  #next: RestartableSession | null = null;
  /** The session that said last that it cannot go on; it may say so twice. */
  #ending: RestartableSession | null = null;
  #setAside: SetAside | null = null;
  #switching: Promise<void> | null = null;
  #pause: { readonly cancel: Cancel; readonly end: () => void } | null = null;
  /** Ends the session that was replaced last. */
  #former: Cancel | null = null;
  #stopFormerTimer: Cancel | null = null;
  /** Edits typed into the former document since it is being set aside, for the session that takes over. */
  #late: Bytes[] = [];
  #stopTypingOn: Cancel | null = null;
  /** How often earlier sessions replaced the document; each switch counts too. */
  #rebuilds = 0;
  #starts = 0;
  #startedAt = Number.NEGATIVE_INFINITY;
  #closing: Promise<void> | null = null;
  /** Towards the presenter that the view shows; also what was set while no session could send it. */
  #stance: Stance = 'none';

  constructor({ clock }: Pick<Ports, 'clock'>, open: Open) {
    this.#clock = clock;
    this.#open = open;
    this.#current = this.#opened(null);
    this.#view = new PublishedView(this.#currentView());
    this.#stopFollowing = this.#current.subscribe(() => this.#refresh());
  }

  get documentId(): DocumentId {
    return this.#current.documentId;
  }
  get sessionId(): SessionId {
    return this.#current.sessionId;
  }
  get user(): UserId {
    return this.#current.user;
  }
  get doc(): Y.Doc {
    return this.#current.doc;
  }
  get awareness(): Awareness {
    return this.#current.awareness;
  }
  get shownSeq(): number {
    return this.#current.shownSeq;
  }
  get historyBeganAt(): number {
    return this.#current.historyBeganAt;
  }
  get isCopyDue(): boolean {
    return this.#current.isCopyDue;
  }

  // Fields, because React calls both without their object.
  readonly getView = (): SessionView => this.#view.current;
  readonly subscribe = (run: () => void): Cancel => this.#view.subscribe(run);

  mayGrow(bytes: number): boolean {
    return this.#current.mayGrow(bytes);
  }
  liveDiagnostics(): LiveDiagnostics {
    return this.#current.liveDiagnostics();
  }
  present(place: Place): void {
    // A session that ends presents nothing more.
    if (this.#switching === null) this.#current.present(place);
  }
  stopPresenting(): void {
    this.#current.stopPresenting();
  }
  setStance(stance: Stance): void {
    this.#stance = stance;
    if (this.#switching === null) this.#current.setStance(stance);
  }
  retry(): void {
    this.#pause?.end();
    (this.#next ?? this.#current).retry();
  }
  pauseRemote(ms: number): Cancel {
    return this.#current.pauseRemote(ms);
  }
  onBeforeRemote(run: () => void): Cancel {
    this.#beforeRemote.set(run, this.#current.onBeforeRemote(run));
    return () => {
      this.#beforeRemote.get(run)?.();
      this.#beforeRemote.delete(run);
    };
  }
  unsentFile(): Bytes {
    return this.#current.unsentFile();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  #opened(setAside: SetAside | null): RestartableSession {
    const session: RestartableSession = this.#open({
      setAside,
      onMustStartAnew: () => this.#mustStartAnew(session),
    });
    return session;
  }

  #mustStartAnew(session: RestartableSession): void {
    // The one that takes over may find that the server went back once more.
    if (this.#closing !== null || session === this.#ending || session !== (this.#next ?? this.#current)) return;
    this.#ending = session;
    if (this.#switching === null) {
      this.#stopTypingOn = this.#clock.after(TYPING_ON_MS, () => {
        this.#stopTypingOn = null;
        this.#refresh();
      });
    }
    const before = this.#switching ?? Promise.resolve();
    this.#switching = before.then(() => this.#replace(session));
    this.#refresh();
  }

  async #replace(session: RestartableSession): Promise<void> {
    if (session === this.#current) this.#followFormer(session);
    this.#setAside = await session.setAside();
    if (session === this.#next) {
      session.destroy();
      this.#next = null;
    }
    await this.#wait();
    // A closing tab still opens the next session if something was typed after the page was set aside: that session stores it.
    if (this.#closing !== null && this.#late.length === 0) return;
    const next = this.#opened(this.#setAside);
    this.#next = next;
    const stop = next.subscribe(() => this.#becomeReady(next, stop));
    this.#becomeReady(next, stop);
  }

  #becomeReady(next: RestartableSession, stop: Cancel): void {
    if (this.#next !== next || this.#ending === next || this.#closing !== null) return;
    if (next.getView().phase === 'opening') return this.#refresh();
    stop();
    this.#switchTo(next);
  }

  #switchTo(next: RestartableSession): void {
    const former = this.#current;
    this.#rebuilds += former.getView().rebuilds + 1;
    this.#stopFollowing();
    this.#current = next;
    this.#next = null;
    this.#switching = null;
    this.#stopTypingOn?.();
    this.#stopTypingOn = null;
    for (const run of this.#beforeRemote.keys()) this.#beforeRemote.set(run, next.onBeforeRemote(run));
    this.#stopFollowing = next.subscribe(() => this.#refresh());
    this.#handOver(next);
    // WC3: not for another presenter, who asks anew.
    if (next.getView().presenter?.user === this.#view.current.presenter?.user) next.setStance(this.#stance);
    const end = this.#former;
    this.#stopFormerTimer = this.#clock.after(FORMER_MS, () => end?.());
    this.#refresh();
  }

  #handOver(next: RestartableSession): void {
    if (this.#late.length > 0) next.putBack(mergeUpdates(this.#late));
    this.#late = [];
  }

  /** Keys that are struck from now on, until the editor shows the new document. Some may be in what is set aside as well. */
  #followFormer(former: RestartableSession): void {
    this.#former?.();
    const { doc } = former;
    const record = (update: Uint8Array, _origin: unknown, _doc: Y.Doc, { local }: Y.Transaction) => {
      if (!local) return;
      const late = former.withDependencies(new Uint8Array(update));
      if (this.#current !== former) return this.#current.putBack(late);
      this.#late.push(late);
      this.#refresh();
    };
    doc.on('update', record);
    this.#former = () => {
      this.#former = null;
      this.#stopFormerTimer?.();
      this.#stopFormerTimer = null;
      doc.off('update', record);
      former.destroy();
    };
  }

  async #wait(): Promise<void> {
    const now = this.#clock.now();
    if (now - this.#startedAt > FORGIVE_MS) this.#starts = 0;
    this.#starts += 1;
    this.#startedAt = now;
    if (this.#starts === 1 || this.#closing !== null) return;
    const ms = Math.min(PAUSE_MS * 2 ** (this.#starts - 2), MAX_PAUSE_MS);
    await new Promise<void>((end) => {
      this.#pause = { cancel: this.#clock.after(ms, end), end };
    });
    this.#pause?.cancel();
    this.#pause = null;
  }

  #currentView(): SessionView {
    const view = this.#current.getView();
    const rebuilds = this.#rebuilds + view.rebuilds;
    if (this.#switching === null) return rebuilds === view.rebuilds ? view : { ...view, rebuilds };
    // The former document stays on the screen. It is not saved, as far as anyone knows by now.
    const before = this.#view.current;
    const { connection, error, retryAt } = this.#next?.getView() ?? before;
    const receipt = this.#late.length > 0 ? 'tab' : connection === 'offline' ? 'device' : 'sending';
    const editable = before.editable && this.#stopTypingOn !== null;
    return {
      ...before,
      connection,
      error,
      retryAt,
      receipt,
      editable,
      upToDate: false,
      isRestoring: true,
      puttingBack: null,
    };
  }

  #refresh(): void {
    if (this.#closing !== null) return;
    this.#view.set(this.#currentView());
    if (this.#view.current.presenter === null) this.#stance = 'none';
  }

  async #close(): Promise<void> {
    this.#view.set({ ...this.#view.current, phase: 'closed', editable: false });
    this.#stopTypingOn?.();
    this.#pause?.end();
    // It may have started anew once more meanwhile.
    for (let switching = null; switching !== this.#switching;) await (switching = this.#switching);
    this.#stopFollowing();
    if (this.#next !== null) this.#handOver(this.#next);
    await (this.#switching === null ? this.#current : this.#next)?.close();
    this.#former?.();
    this.#view.close();
  }
}
