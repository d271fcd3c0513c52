import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type StorageFixture, md5, startStorage, tokenOf } from './storage-fixture.ts';

let fixture: StorageFixture;
let mine: ReturnType<StorageFixture['files']>;
let home: string;
beforeAll(async () => {
  fixture = await startStorage();
  mine = fixture.files(fixture.alice.client);
  home = fixture.alice.id;
});
afterAll(() => fixture.backend.close());

const put = async (path: string, text = 'text', options = {}) => {
  const { data, error } = await mine.upload(path, text, options);
  expect(error).toBeNull();
  return data;
};

describe('an upload', () => {
  test('sent raw keeps its type, cache time and metadata', async () => {
    const path = `${home}/raw.txt`;
    const data = await put(path, 'raw words', {
      contentType: 'text/plain',
      cacheControl: '60',
      metadata: { note: 'Grüße' },
    });
    expect(data).toMatchObject({ path, fullPath: `private/${path}` });
    expect(await fixture.row(path)).toMatchObject({
      id: data?.id,
      metadata: { size: 9, mimetype: 'text/plain', cacheControl: 'max-age=60', eTag: md5('raw words') },
      user_metadata: { note: 'Grüße' },
    });
  });

  test('sent as a form, as browsers send Blobs and Files, keeps the same', async () => {
    const path = `${home}/form.csv`;
    const file = new File(['a,b'], 'form.csv', { type: 'text/csv' });
    const { error } = await mine.upload(path, file, { cacheControl: '5', metadata: { rows: 1 } });
    expect(error).toBeNull();
    expect(await fixture.row(path)).toMatchObject({
      metadata: { size: 3, mimetype: 'text/csv', cacheControl: 'max-age=5' },
      user_metadata: { rows: 1 },
    });
    expect(await (await mine.download(path)).data?.text()).toBe('a,b');
  });

  test('of a stream is stored completely', async () => {
    const path = `${home}/stream.bin`;
    const parts = Array.from({ length: 64 }, (_, at) => new Uint8Array(16_384).fill(at));
    const { error } = await mine.upload(path, Readable.from(parts), { contentType: 'application/x-thing' });
    expect(error).toBeNull();
    const { data } = await mine.download(path);
    expect(data?.size).toBe(64 * 16_384);
    expect(data?.type).toBe('application/x-thing');
    expect(Buffer.from(await (data ?? new Blob()).arrayBuffer()).equals(Buffer.concat(parts))).toBe(true);
  });

  test('without bytes is an empty object', async () => {
    await put(`${home}/empty`, '');
    const { data } = await mine.download(`${home}/empty`);
    expect(data?.size).toBe(0);
  });

  test('to an existing name is refused and changes nothing', async () => {
    const path = `${home}/taken.txt`;
    await put(path, 'first');
    const { error } = await mine.upload(path, 'second');
    expect(error).toMatchObject({ status: 400, statusCode: '409', code: 'KeyAlreadyExists' });
    expect(error?.message).toBe('The resource already exists');
    expect(await (await mine.download(path)).data?.text()).toBe('first');
  });

  test('with upsert replaces the existing object', async () => {
    const path = `${home}/upsert.txt`;
    const first = await put(path, 'first');
    const second = await put(path, 'second', { upsert: true });
    expect(second?.id).toBe(first?.id);
    expect(await (await mine.download(path)).data?.text()).toBe('second');
  });

  test('into a bucket that does not exist is refused', async () => {
    const { error } = await fixture.alice.client.storage.from('nowhere').upload(`${home}/a`, 'a');
    expect(error).toMatchObject({ statusCode: '404', code: 'NoSuchBucket', message: 'Bucket not found' });
  });

  test('records its owner', async () => {
    await put(`${home}/owned.txt`);
    const { rows } = await fixture.backend.pg.query(
      'select owner::text, owner_id from storage.objects where name = $1',
      [`${home}/owned.txt`],
    );
    expect(rows).toEqual([{ owner: home, owner_id: home }]);
  });
});

describe('a download', () => {
  const path = () => `${home}/range.txt`;
  const get = async (headers: Record<string, string>, method = 'GET') =>
    fixture.keyed(`object/private/${path()}`, { method, headers, token: await tokenOf(fixture.alice) });
  beforeAll(() => put(path(), '0123456789', { contentType: 'text/plain' }));

  test('of a range returns the range', async () => {
    for (const [range, part, contentRange] of [
      ['bytes=2-4', '234', 'bytes 2-4/10'],
      ['bytes=7-', '789', 'bytes 7-9/10'],
      ['bytes=-2', '89', 'bytes 8-9/10'],
      ['bytes=8-99', '89', 'bytes 8-9/10'],
      ['bytes=-99', '0123456789', 'bytes 0-9/10'],
    ] as const) {
      const response = await get({ range });
      expect([response.status, response.headers.get('content-range'), await response.text()]).toEqual([
        206,
        contentRange,
        part,
      ]);
    }
  });

  test('of a range behind the end gets 416 with the size of the object', async () => {
    const response = await get({ range: 'bytes=10-' });
    expect(response.status).toBe(416);
    expect(response.headers.get('content-range')).toBe('bytes */10');
    expect(await response.json()).toMatchObject({ statusCode: '416', code: 'InvalidRange' });
  });

  test('of several ranges, or of a malformed one, returns the complete object', async () => {
    for (const range of ['bytes=0-1,3-4', 'bytes=4-2', 'lines=1-2', 'bytes=x-']) {
      const response = await get({ range });
      expect([response.status, await response.text()]).toEqual([200, '0123456789']);
    }
  });

  test('of a range with If-Range returns the complete object when it has changed', async () => {
    expect((await get({ range: 'bytes=0-1', 'if-range': md5('0123456789') })).status).toBe(206);
    expect((await get({ range: 'bytes=0-1', 'if-range': '"other"' })).status).toBe(200);
  });

  test('of an unchanged object gets 304', async () => {
    const known = await get({ 'if-none-match': `"other", W/${md5('0123456789')}` });
    expect([known.status, await known.text()]).toEqual([304, '']);
    expect((await get({ 'if-none-match': '"other"' })).status).toBe(200);
    const modified = (await get({})).headers.get('last-modified') ?? '';
    expect((await get({ 'if-modified-since': modified })).status).toBe(304);
  });

  test('with HEAD returns everything except the bytes', async () => {
    const response = await get({}, 'HEAD');
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('');
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'accept-ranges': 'bytes',
      'cache-control': 'max-age=3600',
      'content-length': '10',
      'content-type': 'text/plain',
      etag: md5('0123456789'),
      'x-content-type-options': 'nosniff',
    });
  });

  test('of an object that does not exist is refused', async () => {
    const { data, error } = await mine.download(`${home}/none`);
    expect(data).toBeNull();
    expect(error).toMatchObject({ status: 400, statusCode: '404', code: 'NoSuchKey', message: 'Object not found' });
  });
});

describe('the type of a download', () => {
  const open = async (name: string) =>
    fixture.keyed(`object/private/${home}/${name}`, { token: await tokenOf(fixture.alice) });

  test.for([
    ['image.svg', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ['page.html', 'text/html; charset=utf-8', '<script>alert(1)</script>'],
    ['page.xhtml', 'application/xhtml+xml', '<html/>'],
    ['feed.xml', 'text/xml', '<x/>'],
    ['code.js', 'text/javascript', 'alert(1)'],
    ['page.shtml', 'TEXT/HTML', '<script>alert(1)</script>'],
  ])(
    '%s could run in a browser, so it is saved as a file of another type',
    async ([name = '', contentType = '', text = '']) => {
      await put(`${home}/${name}`, text, { contentType });
      const response = await open(name);
      expect(await response.text()).toBe(text);
      expect(response.headers.get('content-type')).toBe('application/octet-stream');
      expect(response.headers.get('content-disposition')).toMatch(/^attachment;/);
      expect(response.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      expect(await fixture.row(`${home}/${name}`)).toMatchObject({ metadata: { mimetype: contentType } });
    },
  );

  test('a picture keeps its type', async () => {
    await put(`${home}/dot.png`, 'png', { contentType: 'image/png' });
    const response = await open('dot.png');
    expect(response.headers.get('content-type')).toBe('image/png');
    expect(response.headers.get('content-disposition')).toBeNull();
    await response.body?.cancel();
  });
});

describe('a list', () => {
  const list = async (...ask: Parameters<typeof mine.list>) => {
    const { data, error } = await mine.list(...ask);
    expect(error).toBeNull();
    return data?.map(({ name, id }) => (id === null ? `${name}/` : name));
  };
  beforeAll(async () => {
    for (const name of ['b.txt', 'a.txt', 'sub/deep/x.txt', 'sub/y.txt', 'Zed.txt'])
      await put(`${home}/l/${name}`, name);
  });

  test('shows the names below the prefix: folders first, then files', async () => {
    expect(await list(`${home}/l`)).toEqual(['sub/', 'Zed.txt', 'a.txt', 'b.txt']);
    expect(await list(`${home}/l/`)).toEqual(['sub/', 'Zed.txt', 'a.txt', 'b.txt']);
    expect(await list(`${home}/l/sub`)).toEqual(['deep/', 'y.txt']);
    expect(await list(`${home}/nothing`)).toEqual([]);
  });

  test('respects limit and offset', async () => {
    expect(await list(`${home}/l`, { limit: 2 })).toEqual(['sub/', 'Zed.txt']);
    expect(await list(`${home}/l`, { limit: 2, offset: 2 })).toEqual(['a.txt', 'b.txt']);
  });

  test('is sorted as requested', async () => {
    expect(await list(`${home}/l`, { sortBy: { column: 'name', order: 'desc' } })).toEqual([
      'sub/',
      'b.txt',
      'a.txt',
      'Zed.txt',
    ]);
    expect((await list(`${home}/l`, { sortBy: { column: 'created_at', order: 'asc' } }))?.slice(1)).toEqual([
      'b.txt',
      'a.txt',
      'Zed.txt',
    ]);
    expect((await mine.list(`${home}/l`, { sortBy: { column: 'name; drop table x' } })).error).not.toBeNull();
  });

  test('is searched by the beginning of names, ignoring case', async () => {
    expect(await list(`${home}/l`, { search: 'z' })).toEqual(['Zed.txt']);
    expect(await list(`${home}/l`, { search: 'su' })).toEqual(['sub/']);
    expect(await list(`${home}/l`, { search: '%' })).toEqual([]);
  });

  test('has metadata for files and none for folders', async () => {
    const { data } = await mine.list(`${home}/l`, { limit: 2 });
    expect(data?.[0]).toEqual({
      name: 'sub',
      id: null,
      updated_at: null,
      created_at: null,
      last_accessed_at: null,
      metadata: null,
    });
    expect(data?.[1]).toMatchObject({
      metadata: { size: 7, mimetype: 'text/plain;charset=UTF-8', eTag: md5('Zed.txt') },
    });
  });
});

describe('objects are', () => {
  test('copied, and then independent', async () => {
    const [from, to] = [`${home}/one.txt`, `${home}/two.txt`];
    await put(from, 'copied', { contentType: 'text/plain', cacheControl: '7' });
    expect(await mine.copy(from, to)).toMatchObject({ data: { path: `private/${to}` }, error: null });
    await mine.remove([from]);
    expect(await (await mine.download(to)).data?.text()).toBe('copied');
    expect(await fixture.row(to)).toMatchObject({ metadata: { mimetype: 'text/plain', cacheControl: 'max-age=7' } });
    expect((await mine.copy(to, to)).error).toMatchObject({ statusCode: '409' });
  });

  test('removed, many at once; missing ones are not in the answer', async () => {
    const paths = ['r1', 'r2', 'r3'].map((name) => `${home}/${name}`);
    for (const path of paths) await put(path);
    const { data, error } = await mine.remove([...paths, `${home}/none`]);
    expect(error).toBeNull();
    expect(data?.map(({ name }) => name).toSorted()).toEqual(paths);
    expect(data?.[0]).toMatchObject({ bucket_id: 'private', owner_id: home });
    expect((await mine.download(paths[0] ?? '')).error).toMatchObject({ code: 'NoSuchKey' });
    expect((await mine.remove(paths)).data).toEqual([]);
  });
});

describe('row level security', () => {
  test('denies everyone else every call', async () => {
    const path = `${home}/secret.txt`;
    await put(path, 'secret');
    for (const client of [fixture.bob.client, fixture.backend.anonClient()]) {
      const theirs = fixture.files(client);
      expect((await theirs.download(path)).error).toMatchObject({ code: 'NoSuchKey' });
      expect((await theirs.list(home)).data).toEqual([]);
      expect((await theirs.copy(path, `${home}/x`)).error).toMatchObject({ code: 'NoSuchKey' });
      expect((await theirs.remove([path])).data).toEqual([]);
      for (const upsert of [true, false]) {
        expect((await theirs.upload(upsert ? path : `${home}/new`, 'no', { upsert })).error).toMatchObject({
          status: 400,
          statusCode: '403',
          code: 'AccessDenied',
          message: expect.stringContaining('row-level security'),
        });
      }
    }
    expect(await (await mine.download(path)).data?.text()).toBe('secret');
  });

  test('keeps people from copying into the folder of someone else', async () => {
    await put(`${home}/mine.txt`);
    const { error } = await mine.copy(`${home}/mine.txt`, `${fixture.bob.id}/given.txt`);
    expect(error).toMatchObject({ statusCode: '403' });
  });

  test('is checked before the body is read', async () => {
    const body = Readable.from(
      (async function* () {
        yield new Uint8Array(1000);
        throw new Error('no one should read on');
      })(),
    );
    const { error } = await fixture.files(fixture.bob.client).upload(`${home}/early`, body);
    expect(error).not.toBeNull();
  });

  test('lets a service key do everything', async () => {
    await put(`${home}/served.txt`, 'served');
    expect(await (await fixture.files(fixture.service).download(`${home}/served.txt`)).data?.text()).toBe('served');
  });

  test('can read the current call in policies', async () => {
    await fixture.backend.pg.exec(`create policy weft_test_operation on storage.objects for select to authenticated
      using (bucket_id = 'open' and storage.allow_only_operation('object.list'))`);
    await fixture.service.storage.from('open').upload('listed.txt', 'x');
    const { data } = await fixture.alice.client.storage.from('open').list('', { search: 'listed' });
    expect(data?.map(({ name }) => name)).toEqual(['listed.txt']);
    expect((await fixture.alice.client.storage.from('open').copy('listed.txt', 'copied.txt')).error).not.toBeNull();
  });
});
