import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type StorageWorld, startStorageWorld, tokenOf } from './storage-world.ts';

let world: StorageWorld;
let mine: ReturnType<StorageWorld['files']>;
let home: string;
beforeAll(async () => {
  world = await startStorageWorld();
  mine = world.files(world.alice.client);
  home = world.alice.id;
  await mine.upload(`${home}/a.txt`, 'a', { contentType: 'text/plain' });
  await mine.upload(`${home}/b c+d.txt`, 'b', { contentType: 'text/plain' });
});
afterAll(() => world.backend.close());

const signed = async (path = `${home}/a.txt`, seconds = 60, options = {}): Promise<string> => {
  const { data, error } = await mine.createSignedUrl(path, seconds, options);
  expect(error).toBeNull();
  return data?.signedUrl ?? '';
};

/** A token of the backend's own secret that says whatever is wanted. */
const forge = (claims: Record<string, unknown>, expires = '1h'): Promise<string> =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuedAt()
    .setExpirationTime(expires)
    .sign(new TextEncoder().encode(world.backend.server.database.keys.jwtSecret));

describe('a signed address', () => {
  test('opens its object without key or account, names with blanks included', async () => {
    expect(await (await fetch(await signed())).text()).toBe('a');
    expect(await (await fetch(await signed(`${home}/b c+d.txt`))).text()).toBe('b');
  });

  test('answers ranges and HEAD', async () => {
    const url = await signed();
    expect((await fetch(url, { headers: { range: 'bytes=0-0' } })).status).toBe(206);
    expect((await fetch(url, { method: 'HEAD' })).headers.get('content-length')).toBe('1');
  });

  test('says under which name it wants to be saved', async () => {
    const disposition = async (download: string | true) =>
      (await fetch(await signed(undefined, 60, { download }))).headers.get('content-disposition');
    expect(await disposition(true)).toBe("attachment; filename*=UTF-8''a.txt");
    expect(await disposition('other.txt')).toBe("attachment; filename*=UTF-8''other.txt");
    const { headers } = await fetch(`${await signed()}&download=${encodeURIComponent(`Größe "1"'.txt`)}`);
    expect(headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%221%22%27.txt");
  });

  test('of somebody who may see the object opens it after that has ended', async () => {
    const url = await signed();
    await mine.upload(`${home}/later.txt`, 'x');
    expect((await fetch(url)).status).toBe(200);
  });

  test('that was tampered with, is for another object or has expired is 400', async () => {
    const url = new URL(await signed());
    const token = url.searchParams.get('token') ?? '';
    const withToken = async (other: string, path = url.pathname) =>
      fetch(new URL(`${path}?token=${encodeURIComponent(other)}`, url));
    const answers = await Promise.all([
      withToken(`${token.slice(0, -3)}xyz`),
      withToken('nonsense'),
      withToken(await forge({ url: `private/${home}/a.txt` }, '-1s')),
      withToken(token, `/storage/v1/object/sign/private/${home}/b%20c%2Bd.txt`),
      withToken(await forge({ role: 'service_role' })),
      withToken(await tokenOf(world.alice)),
    ]);
    const codes = answers.map(async (answer) => {
      expect(answer.status).toBe(400);
      const body: unknown = await answer.json();
      return body;
    });
    expect(await Promise.all(codes)).toMatchObject([
      { code: 'InvalidJWT', statusCode: '400' },
      { code: 'InvalidJWT' },
      { code: 'InvalidJWT', message: '"exp" claim timestamp check failed' },
      { code: 'InvalidSignature' },
      { code: 'InvalidSignature' },
      { code: 'InvalidSignature' },
    ]);
    expect((await fetch(new URL(url.pathname, url))).status).toBe(400);
  });

  test('with a token that names no algorithm or another one is 400', async () => {
    const [, payload] = (new URL(await signed()).searchParams.get('token') ?? '').split('.');
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`;
    expect((await world.raw(`object/sign/private/${home}/a.txt?token=${none}`)).status).toBe(400);
  });

  test('is no access token', async () => {
    const token = new URL(await signed()).searchParams.get('token') ?? '';
    const answer = await world.keyed(`object/private/${home}/a.txt`, { token });
    expect(await answer.json()).toMatchObject({ code: 'AccessDenied' });
  });

  test('is made for a time to come only', async () => {
    for (const seconds of [0, -5, 1.5]) {
      expect((await mine.createSignedUrl(`${home}/a.txt`, seconds)).error).toMatchObject({ code: 'InvalidRequest' });
    }
  });
});

test('several addresses at once say which could not be signed', async () => {
  const { data, error } = await mine.createSignedUrls([`${home}/a.txt`, `${home}/none`, `${world.bob.id}/x`], 60);
  expect(error).toBeNull();
  const said = 'Either the object does not exist or you do not have access to it';
  expect(data).toMatchObject([
    { path: `${home}/a.txt`, error: null },
    { path: `${home}/none`, error: said, signedUrl: null },
    { path: `${world.bob.id}/x`, error: said, signedUrl: null },
  ]);
  expect(await (await fetch(data?.[0]?.signedUrl ?? '')).text()).toBe('a');
});

describe('a signed upload', () => {
  const grant = async (path: string, upsert = false) => {
    const { data, error } = await mine.createSignedUploadUrl(path, { upsert });
    expect(error).toBeNull();
    return data?.token ?? '';
  };

  test('takes a file from somebody without an account, as a form or raw, and names the one who signed as owner', async () => {
    const stranger = world.files(world.backend.anonClient());
    for (const [name, body] of [
      ['form.txt', new Blob(['form'], { type: 'text/plain' })],
      ['raw.txt', 'raw'],
    ] as const) {
      const path = `${home}/${name}`;
      const { data, error } = await stranger.uploadToSignedUrl(path, await grant(path), body);
      expect(error).toBeNull();
      expect(data).toEqual({ path, fullPath: `private/${path}` });
      expect(await (await mine.download(path)).data?.text()).toBe(name.split('.')[0]);
    }
    const { rows } = await world.backend.pg.query('select distinct owner_id from storage.objects where name like $1', [
      '%/form.txt',
    ]);
    expect(rows).toEqual([{ owner_id: home }]);
  });

  test('replaces only when that was signed', async () => {
    const stranger = world.files(world.backend.anonClient());
    const path = `${home}/once.txt`;
    const once = await grant(path);
    expect((await stranger.uploadToSignedUrl(path, once, 'first')).error).toBeNull();
    expect((await stranger.uploadToSignedUrl(path, once, 'second')).error).toMatchObject({ statusCode: '409' });
    expect((await stranger.uploadToSignedUrl(path, await grant(path, true), 'third')).error).toBeNull();
    expect(await (await mine.download(path)).data?.text()).toBe('third');
  });

  test('is for its path alone, and no download', async () => {
    const stranger = world.files(world.backend.anonClient());
    const token = await grant(`${home}/here.txt`);
    expect((await stranger.uploadToSignedUrl(`${home}/there.txt`, token, 'x')).error).toMatchObject({
      code: 'InvalidSignature',
    });
    const reading = await world.raw(`object/sign/private/${home}/here.txt?token=${token}`);
    expect(await reading.json()).toMatchObject({ code: 'InvalidSignature' });
    const download = new URL(await signed()).searchParams.get('token') ?? '';
    expect((await stranger.uploadToSignedUrl(`${home}/a.txt`, download, 'x')).error).toMatchObject({
      code: 'InvalidSignature',
    });
  });
});
