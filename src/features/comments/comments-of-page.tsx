// The comments of the open page: beside its text, or below it where there is no room. Loads after the page.
import { type ReactNode, useCallback, useEffect, useEffectEvent, useMemo, useState } from 'react';
import type { UserId } from 'weft-sync/protocol/ids.ts';
import { mayEdit, mayManage } from 'weft-sync/protocol/roles.ts';
import type { CommentMarks } from '../../editor/comments/comment-marks.ts';
import type { PageTools } from '../../editor/page-tools.ts';
import type { MentionNames } from '../../editor/typed-menu/mention-names.ts';
import type { Anchor } from '../../protocol/comments.ts';
import type { ThreadId } from '../../protocol/ids.ts';
import type { PageComments } from '../../state/comments/page-comments.ts';
import type { ShownThread } from '../../state/comments/shown-threads.ts';
import { ProfilesContext, useCompany, usePage, usePerson, useValue } from '../../state/hooks.ts';
import { threadHash } from '../../state/workspace/page-address.ts';
import { CommentAnnouncer } from './comment-announcer.tsx';
import { CommentsContext } from './comments-context.ts';
import { commentDrafts } from './composer/comment-drafts.ts';
import { LaneLayout } from './lane/lane-layout.ts';
import { Lane } from './lane/lane.tsx';
import { NewThread } from './new-thread.tsx';
import { passFocus } from './pass-focus.ts';
import { Sheet } from './sheet.tsx';
import { threadOpening } from './thread-opening.ts';
import { useActiveThread, useThreadInAddress } from './use-active-thread.ts';
import { useCommentMarks } from './use-comment-marks.ts';
import { useNewThread } from './use-new-thread.ts';
import { usePageReaders, useWriters } from './use-people-of-page.ts';
import { useThreads } from './use-threads.ts';
import './comments.css';

type CommentsOfPageProps = {
  readonly comments: PageComments;
  readonly tools: PageTools;
  /** The people that `@` offers, and the pages that a link may lead to. */
  readonly names: MentionNames;
  /** The address of the page, and the thread that it names. */
  readonly address: string;
  readonly thread: ThreadId | null;
  /** Whether the comments fit beside the text. */
  readonly hasLane: boolean;
  readonly isShown: boolean;
  readonly onShow: (isShown: boolean) => void;
};

export function CommentsOfPage(props: CommentsOfPageProps) {
  const marks = useCommentMarks(props.tools);
  return marks === null ? null : <MarkedComments {...props} marks={marks} />;
}

function MarkedComments(props: CommentsOfPageProps & { readonly marks: CommentMarks }) {
  const { comments, tools, marks, names, address, hasLane, isShown, onShow } = props;
  const { documentId, roleAtom } = usePage();
  const me = usePerson().identity.id;
  const view = useValue(comments.viewAtom);
  const { mayComment } = view;
  const role = useValue(roleAtom);
  const drafts = useMemo(() => commentDrafts(me, documentId), [me, documentId]);
  const [readers, writers] = [usePageReaders(), useWriters(comments)];
  const [layout] = useState(() => new LaneLayout(marks));
  const show = useCallback(() => onShow(true), [onShow]);
  const [active, setActive] = useActiveThread({ marks, isShown, onShow: show });
  const newThread = useNewThread({ tools, marks, drafts, mayComment, isShown, setActive, onShow: show });
  const threads = useThreads({ comments, marks, layout, active, isShown });
  const reportMoved = useEffectEvent((id: ThreadId, anchor: Anchor, known: Anchor) => {
    // The server refuses it from others.
    const isMine = view.threads.some((thread) => thread.id === id && thread.by === me);
    if (mayEdit(role) || (mayComment && isMine)) void comments.move(id, anchor, known);
  });
  useEffect(() => marks.onMoved((id, anchor, known) => reportMoved(id, anchor, known)), [marks]);
  const { openThread, leaveThread, afterThread } = threadOpening({ marks, active, setActive, listed: threads.listed });
  useThreadInAddress({
    thread: props.thread,
    view,
    onOpen(id) {
      show();
      openThread(id);
    },
  });
  const onScreen = {
    comments,
    mayComment,
    mayManage: mayManage(role),
    drafts,
    names,
    readers,
    writers,
    addressOf: (id: ThreadId) => address + threadHash(id),
    openThread,
    leaveThread,
    passFocus: afterThread,
  };
  const draft =
    newThread.about === null ? null : (
      <NewThread
        key={newThread.begun}
        about={newThread.about}
        hasFocus={newThread.hasFocus}
        onShown={newThread.onShown}
        onStart={(body) => {
          if (newThread.about === null) return;
          const id = comments.start(newThread.about, body);
          newThread.sent();
          setActive({ id, hasFocus: false });
          // By then its words are marked.
          requestAnimationFrame(() => marks.focus(id));
        }}
        onLeave={(isDiscarded) => {
          marks.focus('draft');
          newThread.end(isDiscarded);
        }}
      />
    );
  const close = () => {
    openThread(null);
    if (document.activeElement?.closest('.comments-lane, .comments-sheet')) passFocus([]);
    onShow(false);
  };
  const Place = hasLane ? Lane : Sheet;
  return (
    <CommentsContext value={onScreen}>
      <CommentAnnouncer view={view} />
      {isShown && (
        <CommentPeople comments={comments}>
          <Place threads={threads} layout={layout} draft={draft} onClose={close} />
        </CommentPeople>
      )}
    </CommentsContext>
  );
}

/** The names and colors of everyone who wrote, resolved or reacted. */
function CommentPeople({ comments, children }: { readonly comments: PageComments; readonly children: ReactNode }) {
  const { people } = usePerson();
  const { threads } = useValue(comments.viewAtom);
  const company = useMemo(() => peopleIn(threads), [threads]);
  useEffect(() => people.ensureLoaded(company), [people, company]);
  return <ProfilesContext value={useCompany(company)}>{children}</ProfilesContext>;
}

function peopleIn(threads: readonly ShownThread[]): readonly UserId[] {
  const named = threads.flatMap(({ resolved, comments }) => [
    resolved?.by ?? null,
    ...comments.flatMap(({ by, reactions }) => [by, ...reactions.flatMap((reaction) => reaction.by)]),
  ]);
  return [...new Set(named.flatMap((user) => user ?? []))];
}
