// The mails of Auth: each has a code to type and a link to follow.
import type { AuthCall } from '../call.ts';
import type { Mail, Mailbox } from './mailbox.ts';
import type { OneTimeToken } from './one-time-tokens.ts';
import type { Redirects } from './redirects.ts';
import type { MailKind } from './sent-mails.ts';

export type NewMail = Omit<Mail, 'sentAt'>;

const TEXTS: Readonly<Record<MailKind, { readonly subject: string; readonly purpose: string }>> = {
  signup: { subject: 'Confirm your signup', purpose: 'Confirm your address' },
  magiclink: { subject: 'Your sign-in link', purpose: 'Sign in' },
  recovery: { subject: 'Reset your password', purpose: 'Choose a new password' },
};

export class Mails {
  readonly #mailbox: Pick<Mailbox, 'add'>;
  readonly #redirects: Redirects;

  constructor(mailbox: Pick<Mailbox, 'add'>, redirects: Redirects) {
    this.#mailbox = mailbox;
    this.#redirects = redirects;
  }

  /** The link leads on to the address that `call` asks for, if `Redirects` allows it. */
  compose(kind: MailKind, to: string, { code, link: token }: OneTimeToken, { url }: AuthCall): NewMail {
    const link = new URL('/auth/v1/verify', this.#redirects.base(url));
    link.searchParams.set('token', token);
    link.searchParams.set('type', kind);
    link.searchParams.set('redirect_to', this.#redirects.allow(url.searchParams.get('redirect_to')));
    const { subject, purpose } = TEXTS[kind];
    return { to, subject, text: `${purpose} with this link: ${link.href}\n\nOr enter this code: ${code}` };
  }

  send(mail: NewMail): void {
    this.#mailbox.add(mail);
  }
}
