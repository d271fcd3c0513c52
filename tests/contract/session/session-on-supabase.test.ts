// Whole sessions over supabase-js, HTTP, WebSocket and real time, on the embedded backend or on the project that
// SUPABASE_URL names.
import type { SupabaseClient } from '@supabase/supabase-js';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { browserClock, browserRandom } from 'weft-sync/browser/clock.ts';
import { type DocumentId, parseUserId } from 'weft-sync/protocol/ids.ts';
import type { SessionOptions } from 'weft-sync/session/session-options.ts';
import { openSession } from 'weft-sync/session/session.ts';
import { openWatch } from 'weft-sync/session/watch-session.ts';
import { supabaseLog, supabaseWatchLog } from 'weft-sync/supabase/log.ts';
import { supabaseLink } from 'weft-sync/supabase/realtime/link.ts';
import { MemoryEnvironment } from 'weft-sync/testing/memory-environment.ts';
import { newDoc } from 'weft-sync/updates/new-doc.ts';
import * as Y from 'yjs';
import { prng } from '../../../src/lib/prng.ts';
import { createdLink } from '../../../src/protocol/answers.ts';
import { SCHEMA_VERSION } from '../../../src/protocol/limits.ts';
import type { Person } from '../../support/server/backend.ts';
import { newPage, rpc } from '../../support/server/rpc.ts';
import { supabasePorts } from '../../support/server/supabase-ports.ts';
import { pause, until, value } from '../contract-fixture.ts';
import { type Project, startProject } from '../project.ts';

/** Options of a session. Every test runs once for each line. */
const MODES: readonly { readonly mode: string; readonly options: Partial<SessionOptions> }[] = [
  { mode: 'rows', options: { liveUpdates: false } },
  { mode: 'frames', options: { liveUpdates: true } },
];

let project: Project | undefined;
let alice: Person;
let bob: Person;
let anon: SupabaseClient;

beforeAll(async () => {
  project = await startProject();
  // The same two people in all tests, because hosted projects limit sign-ups.
  alice = await project.signUp();
  bob = await project.signUp();
  anon = project.anonClient();
});
afterAll(() => project?.close());

async function pageOfBoth(): Promise<DocumentId> {
  const document = await newPage(alice.client);
  await rpc(alice.client, 'set_document_member', { document, person: bob.id, role: 'editor' });
  return document;
}

function openTab(document: DocumentId, { id, client }: Person, options: Partial<SessionOptions>) {
  const user = parseUserId(id);
  if (user === null) throw new Error('malformed id');
  const ports = supabasePorts(client);
  const session = openSession(document, { user, ports, schemaVersion: SCHEMA_VERSION, ...options });
  // A failed test must not leave anyone connected for the next one.
  onTestFinished(() => session.close());
  const text = session.doc.getText('t');
  return { session, text, ports, view: () => session.getView() };
}

/** Builds the document from the log alone, as a newcomer would. */
async function replay(document: DocumentId): Promise<Y.Doc> {
  const doc = newDoc();
  for (let seq = 0, more = true; more;) {
    const answer = await value(supabaseLog(alice.client).rowsSince(document, seq, 500));
    for (const row of answer.rows) {
      for (const part of row.dependencies) Y.applyUpdate(doc, part.update);
      if (row.update.length > 0) Y.applyUpdate(doc, row.update);
    }
    seq = answer.rows.at(-1)?.seq ?? seq;
    ({ more } = answer);
  }
  return doc;
}

const textOf = (doc: Y.Doc) => doc.getText('t').toString();

const contentOf = (doc: Y.Doc) => ({
  text: doc.getText('t').toDelta(),
  // The order of a map's keys is the order of arrival.
  map: [0, 1, 2, 3].map((key) => doc.getMap('m').get(`k${key}`) ?? null),
  body: doc.getXmlFragment('x').toString(),
});

/** One random edit of a text, an array or a map. */
function editAnything(doc: Y.Doc, next: () => number): void {
  const text = doc.getText('t');
  const xml = doc.getXmlFragment('x');
  const at = (length: number) => Math.floor(next() * (length + 1));
  const what = next();
  if (what < 0.4) text.insert(at(text.length), String.fromCodePoint(97 + at(25)));
  else if (what < 0.55 && text.length > 3) text.delete(at(text.length - 3), 2);
  else if (what < 0.65 && text.length > 3) text.format(at(text.length - 3), 2, { bold: next() < 0.7 || null });
  else if (what < 0.75) doc.getMap('m').set(`k${at(3)}`, at(100));
  else if (what < 0.9 || xml.length === 0) {
    const block = new Y.XmlElement('block');
    block.insert(0, [new Y.XmlText('…')]);
    xml.insert(at(xml.length), [block]);
  } else xml.delete(at(xml.length - 1), 1);
}

describe.each(MODES)('$mode:', ({ options }) => {
  const open = (document: DocumentId, person: Person) => openTab(document, person, options);

  test('[I1] [I7] two people who edit at random converge, even if a socket breaks', async () => {
    const document = await pageOfBoth();
    const a = open(document, alice);
    const b = open(document, bob);
    await until(() => a.view().peers.length === 2 && b.view().peers.length === 2);
    const next = prng(20261121);
    for (let i = 0; i < 150; i++) {
      editAnything(next() < 0.5 ? a.session.doc : b.session.doc, next);
      if (i === 75) await bob.client.realtime.disconnect();
      await pause(next() * 20);
    }
    await until(() => a.view().receipt === 'saved' && b.view().receipt === 'saved', 20_000);
    const equal = () => JSON.stringify(contentOf(a.session.doc)) === JSON.stringify(contentOf(b.session.doc));
    await until(() => equal() && a.view().upToDate && b.view().upToDate, 20_000);
    expect(contentOf(await replay(document))).toEqual(contentOf(a.session.doc));
    expect([a.view().damaged, b.view().damaged]).toEqual([[], []]);
    for (const { session } of [a, b]) {
      expect([session.doc.store.pendingStructs, session.doc.store.pendingDs]).toEqual([null, null]);
    }
    await Promise.all([a.session.close(), b.session.close()]);
  });

  test('[I1] [WA1] two people type 200 characters each into one text while someone watches', async () => {
    const document = await pageOfBoth();
    const link = v.parse(
      createdLink,
      await rpc(alice.client, 'create_share_link', { document, role: 'viewer', expires_at: null }),
    );
    const watcher = openWatch(link.secret, {
      schemaVersion: SCHEMA_VERSION,
      ports: {
        clock: browserClock,
        random: browserRandom,
        link: supabaseLink(anon),
        watchLog: supabaseWatchLog(anon),
        environment: new MemoryEnvironment(),
      },
    });
    onTestFinished(() => watcher.close());
    const a = open(document, alice);
    const b = open(document, bob);
    await until(() => a.view().peers.length === 2 && b.view().peers.length === 2);
    await until(() => watcher.getView().phase === 'live');
    for (let i = 0; i < 200; i++) {
      a.text.insert(a.text.length, 'a');
      b.text.insert(0, 'b');
      await pause(5);
    }
    await until(() => a.view().receipt === 'saved' && b.view().receipt === 'saved');
    await until(() => a.text.toString() === b.text.toString());
    expect(a.text.length).toBe(400);
    expect(textOf(await replay(document))).toBe(a.text.toString());
    await until(() => watcher.doc.getText('t').toString() === a.text.toString(), 3_000);
    expect([a.view().damaged, b.view().damaged]).toEqual([[], []]);
    await until(() => [a, b].every(({ view }) => view().upToDate && view().connection === 'live'));
    watcher.close();
    await Promise.all([a.session.close(), b.session.close()]);
    await until(() => [alice, bob].every(({ client }) => client.getChannels().length === 0));
  });

  test('[CA2] [L1] carets travel between two browsers', async () => {
    const document = await pageOfBoth();
    const a = open(document, alice);
    const b = open(document, bob);
    await until(() => a.view().peers.length === 2 && b.view().peers.length === 2);
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

  test('[SY3] [I8] [L6] a downgrade takes effect at once in the open tab, and so does a new role', async () => {
    const document = await pageOfBoth();
    const a = open(document, alice);
    const b = open(document, bob);
    await until(() => a.view().connection === 'live' && b.view().connection === 'live');
    const channels = () =>
      [alice, bob].flatMap(({ client }) => client.getChannels()).map(({ topic, state }) => `${topic} ${state}`);
    const before = new Set(channels());
    await rpc(alice.client, 'set_document_member', { document, person: bob.id, role: 'viewer' });
    await until(() => !b.view().editable, 4_000);
    // Wait until both are in the next topic: someone who is still joining when that ends too only learns it from a
    // refused join, which takes 5 s.
    await until(
      () => channels().length === 2 && channels().every((one) => one.endsWith(' joined') && !before.has(one)),
    );
    await until(() => a.view().connection === 'live' && b.view().connection === 'live' && a.view().peers.length === 2);
    expect(b.view()).toMatchObject({ role: 'viewer', receipt: 'readonly', error: { code: 'WF002' } });
    a.text.insert(0, 'still seen');
    await until(() => b.text.toString() === 'still seen');
    await rpc(alice.client, 'set_document_member', { document, person: bob.id, role: null });
    await until(() => b.view().error?.code === 'WF001', 4_000);
    expect(b.view()).toMatchObject({ editable: false, peers: [] });
    await Promise.all([a.session.close(), b.session.close()]);
  });

  test('[VT1] [VT2] [VT3] one reader too many uses the view topic, and leaves it once they may edit', async () => {
    const document = await pageOfBoth();
    await rpc(alice.client, 'set_document_member', { document, person: bob.id, role: 'viewer' });
    const a = open(document, alice);
    const b = openTab(document, bob, { ...options, maxOnLive: 1 });
    const topics = () => bob.client.getChannels().map(({ topic }) => topic.replace('realtime:', '').slice(0, 2));
    await until(() => topics().join() === 'v:' && a.view().peers.length === 1, 10_000);
    await until(() => b.view().connection === 'live', 10_000);
    for (let i = 0; i < 30; i++) {
      a.text.insert(a.text.length, 'x');
      await pause(50);
    }
    // Well before it would fetch by itself.
    await until(() => b.text.toString() === 'x'.repeat(30), 4_000);
    await until(() => b.view().connection === 'live' && b.view().upToDate);
    expect(b.view().peers).toEqual([]);
    await rpc(alice.client, 'set_document_member', { document, person: bob.id, role: 'editor' });
    b.session.retry();
    await until(() => topics().join() === 'd:' && a.view().peers.length === 2, 10_000);
    b.text.insert(0, 'mine ');
    await until(() => a.text.toString().startsWith('mine '));
    await Promise.all([a.session.close(), b.session.close()]);
  });

  test('[SY7] a broken socket is replaced, and nothing is missing', async () => {
    const document = await pageOfBoth();
    const a = open(document, alice);
    const b = open(document, bob);
    await until(() => a.view().peers.length === 2 && b.view().connection === 'live');
    const states: string[] = [];
    b.session.subscribe(() => states.push(b.view().connection));
    await bob.client.realtime.disconnect();
    await until(() => states.includes('reconnecting'));
    a.text.insert(0, 'meanwhile');
    await until(() => b.text.toString() === 'meanwhile' && b.view().connection === 'live', 15_000);
    expect(bob.client.getChannels().length).toBe(1);
    b.text.insert(0, '!');
    await until(() => a.text.toString() === '!meanwhile');
    await Promise.all([a.session.close(), b.session.close()]);
  });

  test('[D2] a hidden page’s keepalive request has the user’s own token', async () => {
    const document = await pageOfBoth();
    const a = open(document, alice);
    await until(() => a.view().connection === 'live');
    a.text.insert(0, 'x');
    await until(() => a.view().receipt === 'saved');
    a.text.insert(1, 'y');
    a.ports.environment.set('hidden');
    await until(() => a.view().receipt === 'saved');
    expect(textOf(await replay(document))).toBe('xy');
    await a.session.close();
  });

  test('[I10] opening, looking and closing writes no row and registers no session', async () => {
    const document = await pageOfBoth();
    const b = open(document, bob);
    await until(() => b.view().connection === 'live');
    await b.session.close();
    const log = supabaseLog(alice.client);
    expect((await value(log.rowsSince(document, 0, 500))).head).toBe(1);
    const known = await value(log.sessionInfo(document, [b.session.sessionId]));
    expect(known.filter(({ clientId }) => clientId !== null)).toEqual([]);
  });
});
