// Sessions that outlive the tokens of their channels. A token lives for an hour, as usual: the tests put the clock forward, for
// client and backend alike, which share it in this process.
import { randomUUID } from 'node:crypto';
import { createClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { type DocumentId, parseDocumentId, parseUserId } from 'weft-sync/protocol/ids.ts';
import { openSession } from 'weft-sync/session/session.ts';
import { supabaseLink } from 'weft-sync/supabase/realtime/link.ts';
import { ClientNetwork } from '../../../bench/client-network.ts';
import { SCHEMA_VERSION } from '../../../src/protocol/limits.ts';
import { PASSWORD, type TestBackend, startTestBackend } from '../../support/server/backend.ts';
import { supabasePorts } from '../../support/server/supabase-ports.ts';
import { until } from '../contract-fixture.ts';

/** How often the server looks whether a channel's token has expired. */
const CHECK_MS = 20;
const HOUR = 3_600;
/** Within the 90 s before the end in which auth-js gets a new token. */
const ALMOST_AN_HOUR = HOUR - 60;

/** Only grows, so that no token becomes valid again. */
let secondsAhead = 0;
const RealDate = Date;
class ShiftedDate extends RealDate {
  constructor(...given: readonly [] | readonly [number | string | Date]) {
    if (given[0] === undefined) super(ShiftedDate.now());
    else super(given[0]);
  }
  static override now(): number {
    return RealDate.now() + secondsAhead * 1_000;
  }
}

let backend: TestBackend;
beforeAll(async () => {
  // Before the backend starts, since it may keep `Date.now`.
  vi.stubGlobal('Date', ShiftedDate);
  backend = await startTestBackend({ realtimeLimits: { tokenCheckMs: CHECK_MS } });
});
afterAll(async () => {
  await backend.close();
  vi.unstubAllGlobals();
});

/** A signed-in person with a page. */
async function signedUp() {
  const network = new ClientNetwork();
  const client = createClient(backend.url, backend.server.anonKey, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false, storageKey: randomUUID() },
    realtime: { transport: network.WebSocket },
    global: { fetch: network.fetch },
  });
  onTestFinished(() => void client.realtime.disconnect());
  const { data } = await client.auth.signUp({ email: `${randomUUID()}@example.com`, password: PASSWORD });
  const user = parseUserId(data.user?.id ?? '');
  const document = parseDocumentId(randomUUID());
  if (user === null || document === null) throw new Error('malformed id');
  const workspace = { id: randomUUID(), name: 'Renewal', document, schema_version: SCHEMA_VERSION };
  const { error } = await client.rpc('create_workspace', workspace);
  if (error !== null) throw error;
  return { client, network, user, document, sent: framesSent(network) };
}
type Person = Awaited<ReturnType<typeof signedUp>>;

/** The events of the text frames that the client sends, and the tokens in them. */
function framesSent(network: ClientNetwork): { readonly event: string; readonly token: string }[] {
  const sent: { readonly event: string; readonly token: string }[] = [];
  network.onMessage((direction, message, isBinary) => {
    if (direction === 'down' || isBinary) return;
    const [, , , event, payload] = JSON.parse(Buffer.from(message).toString());
    sent.push({ event, token: payload?.access_token ?? '' });
  });
  return sent;
}
/** The number of different tokens that were sent on channels. */
const pushed = ({ sent }: Person) =>
  new Set(sent.flatMap(({ event, token }) => (event === 'access_token' ? [token] : []))).size;
const joins = ({ sent }: Person) => sent.filter(({ event }) => event === 'phx_join').length;

function opened({ client, user }: Person, document: DocumentId) {
  const session = openSession(document, { user, ports: supabasePorts(client), schemaVersion: SCHEMA_VERSION });
  onTestFinished(() => session.close());
  /** Every connection state that the session was in since it was live first. */
  const states: string[] = [];
  session.subscribe(() => {
    const { connection } = session.getView();
    if (states.length > 0 || connection === 'live') states.push(connection);
  });
  return { session, states };
}

/** Resolves when the server has answered. */
async function heartbeat({ client: { realtime } }: Person): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  realtime.onHeartbeat((status) => status === 'ok' && resolve());
  await realtime.sendHeartbeat();
  await promise;
}

/** The server has looked at the token of every channel since now. */
const afterChecks = () => new Promise((resolve) => setTimeout(resolve, 5 * CHECK_MS));

/** The history of a session that lived through three tokens, and then saved an edit. */
async function throughThreeTokens(person: Person, renew: () => Promise<unknown>) {
  const { session, states } = opened(person, person.document);
  await until(() => session.getView().connection === 'live' && session.getView().peers.length === 1);
  let age = 0;
  for (let tokens = 0; tokens < 3; tokens++) {
    const before = pushed(person);
    secondsAhead += ALMOST_AN_HOUR - age;
    await renew();
    await until(() => pushed(person) > before);
    // Sent is not received: the server must have the new token before the old one ends.
    await heartbeat(person);
    await afterChecks();
    // The one before is over by now.
    secondsAhead += 120;
    age = 120;
    await afterChecks();
  }
  session.doc.getText('t').insert(0, 'still here');
  await until(() => session.getView().receipt === 'saved');
  return { states: [...new Set(states)], joins: joins(person), peers: session.getView().peers.length };
}
const WITHOUT_A_GAP = { states: ['live'], joins: 1, peers: 1 };

test('a session lives through three tokens that other calls renew', async () => {
  const person = await signedUp();
  expect(await throughThreeTokens(person, () => person.client.auth.refreshSession())).toEqual(WITHOUT_A_GAP);
});

test('a session lives through three tokens that heartbeats alone renew', async () => {
  const person = await signedUp();
  expect(await throughThreeTokens(person, () => heartbeat(person))).toEqual(WITHOUT_A_GAP);
});

test('a token that is renewed while a channel waits for the answer to its join reaches the server too', async () => {
  const person = await signedUp();
  const events: string[] = [];
  const link = supabaseLink(person.client);
  const channel = await backend.pg.transaction(async (tx) => {
    // The policies read this table, so the join waits.
    await tx.exec('lock table public.documents in access exclusive mode');
    const joining = link.join(
      `d:${person.document}:1.1`,
      { presence: null },
      {
        joined: () => void events.push('joined'),
        lost: (reason, detail) => void events.push(`${reason}: ${detail}`),
        message: () => undefined,
        peers: () => undefined,
      },
    );
    await until(() => joins(person) === 1);
    secondsAhead += ALMOST_AN_HOUR;
    await person.client.auth.refreshSession();
    expect(events).toEqual([]);
    return joining;
  });
  await until(() => events.length > 0);
  secondsAhead += 120;
  await afterChecks();
  expect(events).toEqual(['joined']);
  channel.leave();
});
