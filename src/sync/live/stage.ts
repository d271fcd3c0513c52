// Who presents the page and who watches it (PR1–PR8, WC1–WC3): the database's messages and answers about both, and the user's
// stance: whether they follow the presenter, have declined, or neither. That the user watches is reported in the calls
// for rows, which a new stance brings forward (`stanceChanged`); this makes none itself.
import { isSameList } from '../../lib/lists/is-same-list.ts';
import type { WeftError } from '../protocol/errors.ts';
import type { Place } from '../protocol/place.ts';
import type {
  Followers,
  PresentingAnswer,
  PresentingMessage,
  Stance,
  Watchers,
  Watching,
} from '../protocol/presenting.ts';
import { mayEdit } from '../protocol/roles.ts';
import type { SessionContext } from '../session-context.ts';
import type { LiveUpdateSender } from './live-update-sender.ts';
import { Presenting } from './presenting.ts';
import { type Presenter, ShownPresenter } from './shown-presenter.ts';

type StageContext = Pick<
  SessionContext,
  'documentId' | 'emit' | 'ports' | 'presence' | 'rights' | 'sessionId' | 'user'
>;

/** The fields of the session's view that the stage fills. */
export type StageView = {
  readonly presenter: Presenter | null;
  readonly followers: Followers | null;
  readonly watchers: Watchers | null;
  readonly presentError: WeftError | null;
};

export class Stage {
  readonly #context: StageContext;
  readonly #shown: ShownPresenter;
  readonly #own: Presenting;
  readonly #pace: Pick<LiveUpdateSender, 'watched'>;
  #watchers: Watchers | null = null;
  /** The user's choice while someone else presents. */
  #stance: Stance = 'none';
  /** The database may count this session among the watchers. */
  #isCounted = false;

  constructor(context: StageContext, pace: Pick<LiveUpdateSender, 'presentDueAt' | 'presented' | 'watched'>) {
    this.#context = context;
    this.#pace = pace;
    this.#shown = new ShownPresenter(context.ports.clock, context.sessionId, () => this.#presenterChanged());
    this.#own = new Presenting(context, pace, this.#shown);
  }

  get view(): StageView {
    return {
      presenter: this.#own.current ?? this.#shown.current,
      followers: this.#own.followers,
      watchers: this.#watchers,
      presentError: this.#own.error,
    };
  }

  present(place: Place): void {
    this.#own.present(place);
  }

  stopPresenting(): void {
    this.#own.stopPresenting();
  }

  setStance(stance: Stance): void {
    if (stance === this.#stance) return;
    this.#stance = stance;
    this.#context.emit({ type: 'stanceChanged' });
  }

  /**
   * WC1: the watching state that this session reports in its next call. Readers watch. An editor is counted only while
   * a presenter should know their choice; once that is over, they report it until a call that says so is answered.
   */
  report(): Watching | null {
    const { rights, sessionId: watcher } = this.#context;
    const stance = this.#stance;
    if (stance !== 'none' || (rights.role !== null && !mayEdit(rights.role))) this.#isCounted = true;
    return this.#isCounted ? { watcher, stance } : null;
  }

  /** The call with this report was answered. */
  reported({ stance }: Watching): void {
    const { role } = this.#context.rights;
    if (stance === 'none' && mayEdit(role)) this.#isCounted = false;
  }

  /** A message of the database. */
  said(message: PresentingMessage): void {
    if (this.#shown.learn(message)) this.#checkOwn();
  }

  learn(answer: { readonly presenting?: PresentingAnswer; readonly watchers?: Watchers | null | undefined }): void {
    if (this.#shown.learn(answer.presenting)) this.#checkOwn();
    this.#own.check();
    const { watchers } = answer;
    if (watchers === undefined || isSameWatchers(this.#watchers, watchers)) return;
    this.#watchers = watchers;
    this.#pace.watched(watchers === null ? 0 : watchers.links + watchers.people.length);
    this.#context.emit({ type: 'viewChanged' });
  }

  stop(): void {
    this.#shown.stop();
    this.#own.stop();
  }

  #checkOwn(): void {
    if (this.#shown.current !== null) this.#own.replaced();
  }

  #presenterChanged(): void {
    // WC3: a later presenter asks anew.
    if (this.#shown.current === null) this.#stance = 'none';
    this.#context.emit({ type: 'viewChanged' });
  }
}

function isSameWatchers(a: Watchers | null, b: Watchers | null): boolean {
  return a === b || (a !== null && b !== null && a.links === b.links && isSameList(a.people, b.people));
}
