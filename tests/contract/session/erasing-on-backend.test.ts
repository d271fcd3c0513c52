// Words that a manager erased for good leave the open tabs and the devices of everyone, on the embedded backend.
import * as v from 'valibot';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { plainRun, textBlock } from 'weft-document/blocks/detached-block.ts';
import { bodyText } from 'weft-document/body/body-text.ts';
import { elementsOfBlocks } from 'weft-document/body/fill-page.ts';
import { copiesOf } from 'weft-document/history/erased-page.ts';
import { bodyOf } from 'weft-document/names.ts';
import { browserClock, browserRandom } from 'weft-sync/browser/clock.ts';
import type { Clock, Log, Ports } from 'weft-sync/ports.ts';
import { type WeftError, weftError } from 'weft-sync/protocol/errors.ts';
import { type DocumentId, parseUserId } from 'weft-sync/protocol/ids.ts';
import { WATCH_AGAIN_MS } from 'weft-sync/protocol/topics.ts';
import { emptyLog, fetchLog } from 'weft-sync/recovery/replay-log.ts';
import { openSession } from 'weft-sync/session/session.ts';
import { openWatch } from 'weft-sync/session/watch-session.ts';
import { snapshotMaker } from 'weft-sync/snapshot/snapshot-maker.ts';
import { unpackSnapshot } from 'weft-sync/snapshot/unpack-snapshot.ts';
import { supabaseWatchLog } from 'weft-sync/supabase/log.ts';
import { supabaseLink } from 'weft-sync/supabase/realtime/link.ts';
import { MemoryEnvironment } from 'weft-sync/testing/memory-environment.ts';
import { MemoryStore } from 'weft-sync/testing/memory-store.ts';
import type * as Y from 'yjs';
import { compact } from '../../../scripts/compact/compact.ts';
import { type Result, err, ok } from '../../../src/lib/result.ts';
import { supabaseHistory } from '../../../src/platform/supabase/history.ts';
import { createdLink } from '../../../src/protocol/answers.ts';
import { SCHEMA_VERSION } from '../../../src/protocol/limits.ts';
import { eraser } from '../../../src/sessions/history/eraser.ts';
import { chosenIn } from '../../support/editor/visible-characters.ts';
import { type Person, type TestBackend, startTestBackend } from '../../support/server/backend.ts';
import { newPage, rpc } from '../../support/server/rpc.ts';
import { supabasePorts } from '../../support/server/supabase-ports.ts';
import { until } from '../contract-fixture.ts';

let backend: TestBackend;
let alice: Person;
let bob: Person;
beforeAll(async () => {
  backend = await startTestBackend();
  [alice, bob] = await Promise.all([backend.signUp(), backend.signUp()]);
  vi.stubEnv('SUPABASE_SERVICE_ROLE_KEY', backend.server.serviceRoleKey);
});
afterAll(() => backend.close());

function openTab(document: DocumentId, { id, client }: Person, store = new MemoryStore(), more: Partial<Ports> = {}) {
  const user = parseUserId(id);
  if (user === null) throw new Error('malformed id');
  const ports = { ...supabasePorts(client), store, snapshots: snapshotMaker(), ...more };
  const readText = (doc: Y.Doc) => ({ title: 'Page', bodyText: bodyText(doc), mentions: [] });
  const session = openSession(document, { user, ports, schemaVersion: SCHEMA_VERSION, readText });
  onTestFinished(() => session.close());
  return { session, store, text: () => bodyText(session.doc), view: () => session.getView() };
}

function write(doc: Y.Doc, words: string): void {
  const body = bodyOf(doc);
  doc.transact(() => body.insert(body.length, [...elementsOfBlocks([textBlock({}, [plainRun(words)])])]));
}

/** Whether what a device stores of a page has these words. */
async function hasWords(store: MemoryStore, document: DocumentId, words: string): Promise<boolean> {
  const stored = await store.load(document);
  const state = stored?.snapshot == null ? null : await unpackSnapshot(stored.snapshot.state, null);
  return [state, ...(stored?.rows ?? []).map(({ update }) => update)].some((bytes) =>
    Buffer.from(bytes ?? []).includes(words),
  );
}

/** Whether a row of the page has these words. */
async function isInRows(document: DocumentId, words: string): Promise<boolean> {
  const { rows } = await backend.pg.query(
    `select from public.document_updates
     where document_id = $1 and position(convert_to($2, 'UTF8') in update || coalesce(dependencies, '')) > 0`,
    [document, words],
  );
  return rows.length > 0;
}

/** The rows become as old as those that are compacted, and are. */
async function compactAll(document: DocumentId): Promise<readonly string[]> {
  const age = `update public.document_updates set created_at = created_at - interval '100 days' where document_id = $1`;
  await backend.pg.query(age, [document]);
  const copied =
    'update public.documents set text_seq = (select head_seq from public.document_heads where document_id = id) where id = $1';
  await backend.pg.query(copied, [document]);
  const lines: string[] = [];
  expect(await compact([backend.url, '--older-than', '90', '--page', document], (line) => lines.push(line))).toBe(0);
  return lines;
}

/** Appends reach the server and get no answer, or no call reaches it. */
function cutLog(log: Log): { readonly log: Log; cut(what: 'answers' | 'calls'): void } {
  let state: 'whole' | 'answers' | 'calls' = 'whole';
  const lost = err(weftError('WF011', 'cut'));
  const append = async (...args: Parameters<Log['append']>) => {
    const answer = await log.append(...args);
    return state === 'whole' ? answer : lost;
  };
  const through =
    <A extends unknown[], T>(run: (...args: A) => Promise<Result<T, WeftError>>) =>
    async (...args: A): Promise<Result<T, WeftError>> =>
      state === 'calls' ? lost : run(...args);
  return {
    log: { ...log, open: through(log.open), append: through(append), rowsSince: through(log.rowsSince) },
    cut: (what) => void (state = what),
  };
}

/** Erases the words as the app does. */
async function eraseWords(document: DocumentId, words: string): Promise<unknown> {
  const { log } = supabasePorts(alice.client);
  const { prepareErasing, eraseHistory } = supabaseHistory(alice.client, { toDevice: (at) => at });
  const page = emptyLog();
  const source = { documentId: document, log, unpack: unpackSnapshot };
  const opened = await log.open(document, 0);
  expect(await fetchLog(page, source, opened.ok ? opened.value.head : 0)).toEqual(ok(undefined));
  const block = bodyOf(page.doc)
    .toArray()
    .findIndex((one) => one.toString().includes(words));
  const chosen = chosenIn(page.doc, words, block);
  const erase = eraser(chosen, {
    source,
    prepare: () => prepareErasing(document),
    erase: (erased) => eraseHistory(document, erased),
  });
  return erase(true);
}

test('[HI9] erased words leave open tabs and devices, and what people write meanwhile stays', async () => {
  const document = await newPage(alice.client);
  await rpc(alice.client, 'set_document_member', { document, person: bob.id, role: 'editor' });
  const a = openTab(document, alice);
  const b = openTab(document, bob);
  await until(() => a.view().peers.length === 2 && b.view().peers.length === 2);
  write(a.session.doc, 'It is hunter2, do not tell.');
  await until(() => b.text() === a.text() && b.text().includes('hunter2') && a.view().receipt === 'saved');
  // Another device of Bob's has the page too.
  const away = openTab(document, bob);
  await until(() => away.text() === a.text() && away.view().upToDate);
  await away.session.close();
  for (const { store } of [away, b])
    await expect.poll(() => hasWords(store, document, 'hunter2'), { timeout: 5_000 }).toBe(true);

  expect(await eraseWords(document, 'hunter2')).toEqual(ok(undefined));
  write(b.session.doc, 'Bob goes on.');
  for (const { text } of [a, b])
    await until(() => text().includes('It is , do not tell.') && text().includes('Bob goes on.'));
  await until(() => a.text() === b.text() && b.view().receipt === 'saved');
  for (const { store } of [a, b]) {
    await expect.poll(() => hasWords(store, document, 'hunter2'), { timeout: 5_000 }).toBe(false);
  }
  const back = openTab(document, bob, away.store);
  await until(() => back.text() === a.text());
  await expect.poll(() => hasWords(away.store, document, 'hunter2'), { timeout: 5_000 }).toBe(false);
  expect([a, b, back].flatMap(({ view }) => view().damaged)).toEqual([]);
  // Lists and the search get the page as it is now.
  await expect
    .poll(
      async () => (await backend.pg.query('select body_text from public.documents where id = $1', [document])).rows,
      {
        timeout: 8_000,
      },
    )
    .toEqual([{ body_text: expect.stringContaining('It is , do not tell.') }]);
});

test('[HI9] [LG10] [D1] a device with unsent edits comes back after an erasure and a compaction', async () => {
  const document = await newPage(alice.client);
  await rpc(alice.client, 'set_document_member', { document, person: bob.id, role: 'editor' });
  const a = openTab(document, alice);
  await until(() => a.view().upToDate);
  for (const words of ['It is hunter2.', 'Nobody knows.', 'So far.']) {
    write(a.session.doc, words);
    await until(() => a.view().receipt === 'saved');
  }
  const { log, cut } = cutLog(supabasePorts(bob.client).log);
  const store = new MemoryStore();
  const b = openTab(document, bob, store, { log });
  await until(() => b.text() === a.text() && a.view().peers.length === 2 && b.view().connection === 'live');
  // The server gets this edit, and Bob's device never learns it.
  cut('answers');
  write(b.session.doc, 'Bob says hunter3.');
  await until(() => a.text().includes('hunter3'));
  await expect.poll(() => isInRows(document, 'hunter3'), { timeout: 5_000 }).toBe(true);
  cut('calls');
  write(b.session.doc, 'Bob is on a train.');
  await b.session.close();
  expect((await store.load(document))?.outboxes[0]?.entries).toHaveLength(2);

  expect(await compactAll(document)).toEqual([expect.stringMatching(/^Made 1 rows of /)]);
  expect(await eraseWords(document, 'hunter2')).toEqual(ok(undefined));
  expect(await eraseWords(document, 'hunter3')).toEqual(ok(undefined));
  await until(() => a.text().includes('Bob says .'));
  expect(await hasWords(store, document, 'hunter2')).toBe(true);

  const back = openTab(document, bob, store);
  await until(() => back.view().receipt === 'saved' && back.view().upToDate && back.text() === a.text());
  for (const words of ['It is .', 'Bob says .', 'Bob is on a train.']) expect(back.text()).toContain(words);
  expect(back.text().split('Bob says')).toHaveLength(2);
  expect([a, back].flatMap(({ view }) => view().damaged)).toEqual([]);
  for (const words of ['hunter2', 'hunter3']) {
    expect(await isInRows(document, words)).toBe(false);
    await expect.poll(() => hasWords(store, document, words), { timeout: 5_000 }).toBe(false);
  }
  expect((await store.load(document))?.outboxes).toEqual([]);
});

test('[WA9] [HI9] open tabs of watchers lose erased words without being opened again', async () => {
  const document = await newPage(alice.client);
  await rpc(alice.client, 'set_document_member', { document, person: bob.id, role: 'viewer' });
  const link = v.parse(
    createdLink,
    await rpc(alice.client, 'create_share_link', { document, role: 'viewer', expires_at: null }),
  );
  const a = openTab(document, alice);
  await until(() => a.view().upToDate);
  write(a.session.doc, 'It is hunter2.');
  await until(() => a.view().receipt === 'saved');
  const steps: number[] = [];
  // They would ask now and then in any case; here only the message tells them.
  const clock: Clock = {
    now: browserClock.now,
    after: (ms, run) => (ms >= WATCH_AGAIN_MS / 2 ? () => undefined : browserClock.after(ms, run)),
  };
  const ports = {
    clock,
    random: browserRandom,
    link: supabaseLink(backend.anonClient()),
    watchLog: supabaseWatchLog(backend.anonClient()),
    environment: new MemoryEnvironment(),
  };
  const shows = openWatch(link.secret, { schemaVersion: SCHEMA_VERSION, ports });
  const follows = openWatch(link.secret, {
    schemaVersion: SCHEMA_VERSION,
    ports: { ...ports, link: supabaseLink(backend.anonClient()) },
    log: {
      advanced: ({ seq }) => steps.push(seq) > 0,
      replaced: () => undefined,
      caughtUp: () => undefined,
    },
  });
  onTestFinished(() => [shows, follows].forEach((watch) => watch.close()));
  const reader = openTab(document, bob);
  const watchers = [shows, follows];
  await until(() => [...watchers, reader.session].every(({ doc }) => bodyText(doc).includes('hunter2')));
  await until(() => watchers.every((watch) => watch.getView().phase === 'live') && reader.view().connection === 'live');
  expect(await eraseWords(document, 'hunter2')).toEqual(ok(undefined));
  await until(() => watchers.every(({ doc }) => bodyText(doc).includes('It is .')));
  await until(() => reader.text().includes('It is .'));
  write(a.session.doc, 'Go on.');
  await until(() => [...watchers, reader.session].every(({ doc }) => bodyText(doc).includes('Go on.')));
  expect(watchers.map((watch) => watch.getView().rebuilds)).toEqual([1, 1]);
  expect(steps).toEqual(steps.toSorted((one, other) => one - other));
  expect(new Set(steps).size).toBe(steps.length);
  await expect.poll(() => hasWords(reader.store, document, 'hunter2'), { timeout: 5_000 }).toBe(false);
});

test('the app erases a word that was pasted five thousand times, while someone else writes', async () => {
  const document = await newPage(alice.client);
  await rpc(alice.client, 'set_document_member', { document, person: bob.id, role: 'editor' });
  const [a, b] = [openTab(document, alice), openTab(document, bob)];
  await until(() => a.view().upToDate && b.view().upToDate);
  write(a.session.doc, 'pass= '.repeat(5_000));
  await until(() => a.view().receipt === 'saved' && b.text() === a.text());
  const characters = chosenIn(a.session.doc, 'pass=', bodyOf(a.session.doc).length - 1);
  expect(copiesOf(a.session.doc, characters)?.places).toBe(4_999);
  const { prepareErasing, eraseHistory } = supabaseHistory(alice.client, { toDevice: (at) => at });
  const erase = eraser(characters, {
    source: { documentId: document, log: supabasePorts(alice.client).log, unpack: unpackSnapshot },
    async prepare() {
      const prepared = await prepareErasing(document);
      // Bob’s edit waits on his device, and is sent when the page has begun again.
      write(b.session.doc, 'Bob goes on.');
      return prepared;
    },
    erase: (page) => eraseHistory(document, page),
  });
  expect(await erase(true)).toEqual(ok(undefined));
  expect(await isInRows(document, 'pass=')).toBe(false);
  await until(() => a.text().includes('Bob goes on.') && a.text() === b.text() && b.view().receipt === 'saved');
  expect([a, b].flatMap(({ view }) => view().damaged)).toEqual([]);
});
