// Gap: links in the mails of @supabase/lite 0.10.0 always lead to the site's address; what the caller asked for
// (`emailRedirectTo`, `redirectTo`: the query parameter `redirect_to`) is dropped. Whether it is an allowed address is
// still lite's decision, when the link is opened.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Repair } from './fetch.ts';

/** One per API: remembers, for the mails sent while a request runs, where that request wants their links to lead. */
export class RedirectLinks {
  readonly #wanted = new AsyncLocalStorage<string>();

  readonly repair: Repair = (next) => (request, peerAddress) => {
    const wanted = new URL(request.url).searchParams.get('redirect_to');
    return wanted === null || request.method === 'GET'
      ? next(request, peerAddress)
      : this.#wanted.run(wanted, () => next(request, peerAddress));
  };

  /** The mail's text or HTML with its links leading where the running request wants them. */
  rewrite(text: string): string {
    const wanted = this.#wanted.getStore();
    if (wanted === undefined) return text;
    return text.replaceAll(
      /([?&](?:amp;)?redirect_to=)[^&"'\s<>)]*/g,
      (_, name: string) => name + encodeURIComponent(wanted),
    );
  }
}
