import { expect, test } from 'vitest';
import { parseDocumentId } from 'weft-sync/protocol/ids.ts';
import { randomUuid } from '../../src/lib/random-uuid.ts';

test('a random uuid is a version 4 uuid, and a new one each time', () => {
  const ids = Array.from({ length: 200 }, randomUuid);
  expect(new Set(ids).size).toBe(200);
  for (const id of ids) {
    expect(parseDocumentId(id)).toBe(id);
    expect(id).toMatch(/^.{14}4.{4}[89ab]/);
  }
});
