// One notification: a person and their action, the words it is about, and an answer in place if it asks for one.
import CircleCheck from 'lucide-react/icons/circle-check';
import Circle from 'lucide-react/icons/circle-dot';
import { useId, useState } from 'react';
import { Link } from 'react-router';
import type { WeftError } from 'weft-sync/protocol/errors.ts';
import { DOCUMENT_ROLES, type DocumentRole } from 'weft-sync/protocol/roles.ts';
import type { Result } from '../../lib/result.ts';
import { shortDate } from '../../lib/text/times.ts';
import type { Notification } from '../../protocol/home-answers.ts';
import { useProfiles } from '../../state/hooks.ts';
import type { PersonInbox } from '../../state/person/inbox.ts';
import { textOf } from '../../texts/error-texts.ts';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { toast } from '../../ui/floating/toast.tsx';
import { PersonTag } from '../../ui/people/person-tag.tsx';
import { notificationText, outcomeText } from './notification-text.ts';

type NotificationRowProps = {
  readonly notification: Notification;
  readonly inbox: PersonInbox;
  /** The address that it leads to. Null: none. */
  readonly to: string | null;
  readonly now: number;
  readonly onChosen: () => void;
  readonly onJoined: (workspaceSlug: string) => void;
};

export function NotificationRow({ notification, inbox, to, now, onChosen, onJoined }: NotificationRowProps) {
  const id = useId();
  const { kind, actor, actorName, actorColor, detail, isReadable, at, readAt } = notification;
  const profiles = useProfiles();
  const profile = actor === null ? undefined : profiles.get(actor);
  const picture = profile?.avatarPath;
  const isUnread = readAt === null;
  const { hasName, text } = notificationText(notification);
  const name = actorName ?? 'Someone';
  const words = kind === 'request' ? detail.note : detail.excerpt;
  const mark = (isRead: boolean) => void inbox.mark([notification.id], isRead);
  const sentence = (
    <>
      {hasName && (
        <>
          <bdi>
            <b>{name}</b>
          </bdi>{' '}
        </>
      )}
      {text}
    </>
  );
  return (
    <article className="notification" data-unread={isUnread || undefined} data-id={notification.id} tabIndex={-1}>
      <PersonTag
        name={isReadable && hasName ? name : 'Weft'}
        color={isReadable ? (profile?.color ?? actorColor) : null}
        picture={isReadable && hasName ? picture : null}
      />
      <p className="notification-what" id={id}>
        {to === null ? (
          sentence
        ) : (
          <Link
            to={to}
            onClick={() => {
              if (isUnread) mark(true);
              onChosen();
            }}
          >
            {sentence}
          </Link>
        )}
        {isUnread && <span className="sr-only">, unread</span>}
      </p>
      <time dateTime={new Date(at).toISOString()}>{shortDate(at, now)}</time>
      <IconButton
        className="notification-mark"
        label={isUnread ? 'Mark as read' : 'Mark as unread'}
        aria-describedby={id}
        onClick={() => mark(isUnread)}
      >
        {isUnread ? <CircleCheck className="icon" /> : <Circle className="icon" />}
      </IconButton>
      {words !== undefined && words !== '' && <q dir="auto">{words}</q>}
      <Answer notification={notification} describedBy={id} inbox={inbox} onJoined={onJoined} />
      {!isReadable && kind !== 'invite' && notification.document !== null && to !== null && (
        <div className="notification-answer">
          <Link className="btn" data-size="small" to={to} aria-describedby={id} onClick={onChosen}>
            Request access
          </Link>
        </div>
      )}
    </article>
  );
}

type AnswerProps = Pick<NotificationRowProps, 'notification' | 'inbox' | 'onJoined'> & { readonly describedBy: string };

function Answer({ notification, describedBy, inbox, onJoined }: AnswerProps) {
  const [isBusy, setBusy] = useState(false);
  const { id, state, detail } = notification;
  const outcome = outcomeText(notification);
  const { request, invite } = detail;
  if (outcome !== null) return <p className="notification-outcome">{outcome}</p>;
  if (state !== 'open') return null;
  const run = async <T,>(write: Promise<Result<T, WeftError>>, onDone: (value: T) => void = () => undefined) => {
    setBusy(true);
    const answer = await write;
    setBusy(false);
    if (!answer.ok) return toast(textOf(answer.error));
    void inbox.mark([id], true);
    onDone(answer.value);
  };
  const asked: DocumentRole = DOCUMENT_ROLES.find((role) => role === detail.role) ?? 'viewer';
  const button = { size: 'small', disabled: isBusy, 'aria-describedby': describedBy } as const;
  return (
    <div className="notification-answer">
      {request !== undefined && (
        <>
          <Button {...button} look="primary" onClick={() => void run(inbox.answerRequest(request, asked))}>
            Allow
          </Button>
          <Button {...button} onClick={() => void run(inbox.answerRequest(request, null))}>
            Deny
          </Button>
        </>
      )}
      {invite !== undefined && (
        <>
          <Button
            {...button}
            look="primary"
            onClick={() => void run(inbox.join(invite), ({ workspaceSlug }) => onJoined(workspaceSlug))}
          >
            Join
          </Button>
          <Button {...button} onClick={() => void run(inbox.decline(invite))}>
            Decline
          </Button>
        </>
      )}
    </div>
  );
}
