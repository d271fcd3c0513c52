// Opens and closes a thread, and says where the focus goes then.
import type { CommentMarks } from '../../editor/comments/comment-marks.ts';
import type { ThreadId } from '../../protocol/ids.ts';
import type { ShownThread } from '../../state/comments/shown-threads.ts';
import { threadAfter } from './listed-threads.ts';
import { passFocus } from './pass-focus.ts';
import type { ActiveThread } from './use-threads.ts';

type Options = {
  readonly marks: CommentMarks;
  readonly active: ActiveThread | null;
  readonly setActive: (active: ActiveThread | null) => void;
  readonly listed: readonly ShownThread[];
};

export function threadOpening({ marks, active, setActive, listed }: Options) {
  const afterThread = (id: ThreadId) => {
    if (document.activeElement === document.body) passFocus([id, threadAfter(listed, id, 1)?.id ?? id]);
  };
  return {
    afterThread,
    openThread: (id: ThreadId | null) => {
      setActive(id === null ? null : { id, hasFocus: true });
      if (id === null && active !== null) {
        // Below the text, that would bring the keyboard of the phone.
        if (document.activeElement?.closest('.comments-lane')) marks.focus(active.id);
        else if (document.activeElement?.closest('.comments-sheet')) queueMicrotask(() => afterThread(active.id));
      }
    },
    leaveThread: (id: ThreadId) => {
      if (!marks.focus(id)) setActive(null);
    },
  };
}
