// Measures how many appends per second a backend accepts. Every writer appends to a page of its own and, like a session,
// sends the next append when the previous one has been answered.
import { randomBytes, randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import * as v from 'valibot';
import { SCHEMA_VERSION } from '../../src/protocol/limits.ts';
import { newPage, rpc } from '../../tests/support/server/rpc.ts';
import type { ServerAddress } from '../servers/server-address.ts';
import { type Weft } from '../systems/weft.ts';

/** A few keys, as Yjs encodes them. */
const UPDATE = randomBytes(60).toString('base64');
const appended = v.object({ seq: v.number(), head: v.number() });

export type Appends = {
  /** Milliseconds from sending a request to the end of its response. */
  readonly times: number[];
  readonly perSecond: number;
  readonly refused: number;
};

type Duration = { readonly warmUpMs: number; readonly ms: number };

export async function measureAppends(
  weft: Weft,
  server: ServerAddress,
  writers: number,
  duration: Duration,
): Promise<Appends> {
  // Bare requests on open connections, with supabase-js's headers: supabase-js itself would take part of the time.
  const agent = new Agent({ keepAlive: true, maxSockets: writers });
  const all = await Promise.all(Array.from({ length: writers }, () => Writer.begin(weft, server, agent)));
  const phase = { isOver: false };
  const running = all.map((writer) => writer.run(phase));
  await delay(duration.warmUpMs);
  for (const writer of all) writer.discardSamples();
  const begun = performance.now();
  await delay(duration.ms);
  const seconds = (performance.now() - begun) / 1_000;
  const times = all.flatMap((writer) => writer.times.slice());
  phase.isOver = true;
  await Promise.all(running);
  agent.destroy();
  return { times, perSecond: times.length / seconds, refused: all.reduce((total, { refused }) => total + refused, 0) };
}

/** Resolves with the response's body, or null if the server refused the append. */
type Send = (body: string) => Promise<string | null>;
type SessionIds = { readonly document: string; readonly session: string };

class Writer {
  times: number[] = [];
  refused = 0;
  readonly #send: Send;
  readonly #ids: SessionIds;
  #written = 0;
  #head = 0;

  private constructor(send: Send, ids: SessionIds) {
    this.#send = send;
    this.#ids = ids;
  }

  static async begin(weft: Weft, server: ServerAddress, agent: Agent): Promise<Writer> {
    const client = await weft.owner();
    const document = await newPage(client);
    const { data } = await client.auth.getSession();
    const session = randomUUID();
    const registration = {
      document,
      session,
      client_id: 1 + Math.floor(Math.random() * 2 ** 31),
      schema_version: SCHEMA_VERSION,
    };
    await rpc(client, 'start_session', registration);
    const headers = {
      apikey: server.anonKey,
      authorization: `Bearer ${data.session?.access_token}`,
      'content-type': 'application/json',
      'content-profile': 'public',
      accept: 'application/json',
      'x-client-info': 'supabase-js/2.119.0; runtime=web',
    };
    const url = `${server.url}/rest/v1/rpc/append_update`;
    return new Writer((body) => post(url, agent, headers, body), { document, session });
  }

  /** Discards the samples of the warm-up. */
  discardSamples(): void {
    this.times = [];
    this.refused = 0;
  }

  async run(phase: { readonly isOver: boolean }): Promise<void> {
    while (!phase.isOver) {
      const n = this.#written + 1;
      const sentAt = performance.now();
      const answer = await this.#send(
        JSON.stringify({
          ...this.#ids,
          n_from: n,
          n_to: n,
          update: UPDATE,
          dependencies: [],
          known_seq: this.#head,
          schema_version: SCHEMA_VERSION,
          // No one else is on the page, so the server does not publish the row to the live topic.
          live_peers: 0,
        }),
      );
      if (answer === null) {
        this.refused++;
        continue;
      }
      this.times.push(performance.now() - sentAt);
      this.#head = v.parse(appended, JSON.parse(answer)).head;
      this.#written = n;
    }
  }
}

function post(url: string, agent: Agent, headers: Record<string, string>, body: string): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      agent,
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    });
    outgoing.on('response', (response) => {
      text(response).then((answer) => resolve(response.statusCode === 200 ? answer : null), reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
