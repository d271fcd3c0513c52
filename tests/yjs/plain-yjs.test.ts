// The faults that src/yjs mends are still in Yjs, and its methods are those that we replaced. If a test here fails after an update, Yjs
// has mended a fault or changed a method: check whether our replacement can go (src/yjs/REPORTS.md).
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from '../../scripts/root.mjs';

const faultsOfYjs = v.object({
  count: v.number(),
  deletionBehindMark: v.array(v.string()),
  nestedDeletion: v.string(),
  nestedCollection: v.string(),
  copiesOfAny: v.number(),
  copiesOfJson: v.number(),
  notedItems: v.number(),
  textsAroundCut: v.array(v.string()),
  textsBesideOneCharacter: v.array(v.string()),
  itemsBetweenOneCharacter: v.number(),
  hashes: v.record(v.string(), v.string()),
});
type Faults = v.InferOutput<typeof faultsOfYjs>;

/** SHA-256 of the text of each method in Yjs 13.6.33. */
const HASHES = {
  'ContentAny.mergeWith': '14411b03945e157cad80a4d16f3649a9df0d92bbb75643a7a155bd1456669b8b',
  'ContentJSON.mergeWith': '14411b03945e157cad80a4d16f3649a9df0d92bbb75643a7a155bd1456669b8b',
  'ContentType.delete': '8bc117e5fbc0f558d341a05a599c1162ef206666870a226342ca1818d32d7ecd',
  'ContentType.gc': 'c946f6b427e48cf27a807af48ccb7e916c9827ce75ccf85a360d8ecb4f58d26c',
  'Item.integrate': 'e1840302775981b0ed0c7b62f05695c53dc03dc3ab196fd70c44865a9638d267',
  'XmlFragment.delete': '4e784a3ffbf5fda59426d387fdf1844f9c3a4be2f74d9aa80c46c7e47168c5ce',
};

/** Runs in a process of its own, because tests have src/yjs installed. */
async function faultsWith(...preload: readonly string[]): Promise<Faults> {
  const args = ['--no-warnings', ...preload, join(import.meta.dirname, 'faults-of-yjs.ts')];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT, timeout: 50_000 });
  return v.parse(faultsOfYjs, JSON.parse(stdout));
}

describe('Yjs alone', () => {
  let plain: Faults;
  beforeAll(async () => {
    plain = await faultsWith();
  });

  test('deletes a mark in place of the child behind it', () => {
    expect(plain.deletionBehindMark).toEqual(['first', 'second']);
  });

  test('overflows the stack when it deletes types nested in each other', () => {
    expect(plain.nestedDeletion).toBe('RangeError');
  });

  test('overflows the stack when it collects them', () => {
    expect(plain.nestedCollection).toBe('RangeError');
  });

  test('copies about n² / 2 values to merge a chain of n', () => {
    expect(plain.copiesOfAny).toBeGreaterThan(plain.count ** 2 / 3);
    expect(plain.copiesOfJson).toBeGreaterThan(plain.count ** 2 / 3);
  });

  test('walks over n² items when n items meet n others at one place', () => {
    // It notes each item in two sets.
    expect(plain.notedItems / 2).toBeGreaterThan(plain.count ** 2 / 2);
  });

  test('shows two texts, by when the item that has both neighbours of a forged one is cut', () => {
    expect(plain.textsAroundCut).toEqual(['aFbc-def', 'abc-defF']);
  });

  test('writes an item between one character and itself when it undoes, and shows two texts for such items', () => {
    expect(plain.itemsBetweenOneCharacter).toBe(1);
    expect(plain.textsBesideOneCharacter).toEqual(['abc-Fdef', 'abc-defF']);
  });

  test('has the methods that ours replace', () => {
    expect(plain.hashes).toEqual(HASHES);
  });
});

test('none of that happens with src/yjs', async () => {
  const faults = await faultsWith('--import', './src/yjs/install.ts');
  const { count } = faults;
  expect(faults.deletionBehindMark).toEqual(['second']);
  expect([faults.nestedDeletion, faults.nestedCollection]).toEqual(['nothing', 'nothing']);
  expect(faults.copiesOfAny + faults.copiesOfJson).toBeLessThan(10 * count);
  expect(faults.notedItems).toBeLessThan(10 * count);
  expect(faults.itemsBetweenOneCharacter).toBe(0);
  for (const texts of [faults.textsAroundCut, faults.textsBesideOneCharacter]) expect(new Set(texts).size).toBe(1);
  for (const [name, hash] of Object.entries(HASHES)) expect(faults.hashes[name]).not.toBe(hash);
});
