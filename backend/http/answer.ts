// Which handler answers a request that was let in: the API, the app's own files, where the app finds its backend
// (/config.json), and the inbox of mails.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { BACKUP_PATH } from '../backup/ask-running.ts';
import { serveBackup } from '../backup/serve-backup.ts';
import { type AddressSet, isLoopback } from '../gateway/addresses.ts';
import type { HttpGateway } from '../gateway/http-gateway.ts';
import type { Client } from '../gateway/client-address.ts';
import { type KeyCheck, keyCheck } from '../gateway/key-check.ts';
import type { GatewayLimits } from '../gateway/limits.ts';
import { BodyReader, hasBody } from '../gateway/read-body.ts';
import { refusal, refuse } from '../gateway/refusal.ts';
import { send, toRequest } from '../gateway/web-exchange.ts';
import type { Database } from '../database.ts';
import { serveMailPage } from './mail-page.ts';
import { createTokenVerifier } from '../keys/token.ts';
import {
  isPreflight,
  pageHeaders,
  preflightResponse,
  withApiHeaders,
  withHeaders,
} from '../gateway/response-headers.ts';
import type { StaticFiles } from './static-files.ts';

export type AnswerParts = {
  readonly gateway: HttpGateway;
  readonly database: Database;
  /** What the app is told to use. */
  readonly anonKey: string;
  /** Null: there is no app, only the API. */
  readonly files: StaticFiles | null;
  readonly limits: GatewayLimits;
  /** Where the data lies; null: in memory. */
  readonly dir: string | null;
  readonly mailReaders: AddressSet;
  /** What is asked of Realtime over HTTP. */
  readonly realtime: (request: Request) => Promise<Response>;
};

/** `isWaiting`: the caller asked whether to send the body at all (`Expect: 100-continue`). Never rejects. */
export type Answer = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  client: Client,
  isWaiting: boolean,
) => Promise<void>;

const API_PATH = /^\/(?:auth|realtime|rest|storage)\/v1(?:\/|$)/;
const REALTIME_PATH = /^\/realtime\/v1(?:\/|$)/;
/** Storage writes what comes while it comes, and knows how long it may be. */
const UPLOAD_PATH = /^https?:\/\/[^/]+\/storage\/v1\/(?:object|upload)\//;
const MAIL_PATH = /^\/__mail(?:\.json)?$/;
const READING = new Set(['GET', 'HEAD']);

export function createAnswer({
  anonKey,
  gateway,
  database,
  dir,
  files,
  limits,
  mailReaders,
  realtime,
}: AnswerParts): Answer {
  const backup = { engine: database.pg, files: database.files, keys: database.keys };
  // The address is left out: the app was loaded from where its backend is.
  const config = { url: '', anonKey, embedded: true, guests: true };
  const bodies = new BodyReader(limits);
  const checkKey: KeyCheck = keyCheck(database.keys, createTokenVerifier(database.keys), hasBody);

  const serve = (request: Request, address: string | null): Promise<Response> =>
    REALTIME_PATH.test(new URL(request.url).pathname) ? realtime(request) : database.fetch(request, address);

  /** Null: answered already, or nobody is left to be. */
  const answerApi = async (
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    client: Client,
    isWaiting: boolean,
  ): Promise<Response | null> => {
    const signal = signalOf(outgoing);
    const asked = toRequest(incoming, client, null, signal);
    if (isPreflight(asked)) return preflightResponse(asked);
    const wrongKey = await checkKey(incoming, new URL(asked.url));
    if (wrongKey !== null) {
      gateway.turnAway(incoming, outgoing, wrongKey, client);
      return null;
    }
    const address = client.address === '' ? null : client.address;
    if (!hasBody(incoming) || READING.has(asked.method)) {
      return withApiHeaders(await serve(asked, address), client);
    }
    if (isWaiting) outgoing.writeContinue();
    if (UPLOAD_PATH.test(asked.url)) {
      const stream = bodies.stream(incoming, (slow) => gateway.turnAway(incoming, outgoing, slow, client));
      return withApiHeaders(await database.fetch(toRequest(incoming, client, stream, signal), address), client);
    }
    const isDone = new Promise<void>((resolve) => outgoing.once('close', resolve));
    const body = await bodies.read(incoming, gateway.callerOf(client), isDone);
    if (body === null) return null;
    if (!body.ok) {
      gateway.turnAway(incoming, outgoing, body.error, client);
      return null;
    }
    return withApiHeaders(await serve(toRequest(incoming, client, body.value, signal), address), client);
  };

  /** Null when the answer has already been sent: a refusal, or a file of the app. */
  const answerPage = async (
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    client: Client,
  ): Promise<Response | null> => {
    const headers = pageHeaders(client, incoming.headers.host ?? '');
    const allow = 'GET, HEAD, OPTIONS';
    if (incoming.method === 'OPTIONS') {
      return new Response(null, { status: 204, headers: { ...headers, allow } });
    }
    if (!READING.has(incoming.method ?? '')) {
      gateway.turnAway(incoming, outgoing, refusal(405, 'This is for reading only.', { allow }), client);
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
    if (pathname === BACKUP_PATH && isLoopback(client.address)) return serveBackup(request, backup, dir);
    if (MAIL_PATH.test(pathname)) return serveMailPage(request, database.mailbox, client, mailReaders);
    return null;
  };

  return async (incoming, outgoing, client, isWaiting) => {
    const { pathname } = new URL(`http://localhost${incoming.url}`);
    const isApi = API_PATH.test(pathname);
    try {
      const response = isApi
        ? await answerApi(incoming, outgoing, client, isWaiting)
        : await answerPage(incoming, outgoing, client);
      if (response !== null) await send(response, outgoing);
    } catch (error) {
      if (outgoing.destroyed) return;
      // A bug of ours or of lite: the operator sees it, the caller only that it is one.
      process.stderr.write(`${incoming.method} ${pathname}: ${inspect(error)}\n`);
      if (outgoing.headersSent) outgoing.destroy();
      else refuse(outgoing, refusal(500, 'Internal server error'));
    }
  };
}

/** Aborted when the caller leaves before the answer. */
function signalOf(outgoing: ServerResponse): AbortSignal {
  const controller = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) controller.abort();
  });
  return controller.signal;
}
