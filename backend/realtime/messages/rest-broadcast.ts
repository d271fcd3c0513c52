// Broadcasts over HTTP, without a socket: POST …/api/broadcast with a batch, or …/api/broadcast/:topic/events/:event
// with one message. Answers like Supabase Realtime, including its error bodies.
import { type Result, err, ok } from '../../../src/lib/result.ts';
import type { Authorization } from '../topic/authorization.ts';
import { type Delivery, broadcastDelivery, messageDelivery } from '../wire/delivery.ts';
import type { RealtimeOptions } from '../limits/options.ts';
import { TOO_LARGE, parseBatch } from './batch-messages.ts';
import { bytesSize } from '../wire/payload-size.ts';
import type { Quotas } from '../limits/quotas.ts';
import { bearerOf } from '../../keys/bearer.ts';
import type { Identity, VerifyToken } from '../../keys/token.ts';
import { TOPIC_PREFIX, type TopicHub, type TopicName } from '../topic/topic-hub.ts';
import { type Content, isJsonObject } from '../wire/wire-message.ts';

type Services = {
  readonly hub: TopicHub;
  readonly authorization: Authorization;
  readonly verifyToken: VerifyToken;
  readonly quotas: Quotas;
  readonly options: RealtimeOptions;
};

const PATH = /\/api\/broadcast(?:\/([^/]+)\/events\/([^/]+))?\/?$/;

export function createBroadcastApi(services: Services): (request: Request) => Promise<Response> {
  return async (request) => {
    const url = new URL(request.url);
    const path = request.method === 'POST' ? PATH.exec(url.pathname) : null;
    if (path === null) return refusal(404, 'Not found');
    const identity = await services.verifyToken(tokenOf(request));
    if (!identity.ok) return refusal(401, 'Unauthorized');
    const name = decoded(path[1]);
    const event = decoded(path[2]);
    if (name === null || event === null) return refusal(400, 'Bad Request');
    if (name === undefined || event === undefined) return broadcastBatch(services, identity.value, request);
    const topic = { name, private: url.searchParams.get('private') === 'true' };
    return broadcastOne(services, identity.value, request, { topic, event });
  };
}

async function broadcastBatch(services: Services, identity: Identity, request: Request): Promise<Response> {
  const body = parseJson(await request.text());
  if (!body.ok) return refusal(400, 'Bad Request');
  const batch = parseBatch(isJsonObject(body.value) ? body.value['messages'] : undefined, services.options);
  if (!batch.ok) return json(422, { errors: { messages: batch.error } });
  const { quotas } = services;
  if (quotas.eventsLeft < 0) return refusal(429, 'You have exceeded your rate limit');
  if (batch.value.length > quotas.eventsLeft) {
    return refusal(429, 'Too many messages to broadcast, please reduce the batch size');
  }
  // Checks the policies once per private topic. A sender without the right does not learn that: the status is always 202.
  const allowed = new Map<string, Promise<boolean | null>>();
  const mayWrite = (name: string) => {
    const known = allowed.get(name) ?? services.authorization.mayWrite(identity, name, 'broadcast');
    allowed.set(name, known);
    return known;
  };
  for (const { topic, event, payload } of batch.value) {
    if (topic.private && (await mayWrite(topic.name)) !== true) continue;
    const message = { event, payload, type: 'broadcast' };
    publish(services, topic, messageDelivery(TOPIC_PREFIX + topic.name, 'broadcast', message));
  }
  return new Response(null, { status: 202 });
}

async function broadcastOne(
  services: Services,
  identity: Identity,
  request: Request,
  { topic, event }: { readonly topic: TopicName; readonly event: string },
): Promise<Response> {
  const type = request.headers.get('content-type') ?? 'application/json';
  const content = await readContent(request, type);
  if (content === null) {
    return type.startsWith('application/json')
      ? refusal(400, 'Bad Request')
      : json(415, { error: 'Unsupported Media Type. Use application/json or application/octet-stream' });
  }
  if (bytesSize(content.content) > services.options.maxPayloadBytes) {
    return json(422, { errors: { payload: [TOO_LARGE] } });
  }
  if (services.quotas.eventsLeft <= 0) return refusal(429, 'You have exceeded your rate limit');
  if (topic.private) {
    const allowed = await services.authorization.mayWrite(identity, topic.name, 'broadcast');
    if (allowed === null) return refusal(422, 'RLS policy error');
    if (!allowed) return refusal(403, 'Unauthorized');
  }
  const fullName = TOPIC_PREFIX + topic.name;
  // Supabase Realtime fails for names that do not fit into its frame.
  if (Buffer.byteLength(fullName) > 255 || Buffer.byteLength(event) > 255) return refusal(500, 'Internal Server Error');
  publish(services, topic, broadcastDelivery({ topic: fullName, event, meta: null, ...content }));
  return new Response(null, { status: 202 });
}

/** Publishes to everybody on the topic, including channels of the sender. */
function publish({ hub, quotas }: Services, topic: TopicName, delivery: Delivery): void {
  quotas.countEvents();
  hub.find(topic)?.publish(delivery, null);
}

/** Null for invalid JSON, and for a type that is neither JSON nor bytes. */
async function readContent(request: Request, type: string): Promise<Content | null> {
  if (type.startsWith('application/octet-stream')) {
    return { encoding: 'bytes', content: new Uint8Array(await request.arrayBuffer()) };
  }
  if (!type.startsWith('application/json')) return null;
  const text = await request.text();
  const body = parseJson(text === '' ? '{}' : text);
  if (!body.ok) return null;
  // Like Supabase Realtime, wrap a payload that is not an object.
  const payload = isJsonObject(body.value) ? body.value : { _json: body.value };
  return { encoding: 'json', content: Buffer.from(JSON.stringify(payload)) };
}

/** The bearer token comes first: it belongs to the user, `apikey` to the project. */
const tokenOf = ({ headers }: Request): string => bearerOf(headers.get('authorization')) ?? headers.get('apikey') ?? '';

/** Null when it cannot be decoded. */
function decoded(part: string | undefined): string | null | undefined {
  try {
    return part === undefined ? undefined : decodeURIComponent(part);
  } catch {
    return null;
  }
}

function parseJson(text: string): Result<unknown, null> {
  try {
    return ok(JSON.parse(text));
  } catch {
    return err(null);
  }
}

const json = (status: number, body: object) =>
  Response.json(body, { status, headers: { 'content-type': 'application/json; charset=utf-8' } });

const refusal = (status: number, message: string) => json(status, { message });
