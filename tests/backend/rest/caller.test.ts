// Tokens as PostgREST 14.17 takes and refuses them; the answers are recorded ones. Clocks may differ by 30 seconds.
import { SignJWT } from 'jose';
import { beforeEach, describe, expect, test } from 'vitest';
import { makeKeys } from '../../../backend/keys/keys.ts';
import { type IdentifyCaller, callerIdentifier } from '../../../backend/rest/caller.ts';

const NOW = 1_795_354_861;
const CLAIMS = { role: 'authenticated', sub: '00000000-0000-0000-0000-0000000000aa', exp: NOW + 3_600 };
const keys = makeKeys();
let seconds: number;
let identify: IdentifyCaller;
beforeEach(() => {
  seconds = NOW;
  identify = callerIdentifier(
    keys,
    async (name) => name === 'postgres',
    () => seconds * 1_000,
  );
});

const signed = (claims: object, alg = 'HS256', secret = keys.jwtSecret): Promise<string> =>
  new SignJWT({ ...claims }).setProtectedHeader({ alg }).sign(new TextEncoder().encode(secret));
const withClaims = (claims: object) => signed({ ...CLAIMS, ...claims });

/** The caller, or the body and the challenge of the refusal. */
async function outcomeOf(authorization: string): Promise<unknown> {
  const request = new Request('http://127.0.0.1/rest/v1/x', { headers: { apikey: keys.anonKey, authorization } });
  const caller = await identify(request);
  if (caller.ok) return { role: caller.value.role, subject: caller.value.subject };
  const { status, headers } = caller.error;
  return { status, challenge: headers.get('www-authenticate'), ...Object(await caller.error.json()) };
}

const PERSON = { role: 'authenticated', subject: CLAIMS.sub };
const refused = (code: string, message: string, details: string | null = null) => ({
  status: 401,
  challenge: `Bearer error="invalid_token", error_description="${message}"`,
  code,
  details,
  hint: null,
  message,
});

describe('the header Authorization', () => {
  test.each(['Bearer', 'bearer', 'BEARER', 'Bearer '])('may begin with "%s"', async (scheme) => {
    expect(await outcomeOf(`${scheme} ${await withClaims({})}`)).toEqual(PERSON);
  });

  test.each(['', 'Basic dTpw', 'x.y.z'])('without a token leaves the key’s role: "%s"', async (header) => {
    expect(await outcomeOf(header)).toEqual({ role: 'anon', subject: '' });
  });

  test.each(['Bearer', 'bearer '])('with an empty token is refused: "%s"', async (header) => {
    expect(await outcomeOf(header)).toEqual(refused('PGRST301', 'Empty JWT is sent in Authorization header'));
  });
});

describe('a token', () => {
  test.each([{ exp: NOW - 30 }, { nbf: NOW + 30 }, { iat: NOW + 30 }, { aud: ['x'] }, { exp: undefined }])(
    'with %j is accepted',
    async (claims) => expect(await outcomeOf(`Bearer ${await withClaims(claims)}`)).toEqual(PERSON),
  );

  test.each([
    [{ exp: NOW - 31 }, 'JWT expired'],
    [{ nbf: NOW + 31 }, 'JWT not yet valid'],
    [{ iat: NOW + 31 }, 'JWT issued at future'],
    [{ exp: 'soon' }, `The JWT 'exp' claim must be a number`],
    [{ nbf: 'soon' }, `The JWT 'nbf' claim must be a number`],
    [{ aud: 5 }, `The JWT 'aud' claim must be a string or an array of strings`],
  ])('with %j is refused', async (claims, message) => {
    expect(await outcomeOf(`Bearer ${await withClaims(claims)}`)).toEqual(refused('PGRST303', message));
  });

  test('that was accepted before is refused 30 seconds after its end', async () => {
    const header = `Bearer ${await withClaims({ exp: NOW + 1 })}`;
    expect(await outcomeOf(header)).toEqual(PERSON);
    seconds = NOW + 31;
    expect(await outcomeOf(header)).toEqual(PERSON);
    seconds = NOW + 32;
    expect(await outcomeOf(header)).toMatchObject({ status: 401, code: 'PGRST303', message: 'JWT expired' });
  });

  test('without a role is of anon, and functions see that role', async () => {
    const token = await signed({ sub: CLAIMS.sub });
    const headers = { apikey: keys.anonKey, authorization: `Bearer ${token}` };
    const caller = await identify(new Request('http://127.0.0.1/rest/v1/x', { headers }));
    expect(caller).toMatchObject({
      ok: true,
      value: { role: 'anon', claims: `{"role":"anon","sub":"${CLAIMS.sub}"}` },
    });
  });

  test('of another role is refused, whether the database has that role or not', async () => {
    expect(await outcomeOf(`Bearer ${await withClaims({ role: 'postgres' })}`)).toMatchObject({
      status: 403,
      challenge: null,
      code: '42501',
      message: 'permission denied to set role "postgres"',
    });
    for (const role of ['nope', 5, null]) {
      expect(await outcomeOf(`Bearer ${await withClaims({ role })}`)).toMatchObject({
        status: 401,
        challenge: 'Bearer',
        code: '22023',
        message: `role "${role}" does not exist`,
      });
    }
  });

  test('that is none, or not signed by this project, is refused', async () => {
    const [, payload = ''] = (await withClaims({})).split('.');
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`;
    const noKey = ['No suitable key or wrong key type', 'No suitable key was found to decode the JWT'] as const;
    const expected: readonly (readonly [string, unknown])[] = [
      ['abc', refused('PGRST301', 'Expected 3 parts in JWT; got 1')],
      ['a.b', refused('PGRST301', 'Expected 3 parts in JWT; got 2')],
      ['a.b.c', refused('PGRST301', 'JWT cryptographic operation failed')],
      [
        unsigned,
        refused(
          'PGRST301',
          'Wrong or unsupported encoding algorithm',
          `JWT is unsecured but expected 'alg' was not 'none'`,
        ),
      ],
      [await signed(CLAIMS, 'HS512', 'x'.repeat(64)), refused('PGRST301', ...noKey)],
      [
        await signed(CLAIMS, 'HS256', 'another secret of more than 32 characters'),
        refused('PGRST301', noKey[0], 'None of the keys was able to decode the JWT'),
      ],
    ];
    for (const [token, answer] of expected) expect(await outcomeOf(`Bearer ${token}`)).toEqual(answer);
  });
});
