// The views that sessions show to the outside: plain frozen values, a new object only when something in it changed.
import type { TopicMode } from '../connection/connection-state.ts';
import type { Peer } from '../connection/presence.ts';
import type { SendingDiagnostics } from '../live/live-update-sender.ts';
import type { Presenter } from '../live/shown-presenter.ts';
import type { WeftError } from '../protocol/errors.ts';
import type { DocumentId } from '../protocol/ids.ts';
import type { DocumentFacts } from '../protocol/log-answers.ts';
import type { Followers, Watchers } from '../protocol/presenting.ts';
import type { DocumentRole } from '../protocol/roles.ts';
import type { PageSizeLevel } from './page-size.ts';

/** The worst state wins. From the best to the worst: opening, saved, sending, device, tab, refused. `readonly` is separate. */
export type Receipt = 'opening' | 'saved' | 'sending' | 'device' | 'tab' | 'refused' | 'readonly';

/** `erasing`: the page's history began again (HI9), so these are unsent edits. `restore`: the server had lost them. */
export type PuttingBack = { readonly after: 'erasing' | 'restore' };

export type SessionView = {
  /** `ready`: the editor may bind `session.doc`; it stays ready until closed. `failed`: see `error`. */
  readonly phase: 'opening' | 'ready' | 'failed' | 'closed';
  readonly receipt: Receipt;
  /**
   * Unacknowledged edits of this page, of recovered outboxes, and those shown of this browser's other tabs; with the
   * receipt "device" only those that the store has confirmed. `oldestAt` in ms since 1970; of what is put back, the
   * time of the page.
   */
  readonly unsent: { readonly edits: number; readonly oldestAt: number | null };
  readonly lastSaved: { readonly seq: number; readonly at: number } | null;
  /** The numbers of the newest own edit and of the newest acknowledged one, for marks beside blocks. */
  readonly lastN: number;
  readonly ackedN: number;
  /** Everything up to the head of the last answer is shown. */
  readonly upToDate: boolean;
  /** When the newest row here was written, in ms since 1970 by this device's clock, in whole seconds; null: not known. */
  readonly changedAt: number | null;
  readonly connection: 'live' | 'reconnecting' | 'offline';
  /** When the next automatic try happens, ms since 1970. */
  readonly retryAt: number | null;
  readonly role: DocumentRole | null;
  readonly editable: boolean;
  /** What keeps edits from being made, stored or sent. The code in the catalogue decides text and action. */
  readonly error: WeftError | null;
  /** As of the newest opening on the server, times by this device's clock; null before the first. */
  readonly document: DocumentFacts | null;
  /** Everyone on the live topic, this session included. */
  readonly peers: readonly Peer[];
  /** How often `session.doc` was replaced by another document; an editor has to bind the new one (L6). */
  readonly rebuilds: number;
  /** Seqs of rows that could not be applied (WF013). */
  readonly damaged: readonly number[];
  /** `large`: worth a warning. `full`: the page cannot grow, or not by as much as an edit asked for (WF007). */
  readonly size: PageSizeLevel;
  /** `slowed`: others see this person's edits later, because the project's limit of messages was reached lately (LR2). */
  readonly pace: 'full' | 'slowed';
  /** Seq of a snapshot that this device stored and that was found not to say what the log says (SN8); null: none. */
  readonly wrongSnapshot: number | null;
  /** What was set aside is being compared with the log, or put back (HI3, HI4). */
  readonly isRestoring: boolean;
  /** The log lacks some of it. Null: nothing, as far as is known. */
  readonly puttingBack: PuttingBack | null;
  /** The person who presents the page now. */
  readonly presenter: Presenter | null;
  /** The people whom this session leads, once the server has answered; null while it does not present. */
  readonly followers: Followers | null;
  /**
   * Why this session does not present although it was asked to: WF002, WF015 with the other presenter's user in `detail`, or
   * another error that would stay.
   */
  readonly presentError: WeftError | null;
  /** Watchers who may not edit the page, by name; watchers by link as a number. Null: not known. */
  readonly watchers: Watchers | null;
};

/** Why the words of others come late: for the receipt's details, `/status` and the benchmarks. */
export type LiveDiagnostics = SendingDiagnostics & {
  readonly topicMode: TopicMode;
  /** Others on the live topic. */
  readonly others: number;
  /** Presence lists this session. While it does not, others believe that no one is here, and send it nothing. */
  readonly isListed: boolean;
  /** Edits of others that a live update showed before their row came. */
  readonly shownLive: number;
  /** Edits of others that only their row showed. */
  readonly shownByRow: number;
  /** Live updates that wait for something they build on, or for the database to name their author's client id. */
  readonly waiting: number;
};

export type WatchView = {
  readonly phase: 'opening' | 'live' | 'reconnecting' | 'ended' | 'failed';
  /** The page behind the link; null before the first answer and after the end. */
  readonly documentId: DocumentId | null;
  readonly title: string;
  /**
   * The role the link gives; null before the first answer and after the end. A link to edit or comment asks to sign in.
   */
  readonly role: DocumentRole | null;
  /** As in `SessionView`; null before the first answer and after the end. */
  readonly changedAt: number | null;
  readonly error: WeftError | null;
  /** The presenter; by link without a name. */
  readonly presenter: Presenter | null;
  /** The link shows the page's history. */
  readonly showsHistory: boolean;
  /** The newest change of the page's comments, while the link shows them; null if it does not (WA10). */
  readonly comments: number | null;
  /** How often `doc` has become another document (HI8, WA9), which the page has to show then. */
  readonly rebuilds: number;
};
