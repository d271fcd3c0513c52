// The comments of pages in memory: the database's functions as far as the app sees them, and the queue of a device.
import { type WeftError, weftError } from 'weft-sync/protocol/errors.ts';
import type { DocumentId, UserId } from 'weft-sync/protocol/ids.ts';
import { type DocumentRole, mayComment } from 'weft-sync/protocol/roles.ts';
import { type Result, err, ok } from '../../../src/lib/result.ts';
import type { CommentChange, CommentQueue, Comments } from '../../../src/ports/comments.ts';
import type {
  Anchor,
  ChangedThread,
  Comment,
  CommentAnswer,
  CommentBody,
  CommentList,
  Thread,
} from '../../../src/protocol/comments.ts';
import { type CommentId, type ThreadId, parseCommentId, parseThreadId } from '../../../src/protocol/ids.ts';

const uuid = (kind: number, n: number) =>
  `${String(kind).padStart(8, '0')}-0000-4000-8000-${String(n).padStart(12, '0')}`;
const required = <T>(value: T | null): T => {
  if (value === null) throw new Error('not an id');
  return value;
};
export const threadId = (n: number): ThreadId => required(parseThreadId(uuid(10, n)));
export const commentId = (n: number): CommentId => required(parseCommentId(uuid(11, n)));
export const paragraph = (text: string): CommentBody => [{ kind: 'paragraph', runs: [{ text }] }];
export const PAGE_ANCHOR: Anchor = { kind: 'page' };

/** The comments of all pages on one server. Tabs and people may share it. */
export function memoryCommentServer(now: () => number) {
  type Stored = { readonly document: DocumentId; thread: ChangedThread; change: number };
  const state = {
    threads: new Map<ThreadId, Stored>(),
    heads: new Map<DocumentId, number>(),
    reads: new Map<string, number>(),
    roles: new Map<UserId, DocumentRole | null>(),
    withdrawn: new Set<CommentId>(),
    announced: [] as (readonly [user: UserId, thread: ThreadId, isWriting: boolean])[],
  };
  const headOf = (document: DocumentId) => state.heads.get(document) ?? 0;
  const next = (document: DocumentId) => {
    const change = headOf(document) + 1;
    state.heads.set(document, change);
    return change;
  };
  const answerOf = ({ document, thread }: Stored): CommentAnswer => ({
    change: headOf(document),
    thread: structuredClone(thread),
  });
  const roleOf = (user: UserId) => (state.roles.has(user) ? (state.roles.get(user) ?? null) : 'editor');

  /** The calls of one person. They throw what they refuse with. */
  const callsOf = (me: UserId) => {
    const mayWrite = () => {
      const role = roleOf(me);
      if (role === null) throw weftError('WF001');
      if (!mayComment(role)) throw weftError('WF002');
    };
    const find = (id: ThreadId): Stored & { thread: Thread } => {
      const found = state.threads.get(id);
      if (found === undefined || 'removed' in found.thread) throw weftError('WF001');
      return found as Stored & { thread: Thread };
    };
    const threadWith = (id: CommentId) => {
      const found = Array.from(state.threads.values()).find(
        ({ thread }) => !('removed' in thread) && thread.comments.some((one) => one.id === id),
      );
      if (found === undefined || 'removed' in found.thread) throw weftError('WF001');
      return found as Stored & { thread: Thread };
    };
    const change = (stored: Stored, alter: (thread: Thread, change: number) => Thread): CommentAnswer => {
      if ('removed' in stored.thread) throw weftError('WF001');
      stored.change = next(stored.document);
      const changed = { ...alter(stored.thread, stored.change), change: stored.change };
      const isGone = changed.comments.every(({ body }) => body === null);
      stored.thread = isGone ? { id: changed.id, removed: true } : changed;
      return answerOf(stored);
    };
    const newComment = (id: CommentId, body: CommentBody, at: number): Comment => ({
      id,
      by: me,
      at: now(),
      editedAt: null,
      body,
      change: at,
      reactions: [],
    });
    const withComment = (thread: Thread, id: CommentId, alter: (one: Comment) => Comment): Thread => ({
      ...thread,
      comments: thread.comments.map((one) => (one.id === id ? alter(one) : one)),
    });
    return {
      list(document: DocumentId, after: number): CommentList {
        const role = roleOf(me);
        if (role === null) throw weftError('WF001');
        if (role === 'viewer') throw weftError('WF002');
        const changed = Array.from(state.threads.values()).filter(
          (one) => one.document === document && one.change > after && (after > 0 || !('removed' in one.thread)),
        );
        return {
          document,
          change: headOf(document),
          readChange: state.reads.get(`${me} ${document}`) ?? 0,
          mayComment: mayComment(role),
          threads: structuredClone(changed.map(({ thread }) => thread)),
        };
      },
      start(document: DocumentId, id: ThreadId, comment: CommentId, anchor: Anchor, body: CommentBody): CommentAnswer {
        const known = state.threads.get(id);
        if (known !== undefined && roleOf(me) !== null) return answerOf(known);
        if (state.withdrawn.has(comment)) throw weftError('WF022');
        mayWrite();
        const at = next(document);
        const comments = [newComment(comment, body, at)];
        const thread = { id, anchor, by: me, at: now(), resolved: null, change: at, comments };
        const stored = { document, thread, change: at };
        state.threads.set(id, stored);
        return answerOf(stored);
      },
      reply(id: ThreadId, comment: CommentId, body: CommentBody): CommentAnswer {
        const stored = find(id);
        const isThere = stored.thread.comments.some((one) => one.id === comment);
        if (isThere && roleOf(me) !== null) return answerOf(stored);
        if (state.withdrawn.has(comment)) throw weftError('WF022');
        mayWrite();
        return change(stored, (thread, at) => ({
          ...thread,
          comments: [...thread.comments, newComment(comment, body, at)],
        }));
      },
      edit(id: CommentId, body: CommentBody): CommentAnswer {
        mayWrite();
        const stored = threadWith(id);
        if ('comments' in stored.thread && stored.thread.comments.find((one) => one.id === id)?.body === null)
          throw weftError('WF022');
        return change(stored, (thread) => withComment(thread, id, (one) => ({ ...one, body, editedAt: now() })));
      },
      remove(id: CommentId): CommentAnswer {
        const isThere = Array.from(state.threads.values()).some(
          ({ thread }) => !('removed' in thread) && thread.comments.some((one) => one.id === id),
        );
        if (!isThere) state.withdrawn.add(id);
        mayWrite();
        return change(threadWith(id), (thread) =>
          withComment(thread, id, (one) => ({ ...one, body: null, reactions: [] })),
        );
      },
      resolve(id: ThreadId, isResolved: boolean): CommentAnswer {
        mayWrite();
        return change(find(id), (thread) => ({ ...thread, resolved: isResolved ? { by: me, at: now() } : null }));
      },
      react(id: CommentId, emoji: string, isSet: boolean): CommentAnswer {
        mayWrite();
        const without = (one: Comment) => one.reactions.filter((reaction) => reaction.emoji !== emoji);
        return change(threadWith(id), (thread) =>
          withComment(thread, id, (one) => ({
            ...one,
            reactions: isSet ? [...without(one), { emoji, by: [me] }] : without(one),
          })),
        );
      },
      move(id: ThreadId, anchor: Anchor, known: Anchor): CommentAnswer {
        mayWrite();
        const stored = find(id);
        const isKnown = JSON.stringify(stored.thread.anchor) === JSON.stringify(known);
        return isKnown ? change(stored, (thread) => ({ ...thread, anchor })) : answerOf(stored);
      },
      markRead(document: DocumentId, upTo: number): void {
        const key = `${me} ${document}`;
        state.reads.set(key, Math.max(state.reads.get(key) ?? 0, upTo));
      },
    };
  };
  return {
    state,
    callsOf,
    /** A backup of the server, to be restored later. */
    backup() {
      const copy = structuredClone({ threads: state.threads, heads: state.heads, reads: state.reads });
      return () => void Object.assign(state, structuredClone(copy));
    },
  };
}

export type CommentServer = ReturnType<typeof memoryCommentServer>;

type Answering = <T>(name: string, value: () => T) => Promise<Result<T, WeftError>>;

/** The port of one person. `answer` counts and refuses calls, as for the other ports of the fixture. */
export function memoryComments(server: CommentServer, me: UserId, answer: Answering): Comments {
  const calls = server.callsOf(me);
  const call = async <T>(name: string, run: () => T): Promise<Result<T, WeftError>> => {
    const refused: { error: WeftError | null } = { error: null };
    const answered = await answer(name, () => {
      try {
        return run();
      } catch (error) {
        refused.error = error as WeftError;
        return null;
      }
    });
    if (!answered.ok) return answered;
    return refused.error !== null || answered.value === null
      ? err(refused.error ?? weftError('unknown'))
      : ok(answered.value);
  };
  return {
    list: (...args) => call('listComments', () => calls.list(...args)),
    start: (...args) => call('startThread', () => calls.start(...args)),
    reply: (...args) => call('addComment', () => calls.reply(...args)),
    edit: (...args) => call('editComment', () => calls.edit(...args)),
    remove: (...args) => call('deleteComment', () => calls.remove(...args)),
    resolve: (...args) => call('resolveThread', () => calls.resolve(...args)),
    react: (...args) => call('setReaction', () => calls.react(...args)),
    move: (...args) => call('moveThread', () => calls.move(...args)),
    announce: (...args) => answer('announceReply', () => void server.state.announced.push([me, ...args])),
    markRead: (...args) => answer('markCommentsRead', () => calls.markRead(...args)),
  };
}

/** The waiting changes of a device. It stores copies, as IndexedDB does. */
export const memoryCommentQueue = (device: {
  readonly comments: Map<string, CommentChange>;
  readonly isBroken: boolean;
}): CommentQueue => ({
  async put(change, replaced) {
    if (device.isBroken) throw new Error('the device stores nothing');
    for (const key of replaced) device.comments.delete(key);
    device.comments.set(change.key, structuredClone(change));
  },
  list: async () => structuredClone(Array.from(device.comments.values())).toSorted((a, b) => a.madeAt - b.madeAt),
  keys: async () => new Set(device.comments.keys()),
  remove: async (key) => void device.comments.delete(key),
});
