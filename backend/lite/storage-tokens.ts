// Gap: @supabase/lite 0.10.0 answers a signed address that has expired or was tampered with as a bug of its own: 500, and a
// stack in the log. Expired addresses are ordinary; the hosted service says 400 InvalidJWT.
import { errors, jwtVerify } from 'jose';
import { type Repair, pathOf } from './fetch.ts';

const SIGNED = /^\/storage\/v1\/object\/(?:upload\/)?sign\//;

export const storageTokens =
  (jwtSecret: string): Repair =>
  (next) => {
    const key = new TextEncoder().encode(jwtSecret);
    return async (request, peerAddress) => {
      const token = new URL(request.url).searchParams.get('token');
      if (token === null || request.method === 'POST' || !SIGNED.test(pathOf(request)))
        return next(request, peerAddress);
      try {
        await jwtVerify(token, key, { algorithms: ['HS256'] });
      } catch (error) {
        if (!(error instanceof errors.JOSEError)) throw error;
        return Response.json({ statusCode: '400', error: 'InvalidJWT', message: error.message }, { status: 400 });
      }
      return next(request, peerAddress);
    };
  };
