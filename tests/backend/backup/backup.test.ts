import { execFile } from 'node:child_process';
import { mkdir, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from '../../../scripts/root.mjs';
import { PASSWORD, type Person, TestBackend, startTestBackend } from '../../support/server/backend.ts';
import { temporaryFolder } from '../../support/server/temporary-folder.ts';

const run = promisify(execFile);
/** Runs the command and returns its output; rejects with its exit code and standard error. */
const backup = async (...args: readonly string[]): Promise<string> =>
  (await run(process.execPath, [join(ROOT, 'backend/backup-cli.ts'), ...args])).stdout;
const refused = async (...args: readonly string[]): Promise<string> =>
  backup(...args).then(
    () => 'not refused',
    (error: { readonly code?: number; readonly stderr?: string }) => `${error.code}: ${error.stderr?.trim()}`,
  );

/** Characters that a dump could get wrong. */
const AWKWARD = `O'Reilly \\ "quoted" \u2028 \u2029 \\' ''\nsecond line\r\ttab $1 :name -- no comment; \u{1F9F5} ünïcödé E'\\n'`;

let dir: string;
let live: TestBackend;
let alice: Person;
let before: Readonly<Record<string, unknown>>;
beforeAll(async () => {
  dir = await temporaryFolder('backup');
  live = await startTestBackend({ dir: join(dir, 'data') });
  alice = await live.signUp('alice@example.com', 'Alice');
  const guest = await live.guest('Guest');
  await live.pg.exec(`insert into storage.buckets (id, name, public) values ('files', 'files', false)`);
  for (const [name, text] of [
    ['a.txt', 'first'],
    ['deep/er/b c.txt', 'second'],
    ['empty', ''],
  ] as const) {
    const { error } = await live
      .serviceClient()
      .storage.from('files')
      .upload(name, text, { contentType: 'text/plain' });
    if (error !== null) throw error;
  }
  const made = await alice.client.rpc('create_workspace', {
    id: crypto.randomUUID(),
    name: 'Space',
    document: crypto.randomUUID(),
  });
  if (made.error !== null) throw new Error(made.error.message);
  await live.pg.query('update public.documents set title = $1', ["O'Reilly"]);
  await live.pg.query('update public.documents set body_text = $1', [AWKWARD]);
  await live.pg.query(`update public.profiles set display_name = 'Gast' where id = $1`, [guest.id]);
  before = await everything(live);
});
afterAll(async () => {
  await live.close();
  await rm(dir, { recursive: true, force: true });
});

/** Every row of every table in a backup, as JSON. */
async function everything({ pg }: Pick<TestBackend, 'pg'>): Promise<Readonly<Record<string, unknown>>> {
  const { rows: tables } = await pg.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname in ('public', 'weft', 'auth', 'storage') order by 1`,
  );
  const found: Record<string, unknown> = {};
  for (const { name } of tables) {
    const { rows } = await pg.query<{ row: string }>(`select to_jsonb(t)::text as row from ${name} t order by 1`);
    found[name] = rows.map(({ row }) => row);
  }
  return found;
}

type Entry = { readonly name: string; readonly bytes: Buffer };

/** The entries of a tar file, each with its header, without the mark at the end of the tar file. */
function entriesOf(tar: Buffer): readonly Entry[] {
  const entries: Entry[] = [];
  for (let start = 0; tar[start] !== 0 && start < tar.length;) {
    const text = (from: number, to: number) => tar.toString('latin1', start + from, start + to).replace(/\0.*$/s, '');
    const end = start + 512 + Math.ceil(Number.parseInt(text(124, 136), 8) / 512) * 512;
    entries.push({ name: text(0, 100), bytes: tar.subarray(start, end) });
    start = end;
  }
  return entries;
}

const inBackup = async (file: string): Promise<string[]> => (await run('tar', ['tf', file])).stdout.trim().split('\n');

const partOf = async (file: string, name: string): Promise<string> =>
  (await run('tar', ['xOf', file, name], { maxBuffer: 64_000_000 })).stdout;

describe('a backup of a running backend', () => {
  const file = () => join(dir, 'running.tar');

  test('is one file that any tar opens and only its owner may read', async () => {
    expect(await backup('backup', file(), '--data', join(dir, 'data'))).toBe(
      `${file()} holds everything in ${join(dir, 'data')}.\n`,
    );
    expect((await stat(file())).mode & 0o777).toBe(0o600);
    const names = await inBackup(file());
    expect(names).toEqual(expect.arrayContaining(['manifest.json', 'keys.json', 'users.sql', 'auth.sql', 'data.sql']));
    expect(names.filter((name) => name.startsWith('files/'))).toHaveLength(3);
    expect(names.filter((name) => name.startsWith('migrations/'))).toHaveLength(
      (await readdir(join(ROOT, 'supabase/migrations'))).length,
    );
    expect(await readdir(join(dir, 'data'))).toEqual(expect.not.arrayContaining([expect.stringContaining('backup')]));
  });

  test('restores everything, including accounts, sessions, keys and files', async () => {
    const place = join(dir, 'restored');
    expect(await backup('restore', file(), '--data', place)).toContain('is restored to the state of');
    // A stopped backend gives exactly the same backup.
    const again = join(dir, 'stopped.tar');
    await backup('backup', again, '--data', place);
    for (const name of ['data.sql', 'auth.sql', 'users.sql', 'keys.json', 'files.json']) {
      expect(await partOf(again, name)).toBe(await partOf(file(), name));
    }
    const restored = await TestBackend.start({ dir: place });
    try {
      expect(await everything(restored)).toEqual(before);
      expect(restored.server.anonKey).toBe(live.server.anonKey);
      const { data } = await restored.serviceClient().storage.from('files').download('deep/er/b c.txt');
      expect(await data?.text()).toBe('second');
      const { data: signedIn } = await restored
        .anonClient()
        .auth.signInWithPassword({ email: alice.email, password: PASSWORD });
      expect(signedIn.user?.id).toBe(alice.id);
      // New rows do not collide with restored ones.
      expect((await restored.signUp('carol@example.com', 'Carol')).id).not.toBe(alice.id);
    } finally {
      await restored.close();
    }
  }, 90_000);

  test('is refused without the service key', async () => {
    for (const headers of [{}, { authorization: `Bearer ${live.server.anonKey}` }]) {
      expect((await fetch(`${live.url}/__backup`, { headers })).status).toBe(401);
    }
  });

  test('never replaces an existing file', async () => {
    expect(await refused('backup', file(), '--data', join(dir, 'data'))).toBe(
      `1: ${file()} already exists; a backup never overwrites a file.`,
    );
  });

  test('is restored only into an empty directory', async () => {
    const place = join(dir, 'occupied');
    await mkdir(place);
    await writeFile(join(place, 'note'), 'x');
    expect(await refused('restore', file(), '--data', place)).toBe(
      `1: ${place} holds something already; a backup is restored into an empty directory only.`,
    );
    expect(await readdir(place)).toEqual(['note']);
    expect(await refused('restore', file(), '--data', '/dev')).toMatch(
      /^1: \/dev is a mount point\. Restore into a folder inside it.*$/,
    );
    expect(await refused('restore', file(), '--data', join(dir, 'data'))).toContain('holds something already');
  });

  test('is refused, and leaves nothing behind, when it is damaged, newer or not a backup', async () => {
    const bytes = await readFile(file());
    const place = join(dir, 'never');
    const written = async (name: string, content: Buffer) => {
      await writeFile(join(dir, name), content);
      return join(dir, name);
    };
    const none = await written('none.tar', Buffer.from('no tar'));
    const cut = await written('cut.tar', bytes.subarray(0, bytes.length - 3000));
    // Changes the manifest: the checksum in the tar header covers only the header.
    const newer = await written(
      'newer.tar',
      Buffer.from(bytes.toString('latin1').replace('"format": 1', '"format": 9'), 'latin1'),
    );
    expect(await refused('restore', none, '--data', place)).toBe(`1: ${none} is no backup of Weft.`);
    expect(await refused('restore', join(dir, 'missing.tar'), '--data', place)).toContain('There is no file');
    expect(await refused('restore', cut, '--data', place)).toContain('is damaged');
    expect(await refused('restore', newer, '--data', place)).toContain('made by a newer Weft');
    expect((await readdir(dir)).filter((name) => name === 'never' || name.includes('restoring'))).toEqual([]);
  });

  describe('without one of its entries', () => {
    const isFile = (name: string) => name.startsWith('files/');

    test.each<[string, (entries: readonly Entry[]) => readonly Entry[], RegExp]>([
      ['cut between two files', (entries) => entries.slice(0, -1), /^2 of 3 files are there$/],
      [
        'without a file in the middle',
        (entries) =>
          entries.toSpliced(
            entries.findIndex(({ name }) => isFile(name)),
            1,
          ),
        /^2 of 3 files are there$/,
      ],
      [
        'cut before its first file',
        (entries) => entries.filter(({ name }) => !isFile(name)),
        /^0 of 3 files are there$/,
      ],
      [
        'cut before the list of its files',
        (entries) => entries.filter(({ name }) => !isFile(name) && name !== 'files.json'),
        /^files\.json is missing$/,
      ],
      [
        'without a migration',
        (entries) =>
          entries.toSpliced(
            entries.findLastIndex(({ name }) => name.startsWith('migrations/')),
            1,
          ),
        /^migrations\/\d+_\*\.sql is missing$/,
      ],
      ['cut after its description', (entries) => entries.slice(0, 1), /^keys\.json is missing$/],
    ])('it is refused in one sentence, and nothing is written: %s', async (_, change, reason) => {
      // In a folder that does not exist either.
      const place = join(dir, 'missing', 'data');
      const damaged = join(dir, 'damaged.tar');
      await writeFile(damaged, Buffer.concat(change(entriesOf(await readFile(file()))).map(({ bytes }) => bytes)));
      const names = await readdir(dir);
      const sentence = await refused('restore', damaged, '--data', place);
      const start = `1: ${damaged} is damaged: `;
      expect(sentence.startsWith(start)).toBe(true);
      expect(sentence.slice(start.length, -1)).toMatch(reason);
      expect(await readdir(dir)).toEqual(names);
    });
  });
});

test('without data the command fails and creates nothing', async () => {
  const place = join(dir, 'nothing');
  expect(await refused('backup', join(dir, 'x.tar'), '--data', place)).toBe(`1: There is no data in ${place}.`);
  expect((await readdir(dir)).filter((name) => /^nothing$|^x\.tar/.test(name))).toEqual([]);
});

test('wrong arguments get the usage', async () => {
  for (const args of [['backup'], ['restore', 'a', 'b'], ['other', 'x']]) {
    expect(await refused(...args)).toContain('npm run backup -- FILE');
  }
});
