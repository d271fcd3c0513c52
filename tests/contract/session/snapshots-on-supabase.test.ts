// Snapshots through supabase-js and the embedded backend: real functions, real bytes, real time.
import { createHash, randomUUID } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { browserClock, browserRandom } from 'weft-sync/browser/clock.ts';
import type { Log } from 'weft-sync/ports.ts';
import { type DocumentId, parseUserId } from 'weft-sync/protocol/ids.ts';
import { openSession } from 'weft-sync/session/session.ts';
import { openWatch } from 'weft-sync/session/watch-session.ts';
import { snapshotMaker } from 'weft-sync/snapshot/snapshot-maker.ts';
import { supabaseLog, supabaseWatchLog } from 'weft-sync/supabase/log.ts';
import { supabaseLink } from 'weft-sync/supabase/realtime/link.ts';
import { MemoryEnvironment } from 'weft-sync/testing/memory-environment.ts';
import { docContent } from 'weft-sync/updates/content.ts';
import { createdLink } from '../../../src/protocol/answers.ts';
import { SCHEMA_VERSION } from '../../../src/protocol/limits.ts';
import { type Person, type TestBackend, startTestBackend } from '../../support/server/backend.ts';
import { newPage, rpc } from '../../support/server/rpc.ts';
import { supabasePorts } from '../../support/server/supabase-ports.ts';
import { until, value } from '../contract-fixture.ts';

let backend: TestBackend;
beforeAll(async () => {
  backend = await startTestBackend();
});
afterAll(() => backend.close());

async function pageOf(...people: readonly Person[]): Promise<DocumentId> {
  const [owner, ...editors] = people;
  if (owner === undefined) throw new Error('no page');
  const document = await newPage(owner.client);
  for (const { id } of editors)
    await rpc(owner.client, 'set_document_member', { document, person: id, role: 'editor' });
  return document;
}

function open(document: DocumentId, { id, client }: Person) {
  const user = parseUserId(id);
  if (user === null) throw new Error('malformed id');
  const calls: (keyof Log)[] = [];
  const base = supabasePorts(client);
  const { log, store } = base;
  const counted: Log = {
    ...log,
    open: (...args) => (calls.push('open'), log.open(...args)),
    rowsSince: (...args) => (calls.push('rowsSince'), log.rowsSince(...args)),
    saveSnapshot: async (...args) => {
      const answer = await log.saveSnapshot(...args);
      calls.push('saveSnapshot');
      return answer;
    },
  };
  let verifiesSnapshot = false;
  const ports = {
    ...base,
    // Not random: snapshots are made as soon as allowed, and verified only where a test asks for it.
    random: { ...browserRandom, next: () => (verifiesSnapshot ? 0 : 0.05 + browserRandom.next() / 20) },
    log: counted,
    snapshots: snapshotMaker(),
  };
  const session = openSession(document, { user, ports, schemaVersion: SCHEMA_VERSION });
  return {
    session,
    store,
    calls,
    text: session.doc.getText('t'),
    view: () => session.getView(),
    setVerify: (verify: boolean) => (verifiesSnapshot = verify),
  };
}

type Tab = ReturnType<typeof open>;

const saved = (tab: Tab) => until(() => tab.view().receipt === 'saved' && tab.view().upToDate);

async function writeLongTail(tab: Tab): Promise<void> {
  await saved(tab);
  for (let row = 0; row < 11; row++) {
    tab.text.insert(tab.text.length, randomUUID().repeat(280));
    await saved(tab);
  }
}

const snapshots = async (document: DocumentId) =>
  (
    await backend.pg.query<{ seq: number; bytes: number }>(
      `select seq::int, octet_length(state) as bytes from document_snapshots where document_id = $1 order by seq`,
      [document],
    )
  ).rows;

test('[SN2] [SN3] [SN9] one of two writers saves a snapshot, and the next session opens from it in one request', async () => {
  const [alice, bob, carol] = [await backend.signUp(), await backend.signUp(), await backend.signUp()];
  const document = await pageOf(alice, bob, carol);
  const a = open(document, alice);
  const b = open(document, bob);
  await writeLongTail(a);
  await until(() => b.text.length === a.text.length);
  await until(() => [...a.calls, ...b.calls].includes('saveSnapshot'), 15_000);
  await until(() => a.view().upToDate, 2_000);
  const [snapshot] = await snapshots(document);
  expect(snapshot?.seq).toBe(12);
  expect([...a.calls, ...b.calls].filter((call) => call === 'saveSnapshot')).toHaveLength(1);

  const c = open(document, carol);
  await until(() => c.view().phase === 'ready');
  const asked = c.calls.indexOf('rowsSince');
  expect(c.calls.slice(0, asked < 0 ? undefined : asked)).toEqual(['open']);
  expect(docContent(c.session.doc)).toBe(docContent(a.session.doc));
  const stored = await c.store.load(document);
  expect([stored?.snapshot?.seq, stored?.rows.length]).toEqual([12, 0]);

  // Later rows than the snapshot.
  b.text.insert(0, 'later ');
  await saved(b);
  const answer = await value(supabaseLog(carol.client).open(document, 0));
  expect([answer.snapshot?.seq, answer.rows.map(({ seq }) => seq)]).toEqual([12, [13]]);
  await Promise.all([a, b, c].map(({ session }) => session.close()));
});

test('[SN6] [SN8] [SN11] a damaged snapshot: who has the history sees the rows, watchers too, and the next edit replaces it for all', async () => {
  const [alice, bob] = [await backend.signUp(), await backend.signUp()];
  const document = await pageOf(alice, bob);
  const a = open(document, alice);
  await writeLongTail(a);
  await until(() => a.calls.includes('saveSnapshot'), 15_000);
  await until(() => a.view().upToDate);
  const damaged = deflateSync(Uint8Array.of(1, 2, 3, 250));
  const sha256 = createHash('sha256').update(damaged).digest('hex');
  const changed = await backend.pg.query(
    'update document_snapshots set state = $2, sha256 = $3 where document_id = $1 returning seq',
    [document, damaged, sha256],
  );
  expect(changed.rows).toHaveLength(1);

  const b = open(document, bob);
  await until(() => b.view().phase === 'ready' && b.view().upToDate);
  expect(docContent(b.session.doc)).toBe(docContent(a.session.doc));
  const watch = async (history: boolean) => {
    const args = { document, role: 'viewer', expires_at: null, history };
    const { secret } = v.parse(createdLink, await rpc(alice.client, 'create_share_link', args));
    const anon = backend.anonClient();
    return openWatch(secret, {
      schemaVersion: SCHEMA_VERSION,
      ports: {
        clock: browserClock,
        random: browserRandom,
        link: supabaseLink(anon),
        watchLog: supabaseWatchLog(anon),
        environment: new MemoryEnvironment(),
      },
    });
  };
  const [watcher, withoutHistory] = [await watch(true), await watch(false)];
  await until(() => watcher.doc.getText('t').length === a.text.length);
  expect(docContent(watcher.doc)).toBe(docContent(a.session.doc));
  watcher.close();
  await until(() => withoutHistory.getView().error?.code === 'WF019');
  expect(docContent(withoutHistory.doc)).toBe('');

  b.text.insert(0, 'once more ');
  await until(() => b.calls.includes('saveSnapshot'), 15_000);
  await until(() => b.view().upToDate);
  withoutHistory.retry();
  await until(() => docContent(withoutHistory.doc) === docContent(b.session.doc));
  withoutHistory.close();
  const newest = await value(supabaseLog(alice.client).open(document, 0));
  expect(newest.snapshot?.seq).toBe(13);
  const snapshot = newest.snapshot;
  const rows = (await value(supabaseLog(alice.client).rowsSince(document, 0, 500))).rows;
  expect(snapshot && (await snapshotMaker().isTrue(snapshot, rows))).toBe(true);
  await Promise.all([a.session.close(), b.session.close()]);
});

test('[SN7] [SN8] a verifying client detects a forged snapshot and names it in the view', async () => {
  const [alice, bob] = [await backend.signUp(), await backend.signUp()];
  const document = await pageOf(alice, bob);
  const log = supabaseLog(alice.client);
  const a = open(document, alice);
  await saved(a);
  a.text.insert(0, 'as written');
  await saved(a);
  a.text.insert(0, 'and ');
  await saved(a);
  // Valid by the rules of the database, but an editor has left something out.
  const { rows } = await value(log.rowsSince(document, 0, 500));
  const forged = await snapshotMaker().make(null, rows.slice(0, 1));
  expect((await value(log.claimSnapshot(document))).granted).toBe(true);
  if (forged === null) throw new Error('none made');
  expect(await value(log.saveSnapshot(document, { ...forged, seq: 2 }))).toBe(2);

  const b = open(document, bob);
  b.setVerify(true);
  await until(() => b.view().wrongSnapshot !== null, 15_000);
  expect(b.view()).toMatchObject({ wrongSnapshot: 2, error: null });
  await until(() => b.calls.includes('saveSnapshot'), 15_000);
  const right = async () => {
    const { snapshot } = await value(log.open(document, 0));
    return snapshot !== null && snapshot.seq === 3 && (await snapshotMaker().isTrue(snapshot, rows));
  };
  let isRight = false;
  await until(() => {
    void right().then((is) => (isRight ||= is));
    return isRight;
  });
  await Promise.all([a.session.close(), b.session.close()]);
});
