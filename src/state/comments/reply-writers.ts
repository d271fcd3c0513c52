// The people who are writing a reply, by thread. A reply is a text beside the page, and its writer's caret is there: it is
// sent like a caret in the page (CA1–CA5), but only when it comes and goes, not with each key. People who may comment, but not
// edit, send no carets: they ask the database to say that they write (CA6).
import { type UserId, parseUserId } from 'weft-sync/protocol/ids.ts';
import type { Session } from 'weft-sync/session/session-api.ts';
import type { Cancel } from '../../lib/cancel.ts';
import type { ThreadId } from '../../protocol/ids.ts';
import type { Timing } from '../offline/cached-list.ts';

export interface ReplyWriters {
  /** This person pressed a key in the reply to a thread. */
  readonly typed: (thread: ThreadId) => void;
  /** The reply was sent or left, or is empty. */
  readonly ended: () => void;
  readonly subscribe: (run: () => void) => Cancel;
  /** The others, by their ids, in one order, parted by spaces: equal while nothing changes. */
  readonly of: (thread: ThreadId) => string;
}

/** Without a key for this time, a writer has stopped. */
export const STOPPED_AFTER_MS = 6_000;
/** Others show an announced writer for 15 s. */
export const ANNOUNCED_FOR_MS = 8_000;

export function replyWriters(options: {
  readonly awareness: Session['awareness'];
  readonly me: UserId;
  readonly timing: Pick<Timing, 'after'>;
  /** The server takes carets from no one else. */
  readonly mayEdit: () => boolean;
  readonly announce: (thread: ThreadId, isWriting: boolean) => void;
}): ReplyWriters {
  const { awareness, me, timing } = options;
  let stopSoon: Cancel | null = null;
  let announced: ThreadId | null = null;
  /** Null: the next key announces it again. */
  let lapse: Cancel | null = null;
  const announce = (thread: ThreadId) => {
    if (thread === announced && lapse !== null) return;
    lapse?.();
    lapse = timing.after(ANNOUNCED_FOR_MS, () => (lapse = null));
    announced = thread;
    options.announce(thread, true);
  };
  const ended = () => {
    stopSoon?.();
    stopSoon = null;
    lapse?.();
    lapse = null;
    if (announced !== null) options.announce(announced, false);
    announced = null;
    // The caret may be in the page by now.
    if (placeOf(awareness.getLocalState()) !== null) awareness.setLocalStateField('cursor', null);
  };
  return {
    typed(thread) {
      const mayEdit = options.mayEdit();
      // The right has come or gone in the middle of a reply.
      if (mayEdit ? announced !== null : placeOf(awareness.getLocalState()) !== null) ended();
      stopSoon?.();
      stopSoon = timing.after(STOPPED_AFTER_MS, ended);
      if (!mayEdit) announce(thread);
      else if (placeOf(awareness.getLocalState()) !== thread)
        awareness.setLocalStateField('cursor', { beside: thread });
    },
    ended,
    subscribe(run) {
      awareness.on('change', run);
      return () => awareness.off('change', run);
    },
    of(thread) {
      const users = Array.from(awareness.getStates().values()).flatMap((state) =>
        placeOf(state) === thread ? (userOf(state) ?? []) : [],
      );
      return [...new Set(users)]
        .filter((user) => user !== me)
        .sort()
        .join(' ');
    },
  };
}

type State = { readonly [name: string]: unknown } | null;

function placeOf(state: State): unknown {
  const cursor = state?.['cursor'];
  return typeof cursor === 'object' && cursor !== null && 'beside' in cursor ? cursor.beside : null;
}

/** The user as the database names the session's, never as a message does (CA5). */
function userOf(state: State): UserId | null {
  const user = state?.['user'];
  return typeof user === 'string' ? parseUserId(user) : null;
}
