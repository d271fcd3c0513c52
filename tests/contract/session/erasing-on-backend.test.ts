// Words that a manager erased for good leave the open tabs and the devices of everybody, on the embedded backend.
import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import type * as Y from 'yjs';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { plainRun, textBlock } from '../../../src/document/blocks/detached-block.ts';
import { bodyText } from '../../../src/document/body/body-text.ts';
import { elementsOfBlocks } from '../../../src/document/body/fill-page.ts';
import { findPassage } from '../../../src/document/history/find-passage.ts';
import { bodyOf } from '../../../src/document/names.ts';
import { sha256 } from '../../../src/lib/sha256.ts';
import { historyRows } from '../../../src/protocol/history-answers.ts';
import { type DocumentId, parseUserId } from '../../../src/protocol/ids.ts';
import { SCHEMA_VERSION } from '../../../src/protocol/limits.ts';
import { erasedRows } from '../../../src/sync/log/erased-rows.ts';
import { openSession } from '../../../src/sync/session/session.ts';
import { snapshotMaker } from '../../../src/sync/snapshot/snapshot-maker.ts';
import { unpackSnapshot } from '../../../src/sync/snapshot/unpack-snapshot.ts';
import { Replica } from '../../../src/sync/state/replica.ts';
import { newDoc } from '../../../src/sync/updates/new-doc.ts';
import { MemoryStore } from '../../memory/memory-store.ts';
import { supabasePorts } from '../../memory/supabase-ports.ts';
import { type Person, type TestBackend, startTestBackend } from '../../support/server/backend.ts';
import { newPage, rpc } from '../../support/server/rpc.ts';
import { until } from '../contract-fixture.ts';

let backend: TestBackend;
let alice: Person;
let bob: Person;
beforeAll(async () => {
  backend = await startTestBackend();
  [alice, bob] = await Promise.all([backend.signUp(), backend.signUp()]);
});
afterAll(() => backend.close());

function openTab(document: DocumentId, { id, client }: Person, store = new MemoryStore()) {
  const user = parseUserId(id);
  if (user === null) throw new Error('malformed id');
  const ports = { ...supabasePorts(client), store, snapshots: snapshotMaker() };
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

async function eraseWords(document: DocumentId, words: string): Promise<unknown> {
  const { rows } = v.parse(
    historyRows,
    await rpc(alice.client, 'history_rows', { document, after: 0, row_version: 3 }),
  );
  const doc = newDoc(0);
  doc.gc = false;
  new Replica(doc, null).take(rows);
  const chosen: [number, number, number][] = [];
  for (const [client, structs] of doc.store.clients)
    for (const { id, ...struct } of structs) {
      const str: unknown =
        'content' in struct && struct.content instanceof Object && 'str' in struct.content ? struct.content.str : '';
      const at = typeof str === 'string' ? str.indexOf(words) : -1;
      if (at >= 0) chosen.push([client, id.clock + at, words.length]);
    }
  expect(chosen).toHaveLength(1);
  const places = await erasedRows(rows, findPassage(doc, chosen).letters, sha256);
  return rpc(alice.client, 'erase_text', { id: randomUUID(), document, rows: places });
}

test('[SN10] erased words leave open tabs and devices, and what people write meanwhile stays', async () => {
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

  expect(await eraseWords(document, 'hunter2')).toEqual({ erased: true });
  write(b.session.doc, 'Bob goes on.');
  for (const { text } of [a, b])
    await until(() => text().includes('It is *******, do not tell.') && text().includes('Bob goes on.'));
  await until(() => a.text() === b.text() && b.view().receipt === 'saved');
  for (const { store } of [a, b]) {
    await expect.poll(() => hasWords(store, document, 'hunter2'), { timeout: 5_000 }).toBe(false);
    expect(await hasWords(store, document, '*******')).toBe(true);
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
    .toEqual([{ body_text: expect.stringContaining('*******') }]);
});

test('[SN10] a device that does not know of an erasure saves no snapshot', async () => {
  const document = await newPage(alice.client);
  const a = openTab(document, alice);
  await until(() => a.view().upToDate);
  write(a.session.doc, 'It is hunter2.');
  await until(() => a.view().receipt === 'saved');
  await a.session.close();
  expect(await eraseWords(document, 'hunter2')).toEqual({ erased: true });
  const { log } = supabasePorts(alice.client);
  const made = await snapshotMaker().make(null, (await a.store.load(document))?.rows ?? []);
  if (made === null) throw new Error('no snapshot');
  await log.claimSnapshot(document);
  expect(await log.saveSnapshot(document, made, 0)).toMatchObject({ ok: false, error: { code: 'WF005' } });
  expect(await log.saveSnapshot(document, made, 1)).toMatchObject({ ok: true });
});
