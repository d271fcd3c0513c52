// The API of the embedded backend without HTTP: hands each request to Auth, REST or Storage. Realtime has its WebSocket only.
import { authRoutes } from './auth/auth-routes.ts';
import type { Auth } from './auth/auth.ts';
import type { Fetch } from './fetch.ts';

type Service = (request: Request) => Promise<Response>;

const NO_REALTIME = { message: 'The embedded backend does not support Realtime over HTTP: open its WebSocket.' };

export type ApiServices = { readonly auth: Auth; readonly rest: Service; readonly storage: Service };

export function createApi({ auth, rest, storage }: ApiServices): Fetch {
  const answerAuth = authRoutes(auth);
  return async (request, peerAddress) => {
    const [, service] = new URL(request.url).pathname.split('/');
    if (service === 'auth') return answerAuth(request, peerAddress);
    if (service === 'realtime') return Response.json(NO_REALTIME, { status: 501 });
    return service === 'storage' ? storage(request) : rest(request);
  };
}
