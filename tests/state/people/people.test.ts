import { createStore } from 'jotai/vanilla';
import { expect, test } from 'vitest';
import { weftError } from 'weft-sync/protocol/errors.ts';
import type { UserId } from 'weft-sync/protocol/ids.ts';
import { err, ok } from '../../../src/lib/result.ts';
import { cachedPeople } from '../../../src/state/people/people.ts';
import { alice, bob, memoryListCache } from '../../support/app/app-fixture.ts';

const settled = () => new Promise((resolve) => setTimeout(resolve));

test('after a failed refresh, the next one asks for everyone again', async () => {
  const asked: (readonly UserId[])[] = [];
  let isOnline = true;
  const people = cachedPeople({
    store: createStore(),
    listCache: memoryListCache(),
    timing: { after: () => () => undefined, random: () => 0 },
    fetch: async (users) => {
      asked.push(users);
      return isOnline ? ok([]) : err(weftError('WF011'));
    },
  });
  people.ensureLoaded([alice.id, bob.id]);
  await settled();
  isOnline = false;
  people.refresh();
  await settled();
  isOnline = true;
  people.refresh();
  await settled();
  expect(asked).toEqual(Array.from({ length: 3 }, () => [alice.id, bob.id]));
});
