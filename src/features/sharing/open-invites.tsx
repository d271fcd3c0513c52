// Open invitations to the page, each of which can be revoked.
import Mail from 'lucide-react/icons/mail';
import { dateOf } from '../../lib/text/times.ts';
import type { Invite } from '../../protocol/people-answers.ts';
import type { PagePeopleState } from '../../state/workspace/access/page-people.ts';
import { textOf } from '../../texts/error-texts.ts';
import { PAGE_ROLE_NAMES } from '../../texts/role-texts.ts';
import { useNow } from '../../ui/browser/use-time.ts';
import { Button } from '../../ui/controls/button.tsx';
import { toast } from '../../ui/floating/toast.tsx';

const MINUTE_MS = 60_000;

type OpenInvitesProps = { readonly invites: readonly Invite[]; readonly people: PagePeopleState };

export function OpenInvites({ invites, people }: OpenInvitesProps) {
  const now = useNow(MINUTE_MS);
  const revoke = async ({ id }: Invite) => {
    const answer = await people.revokeInvite(id);
    toast(answer.ok ? 'Invitation revoked' : textOf(answer.error));
  };
  return (
    <ul className="access-list" aria-label="Invitations to this page">
      {invites.map((invite) => {
        const email = invite.email ?? 'Invite link';
        return (
          <li key={invite.id} className="access-row">
            <span className="tag" data-size="large" data-more>
              <Mail className="icon" />
            </span>
            <p className="grow">
              <span className="access-name">
                <span className="truncate">{email}</span>
              </span>
              <small className="truncate">
                Invited · {PAGE_ROLE_NAMES[invite.documentRole ?? 'viewer'].toLowerCase()} · until{' '}
                {dateOf(invite.expiresAt, now)}
              </small>
            </p>
            <Button
              size="small"
              look="plain-danger"
              aria-label={`Revoke the invitation of ${email}`}
              onClick={() => void revoke(invite)}
            >
              Revoke
            </Button>
          </li>
        );
      })}
    </ul>
  );
}
