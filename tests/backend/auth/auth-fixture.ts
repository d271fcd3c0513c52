// A backend with a clock that tests can set forward, its mails, and supabase-js clients.
import { type SupabaseClient, createClient } from '@supabase/supabase-js';
import { decodeJwt } from 'jose';
import { type AuthSettings, DEFAULT_AUTH_SETTINGS } from '../../../backend/auth/settings.ts';
import { PASSWORD, type TestBackend, startTestBackend } from '../../support/server/backend.ts';

export type AuthFixture = {
  readonly backend: TestBackend;
  /** A client that is not signed in. The app's own client uses `pkce`. `peer` is its network address. */
  client(options?: { readonly flowType?: 'pkce' | 'implicit'; readonly peer?: string }): SupabaseClient;
  signIn(email: string, password?: string): Promise<SupabaseClient>;
  /** One request without a client, with the publishable key unless `headers` have another. */
  send(
    path: string,
    init?: { readonly method?: string; readonly headers?: Record<string, string>; readonly body?: unknown },
  ): Promise<Reply>;
  /** The newest mail to this address. */
  mailTo(email: string): {
    readonly subject: string;
    readonly text: string;
    readonly code: string;
    readonly link: string;
  };
  countMailsTo(email: string): number;
  wait(seconds: number): void;
  close(): Promise<void>;
};

export type Reply = { readonly status: number; readonly body: unknown; readonly headers: Headers };

export async function startAuthFixture(settings: Partial<AuthSettings> = {}): Promise<AuthFixture> {
  let waited = 0;
  const auth = { ...DEFAULT_AUTH_SETTINGS, passwordCost: 4, ...settings, now: () => Date.now() + waited };
  const backend = await startTestBackend({ auth });
  const { anonKey, database } = backend.server;

  const client: AuthFixture['client'] = ({ flowType = 'implicit', peer } = {}) =>
    createClient(backend.url, anonKey, {
      auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false, flowType },
      ...(peer === undefined
        ? {}
        : { global: { fetch: (input, init) => database.fetch(new Request(input, init), peer) } }),
    });

  const mailsTo = (email: string) => database.mailbox.mails.filter(({ to }) => to === email);

  return {
    backend,
    client,
    async signIn(email, password = PASSWORD) {
      const signedIn = client();
      const { error } = await signedIn.auth.signInWithPassword({ email, password });
      if (error !== null) throw error;
      return signedIn;
    },
    async send(path, { method = 'POST', headers = {}, body } = {}) {
      const response = await fetch(`${backend.url}/auth/v1${path}`, {
        method,
        headers: { apikey: anonKey, 'content-type': 'application/json', ...headers },
        redirect: 'manual',
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, body: parse(text), headers: response.headers };
    },
    mailTo(email) {
      const [mail] = mailsTo(email);
      if (mail === undefined) throw new Error(`no mail to ${email}`);
      const code = /code: (\d{6})/.exec(mail.text)?.[1] ?? '';
      const link = /https?:\/\/\S+/.exec(mail.text)?.[0] ?? '';
      return { subject: mail.subject, text: mail.text, code, link };
    },
    countMailsTo: (email) => mailsTo(email).length,
    wait: (seconds) => void (waited += seconds * 1000),
    close: () => backend.close(),
  };
}

/** Follows a link by one redirect, as a browser does: the target page, its query and its fragment. */
export async function follow(link: string) {
  const response = await fetch(link, { redirect: 'manual' });
  const url = new URL(response.headers.get('location') ?? 'about:blank');
  const fragment = new URLSearchParams(url.hash.slice(1));
  return { status: response.status, page: url.origin + url.pathname, query: url.searchParams, fragment };
}

export async function sessionOf(client: SupabaseClient) {
  const { data } = await client.auth.getSession();
  if (data.session === null) throw new Error('no one is signed in');
  return { ...data.session, claims: decodeJwt(data.session.access_token) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
