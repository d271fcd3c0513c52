// @supabase/lite on PGlite as it comes, with only the repairs a test names: what a gap looks like without ours.
import { App } from '@supabase/lite';
import { type PgliteConnection, createPgliteConnection } from '@supabase/lite/pglite';
import type { Fetch } from '../../../backend/http/fetch.ts';
import { databaseImage } from '../../support/database/database-image.ts';

export const STOCK_SECRET = 'stock-lite-secret-of-at-least-32-characters';
export const STOCK_ANON_KEY = 'sb_publishable_stock';

export type StockMail = { readonly to: string; readonly text?: string };

export type StockLite = {
  readonly connection: PgliteConnection;
  readonly pg: PgliteConnection['driver'];
  readonly app: App;
  readonly fetch: Fetch;
  readonly mails: StockMail[];
  close(): Promise<void>;
};

type PgliteOptions = NonNullable<Parameters<typeof createPgliteConnection>[0]>['pgliteOptions'];

export async function openStockLite(
  options: {
    readonly pgliteOptions?: PgliteOptions;
    readonly repair?: (connection: PgliteConnection) => void;
    readonly prepare?: (app: App) => void;
  } = {},
): Promise<StockLite> {
  const connection = await createPgliteConnection({
    pgliteOptions: { ...options.pgliteOptions, loadDataDir: await databaseImage() },
  });
  await connection.driver.waitReady;
  options.repair?.(connection);
  const mails: StockMail[] = [];
  const app = new App({
    connection,
    auth: {
      enabled: true,
      jwt_secret: STOCK_SECRET,
      publishable_key: STOCK_ANON_KEY,
      secret_key: 'sb_secret_stock',
      site_url: 'http://127.0.0.1:4400',
      enable_anonymous_sign_ins: true,
      email: { double_confirm_changes: false },
    },
    storage: { enabled: true },
    options: { server: { admin: false }, drivers: { email: { send: async (mail) => void mails.push(mail) } } },
  });
  options.prepare?.(app);
  await app.init();
  await app.ensureSystemSchema();
  const fetch: Fetch = (request, peerAddress) => app.fetch(request, { peerAddress });
  return { connection, pg: connection.driver, app, fetch, mails, close: () => connection.close() };
}

/** One call of the API with the publishable key, without HTTP. */
export async function call(
  fetch: Fetch,
  path: string,
  options: {
    readonly method?: string;
    readonly body?: unknown;
    readonly headers?: Readonly<Record<string, string>>;
  } = {},
): Promise<{ readonly status: number; readonly body: unknown; readonly headers: Headers }> {
  const { method = options.body === undefined ? 'GET' : 'POST', headers = {} } = options;
  const request = new Request(`http://127.0.0.1:4400${path}`, {
    method,
    headers: { apikey: STOCK_ANON_KEY, 'content-type': 'application/json', ...headers },
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
  });
  const response = await fetch(request, null);
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : parse(text), headers: response.headers };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
