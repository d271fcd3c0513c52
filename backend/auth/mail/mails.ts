// The mails of Auth: each holds a code to type and a link to follow. The link alone, too, for who sends mails of their own.
import type { Mailbox } from './mailbox.ts';
import type { Call } from '../call.ts';
import type { OneTimeToken } from './one-time-tokens.ts';
import type { Redirects } from './redirects.ts';

export type MailKind = 'signup' | 'invite' | 'magiclink' | 'recovery' | 'email_change' | 'email_change_current';

const WORDS: Readonly<Record<MailKind, { readonly subject: string; readonly purpose: (newEmail: string) => string }>> =
  {
    signup: { subject: 'Confirm your signup', purpose: () => 'Confirm your address' },
    invite: { subject: 'You have been invited', purpose: () => 'Accept the invitation' },
    magiclink: { subject: 'Your sign-in link', purpose: () => 'Sign in' },
    recovery: { subject: 'Reset your password', purpose: () => 'Choose a new password' },
    email_change: {
      subject: 'Confirm your new address',
      purpose: (to) => `Confirm the change of your address to ${to}`,
    },
    email_change_current: {
      subject: 'Confirm the change of your address',
      purpose: (to) => `Confirm the change of your address to ${to}`,
    },
  };

export class Mails {
  readonly #mailbox: Pick<Mailbox, 'add'>;
  readonly #redirects: Redirects;

  constructor(mailbox: Pick<Mailbox, 'add'>, redirects: Redirects) {
    this.#mailbox = mailbox;
    this.#redirects = redirects;
  }

  send(kind: MailKind, to: string, { code, hash }: OneTimeToken, call: Call, newEmail = to): void {
    const link = this.linkOf(kind, hash, call, this.redirectOf(call));
    const { subject, purpose } = WORDS[kind];
    this.#mailbox.add({
      to,
      subject,
      text: `${purpose(newEmail)} with this code: ${code}\n\nOr follow this link: ${link}`,
    });
  }

  /** What proves that somebody read the mail, and leads to `redirectTo` afterwards. */
  linkOf(kind: MailKind, hash: string, { url }: Call, redirectTo: string): string {
    const link = new URL('/auth/v1/verify', this.#redirects.base(url));
    link.searchParams.set('token', hash);
    link.searchParams.set('type', kind === 'email_change_current' ? 'email_change' : kind);
    link.searchParams.set('redirect_to', redirectTo);
    return link.href;
  }

  /** Where `call`, or its body, asked to be sent afterwards, if that is a place of ours. */
  redirectOf({ url }: Call, inBody = ''): string {
    return this.#redirects.allow(url.searchParams.get('redirect_to') ?? inBody);
  }
}
