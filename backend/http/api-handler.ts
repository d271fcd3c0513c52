// Answers the requests of the API: checks their keys, reads their bodies within the limits, and lets them wait for their turn.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Database } from '../database.ts';
import { BodyReader, hasBody } from '../gateway/body-reader.ts';
import type { Client } from '../gateway/client-address.ts';
import { isReading, signalOf, toRequest } from '../gateway/fetch-adapter.ts';
import type { HttpGateway } from '../gateway/http-gateway.ts';
import { type KeyCheck, keyCheck } from '../gateway/key-check.ts';
import type { GatewayLimits } from '../gateway/limits.ts';
import { RequestQueue } from '../gateway/request-queue.ts';
import { isPreflight, preflightResponse, withApiHeaders } from '../gateway/response-headers.ts';
import { signedInCheck } from '../gateway/signed-in-check.ts';
import { createTokenVerifier } from '../keys/token.ts';

type ApiParts = {
  readonly gateway: HttpGateway;
  readonly database: Database;
  readonly limits: GatewayLimits;
  readonly queue: RequestQueue;
};

/** Null when the answer has already been sent, or the client has hung up. */
type ApiHandler = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  client: Client,
  expectsContinue: boolean,
) => Promise<Response | null>;

/** Storage reads these bodies as they come, most of them into a file, and limits their size; its other calls bring JSON. */
const isUpload = ({ method, url }: Request): boolean =>
  (method === 'POST' || method === 'PUT') &&
  /^https?:\/\/[^/]+\/storage\/v1\/(?:object|upload)\/(?!list\/|copy(?:$|\?))/.test(url);

export function apiHandler({ gateway, database, limits, queue }: ApiParts): ApiHandler {
  const uploads = new RequestQueue(limits.uploadsAtOnce);
  const bodies = new BodyReader(limits);
  const isSignedIn = signedInCheck(database.keys);
  const checkKey: KeyCheck = keyCheck(database.keys, createTokenVerifier(database.keys), hasBody);
  return async (incoming, outgoing, client, expectsContinue) => {
    const signal = signalOf(outgoing);
    const caller = gateway.callerOf(client);
    const request = toRequest(incoming, client, null, signal);
    if (isPreflight(request)) return preflightResponse(request);
    const wrongKey = await checkKey(incoming, new URL(request.url));
    if (wrongKey !== null) {
      gateway.refuse(incoming, outgoing, wrongKey, client);
      return null;
    }
    const address = client.address === '' ? null : client.address;
    if (!hasBody(incoming) || isReading(request.method)) {
      return withApiHeaders(await queue.run(caller, () => database.fetch(request, address)), client);
    }
    if (expectsContinue) outgoing.writeContinue();
    if (isUpload(request)) {
      const stream = bodies.stream(incoming, (slow) => gateway.refuse(incoming, outgoing, slow, client));
      const upload = toRequest(incoming, client, stream, signal);
      return withApiHeaders(await uploads.run(caller, () => database.fetch(upload, address)), client);
    }
    const isDone = new Promise<void>((resolve) => outgoing.once('close', resolve));
    const body = await bodies.read(incoming, {
      caller,
      limits: (await isSignedIn(incoming)) ? limits.body : limits.anonymousBody,
      done: isDone,
    });
    if (body === null) return null;
    if (!body.ok) {
      gateway.refuse(incoming, outgoing, body.error, client);
      return null;
    }
    const { value } = body;
    const complete = toRequest(incoming, client, value, signal);
    const answer = await queue.run(caller, () => database.fetch(complete, address));
    return withApiHeaders(answer, client);
  };
}
