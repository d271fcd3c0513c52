// Routes each admitted request to its handler: the API, the files of the app, /config.json (the app reads the address
// of its backend there), /on-error.js (the operator's module for the app's errors), the backup and the mail page.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { BACKUP_PATH } from '../backup/running-backend.ts';
import { serveBackup } from '../backup/serve-backup.ts';
import type { Database } from '../database.ts';
import { type AddressSet, isLoopback } from '../gateway/addresses.ts';
import type { Client } from '../gateway/client-address.ts';
import { isReading, sendResponse, signalOf, toRequest } from '../gateway/fetch-adapter.ts';
import type { HttpGateway } from '../gateway/http-gateway.ts';
import type { GatewayLimits } from '../gateway/limits.ts';
import { refusal, sendRefusal } from '../gateway/refusal.ts';
import { RequestQueue } from '../gateway/request-queue.ts';
import { pageHeaders, withHeaders } from '../gateway/response-headers.ts';
import { apiHandler } from './api-handler.ts';
import { serveMailPage } from './mail-page.ts';
import type { StaticFiles } from './static-files.ts';

export type RouterParts = {
  readonly gateway: HttpGateway;
  readonly database: Database;
  /** The key that /config.json gives to the app. */
  readonly anonKey: string;
  /** Messages per second, as /config.json names them to the app; null leaves them to the app. */
  readonly liveBudget: number | null;
  /** Null when only the API is served. */
  readonly files: StaticFiles | null;
  readonly limits: GatewayLimits;
  /** The data directory; null when everything is temporary. */
  readonly dir: string | null;
  readonly mailReaders: AddressSet;
  /** The source of a module that gets the app's errors. */
  readonly onError: string | null;
  /** Origins that the app may send to, besides its own. */
  readonly connectTo: readonly string[];
};

/**
 * `expectsContinue` means that the client sent `Expect: 100-continue` and waits before it sends the body. Never
 * rejects.
 */
export type RouteRequest = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  client: Client,
  expectsContinue: boolean,
) => Promise<void>;

const API_PATH = /^\/(?:auth|realtime|rest|storage)\/v1(?:\/|$)/;
/** The path at which the app finds the module that gets its errors. */
const ON_ERROR_PATH = '/on-error.js';
const MODULE_HEADERS = { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-cache' };
const MAIL_PATH = /^\/__mail(?:\.json)?$/;

export function createRouter({
  anonKey,
  gateway,
  database,
  dir,
  files,
  limits,
  liveBudget,
  mailReaders,
  onError,
  connectTo,
}: RouterParts): RouteRequest {
  const backup = { engine: database.pg, files: database.files, keys: database.keys };
  // No address: the app talks to the server that it was loaded from.
  const config = {
    url: '',
    anonKey,
    embedded: true,
    guests: true,
    ...(liveBudget === null ? {} : { liveBudget }),
    ...(onError === null ? {} : { onError: ON_ERROR_PATH }),
  };
  const queue = new RequestQueue(limits.requestsAtOnce);
  const answerApi = apiHandler({ gateway, database, limits, queue });

  /** Null when the answer has already been sent: a refusal, or a file of the app. */
  const answerPage = async (
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    client: Client,
  ): Promise<Response | null> => {
    const headers = pageHeaders(client, incoming.headers.host ?? '', connectTo);
    const allow = 'GET, HEAD, OPTIONS';
    if (incoming.method === 'OPTIONS') {
      return new Response(null, { status: 204, headers: { ...headers, allow } });
    }
    if (!isReading(incoming.method)) {
      gateway.refuse(incoming, outgoing, refusal(405, 'This is for reading only.', { allow }), client);
      return null;
    }
    const request = toRequest(incoming, client, null, signalOf(outgoing));
    const response = await page(request, client);
    if (response !== null) return withHeaders(response, headers);
    const missing =
      files === null ? new Response('Not found', { status: 404 }) : files.serve(incoming, outgoing, headers);
    return missing === null ? null : withHeaders(missing, headers);
  };

  /** The pages that are not files of the app; null when the address is none of them. */
  const page = async (request: Request, client: Client): Promise<Response | null> => {
    const { pathname } = new URL(request.url);
    if (pathname === '/config.json') return Response.json(config, { headers: { 'cache-control': 'no-store' } });
    if (pathname === ON_ERROR_PATH && onError !== null) return new Response(onError, { headers: MODULE_HEADERS });
    if (pathname === BACKUP_PATH && isLoopback(client.address)) return serveBackup(request, backup, dir);
    if (MAIL_PATH.test(pathname)) return serveMailPage(request, database.mailbox, client, mailReaders);
    return null;
  };

  return async (incoming, outgoing, client, expectsContinue) => {
    await queue.turn(gateway.callerOf(client));
    const { pathname } = new URL(`http://localhost${incoming.url}`);
    const isApi = API_PATH.test(pathname);
    try {
      const response = isApi
        ? await answerApi(incoming, outgoing, client, expectsContinue)
        : await answerPage(incoming, outgoing, client);
      if (response !== null) await sendResponse(response, outgoing);
    } catch (error) {
      if (outgoing.destroyed) return;
      // This is a bug: the operator sees the error, the client only that there was one.
      process.stderr.write(`${incoming.method} ${pathname}: ${inspect(error)}\n`);
      if (outgoing.headersSent) outgoing.destroy();
      else sendRefusal(outgoing, refusal(500, 'Internal server error'));
    }
  };
}
