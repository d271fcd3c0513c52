// The threads of a page as this person sees them: as the server has them, and with the changes that wait on this device.
import type { Comment, Thread } from '../../protocol/comments.ts';

/** `sending`: on its way. `device`: the server can't be reached. `refused`: it waits until the person discards it. */
export type CommentState = 'saved' | 'sending' | 'device' | 'refused';
export type ShownComment = Comment & { readonly state: CommentState };
export type ShownThread = Omit<Thread, 'comments'> & { readonly comments: readonly ShownComment[] };
