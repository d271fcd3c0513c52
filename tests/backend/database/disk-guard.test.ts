// The disk fills up while Weft runs.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { openDatabase } from '../../../backend/database.ts';
import { DiskGuard } from '../../../backend/database/disk-guard.ts';
import { openPostgresEngine } from '../../../backend/engine/postgres-engine.ts';
import { copyDatabase, dropDatabase, emptyDatabase } from '../../support/database/databases.ts';

test('a full disk is reported to writers and to the operator; reads continue, and writes resume when there is room', async () => {
  const log: string[] = [];
  let free = 1_000;
  const databaseUrl = await copyDatabase('backend');
  const database = await openDatabase({
    dir: null,
    databaseUrl,
    log: (line) => log.push(line),
    disk: {
      freeBytes: async () => free * 1024 * 1024,
      reserveBytes: 96 * 1024 * 1024,
      intervalMs: 10,
      log: (line) => log.push(line),
    },
  });
  try {
    const headers = { apikey: database.keys.serviceRoleKey, authorization: `Bearer ${database.keys.serviceRoleKey}` };
    const ask = async (method: string, path: string, body?: string) => {
      const response = await database.fetch(
        new Request(`http://127.0.0.1${path}`, {
          method,
          headers: { ...headers, 'content-type': 'application/json' },
          ...(body === undefined ? {} : { body }),
        }),
        null,
      );
      const answer: unknown = await response.json().catch(() => null);
      return { status: response.status, answer };
    };
    const addBucket = (name: string) => ask('POST', '/storage/v1/bucket', JSON.stringify({ name }));
    expect((await addBucket('before')).status).toBe(200);

    free = 20;
    await expect
      .poll(() => log)
      .toEqual([
        'The disk has only 20 MB left: Weft writes nothing until 120 MB are free. Acknowledged edits are safe.',
      ]);
    expect(await addBucket('refused')).toMatchObject({ status: 507, answer: { code: 'StorageFull' } });
    expect(await ask('PATCH', `/rest/v1/workspaces?id=eq.${randomUUID()}`, '{"name":"x"}')).toMatchObject({
      status: 503,
      answer: { code: '53100', message: 'could not write: the disk of the server is full, nothing was changed' },
    });
    const person = JSON.stringify({ email: 'late@example.com', password: 'correct horse battery' });
    for (const body of [person, '{}']) {
      expect(await ask('POST', '/auth/v1/signup', body)).toEqual({
        status: 503,
        answer: {
          code: 503,
          error_code: 'unexpected_failure',
          msg: 'could not write: the disk of the server is full, nothing was changed',
        },
      });
    }
    expect(await ask('GET', '/storage/v1/bucket/before')).toMatchObject({ status: 200 });
    expect(await ask('GET', '/rest/v1/workspaces')).toEqual({ status: 200, answer: [] });

    free = 110;
    await delay(100);
    expect((await addBucket('edge')).status).toBe(507);
    free = 121;
    await expect.poll(() => log.at(-1)).toBe('The disk has room again: Weft writes again.');
    expect((await addBucket('after')).status).toBe(200);
    const { answer } = await ask('GET', '/storage/v1/bucket');
    expect(v.parse(v.array(v.looseObject({ id: v.string() })), answer).map(({ id }) => id)).toEqual([
      'after',
      'attachments',
      'avatars',
      'before',
    ]);
  } finally {
    await database.close();
    await dropDatabase(databaseUrl);
  }
});

test('a disk whose free space is not known is reported once for each reason, not at each check', async () => {
  const url = await emptyDatabase();
  const engine = await openPostgresEngine({ url });
  const log: string[] = [];
  let checks = 0;
  const freeBytes = async (): Promise<number> => {
    checks += 1;
    if (checks === 4) return 2;
    throw new Error(checks < 3 ? 'gone' : 'still gone');
  };
  const guard = new DiskGuard(engine, { freeBytes, reserveBytes: 1, intervalMs: 1, log: (line) => log.push(line) });
  try {
    await expect.poll(() => checks).toBeGreaterThan(6);
    const sentence = 'the free space of the disk is not known: Error:';
    expect(log).toEqual([`${sentence} gone`, `${sentence} still gone`, `${sentence} still gone`]);
  } finally {
    await guard.close();
    await engine.close();
    await dropDatabase(url);
  }
});
