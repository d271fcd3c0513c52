// The API of the embedded backend without HTTP: hands each request to Auth, REST or Storage.
import type { Auth } from './auth/auth.ts';
import { authRoutes } from './auth/auth-routes.ts';
import type { Fetch } from './fetch.ts';

type Service = (request: Request) => Promise<Response>;

export type ApiServices = { readonly auth: Auth; readonly rest: Service; readonly storage: Service };

export function createApi({ auth, rest, storage }: ApiServices): Fetch {
  const answerAuth = authRoutes(auth);
  return (request, peerAddress) => {
    const [, service] = new URL(request.url).pathname.split('/');
    if (service === 'auth') return answerAuth(request, peerAddress);
    return service === 'storage' ? storage(request) : rest(request);
  };
}
