// Attacks on sign-in by a program that has the public key: guessing codes and links of mails, learning who has an account, and
// accounts that break themselves. All of it comes from this machine, as behind a proxy that no one named.
import { createHash } from 'node:crypto';
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MAX_METADATA_BYTES } from '../../backend/auth/accounts/metadata.ts';
import { Auth } from '../../backend/auth/auth.ts';
import { changeOwnAccount } from '../../backend/auth/handlers/own-account.ts';
import { sendResetMail, sendSignInMail } from '../../backend/auth/handlers/request-mail.ts';
import { Mailbox } from '../../backend/auth/mail/mailbox.ts';
import { Passwords } from '../../backend/auth/passwords/passwords.ts';
import { DEFAULT_AUTH_SETTINGS } from '../../backend/auth/settings.ts';
import type { Engine, Queries } from '../../backend/engine.ts';
import { type AuthFixture, follow, startAuthFixture } from '../backend/auth/auth-fixture.ts';
import { PASSWORD } from '../support/server/backend.ts';

const { wrongCodes, wrongPasswords } = DEFAULT_AUTH_SETTINGS;
const CODE_TYPES = ['email', 'magiclink', 'recovery', 'signup'];

let fixture: AuthFixture;
beforeAll(async () => {
  fixture = await startAuthFixture();
});
afterAll(() => fixture.close());

const requestLink = (email: string) => fixture.send('/otp', { body: { email, create_user: false } });
const verify = (body: Readonly<Record<string, string>>) => fixture.send('/verify', { body });

async function victimWithMail() {
  const { email, id } = await fixture.backend.signUp();
  await requestLink(email);
  return { email, id, ...fixture.mailTo(email) };
}

/** A code that is not in the mail. */
const otherCode = (code: string, step = 1) => String((Number(code) + step) % 1_000_000).padStart(6, '0');

describe('the link of a mail', () => {
  test('does not follow from the address and the code, so a million tries do not find it', async () => {
    const { email, code, link } = await victimWithMail();
    const guesses = ['sha224', 'sha256'].flatMap((algorithm) =>
      [`${email}${code}`, `${email} ${code}`, code].map((text) => createHash(algorithm).update(text).digest('hex')),
    );
    for (const token_hash of [code, ...guesses.flatMap((guess) => [guess, `pkce_${guess}`])]) {
      expect(await verify({ type: 'magiclink', token_hash })).toMatchObject({ status: 403 });
      const forged = new URL(link);
      forged.searchParams.set('token', token_hash);
      expect((await follow(forged.href)).fragment.get('error_code') ?? 'signed in').toBe('otp_expired');
    }
    expect((await follow(link)).fragment.has('access_token')).toBe(true);
  });
});

describe('the code of a mail', () => {
  test.each(['one by one', 'at once'])(
    'is refused after five wrong ones of any type, tried %s; the link still works',
    async (order) => {
      const { email, code, link } = await victimWithMail();
      const tries = Array.from({ length: wrongCodes }, (_, at) => () => {
        const type = CODE_TYPES[at % CODE_TYPES.length] ?? 'email';
        return verify({ email, type, token: otherCode(code, at + 1) });
      });
      const statuses: number[] = [];
      const guess = async (run: (typeof tries)[number]) => void statuses.push((await run()).status);
      if (order === 'at once') await Promise.all(tries.map(guess));
      else for (const run of tries) await guess(run);
      expect(statuses).toEqual(tries.map(() => 403));
      expect(await verify({ email, type: 'email', token: code })).toMatchObject({
        status: 403,
        body: { error_code: 'otp_expired' },
      });
      expect((await follow(link)).fragment.has('access_token')).toBe(true);
    },
  );

  test('is accepted after four wrong ones', async () => {
    const { email, code } = await victimWithMail();
    for (let step = 1; step < wrongCodes; step++) await verify({ email, type: 'email', token: otherCode(code, step) });
    expect(await verify({ email, type: 'email', token: code })).toMatchObject({ status: 200 });
  });

  test('is counted after a restart too, and the next mail must wait its minute', async () => {
    const { email, code } = await victimWithMail();
    const restarted = authOn(fixture.backend.pg);
    for (let step = 1; step <= wrongCodes; step++) await verify({ email, type: 'email', token: otherCode(code, step) });
    await expect(sendResetMail(restarted.auth, callWith({ email }))).rejects.toMatchObject({
      status: 429,
      code: 'over_email_send_rate_limit',
    });
    expect(await verify({ email, type: 'email', token: code })).toMatchObject({ status: 403 });
  });
});

describe('who has an account', () => {
  test.each([
    ['/recover', sendResetMail, false],
    ['/otp', sendSignInMail, false],
    ['/otp that may create an account', sendSignInMail, true],
  ])('is not in the statements that %s runs before its answer', async (_, send, creates) => {
    const { email } = await fixture.backend.signUp();
    const statements: string[] = [];
    const { auth, mailbox } = authOn(recording(fixture.backend.pg, statements));
    const answers: unknown[] = [];
    const runs: (readonly string[])[] = [];
    for (const address of [email, `nobody-${email}`]) {
      const answer = await send(auth, callWith({ email: address, create_user: creates }));
      answers.push([answer.status, await answer.text(), [...answer.headers]]);
      runs.push(statements.splice(0));
    }
    expect(runs[0]?.length).toBeGreaterThan(2);
    expect(runs[1]).toEqual(runs[0]);
    expect(answers[1]).toEqual(answers[0]);
    expect(mailbox.mails.map(({ to }) => to).toSorted()).toEqual(
      creates ? [email, `nobody-${email}`].toSorted() : [email],
    );
  });

  test('is not in the answers to requests for mails and to codes, however often they are repeated', async () => {
    const { email } = await fixture.backend.signUp();
    const answersFor = async (address: string) => {
      const calls = [
        () => requestLink(address),
        () => requestLink(address),
        () => fixture.send('/recover', { body: { email: address } }),
        () => verify({ email: address, type: 'email', token: 'x' }),
        () => verify({ email: address, type: 'recovery', token: 'x' }),
        () => fixture.send('/token?grant_type=password', { body: { email: address, password: 'wrong password' } }),
      ];
      const answers: unknown[] = [];
      for (const run of calls) {
        const { status, body } = await run();
        answers.push([status, JSON.stringify(body).replaceAll(/\d+ seconds/g, 'n seconds')]);
      }
      return answers;
    };
    expect(await answersFor(`nobody-${email}`)).toEqual(await answersFor(email));
  });
});

describe('metadata', () => {
  const create = (data: unknown) =>
    fixture.send('/signup', { body: { email: `m${Math.random()}@example.com`, password: PASSWORD, data } });

  test('of 900 kB, or of 5 kB, is refused for accounts, guests and changes, because every token would contain it', async () => {
    const { client, id } = await fixture.backend.signUp();
    for (const length of [900_000, 5_000]) {
      const data = { a: 'x'.repeat(length) };
      // The gateway refuses the larger one.
      const status = length > 100_000 ? 413 : 400;
      expect(await create(data)).toMatchObject({ status });
      expect(await fixture.send('/signup', { body: { data } })).toMatchObject({ status });
      expect((await client.auth.updateUser({ data })).error).toMatchObject({ status: 400 });
    }
    // Piece by piece, each allowed, together too large.
    const pieces: (number | undefined)[] = [];
    for (const field of ['b', 'c', 'd'])
      pieces.push((await client.auth.updateUser({ data: { [field]: 'ü'.repeat(900) } })).error?.status);
    expect(pieces).toEqual([undefined, undefined, 400]);
    expect((await client.auth.getUser()).data.user?.id).toBe(id);
  });

  test('of the largest size leaves its account able to make every call', async () => {
    const { client } = await fixture.backend.signUp();
    const { data: before } = await client.auth.getUser();
    const room = MAX_METADATA_BYTES - Buffer.byteLength(JSON.stringify({ ...before.user?.user_metadata, a: '' }));
    expect((await client.auth.updateUser({ data: { a: 'x'.repeat(room) } })).error).toBeNull();
    expect((await client.auth.refreshSession()).error).toBeNull();
    const { data } = await client.auth.getSession();
    // A proxy in front, such as nginx, accepts lines of 8 KiB.
    expect(data.session?.access_token.length).toBeLessThan(7 * 1024);
    expect((await client.from('workspaces').select()).error).toBeNull();
    expect((await client.auth.updateUser({ data: { a: null } })).error).toBeNull();
    expect((await client.auth.signOut()).error).toBeNull();
  });
});

test('thirty wrong passwords do not lock out a device that was in before, though all come from one address', async () => {
  const { email } = await fixture.backend.signUp();
  const tryPassword = (password: string, headers: Record<string, string> = {}) =>
    fixture.send('/token?grant_type=password', { body: { email, password }, headers });
  const signedIn = await tryPassword(PASSWORD);
  const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const answers = await Promise.all(Array.from({ length: wrongPasswords + 5 }, () => tryPassword('wrong password')));
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(wrongPasswords);
  expect(await tryPassword(PASSWORD)).toMatchObject({ status: 429 });
  expect(await tryPassword(PASSWORD, { cookie })).toMatchObject({ status: 200 });
});

// Last, because it sets the clock forward.
describe('an account made with someone else’s address', () => {
  /** The owner of the address uses a mail; resolves with their client. */
  async function prove(email: string, by: 'code' | 'link'): Promise<SupabaseClient> {
    await requestLink(email);
    const owner = fixture.client();
    const { code, link } = fixture.mailTo(email);
    const useMail = async () => {
      if (by === 'code') return owner.auth.verifyOtp({ email, token: code, type: 'email' });
      const { fragment } = await follow(link);
      const [access_token, refresh_token] = [fragment.get('access_token') ?? '', fragment.get('refresh_token') ?? ''];
      return owner.auth.setSession({ access_token, refresh_token });
    };
    expect((await useMail()).error).toBeNull();
    return owner;
  }

  const makers = {
    'a sign-up': async () => fixture.backend.signUp(),
    'a guest who sets address and password': async () => {
      const { client, id } = await fixture.backend.guest();
      const email = `guest-${id}@example.com`;
      expect((await client.auth.updateUser({ email, password: PASSWORD })).error).toBeNull();
      return { client, id, email };
    },
  };

  test.each([
    ['a sign-up', 'code'],
    ['a sign-up', 'link'],
    ['a guest who sets address and password', 'code'],
  ] as const)('by %s is its owner’s alone once they used the %s of a mail', async (maker, by) => {
    const { client: mallory, email, id } = await makers[maker]();
    const second = await fixture.signIn(email);
    const owner = await prove(email, by);
    for (const client of [mallory, second]) {
      expect((await client.auth.refreshSession()).error).toMatchObject({ code: 'refresh_token_not_found' });
      expect((await client.auth.getUser()).error).not.toBeNull();
    }
    await expect(fixture.signIn(email)).rejects.toMatchObject({ code: 'invalid_credentials' });

    expect((await owner.auth.getUser()).data.user?.id).toBe(id);
    expect((await owner.auth.updateUser({ password: 'the owner’s own' })).error).toBeNull();
    const device = await fixture.signIn(email, 'the owner’s own');
    fixture.wait(60);
    await prove(email, by);
    expect((await device.auth.getUser()).error).toBeNull();
  });

  test('keeps no password that was being changed at that moment', async () => {
    const { client: mallory, email } = await fixture.backend.signUp();
    const { data } = await mallory.auth.getSession();
    const password = 'another password';
    const owned: SupabaseClient[] = [];
    class SlowPasswords extends Passwords {
      override async hash(text: string): Promise<string> {
        owned.push(await prove(email, 'code'));
        return super.hash(text);
      }
    }
    const { auth } = authOn(fixture.backend.pg, new SlowPasswords(4));
    const headers = new Headers({ authorization: `Bearer ${data.session?.access_token}` });
    await expect(changeOwnAccount(auth, { ...callWith({ password }), headers })).rejects.toMatchObject({ status: 403 });
    await expect(fixture.signIn(email, password)).rejects.toMatchObject({ code: 'invalid_credentials' });
    expect((await owned[0]?.auth.getUser())?.error).toBeNull();
  });
});

const callWith = (body: unknown) => ({
  url: new URL(`${fixture.backend.url}/auth/v1/recover`),
  headers: new Headers(),
  text: JSON.stringify(body),
  peer: '127.0.0.1',
});

/** A second Auth on the same database, as after a restart, with a mailbox of its own. */
function authOn(pg: Engine, passwords = new Passwords(DEFAULT_AUTH_SETTINGS.passwordCost)) {
  const mailbox = new Mailbox();
  const { keys } = fixture.backend.server.database;
  const settings = DEFAULT_AUTH_SETTINGS;
  return { auth: new Auth({ pg, keys, mailbox, passwords, origin: () => fixture.backend.url, settings }), mailbox };
}

/** The engine, with every statement written down. */
function recording(pg: Engine, statements: string[]): Engine {
  const recorded =
    (queries: Queries): Queries['query'] =>
    (sql, params) => {
      statements.push(sql);
      return queries.query(sql, params);
    };
  return {
    ...pg,
    query: recorded(pg),
    transaction: (run) =>
      pg.transaction((tx) => {
        statements.push('begin');
        return run({ ...tx, query: recorded(tx) });
      }),
  };
}
