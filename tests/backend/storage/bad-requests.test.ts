import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { removeFolder, temporaryFolder } from '../../support/server/temporary-folder.ts';
import { type StorageFixture, startStorage } from './storage-fixture.ts';

let fixture: StorageFixture;
let dir: string;
beforeAll(async () => {
  dir = await temporaryFolder('storage');
  fixture = await startStorage(join(dir, 'data'));
});
afterAll(async () => {
  await fixture.backend.close();
  await removeFolder(dir);
});

const serviceHeaders = () => ({
  apikey: fixture.backend.server.serviceRoleKey,
  authorization: `Bearer ${fixture.backend.server.serviceRoleKey}`,
});

/** Sends a request unchanged, without a client that normalizes URLs; returns its status line and body. */
async function sendUnchanged(request: string): Promise<{ readonly status: number; readonly text: string }> {
  const socket = connect(Number(new URL(fixture.backend.url).port), '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString()));
  socket.write(request);
  await once(socket, 'close');
  return { status: Number(text.split(' ')[1]), text };
}

const put = (target: string, body = 'x') =>
  sendUnchanged(
    [
      `POST /storage/v1/object/${target} HTTP/1.1`,
      'host: 127.0.0.1',
      'connection: close',
      `apikey: ${fixture.backend.server.serviceRoleKey}`,
      'content-type: text/plain',
      `content-length: ${body.length}`,
      '',
      body,
    ].join('\r\n'),
  );

const stored = async (): Promise<string[]> => {
  const { rows } = await fixture.backend.pg.query<{ name: string }>('select name from storage.objects order by name');
  return rows.map(({ name }) => name);
};

describe('names', () => {
  test.for([
    ['with ..', 'private/..%2f..%2fescape'],
    ['with encoded dots', 'private/a/%2e%2e%2f%2e%2e%2fescape'],
    ['with a NUL', 'private/a%00b'],
    ['with a line break', 'private/a%0d%0ab'],
    ['with a backslash', 'private/..%5c..%5cescape'],
    ['that are not UTF-8', 'private/%ff%fe'],
    ['that are half an escape', 'private/a%'],
    ['outside of ASCII', `private/${encodeURIComponent('Größe.txt')}`],
    ['with direction marks', `private/${encodeURIComponent('a\u202Egnp.exe')}`],
    ['with an empty part', 'private/a//b'],
    ['that end as folders', 'private/a/'],
    ['that are too long', `private/${'x'.repeat(1025)}`],
    ['that are missing', 'private/'],
  ])('%s are refused', async ([, target = '']) => {
    const before = await stored();
    const { status, text } = await put(target);
    expect(status).toBe(400);
    expect(text).toContain('InvalidKey');
    expect(await stored()).toEqual(before);
    expect(await readdir(dir)).toEqual(['data']);
  });

  test('with an encoded slash equal names with a slash', async () => {
    expect((await put('private/enc%2Foded.txt')).status).toBe(200);
    expect(await stored()).toContain('enc/oded.txt');
    expect((await put('private/enc/oded.txt')).text).toContain('KeyAlreadyExists');
  });

  test('of the maximum length, and with every allowed character, are accepted', async () => {
    const long = 'x'.repeat(1024);
    const odd = `!-.*'()& $@=;:+,_`;
    for (const name of [long, odd]) {
      const files = fixture.files(fixture.service);
      const target = `private/${encodeURIComponent(name)}`;
      expect((await put(target, name.slice(0, 5))).status).toBe(200);
      const { data, error } = await files.download(name);
      expect(error).toBeNull();
      expect(await data?.text()).toBe(name.slice(0, 5));
    }
  });

  test('of buckets with .. are refused', async () => {
    for (const bucket of ['..', '%2e%2e', '..%2f', 'private%2f..', '%00']) {
      const { status } = await put(`${bucket}/x`);
      expect([400, 404, 501]).toContain(status);
    }
  });

  test('in request bodies are checked like names in URLs', async () => {
    await fixture.files(fixture.service).upload('plain.txt', 'x');
    for (const destination of ['../up', 'a\0b', 'ä', 'x'.repeat(2000), '']) {
      expect((await fixture.files(fixture.service).copy('plain.txt', destination)).error).toMatchObject({
        code: 'InvalidKey',
      });
    }
    expect(await stored()).toContain('plain.txt');
  });
});

describe('callers', () => {
  test('without a key, or with another key, get 401', async () => {
    for (const headers of [{}, { apikey: 'sb_publishable_other' }, { apikey: 'x' }, { authorization: 'Bearer x' }]) {
      const response = await fixture.raw('object/list/private', { method: 'POST', headers, body: '{"prefix":""}' });
      expect(response.status).toBe(401);
    }
  });

  test('with something that is not a token are refused', async () => {
    for (const token of ['nonsense', 'eyJhbGciOiJub25lIn0.eyJyb2xlIjoic2VydmljZV9yb2xlIiwiZXhwIjo5OTk5OTk5OTk5fQ.']) {
      const response = await fixture.keyed('object/list/private', { method: 'POST', token, body: '{"prefix":""}' });
      expect([response.status, await response.json()]).toMatchObject([
        400,
        { code: 'AccessDenied', statusCode: '403' },
      ]);
    }
  });
});

describe('bodies', () => {
  const post = (path: string, body: RequestInit['body'], headers = {}) =>
    fixture.raw(path, {
      method: 'POST',
      headers: { ...serviceHeaders(), ...headers },
      ...(body == null ? {} : { body }),
    });

  test('that are not JSON, or of another shape, get 400', async () => {
    for (const [path, body] of [
      ['object/list/private', '{'],
      ['object/list/private', '[]'],
      ['object/list/private', '{"limit":-1}'],
      ['object/list/private', '{"limit":1e99}'],
      ['object/copy', 'null'],
      ['bucket', '{"name":5}'],
    ] as const) {
      const response = await post(path, body, { 'content-type': 'application/json' });
      expect([path, body, response.status]).toEqual([path, body, 400]);
      expect(await response.json()).toMatchObject({ code: 'InvalidRequest' });
    }
  });

  test('that are too large for any call are refused', async () => {
    const response = await post('object/list/private', `{"prefix":"${'x'.repeat(3_000_000)}"}`);
    expect(await response.json()).toMatchObject({ statusCode: '413' });
  });

  test('that claim to be forms and are not get 400', async () => {
    for (const type of ['multipart/form-data', 'multipart/form-data; boundary=x', 'multipart/form-data; boundary=']) {
      const response = await post('object/private/form.txt', 'no form', { 'content-type': type });
      expect(response.status).toBe(400);
    }
    const form = new FormData();
    form.append('cacheControl', '1');
    expect(await (await post('object/private/form.txt', form)).json()).toMatchObject({ message: 'No file provided' });
  });

  test('whose type is not a valid header value are refused', async () => {
    for (const type of ['text', 'text/plain, text/html', 'a/b;c', '/', 'a/b; c="d']) {
      const response = await post('object/private/typed', 'x', { 'content-type': type });
      expect(await response.json()).toMatchObject({ code: 'InvalidMimeType' });
    }
  });

  test('that are refused before their end are read completely, so that the client gets the reason', async () => {
    const response = await post('object/private/large.bin', new Uint8Array(50_000_000), { 'content-type': 'a/b' });
    expect(await response.json()).toMatchObject({ statusCode: '413', code: 'EntityTooLarge' });
    const anonymous = await fixture.keyed('object/private/large.bin', {
      method: 'POST',
      body: new Uint8Array(20_000_000),
    });
    expect(await anonymous.json()).toMatchObject({ statusCode: '403' });
  });

  test('that break off leave nothing behind', async () => {
    const before = await stored();
    const socket = connect(Number(new URL(fixture.backend.url).port), '127.0.0.1');
    socket.write(
      [
        'POST /storage/v1/object/private/half.txt HTTP/1.1',
        'host: 127.0.0.1',
        `apikey: ${fixture.backend.server.serviceRoleKey}`,
        'content-type: text/plain',
        'content-length: 100000',
        '',
        'x'.repeat(50_000),
      ].join('\r\n'),
    );
    await delay(100);
    socket.destroy();
    await expect.poll(() => readdir(join(dir, 'data/files/incoming')).catch(() => [])).toEqual([]);
    expect(await stored()).toEqual(before);
  });
});

test('methods and paths that do not exist are not supported', async () => {
  for (const [method, path] of [
    ['PATCH', 'object/private/a'],
    ['POST', 'object'],
    ['GET', 'nothing'],
    ['POST', 'upload/resumable'],
  ] as const) {
    const response = await fixture.raw(path, { method, headers: serviceHeaders() });
    expect([path, response.status]).toEqual([path, 501]);
  }
});
