// Inviting people: one link for many, or one for each email address, which the server mails if it can. Links are shown once, to
// copy and send.
import Link2 from 'lucide-react/icons/link-2';
import { type FormEvent, useState } from 'react';
import { isEmail } from '../../lib/text/is-email.ts';
import type { CreatedInvite } from '../../protocol/people-answers.ts';
import type { WorkspaceRole } from '../../protocol/roles.ts';
import { useApp } from '../../state/hooks.ts';
import { INVITE_MAIL_TEXTS, type InviteMail, mailInvite } from '../../state/workspace/access/invite-mail.ts';
import type { Members } from '../../state/workspace/access/members.ts';
import { inviteAddress } from '../../state/workspace/page-address.ts';
import { textOf } from '../../texts/error-texts.ts';
import { FIELD_TEXTS } from '../../texts/field-texts.ts';
import { Button } from '../../ui/controls/button.tsx';
import { CopyField } from '../../ui/feedback/copy-field.tsx';
import { ChoiceMenu } from '../../ui/floating/choice-menu.tsx';
import { WORKSPACE_ROLE_NAMES } from './role-texts.ts';

type NewInvite = CreatedInvite & {
  /** Whether its email was sent; null for a link that several people may use. */
  readonly email: InviteMail | null;
};

type InviteFormProps = { readonly members: Members; readonly origin: string; readonly isOwner: boolean };

const MEMBER_ONLY = [['member', WORKSPACE_ROLE_NAMES.member]] as const;
const ROLES = [...MEMBER_ONLY, ['admin', WORKSPACE_ROLE_NAMES.admin]] as const;
/** Enough for a school class; more go by one link for many. */
const MAX_ADDRESSES = 50;

export function InviteForm({ members, origin, isOwner }: InviteFormProps) {
  const { account } = useApp();
  const [typed, setTyped] = useState('');
  const [role, setRole] = useState<WorkspaceRole>('member');
  const [problem, setProblem] = useState<string | null>(null);
  const [created, setCreated] = useState<readonly NewInvite[]>([]);
  const [isBusy, setBusy] = useState(false);

  const invite = async (emails: readonly (string | null)[]) => {
    setBusy(true);
    setProblem(null);
    const made: NewInvite[] = [];
    const left: string[] = [];
    for (const email of emails) {
      const answer = await members.invite(role, email);
      if (answer.ok) made.push({ ...answer.value, email: email === null ? null : await mailInvite(account, email) });
      else {
        if (email !== null) left.push(email);
        setProblem(textOf(answer.error));
      }
    }
    setBusy(false);
    // Links that were not copied yet stay.
    setCreated((before) => [...made, ...before]);
    // Addresses that did not work stay in the field, to try again.
    if (emails[0] !== null) setTyped(left.join(', '));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const emails = typed.split(/[\s,;]+/u).filter((part) => part !== '');
    const wrong = problemOf(emails);
    if (wrong === null) void invite(Array.from(new Set(emails)));
    else setProblem(wrong);
  };

  return (
    <>
      <Button className="create-invite" disabled={isBusy} onClick={() => void invite([null])}>
        <Link2 className="icon" />
        Create invite link
      </Button>
      <form className="invite-form" noValidate onSubmit={submit}>
        <input
          className="input grow"
          aria-label="Email addresses"
          placeholder="Email addresses, separated by commas"
          autoComplete="off"
          inputMode="email"
          value={typed}
          aria-invalid={problem !== null || undefined}
          aria-describedby="invite-note"
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setProblem(null);
          }}
        />
        <ChoiceMenu label="Role" value={role} choices={isOwner ? ROLES : MEMBER_ONLY} onChange={setRole} />
        <Button type="submit" look="primary" disabled={isBusy}>
          {account.inbox === null ? 'Send invites' : 'Create invite links'}
        </Button>
        {problem === null ? (
          <small id="invite-note">Each person gets a one-time link, valid for 7 days.</small>
        ) : (
          <p id="invite-note" role="alert">
            {problem}
          </p>
        )}
      </form>
      {created.length > 0 && <NewInvites invites={created} origin={origin} />}
    </>
  );
}

/** Null: they can be invited. */
function problemOf(emails: readonly string[]): string | null {
  const malformed = emails.find((email) => !isEmail(email));
  if (emails.length === 0) return FIELD_TEXTS.badEmail;
  if (malformed !== undefined) return `“${malformed}” isn’t an email address.`;
  return emails.length > MAX_ADDRESSES ? `At most ${MAX_ADDRESSES} addresses at once.` : null;
}

const NewInvites = ({ invites, origin }: { readonly invites: readonly NewInvite[]; readonly origin: string }) => (
  <div className="new-invites">
    {invites.map(({ invite, secret, email }) => (
      <div key={invite.id}>
        {email !== null && (
          <p className="new-invite">
            <b className="truncate">{invite.email}</b>
            <span role="status">{INVITE_MAIL_TEXTS[email]}</span>
          </p>
        )}
        <CopyField label="Invite link" value={inviteAddress(origin, secret)} isOnce={invites.length === 1} />
      </div>
    ))}
    {invites.length > 1 && <p>Copy them now; they are shown once.</p>}
  </div>
);
