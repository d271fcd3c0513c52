// The page /__mail: every email that the embedded backend would have sent. Emails hold sign-in links, so only this
// machine may read them, and only under its own name: another site whose name resolves to 127.0.0.1 must not. The
// operator can name further addresses.
import { type AddressSet, isLoopback } from '../gateway/addresses.ts';
import type { Client } from '../gateway/client-address.ts';
import { hostOf } from '../gateway/known-hosts.ts';
import type { Mail, Mailbox } from '../auth/mail/mailbox.ts';

/** `readers` are addresses besides this machine that may read the page. */
export function serveMailPage(request: Request, mailbox: Mailbox, client: Client, readers: AddressSet): Response {
  const { host, pathname } = new URL(request.url);
  const name = hostOf(host) ?? '';
  const isLocal = client.isThisMachine && (name === 'localhost' || isLoopback(name));
  const headers = { 'cache-control': 'no-store' };
  if (!isLocal && !readers.has(client.address)) {
    return new Response('This page is shown only on the machine that runs Weft.', { status: 403, headers });
  }
  if (pathname === '/__mail.json') return Response.json(mailbox.mails, { headers });
  return new Response(page(mailbox.mails), { headers: { ...headers, 'content-type': 'text/html; charset=utf-8' } });
}

const page = (mails: readonly Mail[]): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Mail — Weft</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem; }
  article { border-top: 1px solid; padding: 1rem 0; }
  h2 { font-size: 1rem; margin: 0; }
  p { margin: 0.25rem 0; }
  pre { font: inherit; white-space: pre-wrap; overflow-wrap: anywhere; }
</style>
<h1>Mail</h1>
<p>Emails that this server would have sent. Nothing leaves this machine.</p>
${mails.length === 0 ? '<p>No mail yet.</p>' : mails.map(article).join('\n')}
</html>
`;

const article = ({ to, subject, sentAt, text }: Mail): string => `<article>
<h2>${escape(subject)}</h2>
<p>To ${escape(to)}, <time datetime="${escape(sentAt)}">${escape(sentAt)}</time></p>
<pre>${linkify(text)}</pre>
</article>`;

const linkify = (text: string): string =>
  text
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((part, at) => (at % 2 === 1 ? `<a href="${escape(part)}">${escape(part)}</a>` : escape(part)))
    .join('');

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
