// What a death, another version and a full disk do to what was acknowledged: nothing.
import { randomUUID } from 'node:crypto';
import { cp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type SupabaseClient, createClient } from '@supabase/supabase-js';
import * as v from 'valibot';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MIGRATIONS_DIR, openDatabase } from '../../backend/database.ts';
import { StartError } from '../../backend/start-error.ts';
import { BackendProcess } from '../support/server/backend-process.ts';
import { copyDatabase, dropDatabase } from '../support/database/databases.ts';
import { removeFolder, temporaryFolder } from '../support/server/temporary-folder.ts';

/** `WEFT_KILL_ROUNDS=20` is what a release is tried with. */
const ROUNDS = Number(process.env['WEFT_KILL_ROUNDS'] ?? 2);
const WRITERS = 6;

const readyForm = v.looseObject({ url: v.string(), serviceRoleKey: v.string() });

let template: string;
let dir: string;
let data: string;
let log: string[];
const running: BackendProcess[] = [];
beforeAll(async () => {
  template = await temporaryFolder('durable-template');
  const database = await openDatabase({ dir: join(template, 'data') });
  await database.close();
});
afterAll(() => removeFolder(template));
beforeEach(async () => {
  log = [];
  dir = await temporaryFolder('durable');
  data = join(dir, 'data');
  await cp(join(template, 'data'), data, { recursive: true });
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((child) => child.end('SIGKILL')));
  await removeFolder(dir);
});

async function start(): Promise<{ readonly child: BackendProcess; readonly client: SupabaseClient }> {
  const child = new BackendProcess(['backend', '--port', '0', '--json', '--data', data]);
  running.push(child);
  const { url, serviceRoleKey } = v.parse(readyForm, JSON.parse(await child.line()));
  return {
    child,
    client: createClient(url, serviceRoleKey, { auth: { persistSession: false, autoRefreshToken: false } }),
  };
}

test(
  'a killed process loses nothing that was acknowledged: no row, no file',
  async () => {
    const rows = new Set<string>();
    const files = new Map<string, string>();
    const missing: string[] = [];
    const check = async (client: SupabaseClient) => {
      const found = await client.storage.listBuckets({ limit: 100_000 });
      const names = new Set(found.data?.map(({ name }) => name));
      missing.push(...[...rows].filter((name) => !names.has(name)));
      for (const [path, text] of files) {
        if ((await (await client.storage.from('kept').download(path)).data?.text()) !== text) missing.push(path);
      }
      files.clear();
    };
    for (let round = 0; round < ROUNDS; round++) {
      const { child, client } = await start();
      await check(client);
      await client.storage.createBucket('kept', { public: false });
      const dead = new AbortController();
      let done = 0;
      const work = Array.from({ length: WRITERS }, async (_, writer) => {
        for (let n = 0; !dead.signal.aborted; n++) {
          const name = `r${round}-w${writer}-${n}`;
          const [made, stored] = await Promise.all([
            client.storage.createBucket(name, { public: false }),
            client.storage.from('kept').upload(name, name.repeat(200)),
          ]);
          if (made.error === null) rows.add(name);
          if (made.error === null && stored.error === null) done++;
          if (stored.error === null) files.set(name, name.repeat(200));
        }
      });
      // Not at the same moment of the work each time, however fast the machine is.
      await expect.poll(() => done, { timeout: 15_000, interval: 3 }).toBeGreaterThan(10 + ((round * 7) % 30));
      await delay((round * 13) % 20);
      const ended = child.end('SIGKILL');
      dead.abort();
      await Promise.all([ended, ...work]);
    }
    const { client, child } = await start();
    await check(client);
    expect(missing).toEqual([]);
    expect(rows.size).toBeGreaterThan(10 * ROUNDS);
    expect(await child.end('SIGTERM')).toBe(0);
    process.stdout.write(`${ROUNDS} kills, ${rows.size} acknowledged rows, none lost\n`);
  },
  30_000 + 20_000 * ROUNDS,
);

describe('data of another version', () => {
  const copies = async () => (await readdir(data)).filter((name) => name.includes('.before-')).toSorted();
  const open = (migrationsDir: string) =>
    openDatabase({ dir: data, migrationsDir, log: (line) => log.push(line) }).then(
      async (database) => {
        await database.close();
        return null;
      },
      (error: unknown) => error,
    );
  /** Weft's migrations and one more. */
  const newer = async (version: string): Promise<string> => {
    const migrations = join(dir, `migrations-${version}`);
    await cp(MIGRATIONS_DIR, migrations, { recursive: true });
    for (const one of ['20990101000001', '20990101000002', '20990101000003']) {
      if (one <= version) await writeFile(join(migrations, `${one}_add.sql`), `create table public.added_${one} ();`);
    }
    return migrations;
  };

  test('of an older Weft is brought up to date after a copy, which is named; old copies go', async () => {
    for (const version of ['20990101000001', '20990101000002', '20990101000003']) {
      expect(await open(await newer(version))).toBeNull();
    }
    expect(log).toHaveLength(3);
    const kept = await copies();
    expect(kept).toHaveLength(2);
    expect(log[2]).toContain(`As it was, it is in ${join(data, kept[1] ?? '')}.`);
    // The copy is a database, as it was.
    await rm(join(data, 'postgres'), { recursive: true });
    await cp(join(data, kept[1] ?? ''), join(data, 'postgres'), { recursive: true });
    expect(await open(await newer('20990101000002'))).toBeNull();
    expect(log).toHaveLength(3);
  }, 60_000);

  test('of this Weft is opened without a copy', async () => {
    expect(await open(MIGRATIONS_DIR)).toBeNull();
    expect([await copies(), log]).toEqual([[], []]);
  });

  test('of a newer Weft is refused, and left as it is', async () => {
    expect(await open(await newer('20990101000001'))).toBeNull();
    const refused = await open(MIGRATIONS_DIR);
    expect(refused).toBeInstanceOf(StartError);
    expect(String(refused)).toContain(
      'The data is of a newer Weft (migration 20990101000001). Update Weft, or name another directory.',
    );
    expect(await copies()).toHaveLength(1);
  });

  test('of another PostgreSQL is refused before anybody opens it', async () => {
    await writeFile(join(data, 'postgres', 'PG_VERSION'), '18\n');
    expect(String(await open(MIGRATIONS_DIR))).toContain('is of PostgreSQL 18, and this Weft reads 17');
  });
});

describe('a full disk', () => {
  test('is told to who writes and to the operator; reading goes on, and writing when there is room again', async () => {
    let free = 1_000;
    const databaseUrl = await copyDatabase('backend');
    const database = await openDatabase({
      dir: null,
      databaseUrl,
      log: (line) => log.push(line),
      disk: {
        freeBytes: async () => free * 1024 * 1024,
        reserveBytes: 96 * 1024 * 1024,
        everyMs: 10,
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
          'The disk is full but for 20 MB: nothing is written until there are 120. What was acknowledged is safe.',
        ]);
      expect(await addBucket('refused')).toMatchObject({ status: 507, answer: { code: 'StorageFull' } });
      expect(await ask('PATCH', `/rest/v1/workspaces?id=eq.${randomUUID()}`, '{"name":"x"}')).toMatchObject({
        status: 503,
        answer: { code: '53100', message: 'could not write: the disk of the server is full, nothing was changed' },
      });
      expect(await ask('GET', '/storage/v1/bucket/before')).toMatchObject({ status: 200 });
      expect(await ask('GET', '/rest/v1/workspaces')).toEqual({ status: 200, answer: [] });

      free = 110;
      await delay(100);
      expect((await addBucket('edge')).status).toBe(507);
      free = 121;
      await expect.poll(() => log.at(-1)).toBe('There is room on the disk again: writing goes on.');
      expect((await addBucket('after')).status).toBe(200);
      const { answer } = await ask('GET', '/storage/v1/bucket');
      expect(v.parse(v.array(v.looseObject({ id: v.string() })), answer).map(({ id }) => id)).toEqual([
        'after',
        'attachments',
        'before',
      ]);
    } finally {
      await database.close();
      await dropDatabase(databaseUrl);
    }
  });
});
