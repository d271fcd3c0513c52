// One link of a page: what it allows, who created it, when it expires.
import Eye from 'lucide-react/icons/eye';
import MessageSquare from 'lucide-react/icons/message-square';
import Pencil from 'lucide-react/icons/pencil';
import type { ShareLink } from '../../protocol/answers.ts';
import { useAuthorNames, useNow } from '../../state/hooks.ts';
import { Button } from '../../ui/controls/button.tsx';

const ACTION = { viewer: 'watch', commenter: 'comment', editor: 'edit' } as const;
const ICON = { viewer: Eye, commenter: MessageSquare, editor: Pencil } as const;
const MINUTE_MS = 60_000;

type LinkRowProps = { readonly link: ShareLink; readonly onRevoke: (() => void) | null };

export function LinkRow({ link, onRevoke }: LinkRowProps) {
  const nameOf = useAuthorNames();
  // The account of whoever made it was deleted.
  const creator = link.createdBy === null ? 'someone who left' : nameOf(link.createdBy);
  const now = useNow(MINUTE_MS);
  const Icon = ICON[link.role];
  return (
    <li className="link-row">
      <Icon className="icon" />
      <p className="grow">
        Anyone with the link can {ACTION[link.role]}
        <small>
          {creationText(link, creator, now)}, {expiryText(link.expiresAt, now)}
        </small>
      </p>
      {onRevoke !== null && (
        <Button
          size="small"
          look="plain-danger"
          aria-label={`Revoke the link to ${ACTION[link.role]}`}
          onClick={onRevoke}
        >
          Revoke
        </Button>
      )}
    </li>
  );
}

function creationText(link: ShareLink, creator: string | null, now: number): string {
  const by = creator === null ? 'created' : `created by ${creator}`;
  return now - link.createdAt < MINUTE_MS ? `${by} just now` : `${by}, ${dayText(link.createdAt)}`;
}

function expiryText(expiresAt: number | null, now: number): string {
  if (expiresAt === null) return 'never expires';
  return expiresAt <= now ? `expired ${dayText(expiresAt)}` : `expires ${dayText(expiresAt)}`;
}

const dayText = (at: number): string => new Date(at).toLocaleDateString('en-GB', { day: 'numeric', month: 'long' });
