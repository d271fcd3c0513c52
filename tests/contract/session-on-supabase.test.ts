// Whole sessions over supabase-js, the embedded backend's HTTP and WebSocket, and real time.
import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import * as Y from 'yjs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { browserClock, browserRandom } from '../../src/platform/browser/clock.ts';
import { MemoryLocks } from '../../src/platform/memory/memory-locks.ts';
import { MemoryTabs } from '../../src/platform/memory/memory-tabs.ts';
import { MemoryStore } from '../../src/platform/memory/memory-store.ts';
import { MemorySurroundings } from '../../src/platform/memory/memory-surroundings.ts';
import { supabaseLink } from '../../src/platform/supabase/link.ts';
import { supabaseLog, supabaseWatchLog } from '../../src/platform/supabase/log.ts';
import { createdLink } from '../../src/protocol/answers.ts';
import { type DocumentId, parseDocumentId, parseUserId } from '../../src/protocol/ids.ts';
import { SCHEMA_VERSION } from '../../src/protocol/limits.ts';
import { newDoc } from '../../src/sync/new-doc.ts';
import { openSession } from '../../src/sync/session.ts';
import { openWatch } from '../../src/sync/watch-session.ts';
import { type Person, type TestBackend, startTestBackend } from '../support/backend.ts';
import { rest, until, value } from './stage.ts';

let backend: TestBackend;
beforeAll(async () => {
  backend = await startTestBackend();
});
afterAll(() => backend.close());

async function rpc(person: Person, name: string, args: Record<string, unknown>): Promise<unknown> {
  const { data, error } = await person.client.rpc(name, args);
  if (error !== null) throw new Error(`${name}: ${error.code} ${error.message} ${error.details}`);
  return data;
}

async function twoOnAPage() {
  const [alice, bob] = [await backend.signUp(), await backend.signUp()];
  const document = parseDocumentId(randomUUID());
  if (document === null) throw new Error('malformed id');
  await rpc(alice, 'create_workspace', { id: randomUUID(), name: 'Sessions', document });
  await rpc(alice, 'set_document_member', { document, user: bob.id, role: 'editor' });
  return { document, alice, bob };
}

function open(document: DocumentId, { id, client }: Person) {
  const user = parseUserId(id);
  if (user === null) throw new Error('malformed id');
  const ports = {
    clock: browserClock,
    random: browserRandom,
    log: supabaseLog(client),
    link: supabaseLink(client),
    store: new MemoryStore(),
    locks: new MemoryLocks().tab(),
    tabs: new MemoryTabs(browserClock).tab(),
    surroundings: new MemorySurroundings(),
  };
  const session = openSession(document, { user, ports, schemaVersion: SCHEMA_VERSION });
  const text = session.doc.getText('t');
  return { session, text, ports, view: () => session.getView() };
}

async function replay(document: DocumentId, person: Person): Promise<string> {
  const doc = newDoc();
  for (let seq = 0, more = true; more;) {
    const answer = await value(supabaseLog(person.client).rowsSince(document, seq, 500));
    for (const row of answer.rows) if (row.update.length > 0) Y.applyUpdate(doc, row.update);
    seq = answer.rows.at(-1)?.seq ?? seq;
    ({ more } = answer);
  }
  return doc.getText('t').toString();
}

test('[I1] [WA1] two people type 200 characters each into one text while somebody watches', async () => {
  const { document, alice, bob } = await twoOnAPage();
  const link = v.parse(
    createdLink,
    await rpc(alice, 'create_share_link', { document, role: 'viewer', expires_at: null }),
  );
  const anon = backend.anonClient();
  const watcher = openWatch(link.secret, {
    schemaVersion: SCHEMA_VERSION,
    ports: {
      clock: browserClock,
      random: browserRandom,
      link: supabaseLink(anon),
      watchLog: supabaseWatchLog(anon),
      surroundings: new MemorySurroundings(),
    },
  });
  const a = open(document, alice);
  const b = open(document, bob);
  await until(() => a.view().roster.length === 2 && b.view().roster.length === 2);
  await until(() => watcher.getView().phase === 'live');
  for (let i = 0; i < 200; i++) {
    a.text.insert(a.text.length, 'a');
    b.text.insert(0, 'b');
    await rest(5);
  }
  await until(() => a.view().receipt === 'saved' && b.view().receipt === 'saved');
  await until(() => a.text.toString() === b.text.toString());
  expect(a.text.length).toBe(400);
  expect(await replay(document, alice)).toBe(a.text.toString());
  await until(() => watcher.doc.getText('t').toString() === a.text.toString(), 3_000);
  expect([a.view(), b.view()]).toMatchObject([
    { damaged: [], upToDate: true, connection: 'live' },
    { damaged: [], upToDate: true, connection: 'live' },
  ]);
  watcher.close();
  await Promise.all([a.session.close(), b.session.close()]);
  await until(() => [alice, bob].every(({ client }) => client.getChannels().length === 0));
});

test('[CA2] [L1] carets travel between two browsers', async () => {
  const { document, alice, bob } = await twoOnAPage();
  const a = open(document, alice);
  const b = open(document, bob);
  await until(() => a.view().roster.length === 2 && b.view().roster.length === 2);
  a.text.insert(0, 'hello');
  const position = Y.relativePositionToJSON(Y.createRelativePositionFromTypeIndex(a.text, 2));
  a.session.awareness.setLocalStateField('cursor', { anchor: position, head: position });
  const others = () => [...b.session.awareness.getStates()].filter(([key]) => key !== b.session.awareness.clientID);
  await until(() => others().length === 1);
  expect(others()[0]?.[1]).toMatchObject({ session: a.session.sessionId, user: alice.id });
  await a.session.close();
  await until(() => others().length === 0);
  await b.session.close();
});

test('[SY3] [I8] [L6] a downgrade bites at once in the open tab, and a new role is found again', async () => {
  const { document, alice, bob } = await twoOnAPage();
  const a = open(document, alice);
  const b = open(document, bob);
  await until(() => a.view().connection === 'live' && b.view().connection === 'live');
  await rpc(alice, 'set_document_member', { document, user: bob.id, role: 'viewer' });
  await until(() => !b.view().editable, 4_000);
  await until(() => a.view().connection === 'live' && b.view().connection === 'live' && a.view().roster.length === 2);
  expect(b.view()).toMatchObject({ role: 'viewer', receipt: 'readonly', error: { code: 'WF002' } });
  a.text.insert(0, 'still seen');
  await until(() => b.text.toString() === 'still seen');
  await rpc(alice, 'set_document_member', { document, user: bob.id, role: null });
  await until(() => b.view().error?.code === 'WF001', 4_000);
  expect(b.view()).toMatchObject({ editable: false, roster: [] });
  await Promise.all([a.session.close(), b.session.close()]);
});

test('[SY7] a socket that breaks is replaced, and nothing is missing', async () => {
  const { document, alice, bob } = await twoOnAPage();
  const a = open(document, alice);
  const b = open(document, bob);
  await until(() => a.view().roster.length === 2 && b.view().connection === 'live');
  await bob.client.realtime.disconnect();
  await until(() => b.view().connection === 'reconnecting');
  a.text.insert(0, 'meanwhile');
  await until(() => b.text.toString() === 'meanwhile' && b.view().connection === 'live', 15_000);
  expect(bob.client.getChannels().length).toBe(1);
  b.text.insert(0, '!');
  await until(() => a.text.toString() === '!meanwhile');
  await Promise.all([a.session.close(), b.session.close()]);
});

test('[D2] a hidden page’s keepalive request carries the user’s own token', async () => {
  const { document, alice } = await twoOnAPage();
  const a = open(document, alice);
  await until(() => a.view().connection === 'live');
  a.text.insert(0, 'x');
  await until(() => a.view().receipt === 'saved');
  a.text.insert(1, 'y');
  a.ports.surroundings.say('hidden');
  await until(() => a.view().receipt === 'saved');
  expect(await replay(document, alice)).toBe('xy');
  await a.session.close();
});

test('[I10] opening, looking and closing writes no row and registers nobody', async () => {
  const { document, alice, bob } = await twoOnAPage();
  const b = open(document, bob);
  await until(() => b.view().connection === 'live');
  await b.session.close();
  const counts = await backend.pg.query<{ rows: number; sessions: number }>(
    `select (select count(*)::int from document_updates where document_id = $1) as rows,
            (select count(*)::int from document_sessions where document_id = $1) as sessions`,
    [document],
  );
  expect(counts.rows[0]?.rows).toBe(1);
  expect(counts.rows[0]?.sessions).toBeLessThanOrEqual(1);
  expect(alice.id).not.toBe(bob.id);
});
