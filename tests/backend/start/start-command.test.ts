// The start command in its own process: its output, its refusals, its exit codes, and what the next start finds.
import { access, readdir, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type SupabaseClient, createClient } from '@supabase/supabase-js';
import * as v from 'valibot';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { networkAddresses } from '../../../backend/gateway/addresses.ts';
import { BackendProcess } from '../../support/server/backend-process.ts';
import { PASSWORD } from '../../support/server/backend.ts';
import { copyFolder, removeFolder, temporaryFolder } from '../../support/server/temporary-folder.ts';

const readyForm = v.strictObject({
  url: v.pipe(v.string(), v.regex(/^http:\/\/127\.0\.0\.1:\d+$/)),
  anonKey: v.pipe(v.string(), v.startsWith('sb_publishable_')),
  serviceRoleKey: v.pipe(v.string(), v.startsWith('sb_secret_')),
  dbUrl: v.pipe(v.string(), v.startsWith('postgresql://')),
});

let template: string;
let dir: string;
let data: string;
const running: BackendProcess[] = [];
beforeAll(async () => {
  template = await temporaryFolder('cli-template');
  const { process } = await startJson('--data', join(template, 'data'));
  await process.end('SIGTERM');
});
afterAll(() => removeFolder(template));
beforeEach(async () => {
  dir = await temporaryFolder('cli');
  data = join(dir, 'data');
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((process) => process.end('SIGKILL')));
  await removeFolder(dir);
});

function run(...args: string[]): BackendProcess {
  const started = new BackendProcess(args);
  running.push(started);
  return started;
}

const startJson = async (...args: string[]) => {
  const process = run('backend', '--port', '0', '--json', ...args);
  return { process, ...v.parse(readyForm, JSON.parse(await process.line())) };
};

const clientOf = ({ url, serviceRoleKey }: { url: string; serviceRoleKey: string }): SupabaseClient =>
  createClient(url, serviceRoleKey, { auth: { persistSession: false, autoRefreshToken: false } });

/** Copies a used data directory, because a first start takes seconds. */
const useTemplate = (): Promise<void> => copyFolder(join(template, 'data'), data);

const IN_MEMORY = 'The database is temporary: it is deleted when Weft stops.\n';

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

describe('a start', () => {
  test('prints one line and where it made a database, keeps its data for the next start, and exits with 0 on SIGTERM and SIGINT', async () => {
    const first = run('start', '--port', '0', '--data', data);
    expect(await first.line()).toMatch(/^Weft ready: http:\/\/127\.0\.0\.1:\d+$/);
    const url = (await first.line()).replace('Weft ready: ', '');
    const { anonKey } = v.parse(
      v.looseObject({ anonKey: v.string() }),
      await (await fetch(`${url}/config.json`)).json(),
    );
    const account = { email: 'kept@example.com', password: PASSWORD };
    const signUp = await createClient(url, anonKey, { auth: { persistSession: false } }).auth.signUp(account);
    expect(signUp.error).toBeNull();
    expect(await first.end('SIGTERM')).toBe(0);
    expect(first.stdout.split('\n')).toHaveLength(2);
    expect(first.stderr).toBe(`Made a new database in ${data}.\n`);

    const second = await startJson('--data', data);
    expect(second.anonKey).toBe(anonKey);
    const signIn = await createClient(second.url, anonKey, {
      auth: { persistSession: false, autoRefreshToken: false },
    }).auth.signInWithPassword(account);
    expect(signIn.data.user?.id).toBe(signUp.data.user?.id);
    expect(await second.process.end('SIGINT')).toBe(0);
    expect(second.process.stderr).toBe('');
  });

  test('on the network prints the addresses for others; with --json, standard output stays one line', async () => {
    const { process, url } = await startJson('--memory', '--host', '0.0.0.0', '--allow-host', 'weft.example');
    const forOthers = networkAddresses('0.0.0.0').map(
      (address) => `For others on the network: ${url.replace('127.0.0.1', address)}\n`,
    );
    await expect.poll(() => process.stderr).toBe(IN_MEMORY + forOthers.join(''));
    expect((await fetch(`${url}/config.json`)).status).toBe(200);
    expect(await process.end('SIGTERM')).toBe(0);
    expect(process.stdout.split('\n')).toHaveLength(2);
  });

  test('makes a data directory and keys that only their owner may read', async () => {
    expect((await stat(join(template, 'data', 'keys.json'))).mode & 0o777).toBe(0o600);
    // A start as root lets the group of PostgreSQL's user pass through.
    expect((await stat(join(template, 'data'))).mode & 0o767).toBe(0o700);
  });

  test('with --memory leaves nothing behind', async () => {
    const process = new BackendProcess(['backend', '--port', '0', '--json', '--memory'], { cwd: dir });
    running.push(process);
    const ready = v.parse(readyForm, JSON.parse(await process.line()));
    expect((await clientOf(ready).from('workspaces').select('id')).error).toBeNull();
    expect(await process.end('SIGTERM')).toBe(0);
    expect(await readdir(dir)).toEqual([]);
  });

  test('that was killed while it made the first database does not harm the next start', async () => {
    const killed = run('backend', '--port', '0', '--data', data);
    const deadline = Date.now() + 20_000;
    const drafts = async () => (await readdir(data).catch(() => [])).filter((name) => name.startsWith('postgres.new'));
    while ((await drafts()).length === 0) {
      expect(Date.now()).toBeLessThan(deadline);
      await delay(1);
    }
    await killed.end('SIGKILL');
    expect(await exists(join(data, 'postgres'))).toBe(false);
    const next = await startJson('--data', data);
    expect((await clientOf(next).from('workspaces').select('id')).error).toBeNull();
    expect(await drafts()).toEqual([]);
  });
});

describe('a start that fails', () => {
  const refused = async (...args: string[]) => {
    const process = run(...args);
    expect(await process.end()).toBe(1);
    expect(process.stdout).toBe('');
    return process.stderr;
  };

  test('reports a busy port, and makes no database', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    expect(await refused('start', '--port', String(port), '--data', data)).toBe(
      `Port ${port} is in use; choose another with --port.\n`,
    );
    expect(await exists(data)).toBe(false);
    other.close();
  });

  test('reports a data directory that another Weft uses', async () => {
    await useTemplate();
    const first = await startJson('--data', data);
    const before = await readdir(data);
    expect(await refused('start', '--port', '0', '--data', data)).toBe(
      `The data directory ${data} is in use by another Weft: stop that one, or name another with --data.\n`,
    );
    expect(await readdir(data)).toEqual(before);
    expect((await clientOf(first).from('workspaces').select('id')).error).toBeNull();
  });

  test('reports a data directory that cannot be made or is a file', async () => {
    const file = join(dir, 'file');
    await writeFile(file, '');
    expect(await refused('start', '--port', '0', '--data', file)).toBe(
      `The data directory ${file} is not a directory; name another with --data.\n`,
    );
    expect(await refused('start', '--port', '0', '--data', '/sys/weft')).toBe(
      'The data directory /sys/weft cannot be written; name another with --data.\n',
    );
  });

  test('writes nothing to a directory that holds something else', async () => {
    await writeFile(join(dir, 'letter.txt'), 'dear');
    expect(await refused('start', '--port', '0', '--data', dir)).toBe(
      `The data directory ${dir} holds something else; name an empty one with --data.\n`,
    );
    expect(await exists(join(dir, 'lock'))).toBe(false);
  });

  test('reports an invalid option', async () => {
    expect(await refused('start', '--port', '99999')).toContain('--port takes a number from 0 to 65535, not 99999.');
    expect(await refused('start', '--colour', 'red')).toContain("Unknown option '--colour'");
    expect(await refused('start', '--public-url', 'weft.example')).toContain('--public-url takes an address like');
    expect(await refused('start', '--allow-host', 'https://weft.example')).toContain('--allow-host takes names like');
    expect(await refused('start', '--trust-proxy', 'proxy')).toContain('--trust-proxy takes addresses and networks');
    expect(await refused('start', '--on-error', join(dir, 'none.js'))).toMatch(
      /^--on-error takes a file that can be read/,
    );
    for (const origin of ['collector.example', 'https://a.example/logs', `https://a.example'; script-src *`]) {
      expect(await refused('start', '--connect-to', origin)).toContain('--connect-to takes an address like');
    }
    expect(await refused('start', '--rate-limit', '0')).toContain('--rate-limit takes a number from 1 on, not 0.');
    expect(await refused('serve')).toBe('Unknown command: serve; it is start or backend.\n');
    expect(await refused('start', '--memory', '--data', data)).toBe('--memory and --data exclude each other.\n');
  });
});
