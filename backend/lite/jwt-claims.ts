// Gap: access tokens of @supabase/lite 0.10.0 lack iss, aal, amr, phone, app_metadata, user_metadata and is_anonymous, which
// policies and clients of hosted projects read, and its user objects always say `is_anonymous: false`.
// Every answer that carries a token or a user passes here and leaves as the hosted service would have sent it.
import { SignJWT, decodeJwt } from 'jose';
import * as v from 'valibot';
import type { Engine } from '../engine.ts';
import { type Repair, jsonOf, pathOf, withJson } from './fetch.ts';

type Options = {
  readonly pg: Engine;
  readonly jwtSecret: string;
  /** "https://host/auth/v1"; asked at each token because the port is known only after listening. */
  readonly issuer: () => string;
};

const metadataSchema = v.nullable(v.record(v.string(), v.unknown()));
const userRowSchema = v.object({
  email: v.nullable(v.string()),
  phone: v.nullable(v.string()),
  raw_app_meta_data: metadataSchema,
  raw_user_meta_data: metadataSchema,
  is_anonymous: v.boolean(),
});
type UserRow = v.InferOutput<typeof userRowSchema>;

const amrSchema = v.array(v.object({ method: v.string(), timestamp: v.number() }));
const tokenSchema = v.looseObject({ sub: v.string(), session_id: v.string() });
const userSchema = v.looseObject({ id: v.string(), is_anonymous: v.boolean() });
const sessionSchema = v.looseObject({ access_token: v.string(), user: v.optional(userSchema) });

export const jwtClaims =
  (options: Options): Repair =>
  (next) =>
  async (request, peerAddress) => {
    const response = await next(request, peerAddress);
    if (!pathOf(request).startsWith('/auth/v1/')) return response;
    if (response.status === 303)
      return withTokenInFragment(response, (token) => completeToken(token, request, options));
    if (!response.ok) return response;
    const body = await jsonOf(response);

    const session = v.safeParse(sessionSchema, body);
    if (session.success) {
      const { token, user } = await completeToken(session.output.access_token, request, options);
      const told = session.output.user;
      return withJson(response, {
        ...session.output,
        access_token: token,
        ...(told === undefined ? {} : { user: { ...told, is_anonymous: user.is_anonymous } }),
      });
    }
    const alone = v.safeParse(userSchema, body);
    if (!alone.success) return response;
    const user = await readUser(options.pg, alone.output.id);
    return withJson(response, { ...alone.output, is_anonymous: user.is_anonymous });
  };

async function completeToken(
  bare: string,
  request: Request,
  { pg, jwtSecret, issuer }: Options,
): Promise<{ readonly token: string; readonly user: UserRow }> {
  const payload = v.parse(tokenSchema, decodeJwt(bare));
  const user = await readUser(pg, payload.sub);
  const amr = await readAmr(pg, payload.session_id, methodOf(request, user));
  const token = await new SignJWT({
    ...payload,
    iss: issuer(),
    email: user.email ?? '',
    phone: user.phone ?? '',
    app_metadata: user.raw_app_meta_data ?? {},
    user_metadata: user.raw_user_meta_data ?? {},
    aal: 'aal1',
    amr,
    is_anonymous: user.is_anonymous,
  })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .sign(new TextEncoder().encode(jwtSecret));
  return { token, user };
}

/** How the person proved who they are; null when this request only renews what was proved before. */
function methodOf(request: Request, user: UserRow): string | null {
  const url = new URL(request.url);
  if (url.pathname === '/auth/v1/verify') return 'otp';
  if (url.pathname === '/auth/v1/signup') return user.is_anonymous ? 'anonymous' : 'password';
  const grant = url.searchParams.get('grant_type');
  if (grant === 'password') return 'password';
  return grant === 'pkce' ? 'oauth' : null;
}

async function readUser(pg: Engine, id: string): Promise<UserRow> {
  const { rows } = await pg.query(
    'select email, phone, raw_app_meta_data, raw_user_meta_data, coalesce(is_anonymous, false) as is_anonymous from auth.users where id = $1',
    [id],
  );
  return v.parse(userRowSchema, rows[0]);
}

/** The session's methods, newest first; `method` becomes one of them. Renewed tokens keep saying how it began. */
async function readAmr(pg: Engine, session: string, method: string | null) {
  if (method !== null) {
    await pg.query(
      'insert into auth.mfa_amr_claims (session_id, authentication_method) values ($1, $2) on conflict do nothing',
      [session, method],
    );
  }
  const { rows } = await pg.query(
    `select authentication_method as method, floor(extract(epoch from created_at))::int as timestamp
     from auth.mfa_amr_claims where session_id = $1 order by created_at desc`,
    [session],
  );
  return v.parse(amrSchema, rows);
}

/** A link from a mail answers with a redirect that carries the session behind `#`. */
async function withTokenInFragment(
  response: Response,
  complete: (token: string) => Promise<{ readonly token: string }>,
): Promise<Response> {
  const [address = '', fragment] = (response.headers.get('location') ?? '').split('#');
  const fields = new URLSearchParams(fragment);
  const bare = fields.get('access_token');
  if (bare === null) return response;
  fields.set('access_token', (await complete(bare)).token);
  const headers = new Headers(response.headers);
  headers.set('location', `${address}#${fields}`);
  return new Response(null, { status: response.status, headers });
}
