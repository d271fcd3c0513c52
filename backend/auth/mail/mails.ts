// The mails of Auth: each has a code to type and a link to follow.
import type { Call } from '../call.ts';
import type { Mailbox } from './mailbox.ts';
import type { OneTimeToken } from './one-time-tokens.ts';
import type { Redirects } from './redirects.ts';

export type MailKind = 'signup' | 'magiclink' | 'recovery';

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

  /** The link leads to the address that `call` asks for, if that is one of ours. */
  send(kind: MailKind, to: string, { code, hash }: OneTimeToken, { url }: Call): void {
    const link = new URL('/auth/v1/verify', this.#redirects.base(url));
    link.searchParams.set('token', hash);
    link.searchParams.set('type', kind);
    link.searchParams.set('redirect_to', this.#redirects.allow(url.searchParams.get('redirect_to')));
    const { subject, purpose } = TEXTS[kind];
    const text = `${purpose} with this code: ${code}\n\nOr follow this link: ${link.href}`;
    this.#mailbox.add({ to, subject, text });
  }
}
