// Deleting unused files once a day, in a tab that stays open.
import { expect, test } from 'vitest';
import { SimClock } from 'weft-sync/testing/sim-clock.ts';
import { ok } from '../../../src/lib/result.ts';
import { purgeFilesLater } from '../../../src/state/person/purge-files.ts';
import { memoryListCache } from '../../support/app/app-fixture.ts';

const HOUR = 60 * 60 * 1_000;

test('unused files are deleted once a day, however many tabs are open and for however long', async () => {
  const clock = new SimClock();
  const listCache = memoryListCache();
  const purges: number[] = [];
  const open = () =>
    purgeFilesLater({
      storage: {
        async purge() {
          purges.push(clock.now());
          return ok(undefined);
        },
      },
      listCache,
      timing: { now: () => clock.now(), after: (ms, run) => clock.after(ms, run) },
    });
  const close = open();
  await clock.run(HOUR);
  const closeOther = open();
  await clock.run(3 * 24 * HOUR);
  expect(purges).toHaveLength(4);
  close();
  closeOther();
  await clock.run(2 * 24 * HOUR);
  expect(purges).toHaveLength(4);
});
