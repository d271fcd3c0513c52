// One comment of an open thread.
import { type ReactNode, useRef, useState } from 'react';
import { dayAndTime, shortDate } from '../../../lib/text/times.ts';
import { picturesOf } from '../../../protocol/comments.ts';
import type { ShownComment } from '../../../state/comments/shown-threads.ts';
import { textOfBody } from '../../../state/comments/text-of-body.ts';
import { usePerson } from '../../../state/hooks.ts';
import { copyText } from '../../../ui/browser/copy-text.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { ConfirmDialog } from '../../../ui/floating/confirm-dialog.tsx';
import { MenuItem, MenuSeparator } from '../../../ui/floating/menu.tsx';
import { MoreMenu } from '../../../ui/floating/more-menu.tsx';
import { toast } from '../../../ui/floating/toast.tsx';
import { useComments } from '../comments-context.ts';
import { AuthorTag, useCommentNames } from './author.tsx';
import { CommentPictures } from './comment-pictures.tsx';
import { CommentText } from './comment-text.tsx';
import { EditedComment } from './edited-comment.tsx';
import { AddReaction, Reactions } from './reactions.tsx';

type CommentItemProps = {
  readonly comment: ShownComment;
  readonly now: number;
  /** Buttons for the whole thread, beside its first comment. */
  readonly actions?: ReactNode;
  /** Items of its menu for the whole thread. */
  readonly items?: ReactNode;
};

export function CommentItem({ comment, now, actions, items }: CommentItemProps) {
  const { id, by, at, editedAt, body, state } = comment;
  const { comments, mayComment, mayManage, drafts } = useComments();
  const isOwn = usePerson().identity.id === by;
  const name = useCommentNames()(by);
  const place = `edit:${id}`;
  const [editing, setEditing] = useState<'chosen' | 'kept' | null>(() => (drafts.read(place) === null ? null : 'kept'));
  const [isAsking, setAsking] = useState(false);
  const item = useRef<HTMLDivElement>(null);
  const isThere = body !== null && state !== 'refused';
  const mayEdit = isThere && isOwn && mayComment;
  const mayDelete = isThere && ((isOwn && mayComment) || mayManage);
  return (
    <div ref={item} className="comment" data-state={state}>
      <header>
        <AuthorTag author={by} />
        <b className="truncate">{name}</b>
        <time dateTime={new Date(at).toISOString()} title={dayAndTime(at, now)}>
          {shortDate(at, now)}
        </time>
        {editedAt !== null && body !== null && <small>edited</small>}
        <span className="comment-actions">
          {isThere && mayComment && <AddReaction comment={comment} />}
          {actions}
          {(mayEdit || mayDelete || items !== undefined) && (
            <MoreMenu>
              {items}
              {items !== undefined && (mayEdit || mayDelete) && <MenuSeparator />}
              {mayEdit && <MenuItem onSelect={() => setEditing('chosen')}>Edit</MenuItem>}
              {mayDelete && (
                <MenuItem isDanger onSelect={() => setAsking(true)}>
                  Delete
                </MenuItem>
              )}
            </MoreMenu>
          )}
        </span>
      </header>
      {body === null && <p className="comment-gone">Deleted</p>}
      {body !== null && editing === null && (
        <>
          <CommentText body={body} />
          <CommentPictures
            pictures={picturesOf(body)}
            files={comments.files}
            {...(state === 'saved' ? {} : { onTakeOut: (picture) => comments.takeOut(id, picture) })}
          />
        </>
      )}
      {body !== null && editing !== null && (
        <EditedComment
          place={place}
          body={body}
          hasFocus={editing === 'chosen'}
          onSend={(changed) => {
            comments.edit(id, changed);
            setEditing(null);
          }}
          onLeave={() => setEditing(null)}
        />
      )}
      <CommentState comment={comment} />
      <Reactions comment={comment} />
      {isAsking && (
        <DeleteDialog
          comment={comment}
          onClose={() => setAsking(false)}
          // Its menu may be gone.
          returnFocusTo={() => item.current?.querySelector('button') ?? item.current?.closest('article') ?? null}
        />
      )}
    </div>
  );
}

type DeleteDialogProps = {
  readonly comment: ShownComment;
  readonly onClose: () => void;
  readonly returnFocusTo: () => HTMLElement | null;
};

function DeleteDialog({ comment: { id, state }, onClose, returnFocusTo }: DeleteDialogProps) {
  const { comments } = useComments();
  return (
    <ConfirmDialog
      title="Delete this comment?"
      action="Delete"
      onConfirm={() => {
        comments.remove(id);
        return Promise.resolve(null);
      }}
      onClose={onClose}
      returnFocusTo={returnFocusTo}
    >
      {state === 'saved' ? 'It is deleted for everyone and can’t be restored.' : 'It can’t be restored.'}
    </ConfirmDialog>
  );
}

/** Says where a comment is that the server does not have. */
function CommentState({ comment }: { readonly comment: ShownComment }) {
  const { comments } = useComments();
  if (comment.state === 'saved') return null;
  if (comment.state !== 'refused') {
    return <p className="comment-state">{comment.state === 'sending' ? 'Sending…' : 'On this device'}</p>;
  }
  const copy = async () => {
    const isCopied = await copyText(textOfBody(comment.body ?? []), null);
    toast(isCopied ? 'Comment copied.' : 'Couldn’t copy the comment.');
  };
  return (
    <div className="comment-state">
      <span role="alert">The server rejected this.</span>
      <Button size="small" onClick={() => void copy()}>
        Copy text
      </Button>
      <Button size="small" look="plain-danger" onClick={() => comments.discard(comment.id)}>
        Discard
      </Button>
    </div>
  );
}
