// Storage that must not fail if localStorage is full or blocked.
import { expect, test } from 'vitest';
import { sharedStorage } from 'weft-sync/browser/storage/shared-storage.ts';

/** A Storage with room for `room` characters in total. */
function small(room: number): Storage {
  const stored = new Map<string, string>();
  const storage: Storage = {
    get length() {
      return stored.size;
    },
    key: (at) => Array.from(stored.keys())[at] ?? null,
    clear: () => stored.clear(),
    getItem: (name) => stored.get(name) ?? null,
    removeItem: (name) => void stored.delete(name),
    setItem(name, value) {
      const others = Array.from(stored).filter(([other]) => other !== name);
      const taken = others.reduce((sum, [other, text]) => sum + other.length + text.length, 0);
      if (taken + name.length + value.length > room) throw new DOMException('full', 'QuotaExceededError');
      stored.set(name, value);
    },
  };
  return storage;
}

test('with room it is localStorage', () => {
  const local = small(100);
  const shared = sharedStorage(() => local);
  shared.setItem('token', 'a');
  expect(local.getItem('token')).toBe('a');
  expect(shared.getItem('token')).toBe('a');
  shared.removeItem('token');
  expect([local.getItem('token'), shared.getItem('token')]).toEqual([null, null]);
});

test('a value without room lives in this tab, and the outdated value is removed', () => {
  const local = small(10);
  const shared = sharedStorage(() => local);
  shared.setItem('token', 'old');
  shared.setItem('token', 'longer than that');
  expect(local.getItem('token')).toBeNull();
  expect(shared.getItem('token')).toBe('longer than that');
  // Another tab stored a newer one.
  local.setItem('token', 'new');
  expect(shared.getItem('token')).toBe('new');
  shared.setItem('token', 'last');
  expect(local.getItem('token')).toBe('last');
  shared.removeItem('token');
  expect(shared.getItem('token')).toBeNull();
});

test('if blocked, it works in this tab only and nothing throws', () => {
  const shared = sharedStorage(() => {
    throw new DOMException('blocked', 'SecurityError');
  });
  shared.setItem('token', 'a');
  expect(shared.getItem('token')).toBe('a');
  shared.removeItem('token');
  expect(shared.getItem('token')).toBeNull();
});
