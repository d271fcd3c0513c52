// The timer of the embedded backend that empties the trash.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { purgeTrashHourly } from '../../../backend/database/purge-trash.ts';
import { TestBackend } from '../../support/server/backend.ts';

let backend: TestBackend;
beforeAll(async () => {
  backend = await TestBackend.start();
});
afterAll(() => backend.close());

test('it deletes what has been in the trash for 30 days, goes on after a failure, and stops', async () => {
  const { pg } = backend;
  const [workspace, page] = [randomUUID(), randomUUID()];
  await pg.query('insert into public.workspaces (id, name, slug) values ($1, $2, $2)', [workspace, 'trash']);
  const insert = `insert into public.documents (id, workspace_id, rank, access, trashed_at, trash_root)
    values ($1, $2, 'a', 'workspace', now() - interval '31 days', $1)`;
  await pg.query(insert, [page, workspace]);
  let failures = 1;
  let calls = 0;
  const stop = purgeTrashHourly(
    {
      query(sql) {
        calls++;
        return failures-- > 0 ? Promise.reject(new Error('busy')) : pg.query(sql);
      },
    },
    { firstAfterMs: 1, everyMs: 5 },
  );
  const left = async () => (await pg.query('select from public.documents where id = $1', [page])).rows.length;
  await vi.waitFor(async () => expect(await left()).toBe(0));
  await stop();
  const before = calls;
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(calls).toBe(before);
});
