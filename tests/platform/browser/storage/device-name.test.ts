// Under which name a device files what it holds: the same at every address of a database, and the one an older app used.
import { expect, test } from 'vitest';
import { type SharedStorage, sharedStorage } from 'weft-sync/browser/storage/shared-storage.ts';
import { parseUserId } from 'weft-sync/protocol/ids.ts';
import { deviceName } from '../../../../src/platform/browser/storage/device-name.ts';
import { parseDatabaseId } from '../../../../src/protocol/ids.ts';

const required = <T>(value: T | null): T => {
  if (value === null) throw new Error('malformed id in a test');
  return value;
};
const database = (n: number) => required(parseDatabaseId(`d0000000-0000-4000-8000-00000000000${n}`));
const user = (n: number) => required(parseUserId(`a0000000-0000-4000-8000-00000000000${n}`));

/** A device with these IndexedDB databases. Each call of `at` is another start of the app. */
function device(stored: readonly string[] | null = []) {
  const items = new Map<string, string>();
  const storage: SharedStorage = {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
    names: () => [...items.keys()],
  };
  return { at: (address: string) => deviceName(address, storage, async () => stored) };
}

test('a new device files under the database, at each of its addresses and from the next start on', async () => {
  const { at } = device();
  const first = at('old.test');
  expect(first.isKnown()).toBe(false);
  await first.learn(database(1), user(1));
  expect([first.isKnown(), first.use(), at('old.test').use()]).toEqual([true, database(1), database(1)]);
  const second = at('new.test');
  await second.learn(database(1), user(2));
  expect([second.use(), at('new.test').use()]).toEqual([database(1), database(1)]);
});

test('another database has another name', async () => {
  const { at } = device();
  await at('one.test').learn(database(1), user(1));
  await at('two.test').learn(database(2), user(1));
  expect([at('one.test').use(), at('two.test').use()]).toEqual([database(1), database(2)]);
});

test('what an older app filed under the address stays there, and is found at the next address', async () => {
  const { at } = device();
  const updated = at('old.test');
  // The person is known, so their pages open before any answer.
  expect(updated.use()).toBe('old.test');
  await updated.learn(database(1), user(1));
  expect([updated.use(), at('old.test').use()]).toEqual(['old.test', 'old.test']);
  const moved = at('new.test');
  await moved.learn(database(1), user(1));
  expect(moved.use()).toBe('old.test');
});

test('what an older app filed under an address that this one never saw is found by its person', async () => {
  const stored = [`weft-lists:old.test:8000:${user(1)}`, `weft:old.test:8000:${user(1)}`, `weft:else.test:${user(2)}`];
  const { at } = device(stored);
  await at('new.test').learn(database(1), user(1));
  expect(at('new.test').use()).toBe('old.test:8000');
});

test('the own address goes before others, and is told from another port', async () => {
  const { at } = device([`weft:new.test:81:${user(1)}`, `weft:new.test:${user(1)}`]);
  await at('new.test').learn(database(1), user(1));
  expect(at('new.test').use()).toBe('new.test');
});

test('a copy with an identity of its own does not get what is filed for the original', async () => {
  const { at } = device([`weft:old.test:${user(1)}`]);
  await at('old.test').learn(database(1), user(1));
  await at('copy.test').learn(database(2), user(1));
  expect([at('old.test').use(), at('copy.test').use()]).toEqual(['old.test', database(2)]);
});

test('a name stays when the database behind an address changes: what the device holds may be all there is', async () => {
  const { at } = device();
  await at('weft.test').learn(database(1), user(1));
  await at('weft.test').learn(database(2), user(1));
  expect(at('weft.test').use()).toBe(database(1));
});

test('when localStorage was lost, the pages that are left are found', async () => {
  const { at } = device([`weft:${database(1)}:${user(1)}`]);
  await at('weft.test').learn(database(2), user(1));
  expect(at('weft.test').use()).toBe(database(1));
});

test('a browser that does not list its databases files under the address', async () => {
  const { at } = device(null);
  await at('weft.test').learn(database(1), user(1));
  await at('new.test').learn(database(1), user(1));
  expect([at('weft.test').use(), at('new.test').use()]).toEqual(['weft.test', 'weft.test']);
});

test('without localStorage the name holds in this tab', async () => {
  const blocked = sharedStorage(() => {
    throw new Error('blocked');
  });
  const name = deviceName('weft.test', blocked, async () => []);
  await name.learn(database(1), user(1));
  expect([name.isKnown(), name.use()]).toEqual([true, database(1)]);
});
