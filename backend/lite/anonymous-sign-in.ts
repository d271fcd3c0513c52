// Gap: @supabase/lite 0.10.0 refuses `signInAnonymously` (422 anonymous_provider_disabled) even when it is switched on, and a
// guest who later adds an e-mail address stays a guest. Both as the hosted service does them, behind the same API key check.
import { randomBytes, randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import * as v from 'valibot';
import type { Engine, Transaction } from '../engine.ts';
import { type Repair, jsonOf, pathOf } from './fetch.ts';

const guestSchema = v.looseObject({
  email: v.optional(v.nullable(v.literal(''))),
  phone: v.optional(v.nullable(v.literal(''))),
  password: v.optional(v.nullable(v.literal(''))),
  data: v.optional(v.nullable(v.record(v.string(), v.unknown()))),
});

const verifiedSchema = v.looseObject({ user: v.looseObject({ id: v.string() }) });

/** How long an access token lives, of guests and of everybody else. */
export const TOKEN_SECONDS = 3600;

type Options = { readonly pg: Engine; readonly jwtSecret: string };

export const anonymousSignIn =
  ({ pg, jwtSecret }: Options): Repair =>
  (next) => {
    const key = new TextEncoder().encode(jwtSecret);
    return async (request, peerAddress) => {
      if (request.method !== 'POST') return next(request, peerAddress);
      const path = pathOf(request);
      if (path === '/auth/v1/verify') {
        const response = await next(request, peerAddress);
        if (response.ok) await endAnonymity(pg, await jsonOf(response));
        return response;
      }
      if (path !== '/auth/v1/signup') return next(request, peerAddress);
      const guest = v.safeParse(guestSchema, await jsonOf(request));
      if (!guest.success) return next(request, peerAddress);

      // A harmless request with the same headers: whatever lite says to a missing, wrong or misplaced API key is our answer.
      const probe = new Request(new URL('/auth/v1/settings', request.url), { headers: request.headers });
      const admission = await next(probe, peerAddress);
      if (!admission.ok) return admission;
      const session = await pg.transaction((tx) => openGuestSession(tx, guest.output.data ?? {}));
      const accessToken = await new SignJWT({ role: 'authenticated', email: '', session_id: session.id })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setSubject(session.userId)
        .setAudience('authenticated')
        .setIssuedAt(session.seconds)
        .setExpirationTime(session.seconds + TOKEN_SECONDS)
        .sign(key);
      return Response.json({
        access_token: accessToken,
        token_type: 'bearer',
        expires_in: TOKEN_SECONDS,
        expires_at: session.seconds + TOKEN_SECONDS,
        refresh_token: session.refreshToken,
        user: session.user,
      });
    };
  };

async function openGuestSession(tx: Transaction, data: Readonly<Record<string, unknown>>) {
  const userId = randomUUID();
  const id = randomUUID();
  const refreshToken = randomBytes(24).toString('base64url');
  const time = new Date();
  const now = time.toISOString();
  await tx.query(
    `insert into auth.users (id, aud, role, raw_app_meta_data, raw_user_meta_data, is_anonymous, last_sign_in_at, created_at, updated_at)
     values ($1, 'authenticated', 'authenticated', '{}', $2, true, $3, $3, $3)`,
    [userId, data, now],
  );
  await tx.query(
    `insert into auth.sessions (id, user_id, aal, created_at, updated_at) values ($1, $2, 'aal1', $3, $3)`,
    [id, userId, now],
  );
  await tx.query(
    `insert into auth.refresh_tokens (id, token, user_id, session_id, revoked, created_at, updated_at)
     values ($1, $2, $3, $4, false, $5, $5)`,
    [randomUUID(), refreshToken, userId, id, now],
  );
  const user = {
    id: userId,
    aud: 'authenticated',
    role: 'authenticated',
    email: '',
    phone: '',
    last_sign_in_at: now,
    app_metadata: {},
    user_metadata: data,
    identities: [],
    created_at: now,
    updated_at: now,
    is_anonymous: true,
  };
  return { id, userId, refreshToken, user, seconds: Math.floor(time.getTime() / 1000) };
}

/** A guest who has proved an e-mail address is a guest no longer. */
async function endAnonymity(pg: Engine, answer: unknown): Promise<void> {
  const verified = v.safeParse(verifiedSchema, answer);
  if (!verified.success) return;
  await pg.query(
    `update auth.users set is_anonymous = false where id = $1 and is_anonymous and coalesce(email, '') <> ''`,
    [verified.output.user.id],
  );
}
