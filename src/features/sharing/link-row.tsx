// One link of a page: what it allows, who created it and when, when it expires, how many people joined by it.
import Eye from 'lucide-react/icons/eye';
import MessageSquare from 'lucide-react/icons/message-square';
import Pencil from 'lucide-react/icons/pencil';
import { dateOf, shortDate } from '../../lib/text/times.ts';
import type { ShareLink } from '../../protocol/answers.ts';
import { useAuthorNames } from '../../state/hooks.ts';
import { SOMEONE_WHO_LEFT } from '../../state/people/author-name.ts';
import { useNow } from '../../ui/browser/use-time.ts';
import { Button } from '../../ui/controls/button.tsx';

const ACTION = { viewer: 'watch', commenter: 'comment', editor: 'edit' } as const;
const ICON = { viewer: Eye, commenter: MessageSquare, editor: Pencil } as const;
const MINUTE_MS = 60_000;

type LinkRowProps = { readonly link: ShareLink; readonly onRevoke: (() => void) | null };

export function LinkRow({ link, onRevoke }: LinkRowProps) {
  const nameOf = useAuthorNames();
  // Null: the creator's account was deleted.
  const creator = link.createdBy === null ? SOMEONE_WHO_LEFT : nameOf(link.createdBy);
  const now = useNow(MINUTE_MS);
  const Icon = ICON[link.role];
  const which = link.name === null ? 'the link' : `“${link.name}”`;
  return (
    <li className="link-row">
      <Icon className="icon" />
      <p className="grow">
        <span className="link-name">
          Anyone with {which} can {ACTION[link.role]}
        </span>
        <small>{linkText(link, creator, now)}</small>
      </p>
      {onRevoke !== null && (
        <Button
          size="small"
          look="plain-danger"
          aria-label={link.name === null ? `Revoke the link to ${ACTION[link.role]}` : `Revoke ${which}`}
          onClick={onRevoke}
        >
          Revoke
        </Button>
      )}
    </li>
  );
}

function linkText(link: ShareLink, creator: string | null, now: number): string {
  const when = now - link.createdAt < MINUTE_MS ? 'just now' : shortDate(link.createdAt, now);
  const facts = [
    creator === null ? `Created ${when}` : `By ${creator}, ${when}`,
    expiryText(link.expiresAt, now),
    ...(link.history ? ['with history'] : []),
    // A link to watch is not joined by.
    ...(link.role === 'viewer' ? [] : [link.uses === 0 ? 'no one joined yet' : `${link.uses} joined`]),
  ];
  return facts.join(' · ');
}

function expiryText(expiresAt: number | null, now: number): string {
  if (expiresAt === null) return 'never expires';
  return expiresAt <= now ? `expired ${dateOf(expiresAt, now)}` : `expires ${dateOf(expiresAt, now)}`;
}
