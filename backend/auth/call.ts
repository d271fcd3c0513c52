// A request to Auth with its body as text, and the parsing of that body.
import * as v from 'valibot';
import { AuthError } from './auth-error.ts';

export type AuthCall = {
  readonly url: URL;
  readonly headers: Headers;
  readonly text: string;
  /** The caller's network address; null if unknown. */
  readonly peer: string | null;
};

/** The hosted service's limit. */
const MAX_BODY_BYTES = 1024 * 1024;
/** Deeper JSON is an attack on a parser: ours, PostgreSQL's or a client's. */
const MAX_DEPTH = 100;

/** Absent, null and '' mean the same, as on the hosted service. */
export const textField = v.nullish(v.string(), '');

export const metadataField = v.nullish(
  v.pipe(
    v.unknown(),
    // To valibot a list is a record too.
    v.check((value) => !Array.isArray(value), 'a list'),
    v.check((value) => isShallow(value, MAX_DEPTH), 'nested too deep'),
    v.record(v.string(), v.unknown()),
  ),
);

/** Throws an `AuthError` if the body is too large. */
export async function readCall(request: Request, peer: string | null): Promise<AuthCall> {
  const text = request.body === null ? '' : await request.text();
  if (Buffer.byteLength(text) > MAX_BODY_BYTES)
    throw new AuthError(413, 'request_entity_too_large', `Request body too large (max ${MAX_BODY_BYTES} bytes)`);
  return { url: new URL(request.url), headers: request.headers, text, peer };
}

/** The body's JSON, parsed by `schema`. Throws an `AuthError` if the body is not JSON or does not match. */
export function parseAuthBody<S extends v.GenericSchema>(schema: S, { text }: AuthCall): v.InferOutput<S> {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (error) {
    throw badJson(error instanceof Error ? error.message : 'no JSON');
  }
  if (Array.isArray(body)) throw badJson('a list');
  const parsed = v.safeParse(schema, body, { abortEarly: true });
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  throw badJson([v.getDotPath(issue), issue.message].filter(Boolean).join(': '));
}

const badJson = (reason: string): AuthError =>
  new AuthError(400, 'bad_json', `Could not parse request body as JSON: ${reason}`);

function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return depth > 0 && Object.values(value).every((inner) => isShallow(inner, depth - 1));
}
