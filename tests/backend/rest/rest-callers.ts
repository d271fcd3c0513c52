// Requests to REST without HTTP, by an anonymous caller, a signed-in person and the service key.
import { SignJWT } from 'jose';
import type { TestBackend } from '../../support/server/backend.ts';

export type CallerName = 'anon' | 'user' | 'service';

/** The person in the recorded answers. */
const USER_ID = '00000000-0000-0000-0000-0000000000aa';

export class RestCallers {
  readonly #backend: TestBackend;
  readonly #headers: Readonly<Record<CallerName, Readonly<Record<string, string>>>>;

  private constructor(backend: TestBackend, userToken: string) {
    this.#backend = backend;
    const { anonKey, serviceRoleKey } = backend.server.database.keys;
    this.#headers = {
      anon: { apikey: anonKey },
      user: { apikey: anonKey, authorization: `Bearer ${userToken}` },
      service: { apikey: serviceRoleKey, authorization: `Bearer ${serviceRoleKey}` },
    };
  }

  static async of(backend: TestBackend): Promise<RestCallers> {
    return new RestCallers(backend, await signToken(backend, { sub: USER_ID, role: 'authenticated' }));
  }

  /** `path` is what follows /rest/v1. */
  send(
    as: CallerName,
    method: string,
    path: string,
    body: string | null = null,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    return this.sendWith({ ...this.#headers[as], ...headers }, method, path, body);
  }

  sendWith(
    headers: Readonly<Record<string, string>>,
    method: string,
    path: string,
    body: string | null = null,
  ): Promise<Response> {
    const contentType = body === null ? {} : { 'content-type': 'application/json' };
    const request = new Request(`http://127.0.0.1/rest/v1${path}`, {
      method,
      headers: { ...contentType, ...headers },
      body,
    });
    return this.#backend.server.database.fetch(request, null);
  }
}

/** An access token signed with the backend's secret, or with another one for a forged token. */
export const signToken = (
  backend: TestBackend,
  claims: Readonly<Record<string, unknown>>,
  secret = backend.server.database.keys.jwtSecret,
): Promise<string> => new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(secret));
