// The notifications of one page below its title, or those of workspaces.
import FileText from 'lucide-react/icons/file-text';
import Users from 'lucide-react/icons/users';
import { useId } from 'react';
import type { Notification } from '../../protocol/home-answers.ts';
import { usePerson, useValue } from '../../state/hooks.ts';
import type { PersonInbox } from '../../state/person/inbox.ts';
import { pagePath, threadHash, workspacePath } from '../../state/workspace/page-address.ts';
import { shownTitle } from '../../texts/content-texts.ts';
import { useNow } from '../../ui/browser/use-time.ts';
import type { InboxGroup } from './inbox-groups.ts';
import { NotificationRow } from './notification-row.tsx';

const MINUTE_MS = 60_000;

type NotificationGroupProps = {
  readonly group: InboxGroup;
  readonly inbox: PersonInbox;
  readonly onChosen: () => void;
  readonly onJoined: (workspaceSlug: string) => void;
};

export function NotificationGroup({ group, inbox, onChosen, onJoined }: NotificationGroupProps) {
  const id = useId();
  const now = useNow(MINUTE_MS);
  const workspaces = useValue(usePerson().workspacesAtom).value ?? [];
  const { document, notifications } = group;
  const readable = notifications.find(({ isReadable }) => isReadable);
  const unread = notifications.filter(({ readAt }) => readAt === null).length;
  const slugOf = (one: Notification) => workspaces.find((workspace) => workspace.id === one.workspace)?.slug ?? null;
  const addressOf = (one: Notification): string | null => {
    const slug = slugOf(one);
    if (document === null) return slug === null || one.kind === 'invite' ? null : workspacePath(slug);
    // Any workspace's screens show a page that may not be opened, and offer to ask for it.
    const where = slug ?? (one.isReadable ? null : (workspaces[0]?.slug ?? null));
    if (where === null) return null;
    return `${pagePath(where, { id: document, title: one.title ?? '' })}${placeOf(one)}`;
  };
  return (
    <section className="inbox-group" aria-labelledby={id}>
      <h3>
        {document === null ? <Users className="icon" /> : <FileText className="icon" />}
        <span id={id} className="truncate" dir="auto">
          {document === null
            ? 'Workspaces'
            : readable === undefined
              ? 'A page that is no longer shared with you'
              : shownTitle(readable.title ?? '')}
        </span>
        {document !== null && readable !== undefined && (
          <small className="truncate" dir="auto">
            {readable.workspaceName}
          </small>
        )}
        {unread > 0 && <small className="tabular inbox-count">{unread} unread</small>}
      </h3>
      {notifications.map((one) => (
        <NotificationRow
          key={one.id}
          notification={one}
          inbox={inbox}
          to={addressOf(one)}
          now={now}
          onChosen={onChosen}
          onJoined={onJoined}
        />
      ))}
    </section>
  );
}

/** The hash of the address: the thread or the block that it is about. */
function placeOf({ detail: { thread, block } }: Notification): string {
  if (thread !== undefined) return threadHash(thread);
  return block === undefined ? '' : `#b-${encodeURIComponent(block)}`;
}
