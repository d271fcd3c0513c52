// One request to Auth, with its body read and parsed.
import * as v from 'valibot';
import { AuthError } from './auth-error.ts';

export type Call = {
  readonly url: URL;
  readonly headers: Headers;
  readonly text: string;
  /** Null: unknown. */
  readonly peer: string | null;
};

/** Nobody's profile is longer; it also travels in every access token. */
const MAX_BODY_BYTES = 1024 * 1024;
/** Deeper JSON than this is an attack on a parser: ours, Postgres', or a client's. */
const MAX_DEPTH = 100;

/** Absent, null and '' are one, as they are to the hosted service. */
export const textField = v.nullish(v.string(), '');

export const metadataField = v.nullish(
  v.pipe(
    v.unknown(),
    // A list is a record to valibot.
    v.check((value) => !Array.isArray(value), 'a list'),
    v.check((value) => isShallow(value, MAX_DEPTH), 'nested too deep'),
    v.record(v.string(), v.unknown()),
  ),
);

export async function readCall(request: Request, peer: string | null): Promise<Call> {
  const text = request.body === null ? '' : await request.text();
  if (text.length > MAX_BODY_BYTES) throw new AuthError(413, 'validation_failed', 'Request body too large');
  return { url: new URL(request.url), headers: request.headers, text, peer };
}

/** The body's JSON in the form of `schema`. Throws an `AuthError` when it is none. */
export function parseBody<S extends v.GenericSchema>(schema: S, { text }: Call): v.InferOutput<S> {
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
