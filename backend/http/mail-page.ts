// The page /__mail: the newest emails that the embedded backend would have sent. Emails hold sign-in links, so only
// this machine may read them, and only under its own name: another site whose name resolves to 127.0.0.1 must not. The
// operator can name further addresses.
import type { Mail, Mailbox } from '../auth/mail/mailbox.ts';
import { type AddressSet, isLoopback } from '../gateway/addresses.ts';
import type { Client } from '../gateway/client-address.ts';
import { hostOf } from '../gateway/known-hosts.ts';

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

/** The values of src/ui/theme/tokens.css: this page is served without the app and its build. */
const STYLE = `
  :root {
    color-scheme: light dark;
    --page: light-dark(#fbfcfd, #151b1c);
    --raised: light-dark(#ffffff, #1e2426);
    --line: light-dark(#d7dedf, #293133);
    --line-3: light-dark(#768385, #69787a);
    --ink: light-dark(#182225, #dce1e1);
    --ink-2: light-dark(#455255, #a9b1b3);
    --accent: light-dark(#036174, #78cdda);
  }
  * { box-sizing: border-box; margin: 0; }
  body { background: var(--page); color: var(--ink); font: 440 15px/22px Commissioner, system-ui, sans-serif; }
  header { display: flex; align-items: center; gap: 9px; height: 48px; padding: 0 20px; border-bottom: 1px solid var(--line); }
  header a { display: flex; align-items: center; gap: 9px; color: var(--ink); text-decoration: none; }
  header, h1, h2 { font-family: Literata, Iowan Old Style, Charter, Georgia, serif; font-weight: 600; }
  svg { width: 31px; height: 16px; fill: none; stroke-width: 2; stroke: var(--line-3); }
  svg .weft { stroke: var(--accent); }
  main { max-width: 720px; margin: 0 auto; padding: 40px 20px 72px; }
  h1 { font-size: 27px; line-height: 36px; }
  h2 { font-size: 17px; line-height: 28px; }
  main > p { margin: 4px 0 24px; color: var(--ink-2); }
  article { margin-top: 12px; padding: 16px 20px; border: 1px solid var(--line); border-radius: 8px; background: var(--raised); }
  article > p { color: var(--ink-2); font-size: 13.5px; line-height: 20px; }
  pre { margin-top: 12px; font: inherit; white-space: pre-wrap; overflow-wrap: anywhere; }
  a { color: var(--accent); text-underline-offset: 3px; }
  :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 5px; }
`;

const page = (mails: readonly Mail[]): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Mail · Weft</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<style>${STYLE}</style>
<header>
<a href="/" aria-label="Weft, start"><svg viewBox="-3 0 28 16" aria-hidden="true"><path d="M8 1V5M8 11V15M13 1V15M18 1V5M18 11V15"/><path class="weft" d="M2 8H11M15 8H24"/></svg>Weft</a>
</header>
<main>
<h1>Mail</h1>
<p>Emails that this server would have sent. Nothing leaves this machine.</p>
${mails.length === 0 ? '<p>No mail yet.</p>' : mails.map(article).join('\n')}
</main>
</html>
`;

const article = ({ to, subject, sentAt, text }: Mail): string => `<article>
<h2>${escape(subject)}</h2>
<p>To ${escape(to)}, <time datetime="${escape(sentAt)}">${escape(timeText(sentAt))}</time></p>
<pre>${linkify(text)}</pre>
</article>`;

/** In the server's time zone: the page is usually read on its machine. */
const timeText = (sentAt: string): string =>
  new Date(sentAt).toLocaleString('en-GB', { day: 'numeric', month: 'long', hour: '2-digit', minute: '2-digit' });

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
