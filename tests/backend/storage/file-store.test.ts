import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FileStore } from '../../../backend/storage/file-store.ts';

let dir: string;
let store: FileStore;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'weft-files-'));
  store = new FileStore(dir);
});
afterEach(() => rm(dir, { recursive: true, force: true }));

async function* parts(...texts: string[]): AsyncIterable<Uint8Array> {
  for (const text of texts) yield new TextEncoder().encode(text);
}

const read = async (version: string): Promise<string | null> => {
  const handle = await store.open(version);
  if (handle === null) return null;
  const text = await handle.readFile('utf8');
  await handle.close();
  return text;
};

const files = async (): Promise<string[]> => {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
};

const knows =
  (...versions: string[]) =>
  async () =>
    new Set(versions);

test('a written file is found under its version, with its size and hash', async () => {
  const { version, size, eTag } = await store.write(parts('one ', 'two'), 100);
  expect({ size, eTag }).toEqual({ size: 7, eTag: '"aae2c33a105ad3f28f39402d67a24b20"' });
  expect(await read(version)).toBe('one two');
  expect(await files()).toEqual([version]);
});

test('a file that is too large, or breaks off, leaves nothing behind', async () => {
  await expect(store.write(parts('one', 'two'), 5)).rejects.toMatchObject({ code: 'EntityTooLarge' });
  const broken = (async function* () {
    yield new Uint8Array(10);
    throw new Error('gone');
  })();
  await expect(store.write(broken, 100)).rejects.toThrow('gone');
  expect(await files()).toEqual([]);
});

test('a copy outlives its original', async () => {
  const { version } = await store.write(parts('text'), 100);
  const copy = await store.copy(version);
  await store.remove([version]);
  expect(await read(version)).toBeNull();
  expect(await read(copy ?? '')).toBe('text');
  expect(await store.copy(version)).toBeNull();
});

test('names that are not versions open and remove nothing', async () => {
  await writeFile(join(dir, 'beside'), 'x');
  for (const name of ['../beside', 'beside', '', '..']) {
    expect(await store.open(name)).toBeNull();
    await store.remove([name]);
  }
  expect(await files()).toEqual(['beside']);
});

test('a sweep removes orphans and interrupted uploads', async () => {
  const kept = await store.write(parts('kept'), 100);
  const orphan = await store.write(parts('orphan'), 100);
  await writeFile(join(dir, 'incoming', 'half'), 'x');
  expect(await store.sweep(knows(kept.version), 0)).toBe(1);
  expect(await readdir(join(dir, 'incoming'))).toEqual([]);
  expect(await readdir(join(dir, 'orphans'))).toEqual([orphan.version]);
  expect(await read(kept.version)).toBe('kept');
});

test('a sweep goes on when an orphan is removed under its hands', async () => {
  const orphans = [await store.write(parts('one'), 100), await store.write(parts('two'), 100)];
  const versions = orphans.map(({ version }) => version).toSorted();
  const removesFirst = async () => {
    await store.remove(versions.slice(0, 1));
    return new Set<string>();
  };
  expect(await store.sweep(removesFirst, 0)).toBe(1);
  expect(await readdir(join(dir, 'orphans'))).toEqual(versions.slice(1));
});

test('a sweep leaves files that are younger than an upload may take', async () => {
  const { version } = await store.write(parts('young'), 100);
  expect(await store.sweep(knows(), 60_000)).toBe(0);
  expect(await read(version)).toBe('young');
});

test('an orphan whose row is back is found again', async () => {
  const { version } = await store.write(parts('back'), 100);
  await store.sweep(knows(), 0);
  expect(await read(version)).toBe('back');
  expect(await store.sweep(knows(version), 0)).toBe(0);
});

test('orphans are deleted after a week', async () => {
  const { version } = await store.write(parts('old'), 100);
  await store.sweep(knows(), 0);
  const old = new Date(Date.now() - 8 * 86_400_000);
  await utimes(join(dir, 'orphans', version), old, old);
  await store.sweep(knows(), 0);
  expect(await read(version)).toBeNull();
});

test('while removal is paused, nothing is removed or swept', async () => {
  const { version } = await store.write(parts('held'), 100);
  const release = store.pauseRemoval();
  await store.remove([version]);
  await store.sweep(knows(), 0);
  expect(await read(version)).toBe('held');
  release();
  release();
  expect(await store.sweep(knows(), 0)).toBe(1);
});

test('other files in the directory stay untouched', async () => {
  await mkdir(join(dir, 'ab'), { recursive: true });
  await writeFile(join(dir, 'ab', 'notes.txt'), 'x');
  await writeFile(join(dir, 'README'), 'x');
  await store.sweep(knows(), 0);
  expect((await files()).toSorted()).toEqual(['README', 'notes.txt']);
});
