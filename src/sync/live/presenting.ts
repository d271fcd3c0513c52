// Presents the page (PR5–PR8): says where this tab's user is, as often as the budget of live messages allows, and goes on
// saying so until the user stops, another session presents, or a call is refused, as when the right to edit is lost.
import type { Cancel } from '../../lib/cancel.ts';
import { isSameList } from '../../lib/lists/is-same-list.ts';
import { type WeftError, weftError } from '../protocol/errors.ts';
import { type Place, isSamePlace, parsePlace } from '../protocol/place.ts';
import type { Followers, PresentAnswer } from '../protocol/presenting.ts';
import { mayEdit } from '../protocol/roles.ts';
import type { SessionContext } from '../session-context.ts';
import type { LiveUpdateSender } from './live-update-sender.ts';
import type { Presenter, ShownPresenter } from './shown-presenter.ts';

/** The same place is sent again this often: the database forgets a presenter after 20 s without a call. */
export const PRESENT_AGAIN_MS = 5_000;
/** After these the call is repeated; any other error (another presenter, a lost right) ends the presentation. */
const TRIED_AGAIN = new Set<WeftError['code']>(['WF003', 'WF008', 'WF011']);

type PresentingContext = Pick<
  SessionContext,
  'documentId' | 'emit' | 'ports' | 'presence' | 'rights' | 'sessionId' | 'user'
>;

export class Presenting {
  readonly #context: PresentingContext;
  readonly #pace: Pick<LiveUpdateSender, 'presentDueAt' | 'presented'>;
  readonly #shown: Pick<ShownPresenter, 'ownCallAnswered'>;
  /** The newest place; null while this tab does not present. */
  #place: Place | null = null;
  #published: Place | null = null;
  /** No call of this presentation has succeeded yet. */
  #isStarting = false;
  /** Presentations are numbered: the answer to a call of a former one says nothing about this one. */
  #run = 0;
  #isCalling = false;
  #mustStop = false;
  #watching = 0;
  #calledAt = Number.NEGATIVE_INFINITY;
  #timer: Cancel | null = null;
  /** The presenter, while that is this session: the same object until the place changes. */
  current: Presenter | null = null;
  followers: Followers | null = null;
  /** Why the last presentation was refused or ended by itself. */
  error: WeftError | null = null;

  constructor(
    context: PresentingContext,
    pace: Pick<LiveUpdateSender, 'presentDueAt' | 'presented'>,
    shown: Pick<ShownPresenter, 'ownCallAnswered'>,
  ) {
    this.#context = context;
    this.#pace = pace;
    this.#shown = shown;
  }

  get #isPresenting(): boolean {
    return this.#place !== null;
  }

  present(place: Place): void {
    const { rights, emit } = this.#context;
    if (!mayEdit(rights.role)) return this.#end(weftError('WF002'));
    // PR7: a page from elsewhere may have blocks with other ids. The place before stays.
    if (parsePlace(place) === null) return;
    if (!this.#isPresenting) {
      this.#run += 1;
      this.#isStarting = true;
      this.#published = null;
      this.error = null;
    }
    if (isSamePlace(this.#place, place)) return;
    this.#place = Object.freeze({ block: place.block, offset: place.offset });
    if (this.current !== null) this.#confirm();
    emit({ type: 'viewChanged' });
    this.#pump();
  }

  stopPresenting(): void {
    if (!this.#isPresenting) return;
    this.#end(null);
    this.#mustStop = true;
    this.#pump();
  }

  /** The role may have changed. */
  check(): void {
    if (this.#isPresenting && !mayEdit(this.#context.rights.role)) this.#end(weftError('WF002'));
  }

  /** PR5: another session presents, as the database says. */
  replaced(): void {
    if (this.current !== null) this.#end(weftError('WF015'));
  }

  stop(): void {
    this.stopPresenting();
    this.#timer?.();
  }

  #end(error: WeftError | null): void {
    this.#timer?.();
    this.#timer = null;
    this.#place = null;
    this.current = null;
    this.followers = null;
    this.error = error;
    this.#context.emit({ type: 'viewChanged' });
  }

  async #sendStop(): Promise<void> {
    const { documentId: document, ports, presence, sessionId: session } = this.#context;
    this.#mustStop = false;
    this.#isCalling = true;
    // If it is lost, the database forgets the presenter by itself.
    await ports.log.present({ document, session, place: null, starts: false, livePeers: presence.others });
    this.#isCalling = false;
    this.#pump();
  }

  #pump(): void {
    // PR8: a call that is under way must not arrive after the stop, or everyone would see the presenter for 20 s more.
    if (this.#isCalling) return;
    if (this.#mustStop) return void this.#sendStop();
    if (this.#place === null) return;
    this.#timer?.();
    const { clock } = this.#context.ports;
    const again = this.#calledAt + PRESENT_AGAIN_MS;
    const isNew = !isSamePlace(this.#place, this.#published);
    // PR6: a new place as the budget allows; the sign that this tab still presents in any case.
    const due = isNew ? Math.min(again, this.#pace.presentDueAt(this.#calledAt, this.#watching)) : again;
    this.#timer = clock.after(Math.max(0, due - clock.now()), () => {
      this.#timer = null;
      void this.#call();
    });
  }

  async #call(): Promise<void> {
    const { documentId: document, ports, presence, sessionId: session } = this.#context;
    const place = this.#place;
    const run = this.#run;
    this.#isCalling = true;
    this.#calledAt = ports.clock.now();
    this.#pace.presented();
    const livePeers = presence.others;
    const answer = await ports.log.present({ document, session, place, starts: this.#isStarting, livePeers });
    this.#isCalling = false;
    if (run === this.#run && this.#isPresenting) {
      if (answer.ok) this.#answered(answer.value, place);
      else if (!TRIED_AGAIN.has(answer.error.code)) this.#end(answer.error);
    }
    this.#pump();
  }

  #answered({ at, published, followers, watching }: PresentAnswer, place: Place | null): void {
    if (!this.#shown.ownCallAnswered(at)) return this.#end(weftError('WF015'));
    this.#isStarting = false;
    this.#watching = watching;
    if (published) this.#published = place;
    const { people, links, declined } = followers;
    this.followers = sameFollowers(this.followers, followers) ?? Object.freeze({ people, links, declined });
    this.#confirm();
    this.#context.emit({ type: 'viewChanged' });
  }

  #confirm(): void {
    if (this.current !== null && isSamePlace(this.current.place, this.#place)) return;
    this.current = Object.freeze({ user: this.#context.user, place: this.#place, isOwn: true });
  }
}

function sameFollowers(a: Followers | null, b: Followers): Followers | null {
  const isSame =
    a !== null && a.links === b.links && isSameList(a.people, b.people) && isSameList(a.declined, b.declined);
  return isSame ? a : null;
}
