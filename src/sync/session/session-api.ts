// The outside of a session: what state, editor and features may rely on.
import type { Awareness } from 'y-protocols/awareness';
import type * as Y from 'yjs';
import type { Bytes } from '../../lib/bytes.ts';
import type { Cancel } from '../../lib/cancel.ts';
import type { DocumentId, SessionId, UserId } from '../../protocol/ids.ts';
import type { SessionView, WatchView } from './views.ts';

/**
 * One open document in one tab. Lives outside React: opened and closed by the registry in `src/state`,
 * which counts who uses it, so StrictMode's double mount opens one.
 */
export interface Session {
  readonly documentId: DocumentId;
  readonly sessionId: SessionId;
  /** Whose edits they are. */
  readonly user: UserId;
  /** Bind the editor when `getView().phase` is `ready`. Own edits are `transaction.local`. */
  readonly doc: Y.Doc;
  /**
   * Carets. The local state `{ cursor: { anchor, head } | null }` (JSON relative positions, as y-tiptap writes them)
   * is sent as caret live updates; remote states are `{ cursor, session, user }`, only of sessions in the presence list.
   * Driven by our clock: no timer of its own.
   */
  readonly awareness: Awareness;
  readonly getView: () => SessionView;
  readonly subscribe: (run: () => void) => Cancel;
  /**
   * Whether the page has room for so many bytes more of words (20 MiB in all). Asked before an edit that grows it; what
   * grows it without asking is kept and sent all the same.
   */
  mayGrow(bytes: number): boolean;
  /** Tries again at once whatever waits for a timer. */
  retry(): void;
  /** What others write waits until the answer is called, at most for `ms`: a word is being composed (SY20). */
  pauseRemote(ms: number): Cancel;
  /** `run` is called before anything that others wrote is let in: what it writes is older than that (SY21). No throwing. */
  onBeforeRemote(run: () => void): Cancel;
  /** Every edit that is not on the server, as one file: a Yjs update (V1) that applies to this document. */
  unsentFile(): Bytes;
  /** Lists and search have not heard the last own edits. Still so after closing: open the page again with network (SY16). */
  readonly isCopyDue: boolean;
  /** Resolves when nothing is left behind: no timer, channel, lock or listener. Unsent edits stay in the store. */
  close(): Promise<void>;
}

export interface WatchSession {
  readonly doc: Y.Doc;
  readonly getView: () => WatchView;
  readonly subscribe: (run: () => void) => Cancel;
  retry(): void;
  close(): void;
}
