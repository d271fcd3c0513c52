// The inbox: a panel beside the sidebar, over the page; on phones the whole screen.
import ArrowLeft from 'lucide-react/icons/arrow-left';
import CheckCheck from 'lucide-react/icons/check-check';
import ChevronDown from 'lucide-react/icons/chevron-down';
import WifiOff from 'lucide-react/icons/wifi-off';
import X from 'lucide-react/icons/x';
import { useEffect, useMemo, useState } from 'react';
import type { WeftError } from 'weft-sync/protocol/errors.ts';
import type { UserId } from 'weft-sync/protocol/ids.ts';
import type { Profile } from '../../protocol/answers.ts';
import type { Notification } from '../../protocol/home-answers.ts';
import { ProfilesContext, useCompany, usePerson, useValue } from '../../state/hooks.ts';
import type { PersonInbox } from '../../state/person/inbox.ts';
import { textOf } from '../../texts/error-texts.ts';
import { PHONE, useMedia } from '../../ui/browser/use-media.ts';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { Banner } from '../../ui/feedback/banner.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { DialogClose, DialogLayer, DialogTitle } from '../../ui/floating/dialog-layer.tsx';
import { Menu, MenuCheckItem } from '../../ui/floating/menu.tsx';
import { toast } from '../../ui/floating/toast.tsx';
import { inboxGroups } from './inbox-groups.ts';
import { inboxKey } from './inbox-keys.ts';
import { NotificationGroup } from './notification-group.tsx';
import './inbox.css';

type InboxPanelProps = {
  readonly inbox: PersonInbox;
  readonly onClose: () => void;
  readonly onJoined: (workspaceSlug: string) => void;
};

export function InboxPanel({ inbox, onClose, onJoined }: InboxPanelProps) {
  const { notifications, unread, hasOlder, error } = useValue(inbox.atom);
  const [onlyUnread, setOnlyUnread] = useState(false);
  const shown = useMemo(
    () => notifications?.filter(({ readAt }) => !onlyUnread || readAt === null) ?? null,
    [notifications, onlyUnread],
  );
  const { people } = usePerson();
  // For their pictures: a notification has the name and the color.
  useEffect(() => people.ensureLoaded((notifications ?? []).flatMap(knownActor)), [people, notifications]);
  const named = (notifications ?? []).flatMap(actorOf);
  const profiles = useCompany(
    named.map(({ id }) => id),
    named,
  );
  const mark = async (...what: Parameters<PersonInbox['mark']>) => {
    const answer = await inbox.mark(...what);
    if (!answer.ok) toast(textOf(answer.error));
  };
  return (
    <DialogLayer
      open
      modal={false}
      onOpenChange={(isOpen, { event }) => {
        // The button in the sidebar closes the panel itself.
        const isOnButton = event.target instanceof Element && event.target.closest('[data-opens="inbox"]') !== null;
        if (!isOpen && !(event.type !== 'keydown' && isOnButton)) onClose();
      }}
      className="inbox"
      initialFocus={() => document.querySelector<HTMLElement>('.notification') ?? true}
      onKeyDown={(event) => inboxKey(event, notifications ?? [], (ids, isRead) => void mark(ids, isRead))}
    >
      <InboxHead
        unread={unread}
        onlyUnread={onlyUnread}
        onOnlyUnread={setOnlyUnread}
        onAllRead={() => void mark(null, true)}
      />
      {error !== null && notifications !== null && (
        <Banner
          kind="warning"
          icon={<WifiOff className="icon" />}
          action={
            <Button size="small" onClick={() => void inbox.load()}>
              Try now
            </Button>
          }
        >
          {error.code === 'WF011' ? 'Offline. New notifications appear when you’re back online.' : textOf(error)}
        </Banner>
      )}
      <div className="inbox-list">
        {shown === null && <NothingLoaded error={error} onRetry={() => void inbox.load()} />}
        {shown?.length === 0 && (
          <EmptyState title="You’re all caught up">
            <p>Mentions, invitations and requests appear here.</p>
          </EmptyState>
        )}
        <ProfilesContext value={profiles}>
          {inboxGroups(shown ?? []).map((group) => (
            <NotificationGroup
              key={group.document ?? 'workspaces'}
              group={group}
              inbox={inbox}
              onChosen={onClose}
              onJoined={onJoined}
            />
          ))}
        </ProfilesContext>
        {hasOlder && <OlderNotifications key={notifications?.length} onReached={() => void inbox.loadOlder()} />}
      </div>
    </DialogLayer>
  );
}

type InboxHeadProps = {
  readonly unread: number;
  readonly onlyUnread: boolean;
  readonly onOnlyUnread: (onlyUnread: boolean) => void;
  readonly onAllRead: () => void;
};

function InboxHead({ unread, onlyUnread, onOnlyUnread, onAllRead }: InboxHeadProps) {
  const isPhone = useMedia(PHONE);
  return (
    <header>
      {isPhone && (
        <DialogClose render={<IconButton label="Back" />}>
          <ArrowLeft className="icon" />
        </DialogClose>
      )}
      <DialogTitle className="grow">
        Inbox{unread > 0 && <small className="tabular">{unread} unread</small>}
      </DialogTitle>
      <Menu
        align="end"
        trigger={
          <Button look="plain" size="small" aria-label={onlyUnread ? 'Show: unread' : 'Show: all'}>
            {onlyUnread ? 'Unread' : 'All'}
            <ChevronDown className="icon" />
          </Button>
        }
      >
        <MenuCheckItem checked={!onlyUnread} onCheckedChange={() => onOnlyUnread(false)}>
          All
        </MenuCheckItem>
        <MenuCheckItem checked={onlyUnread} onCheckedChange={() => onOnlyUnread(true)}>
          Unread
        </MenuCheckItem>
      </Menu>
      <IconButton label="Mark all as read" disabled={unread === 0} onClick={onAllRead}>
        <CheckCheck className="icon" />
      </IconButton>
      {!isPhone && (
        <DialogClose render={<IconButton label="Close" />}>
          <X className="icon" />
        </DialogClose>
      )}
    </header>
  );
}

type NothingLoadedProps = { readonly error: WeftError | null; readonly onRetry: () => void };

function NothingLoaded({ error, onRetry }: NothingLoadedProps) {
  if (error === null) return <Skeleton label="Loading your inbox" widths={['70%', '88%', '62%', '80%']} />;
  return (
    <EmptyState
      title="Couldn’t load your inbox"
      actions={
        <Button look="primary" onClick={onRetry}>
          Try again
        </Button>
      }
    >
      <p>{textOf(error)}</p>
    </EmptyState>
  );
}

/**
 * Loads older notifications when it comes into sight at the end of the list. The key makes a new one for each new end.
 */
function OlderNotifications({ onReached }: { readonly onReached: () => void }) {
  const watch = (element: HTMLElement | null) => {
    if (element === null) return;
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      onReached();
    });
    observer.observe(element);
    return () => observer.disconnect();
  };
  return (
    <div className="inbox-older" ref={watch}>
      <Button size="small" look="plain" onClick={onReached}>
        Show older
      </Button>
    </div>
  );
}

/** The person of a notification, as it names them. */
const actorOf = ({ isReadable, actor, actorName, actorColor }: Notification): Profile | readonly Profile[] =>
  isReadable && actor !== null && actorName !== null && actorColor !== null
    ? { id: actor, displayName: actorName, color: actorColor }
    : [];

/** Without people who ask for access or invite: they may share nothing with this person yet, and would count as gone later. */
const knownActor = ({ kind, isReadable, actor }: Notification): UserId | readonly UserId[] =>
  actor !== null && isReadable && kind !== 'request' && kind !== 'invite' ? actor : [];
