// Identifies the caller and prepares the settings that row level security reads. A key admits a request; a token says
// who sends it.
import type { Settings } from '../engine.ts';
import type { Keys } from '../keys/keys.ts';
import { type TokenIdentity, createTokenVerifier } from '../keys/token.ts';
import { StorageError } from './storage-error.ts';

export type StorageCaller = TokenIdentity & {
  /** The signed-in user; null for keys. */
  readonly userId: string | null;
  /** The request's headers, as policies see them in `request.headers`. */
  readonly headers: string;
};

export type FindCaller = (request: Request) => Promise<StorageCaller>;

/**
 * Rejects with a `StorageError`, or with `Unauthenticated` where a hosted project's gateway would answer instead of
 * Storage.
 */
export function createCallerFinder(keys: Keys): FindCaller {
  const verify = createTokenVerifier(keys);
  return async (request) => {
    const bearer = /^bearer\s+(.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]?.trim();
    const apiKey = request.headers.get('apikey') ?? new URL(request.url).searchParams.get('apikey') ?? bearer;
    if (apiKey === undefined || apiKey === '') throw new Unauthenticated('No API key found in request');
    const keyHolder = await verify(apiKey);
    if (!keyHolder.ok) throw new Unauthenticated('Invalid API key');
    const person = bearer === undefined || bearer === apiKey ? keyHolder : await verify(bearer);
    if (!person.ok) throw new StorageError('AccessDenied', person.error.atHandshake);
    const { sub } = person.value.claims;
    const headers = JSON.stringify(Object.fromEntries(request.headers));
    return { ...person.value, userId: typeof sub === 'string' ? sub : null, headers };
  };
}

export class Unauthenticated extends Error {
  toResponse(): Response {
    return Response.json({ message: this.message }, { status: 401, headers: { 'cache-control': 'no-store' } });
  }
}

/** `operation` is what policies see in `storage.operation()`. */
export const settingsOf = ({ role, claims, headers }: StorageCaller, operation: string): Settings => ({
  'request.jwt.claims': JSON.stringify(claims),
  'request.headers': headers,
  'storage.operation': operation,
  role,
});
