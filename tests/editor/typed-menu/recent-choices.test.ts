import { afterEach, expect, test, vi } from 'vitest';
import { recentChoices } from '../../../src/editor/typed-menu/recent-choices.ts';

afterEach(() => vi.unstubAllGlobals());

test('when the storage is full, choices last as long as the tab', () => {
  const setItem = () => {
    throw new DOMException('full', 'QuotaExceededError');
  };
  vi.stubGlobal('localStorage', { getItem: () => '["table"]', setItem });
  const recent = recentChoices('key');
  recent.add('divider');
  expect(recent.get()).toEqual(['divider', 'table']);
});

test('choices are stored, the latest first, and each once', () => {
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => void stored.set(key, text),
  });
  const recent = recentChoices('key');
  for (const id of ['table', 'divider', 'table']) recent.add(id);
  expect(recentChoices('key').get()).toEqual(['table', 'divider']);
});
