// A page created on a device must be identical to the page that the database creates.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DocumentId, parseDocumentId, parseUserId } from 'weft-sync/protocol/ids.ts';
import { supabaseLog } from 'weft-sync/supabase/log.ts';
import { ServerClock } from 'weft-sync/supabase/server-clock.ts';
import { supabaseDirectory } from '../../../src/platform/supabase/directory.ts';
import { parseWorkspaceId } from '../../../src/protocol/ids.ts';
import { SCHEMA_VERSION } from '../../../src/protocol/limits.ts';
import { seedRow } from '../../../src/sessions/open-sessions.ts';
import { type TestBackend, startTestBackend } from '../../support/server/backend.ts';
import { value } from '../contract-fixture.ts';

let backend: TestBackend;
beforeAll(async () => {
  backend = await startTestBackend();
});
afterAll(() => backend.close());

function must<T>(id: T | null): T {
  if (id === null) throw new Error('malformed id');
  return id;
}
const newId = (): DocumentId => must(parseDocumentId(randomUUID()));

test('[ST8] the first row on the server equals the one on the device, and creating the page twice makes one page', async () => {
  const { id, client } = await backend.signUp();
  const directory = supabaseDirectory(client, must(parseUserId(id)), new ServerClock());
  const workspace = must(parseWorkspaceId(randomUUID()));
  await value(directory.createWorkspace(workspace, 'Contract', newId()));
  const page = { id: newId(), workspace, parent: null, rank: 'a0' };
  const made = await value(directory.createDocument(page));
  expect(await value(directory.createDocument(page))).toEqual(made);
  const below = await value(directory.createDocument({ ...page, id: newId(), parent: page.id }));
  expect(below).toMatchObject({ parentId: page.id, role: 'manager' });

  const log = supabaseLog(client);
  expect(await value(log.open(page.id, 0))).toMatchObject({
    head: 1,
    // This app's schema version, so that the first edit does not move everyone to another topic.
    schemaVersion: SCHEMA_VERSION,
    rows: [seedRow()],
  });
  // A device that has the first row already receives nothing else.
  expect(await value(log.open(page.id, seedRow().seq))).toMatchObject({ head: 1, rows: [], snapshot: null });
});

test('a page that got its title on the device is listed under it before its edits are there, and then as its text copy says', async () => {
  const { id, client } = await backend.signUp();
  const directory = supabaseDirectory(client, must(parseUserId(id)), new ServerClock());
  const workspace = must(parseWorkspaceId(randomUUID()));
  const first = newId();
  await value(directory.createWorkspace(workspace, 'Contract', first));
  const titles = async () => {
    const { documents } = await value(directory.documents(workspace, null));
    return documents.filter((page) => page.id !== first).map(({ title }) => title);
  };
  const page = { id: newId(), workspace, parent: null, rank: 'a5' };
  await value(directory.createDocument({ ...page, title: 'Night swim' }));
  await expect.poll(titles).toEqual(['Night swim']);
  await value(supabaseLog(client).saveText(page.id, 1, 'Morning swim', ''));
  expect(await titles()).toEqual(['Morning swim']);
});
