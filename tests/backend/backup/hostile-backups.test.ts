// Restores of backups that someone has changed. Each ends with one sentence and 1, runs nothing of the backup, and leaves
// every folder as it was.
import { once } from 'node:events';
import { access, readFile, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pack } from 'tar-stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { restoreBackup } from '../../../backend/backup/restore-backup.ts';
import { writeBackup } from '../../../backend/backup/write-backup.ts';
import { MIGRATIONS_DIR } from '../../../backend/database.ts';
import { StartError } from '../../../backend/start-error.ts';
import { startTestBackend } from '../../support/server/backend.ts';
import { type BackupEntry, backupCommand, readEntries, writeEntries } from '../../support/server/backup-file.ts';
import { temporaryFolder } from '../../support/server/temporary-folder.ts';

let dir: string;
let good: readonly BackupEntry[];
beforeAll(async () => {
  dir = await temporaryFolder('hostile');
  const backend = await startTestBackend();
  const alice = await backend.signUp('alice@example.com', 'Alice');
  const args = { id: crypto.randomUUID(), name: 'Space', document: crypto.randomUUID() };
  const { error } = await alice.client.rpc('create_workspace', args);
  if (error !== null) throw new Error(error.message);
  await backend.pg.exec(`insert into storage.buckets (id, name, public) values ('files', 'files', false)`);
  await backend.serviceClient().storage.from('files').upload('a', 'x'.repeat(200_000));
  const { pg: engine, files, keys } = backend.server.database;
  await writeBackup({ engine, files, keys }, join(dir, 'good.tar'));
  await backend.close();
  good = await readEntries(join(dir, 'good.tar'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

/** What the program that a backup names would write. */
const proof = () => join(dir, 'proof');
const PROGRAM = () => `copy (select 1) to program 'touch ${proof()}';`;

/** Restores `file` and resolves with the sentence; fails if anything but `file` is there afterwards that was not before. */
async function refusalOf(file: string): Promise<string> {
  const before = await readdir(dir, { recursive: true });
  const { signal } = new AbortController();
  const restoring = restoreBackup(file, { dir: join(dir, 'below', 'data'), migrationsDir: MIGRATIONS_DIR, signal });
  const error = await restoring.then(
    () => null,
    (cause: unknown) => cause,
  );
  expect(await readdir(dir, { recursive: true })).toEqual(before);
  if (!(error instanceof StartError)) throw error ?? new Error('it was restored');
  expect(error.message).toMatch(/^[^\n]*\.$/);
  return error.message.replaceAll(file, 'FILE');
}

const refusalOfEntries = async (entries: readonly BackupEntry[]): Promise<string> =>
  refusalOf(await writeEntries(join(dir, 'hostile.tar'), entries));

const changed = (name: string, change: (text: string) => string): readonly BackupEntry[] =>
  good.map((entry) => (entry.name === name ? { name, content: change(String(entry.content)) } : entry));

const withManifest = (change: Readonly<Record<string, unknown>>): readonly BackupEntry[] =>
  changed('manifest.json', (text) => JSON.stringify({ ...JSON.parse(text), ...change }));

const newestMigration = (): string => good.findLast(({ name }) => name.startsWith('migrations/'))?.name ?? '';

test('the command says why in one line, and ends with 1', async () => {
  const before = await readdir(dir, { recursive: true });
  const file = await writeEntries(
    join(dir, 'hostile.tar'),
    changed('data.sql', () => PROGRAM()),
  );
  expect(await backupCommand('restore', file, '--data', join(dir, 'below', 'data'))).toBe(
    `1: ${file} cannot be restored: line 1 of data.sql: it is not a line of a backup.`,
  );
  await rm(file);
  expect(await readdir(dir, { recursive: true })).toEqual(before);
});

test('the unchanged backup is restored', async () => {
  const place = join(dir, 'restored');
  expect(await backupCommand('restore', join(dir, 'good.tar'), '--data', place)).toMatch(/^0: .* is restored to/);
  await rm(place, { recursive: true });
});

describe('SQL in a backup is not run', () => {
  const NEVER = /^FILE cannot be restored: line \d+ of (?:data|auth|users)\.sql: it is not a line of a backup\.$/;

  test.each([
    ['a program', 'data.sql', PROGRAM],
    ['a program, among the accounts', 'auth.sql', PROGRAM],
    ['a command of psql, for a hosted project', 'users.sql', () => `\\! touch ${proof()}`],
    ['a command of psql', 'data.sql', () => `\\! touch ${proof()}`],
    ['a copy of psql', 'data.sql', () => `\\copy public.profiles to '${proof()}'`],
  ])('%s', async (_, name, line) => {
    expect(await refusalOfEntries(changed(name, (text) => `${text}${line()}\n`))).toMatch(NEVER);
  });

  test('a program behind rows', async () => {
    const entries = changed('data.sql', (text) => text.replace(/^(insert .*);$/m, (line) => `${line} ${PROGRAM()}`));
    expect(await refusalOfEntries(entries)).toMatch(/there is something behind its rows\.$/);
  });

  test.each([
    [
      'the limits of the plan',
      '"weft"."settings" ("messages_per_second")',
      'has no column messages_per_second of its own',
    ],
    ['the catalogue', '"pg_catalog"."pg_proc" ("prosrc")', 'is not a table of a backup'],
    ['a column that is calculated', '"storage"."objects" ("path_tokens")', 'has no column path_tokens of its own'],
  ])('rows for %s', async (_, into, reason) => {
    const line = `insert into ${into} overriding system value values ('1');`;
    expect(await refusalOfEntries(changed('data.sql', (text) => `${text}${line}\n`))).toContain(reason);
  });

  test('a value that is none of its column, with signs that a terminal would obey', async () => {
    const line = `insert into "public"."profiles" ("id") overriding system value values ('\u001b[2Jx');`;
    expect(await refusalOfEntries(changed('data.sql', (text) => `${text}${line}\n`))).toMatch(
      /^FILE cannot be restored: line \d+ of data\.sql: invalid input syntax for type uuid: "\?\[2Jx"\.$/,
    );
  });

  test('no program of these has run', async () => {
    await expect(access(proof())).rejects.toThrow('ENOENT');
  });
});

describe('migrations are those of this Weft', () => {
  test('a program in a migration', async () => {
    expect(await refusalOfEntries(changed(newestMigration(), (text) => `${text}\n${PROGRAM()}`))).toBe(
      `${newestMigration()} is not a migration of this Weft, and Weft runs no other: the backup was changed, or made by a Weft from before the first release.`,
    );
    await expect(access(proof())).rejects.toThrow('ENOENT');
  });

  test('a migration more than the description names', async () => {
    const more = { name: 'migrations/20991231000000_evil.sql', content: PROGRAM() };
    expect(await refusalOfEntries([...good, more])).toContain(`${more.name} is not a migration of this Weft`);
  });

  test('a description with an unknown migration, or of a newer format', async () => {
    const migrations: unknown[] = JSON.parse(String(good[0]?.content)).migrations;
    const newer = /^This backup was made by a newer Weft \(.*\)\. Update Weft, then restore it\.$/;
    expect(await refusalOfEntries(withManifest({ migrations: [...migrations, '20991231000000'] }))).toMatch(newer);
    expect(await refusalOfEntries(withManifest({ format: 2 }))).toMatch(newer);
  });

  test('a description without one in the middle, or in another order', async () => {
    const migrations: unknown[] = JSON.parse(String(good[0]?.content)).migrations;
    const other =
      /^This backup was made by another Weft \(.*\): its migrations are not the first ones of this Weft \(.*\.sql\)\.$/;
    expect(await refusalOfEntries(withManifest({ migrations: migrations.toSpliced(3, 1) }))).toMatch(other);
    expect(await refusalOfEntries(withManifest({ migrations: migrations.toReversed() }))).toMatch(other);
  });

  test('a description with signs that a terminal would obey', async () => {
    expect(await refusalOfEntries(withManifest({ weft: '\u001b[2J', format: 2 }))).toBe('FILE is no backup of Weft.');
  });
});

describe('no entry is written where its name says', () => {
  const anywhere = (): readonly BackupEntry[] => [
    { name: '../escaped', content: 'x' },
    { name: `${dir}/escaped`, content: 'x' },
    { name: 'files/../../../escaped', content: 'x' },
    { name: 'files/..', content: 'x' },
    { name: 'migrations/1_../../../escaped.sql', content: 'x' },
    { name: './data.sql', content: 'x' },
    { name: 'lock', content: 'x' },
    { name: 'postgres/PG_VERSION', content: 'x' },
    { name: `files/${'0'.repeat(36)}`, content: 'x' },
    { name: 'x\u001b[2J\nx', content: 'x' },
  ];
  const links: readonly BackupEntry[] = [
    { name: 'files/link', content: '', type: 'symlink', linkname: '/etc' },
    { name: `files/${crypto.randomUUID()}`, content: '', type: 'symlink', linkname: '/etc/passwd' },
    { name: `files/${crypto.randomUUID()}`, content: '', type: 'link', linkname: '/etc/passwd' },
    { name: 'files/', content: '', type: 'directory' },
  ];

  test('names that no backup has', async () => {
    for (const entry of anywhere()) {
      // Behind the description, before everything else.
      const said = await refusalOfEntries(good.toSpliced(1, 0, entry));
      expect(said).toMatch(/^FILE is damaged: [\x20-\x7E]* does not belong here\.$/);
    }
  });

  test('links and folders', async () => {
    for (const entry of links) {
      expect(await refusalOfEntries(good.toSpliced(1, 0, entry))).toMatch(
        /^FILE is damaged: .* is not a plain file\.$/,
      );
    }
  });

  test('two entries of one name', async () => {
    for (const entry of good) {
      if (entry.name.startsWith('migrations/') && entry.name !== newestMigration()) continue;
      expect(await refusalOfEntries([...good, entry])).toBe(`FILE is damaged: ${entry.name} does not belong here.`);
    }
  });
});

describe('a backup that is cut off', () => {
  test('inside an entry, wherever that is', async () => {
    const bytes = await readFile(join(dir, 'good.tar'));
    const tar = join(dir, 'cut.tar');
    let [start, tried] = [0, 0];
    for (const { name, content } of good) {
      const length = 512 + Math.ceil(content.length / 512) * 512;
      const isTried = !name.startsWith('migrations/') || name === newestMigration();
      // In the header, behind it, in the content, and one byte before its end.
      for (const at of [100, 512 + 1, 512 + Math.floor(content.length / 2), 512 + content.length - 1]) {
        if (!isTried || start === 0) continue;
        await writeFile(tar, bytes.subarray(0, start + at));
        const said = await refusalOf(tar);
        expect(said).toMatch(/^FILE is damaged: .*\.$/);
        tried += 1;
      }
      start += length;
    }
    expect(tried).toBeGreaterThan(20);
  });

  test('between two entries', async () => {
    for (const length of [1, 2, good.length - 1]) {
      expect(await refusalOfEntries(good.slice(0, length))).toMatch(/^FILE is damaged: .* (?:is missing|are there)\.$/);
    }
  });
});

describe('a size that is not true', () => {
  /** The header of an entry of `size` bytes, after the description. */
  const withHeader = async (name: string, size: number): Promise<Buffer> => {
    const manifest = pack();
    manifest.entry({ name: 'manifest.json' }, String(good[0]?.content));
    const huge = pack();
    huge.entry({ name, size });
    const [header] = await once(huge, 'data');
    manifest.finalize();
    // Without the two blocks at its end.
    return Buffer.concat([(await buffer(manifest)).subarray(0, -1024), header]);
  };

  test.each([8 * 1024 ** 3 - 1, 2 ** 40, Number.MAX_SAFE_INTEGER])('%d bytes that do not come', async (size) => {
    const file = join(dir, 'huge.tar');
    await writeFile(file, Buffer.concat([await withHeader('data.sql', size), Buffer.alloc(10_000)]));
    expect(await refusalOf(file)).toBe('FILE is damaged: Unexpected end of data.');
  });

  test.each(['keys.json', 'migrations/20261202000100_foundations.sql'])(
    '%s of 1 GB, which no memory has to hold',
    async (name) => {
      const file = join(dir, 'bomb.tar');
      await writeFile(file, await withHeader(name, 1024 ** 3));
      // Without room on the disk: the rest of the file is a hole.
      await truncate(file, 1024 ** 3 + 4096);
      expect(await refusalOf(file)).toBe('FILE is damaged: an entry is larger than a backup has any.');
    },
  );
});

test.each([
  ['', 'nothing'],
  ['{', 'no JSON'],
  ['[]', 'a list'],
  ['{"anonKey":"sb_publishable_a","serviceRoleKey":"sb_secret_a","jwtSecret":"short"}', 'a short secret'],
  ['{"anonKey":"a","serviceRoleKey":"b","jwtSecret":"00000000000000000000000000000000"}', 'keys of another form'],
])('keys.json that is %s (%s) is refused, and no other keys are made', async (text) => {
  expect(await refusalOfEntries(changed('keys.json', () => text))).toBe(
    'FILE is damaged: keys.json does not hold keys.',
  );
});

test('keys.json brings the keys and nothing else', async () => {
  const place = join(dir, 'keys');
  const entries = changed('keys.json', (text) => JSON.stringify({ ...JSON.parse(text), evil: true }));
  await writeEntries(join(dir, 'more.tar'), entries);
  expect(await backupCommand('restore', join(dir, 'more.tar'), '--data', place)).toMatch(/^0: /);
  expect(await readFile(join(place, 'keys.json'), 'utf8')).toBe(
    String(good.find(({ name }) => name === 'keys.json')?.content),
  );
});
