// The public interface of a session.
import type { Awareness } from 'y-protocols/awareness';
import type * as Y from 'yjs';
import type { Bytes } from '../../lib/bytes.ts';
import type { Cancel } from '../../lib/cancel.ts';
import type { DocumentId, SessionId, UserId } from '../protocol/ids.ts';
import type { Place } from '../protocol/place.ts';
import type { Stance } from '../protocol/presenting.ts';
import type { LiveDiagnostics, SessionView, WatchView } from './views.ts';

/**
 * One open document in one tab. Lives outside React: the registry in `src/state` opens and closes it and counts its
 * users, so StrictMode's double mount opens one.
 */
export interface Session {
  readonly documentId: DocumentId;
  readonly sessionId: SessionId;
  /** The author of this session's edits. */
  readonly user: UserId;
  /**
   * Bind the editor when `getView().phase` is `ready`, and again when `rebuilds` grows: then it is another document. Own edits are
   * `transaction.local`.
   */
  readonly doc: Y.Doc;
  /**
   * Carets. The local state `{ cursor: { anchor, head } | { beside } | null }` (JSON relative positions of Yjs, or the id of a text
   * beside the page) is sent in live updates; remote states are `{ cursor, session, user }`, only of sessions that presence lists.
   * Has no timer of its own.
   */
  readonly awareness: Awareness;
  readonly getView: () => SessionView;
  readonly subscribe: (run: () => void) => Cancel;
  /**
   * Whether the page has room for this many more bytes of text (20 MiB in all). Ask before an edit that grows the page;
   * an edit that grows it without asking is kept and sent all the same.
   */
  mayGrow(bytes: number): boolean;
  /** Every row of the log up to this one is shown. Not part of the view, because it changes with every row. */
  readonly shownSeq: number;
  /** Counts live updates since the page was opened. Not part of the view, because it changes all the time. */
  liveDiagnostics(): LiveDiagnostics;
  /**
   * Asks everyone to follow to this place; call it again whenever the place changes (PR6). It ends with
   * `stopPresenting`, or as `SessionView.presentError` says.
   */
  present(place: Place): void;
  stopPresenting(): void;
  /** Tells the presenter whether this person follows. It is `none` again when the presentation ends. */
  setStance(stance: Stance): void;
  /** Retries at once whatever waits for a timer. */
  retry(): void;
  /** Remote changes wait until the returned function is called, at most for `ms`: while a word is composed (SY20). */
  pauseRemote(ms: number): Cancel;
  /**
   * `run` is called before anything remote is applied, so that what it writes is older than that (SY21). It must not
   * throw.
   */
  onBeforeRemote(run: () => void): Cancel;
  /** All edits that are not on the server, as one file: a Yjs update (V1) that applies to this document. */
  unsentFile(): Bytes;
  /** When the page's history began again, in ms since 1970 by the database's clock (HI9); 0: never. */
  readonly historyBeganAt: number;
  /**
   * True if lists and search lack the last own edits. If it still is after closing, open the page again with
   * network (SY16).
   */
  readonly isCopyDue: boolean;
  /** Resolves when no timer, channel, lock or listener is left. Unsent edits stay in the store. */
  close(): Promise<void>;
}

/** A page that is only read: by link (`LinkWatch`), or by a member on a wall screen, where it wraps a `Session`. */
export interface WatchSession {
  /** After something was erased for good this is another document, and the view counts a rebuild. */
  readonly doc: Y.Doc;
  /** As in `Session`. */
  readonly shownSeq: number;
  readonly getView: () => WatchView;
  readonly subscribe: (run: () => void) => Cancel;
  /** As in `Session`. */
  setStance(stance: Stance): void;
  retry(): void;
  close(): void;
}

export interface LinkWatch extends WatchSession {
  /** When the row `shownSeq` was written, in ms since 1970 by the clock of the database; null: not known. */
  readonly shownAt: number | null;
}
