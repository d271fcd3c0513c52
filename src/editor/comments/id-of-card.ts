// The `id` of a thread's card on the screen. The words that the thread is about refer to it.
import type { ThreadId } from '../../protocol/ids.ts';

export const idOfCard = (thread: ThreadId): string => `thread-${thread}`;
