// Open invitations, each of which can be revoked.
import Link2 from 'lucide-react/icons/link-2';
import Mail from 'lucide-react/icons/mail';
import { useState } from 'react';
import { shortDate } from '../../lib/text/times.ts';
import type { Invite } from '../../protocol/people-answers.ts';
import { useApp, useAuthorNames, useListedPage } from '../../state/hooks.ts';
import type { Members } from '../../state/workspace/access/members.ts';
import { shownTitle } from '../../texts/content-texts.ts';
import { textOf } from '../../texts/error-texts.ts';
import { SIGN_IN_TEXTS } from '../../texts/sign-in-texts.ts';
import { useNow } from '../../ui/browser/use-time.ts';
import { Button } from '../../ui/controls/button.tsx';
import { toast } from '../../ui/floating/toast.tsx';
import { WORKSPACE_ROLE_NAMES } from './role-texts.ts';

type PendingInvitesProps = { readonly invites: readonly Invite[]; readonly members: Members };

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

export function PendingInvites({ invites, members }: PendingInvitesProps) {
  const revoke = async (invite: Invite) => {
    const answer = await members.revoke(invite.id);
    toast(answer.ok ? 'Invitation revoked' : textOf(answer.error));
  };
  return (
    <section aria-label="Pending">
      <h2>
        Pending <small className="tabular">{invites.length}</small>
      </h2>
      <ul className="member-list">
        {invites.map((invite) => (
          <li key={invite.id} className="member-row">
            <span className="invite-icon">
              {invite.email === null ? <Link2 className="icon" /> : <Mail className="icon" />}
            </span>
            <p className="grow">
              <b className="truncate">{invite.email ?? 'Invite link'}</b>
              <InviteText invite={invite} />
            </p>
            {invite.email !== null && <Resend email={invite.email} />}
            <Button
              look="plain-danger"
              size="small"
              aria-label={`Revoke ${invite.email ?? 'invite link'}`}
              onClick={() => void revoke(invite)}
            >
              Revoke
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

const RESEND_TEXTS = {
  sent: 'Email sent.',
  tooMany: 'Too many emails for now. Try again in a few minutes.',
  noEmail: 'This server sent no email. Invite them again to get a link.',
} as const;

/** Sends the email of an invitation again. Not where the server sends none: only a link leads in there, and it is shown once. */
function Resend({ email }: { readonly email: string }) {
  const { account } = useApp();
  const [state, setState] = useState<'idle' | 'sending' | 'sent'>('idle');
  if (account.inbox !== null) return null;
  const send = async () => {
    setState('sending');
    const answer = await account.sendInvite(email);
    setState(answer.ok ? 'sent' : 'idle');
    if (answer.ok) return toast(RESEND_TEXTS.sent);
    const { problem } = answer.error;
    toast(
      problem === 'tooMany'
        ? RESEND_TEXTS.tooMany
        : problem === 'unreachable'
          ? SIGN_IN_TEXTS.unreachable
          : RESEND_TEXTS.noEmail,
    );
  };
  return (
    <Button
      look="plain"
      size="small"
      aria-label={`Resend ${email}`}
      // The server sends one email a minute to an address.
      disabled={state !== 'idle'}
      onClick={() => void send()}
    >
      {state === 'sent' ? 'Sent' : 'Resend'}
    </Button>
  );
}

function InviteText({ invite }: { readonly invite: Invite }) {
  const nameOf = useAuthorNames();
  const now = useNow(MINUTE_MS);
  const by = nameOf(invite.createdBy);
  const days = Math.ceil((invite.expiresAt - now) / DAY_MS);
  return (
    <small>
      {WORKSPACE_ROLE_NAMES[invite.role]}
      {invite.document !== null && <PageName id={invite.document} />}
      {invite.maxUses !== null && invite.maxUses > 1 && ` · ${invite.uses} of ${invite.maxUses} used`}
      {invite.maxUses === null && invite.uses > 0 && ` · used ${invite.uses === 1 ? 'once' : `${invite.uses} times`}`}
      {by !== null && ` · by ${by}`}, {shortDate(invite.createdAt, now)} · expires in{' '}
      {days <= 1 ? 'a day' : `${days} days`}
    </small>
  );
}

function PageName({ id }: { readonly id: NonNullable<Invite['document']> }) {
  const page = useListedPage(id);
  return page === null ? null : ` on “${shownTitle(page.title)}”`;
}
