// The mails of Auth: each holds a code to type and a link to follow.
import type { Mailbox } from '../mailbox.ts';
import type { Call } from './call.ts';
import type { OneTimeToken } from './one-time-tokens.ts';
import type { Redirects } from './redirects.ts';

export type MailKind = 'signup' | 'magiclink' | 'recovery' | 'email_change' | 'email_change_current';

const WORDS: Readonly<Record<MailKind, { readonly subject: string; readonly purpose: (newEmail: string) => string }>> =
  {
    signup: { subject: 'Confirm your signup', purpose: () => 'Confirm your address' },
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

  /** The link leads where `call` asked to be sent afterwards. */
  send(kind: MailKind, to: string, { code, hash }: OneTimeToken, { url }: Call, newEmail = to): void {
    const link = new URL('/auth/v1/verify', this.#redirects.base(url));
    link.searchParams.set('token', hash);
    link.searchParams.set('type', kind === 'email_change_current' ? 'email_change' : kind);
    link.searchParams.set('redirect_to', this.#redirects.allow(url.searchParams.get('redirect_to')));
    const { subject, purpose } = WORDS[kind];
    this.#mailbox.add({
      to,
      subject,
      text: `${purpose(newEmail)} with this code: ${code}\n\nOr follow this link: ${link.href}`,
    });
  }
}
