// `npm run compact` on an embedded backend, beside people who have the page open, who were offline, and who watch.
import * as v from 'valibot';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { plainRun, textBlock } from 'weft-document/blocks/detached-block.ts';
import { elementsOfBlocks } from 'weft-document/body/fill-page.ts';
import { bodyOf } from 'weft-document/names.ts';
import { browserClock, browserRandom } from 'weft-sync/browser/clock.ts';
import { type DocumentId, parseUserId } from 'weft-sync/protocol/ids.ts';
import { openSession } from 'weft-sync/session/session.ts';
import { openWatch } from 'weft-sync/session/watch-session.ts';
import { supabaseWatchLog } from 'weft-sync/supabase/log.ts';
import { supabaseLink } from 'weft-sync/supabase/realtime/link.ts';
import { MemoryEnvironment } from 'weft-sync/testing/memory-environment.ts';
import { docContent } from 'weft-sync/updates/content.ts';
import { compact } from '../../scripts/compact/compact.ts';
import { createdLink } from '../../src/protocol/answers.ts';
import { editingSessions, historyRows } from '../../src/protocol/history-answers.ts';
import { SCHEMA_VERSION } from '../../src/protocol/limits.ts';
import { until } from '../contract/contract-fixture.ts';
import { type Person, type TestBackend, startTestBackend } from '../support/server/backend.ts';
import { newPage, rpc } from '../support/server/rpc.ts';
import { supabasePorts } from '../support/server/supabase-ports.ts';

let backend: TestBackend;
let alice: Person;
let bob: Person;
beforeAll(async () => {
  backend = await startTestBackend({ log: () => undefined });
  [alice, bob] = await Promise.all([backend.signUp(), backend.signUp()]);
  vi.stubEnv('SUPABASE_SERVICE_ROLE_KEY', backend.server.serviceRoleKey);
});
afterAll(() => backend.close());

async function run(...args: readonly string[]): Promise<{ readonly code: number; readonly lines: readonly string[] }> {
  const lines: string[] = [];
  const code = await compact(args, (line) => lines.push(line));
  return { code, lines };
}

type Ports = ReturnType<typeof supabasePorts>;

function openTab(document: DocumentId, { id, client }: Person, ports: Ports = supabasePorts(client)) {
  const user = parseUserId(id);
  if (user === null) throw new Error('malformed id');
  const session = openSession(document, { user, ports, schemaVersion: SCHEMA_VERSION });
  onTestFinished(() => session.close());
  return { session, ports, content: () => docContent(session.doc), view: () => session.getView() };
}

type Tab = ReturnType<typeof openTab>;

/** A new block at the end, character by character: each is a row of its own. */
async function type({ session, view }: Tab, text: string): Promise<void> {
  const body = bodyOf(session.doc);
  const block = elementsOfBlocks([textBlock({}, [plainRun(text.slice(0, 1))])])[0];
  if (block === undefined) throw new Error('no block');
  session.doc.transact(() => body.insert(body.length, [block]));
  await until(() => view().receipt === 'saved');
  const inner = block.get(0);
  for (const character of text.slice(1)) {
    session.doc.transact(() => 'insert' in inner && 'toDelta' in inner && inner.insert(inner.length, character));
    await until(() => view().receipt === 'saved');
  }
}

const rowsOf = async (document: DocumentId) => {
  const { rows } = await backend.pg.query<{ seq: number; first_seq: number | null }>(
    'select seq::int, first_seq::int from public.document_updates where document_id = $1 order by seq',
    [document],
  );
  return rows;
};

test('a page is the same for everyone who has it open, comes back, or watches', async () => {
  const document = await newPage(alice.client);
  await rpc(alice.client, 'set_document_member', { document, person: bob.id, role: 'editor' });
  const link = v.parse(
    createdLink,
    await rpc(alice.client, 'create_share_link', { document, role: 'viewer', expires_at: null }),
  );
  // Rows are old from the start: another time would make another row of each (HI1).
  await backend.pg.query(
    `alter table public.document_updates alter column created_at set default now() - interval '100 days'`,
  );
  const a = openTab(document, alice);
  const b = openTab(document, bob);
  await until(() => a.view().peers.length === 2 && b.view().peers.length === 2);
  await type(a, 'Alice');
  await until(() => b.content() === a.content());
  // Bob goes home with half of it on his device.
  await b.session.close();
  await type(a, 'On');
  const c = openTab(document, bob);
  await until(() => c.content() === a.content());
  await Promise.all([type(c, 'Bob'), type(a, 'She')]);
  await until(() => c.content() === a.content() && a.view().upToDate && c.view().upToDate);
  const watcher = openWatch(link.secret, {
    schemaVersion: SCHEMA_VERSION,
    ports: {
      clock: browserClock,
      random: browserRandom,
      link: supabaseLink(backend.anonClient()),
      watchLog: supabaseWatchLog(backend.anonClient()),
      environment: new MemoryEnvironment(),
    },
  });
  onTestFinished(() => watcher.close());
  await until(() => docContent(watcher.doc) === a.content());

  await backend.pg.query(
    'update public.documents set text_seq = (select head_seq from public.document_heads where document_id = id) where id = $1',
    [document],
  );
  const list = async () => v.parse(editingSessions, await rpc(alice.client, 'list_sittings', { document }));
  const [before, rows, content] = [await list(), await rowsOf(document), a.content()];
  expect(rows.length).toBeGreaterThan(10);

  const young = await run(backend.url, '--older-than', '101', '--page', document);
  expect(young).toEqual({ code: 0, lines: ['Made 0 rows of 0 on 0 pages.'] });
  const dry = await run(backend.url, '--older-than', '90', '--page', document, '--dry-run');
  expect(dry.lines).toEqual([`Would make 1 rows of ${rows.length - 1} on 1 pages.`]);
  expect(await rowsOf(document)).toEqual(rows);
  const done = await run(backend.url, '--older-than', '90');
  expect(done).toEqual({ code: 0, lines: [`Made 1 rows of ${rows.length - 1} on 1 pages.`] });
  expect(await rowsOf(document)).toEqual([
    { seq: 1, first_seq: null },
    { seq: rows.length, first_seq: 2 },
  ]);
  expect(await list()).toEqual(before);

  // People who have it open go on.
  await type(c, 'Here');
  await until(() => a.content() === c.content() && docContent(watcher.doc) === c.content());
  expect(a.content()).not.toBe(content);
  // Bob's device has rows that no longer exist.
  const back = openTab(document, bob, { ...supabasePorts(bob.client), store: b.ports.store });
  await until(() => back.content() === a.content());
  await type(back, 'Back');
  await until(() => back.content() === a.content() && back.view().upToDate);
  expect([back.view().damaged, a.view().damaged]).toEqual([[], []]);
  // A person who opens it for the first time gets one row and the new ones.
  const first = openTab(document, alice);
  await until(() => first.content() === a.content());
  const history = v.parse(historyRows, await rpc(alice.client, 'history_rows', { document, after: 0, row_version: 3 }));
  expect(history.rows.slice(0, 2).map(({ seq, firstSeq }) => [firstSeq, seq])).toEqual([
    [undefined, 1],
    [2, rows.length],
  ]);
  expect(await run(backend.url, '--older-than', '90')).toEqual({ code: 0, lines: ['Made 0 rows of 0 on 0 pages.'] });
});

test('the command says what it needs', async () => {
  for (const args of [
    [],
    [backend.url],
    ['x', '--older-than', '9'],
    [backend.url, '--older-than', '0'],
    [backend.url, '--older-than', '9', '--page', 'x'],
  ])
    expect((await run(...args)).code).toBe(2);
  vi.stubEnv('SUPABASE_SERVICE_ROLE_KEY', '');
  expect(await run(backend.url, '--older-than', '9')).toEqual({
    code: 2,
    lines: ['SUPABASE_SERVICE_ROLE_KEY is missing.'],
  });
  vi.stubEnv('SUPABASE_SERVICE_ROLE_KEY', backend.server.anonKey);
  const refused = await run(backend.url, '--older-than', '9');
  expect(refused.code).toBe(1);
  expect(refused.lines[0]).toContain('permission denied');
  vi.stubEnv('SUPABASE_SERVICE_ROLE_KEY', backend.server.serviceRoleKey);
});
