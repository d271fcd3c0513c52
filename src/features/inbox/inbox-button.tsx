// The sidebar's button for the inbox, with the number of unread notifications.
import Inbox from 'lucide-react/icons/inbox';
import { useId } from 'react';
import { useValue } from '../../state/hooks.ts';
import { useInbox } from './inbox-provider.tsx';

const MAX_SHOWN = 99;

export function InboxButton({ onChosen }: { readonly onChosen: () => void }) {
  const { inbox, isOpen, toggle } = useInbox();
  const unread = useValue(inbox.unreadAtom);
  const id = useId();
  return (
    <>
      <button
        type="button"
        className="row"
        data-opens="inbox"
        data-here={isOpen || undefined}
        aria-expanded={isOpen}
        aria-describedby={unread > 0 ? id : undefined}
        onClick={() => {
          onChosen();
          toggle();
        }}
      >
        <Inbox className="icon" />
        <span className="grow">Inbox</span>
        {unread > 0 && (
          <span className="row-count tabular" aria-hidden="true">
            {unread > MAX_SHOWN ? `${MAX_SHOWN}+` : unread}
          </span>
        )}
      </button>
      <span id={id} hidden>
        {unread} unread
      </span>
    </>
  );
}
