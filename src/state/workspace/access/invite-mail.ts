// The email of an invitation: a person who enters its code or follows its link has shown that the address is theirs.
import type { Account } from '../../../ports/account.ts';

/** These say whether the email was sent. The invitation's link is shown beside them. */
export const INVITE_MAIL_TEXTS = {
  sent: 'Email sent. You can send the link too.',
  inbox: 'This server sends no emails; it keeps them in its own inbox. Send the link yourself.',
  noEmail: 'This server sent no email. Send the link yourself.',
  tooMany: 'Too many emails for now. Send the link yourself.',
} as const;
export type InviteMail = keyof typeof INVITE_MAIL_TEXTS;

export async function mailInvite(account: Pick<Account, 'sendInvite' | 'inbox'>, email: string): Promise<InviteMail> {
  const sent = await account.sendInvite(email);
  if (sent.ok) return account.inbox === null ? 'sent' : 'inbox';
  return sent.error.problem === 'tooMany' ? 'tooMany' : 'noEmail';
}
