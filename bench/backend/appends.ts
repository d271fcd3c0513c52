// Measures how many rows a backend takes into its log: every writer sends its next append when the last one is
// answered, as a session does, each into a page of their own.
import { randomBytes, randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import * as v from 'valibot';
import { SCHEMA_VERSION } from '../../src/protocol/limits.ts';
import type { ServerAddress } from '../servers/say-address.ts';
import { type Weft, newPage, rpc } from '../systems/weft.ts';

/** A few keys, as Yjs encodes them. */
const UPDATE = randomBytes(60).toString('base64');
const appended = v.object({ seq: v.number(), head: v.number() });

export type Appends = {
  /** Milliseconds from asking to the whole answer. */
  readonly times: number[];
  readonly perSecond: number;
  readonly refused: number;
};

type Length = { readonly warmUpMs: number; readonly ms: number };

export async function measureAppends(
  weft: Weft,
  server: ServerAddress,
  writers: number,
  length: Length,
): Promise<Appends> {
  // The client must not be what is measured, so these are bare requests on open connections, with supabase-js's
  // headers.
  const agent = new Agent({ keepAlive: true, maxSockets: writers });
  const all = await Promise.all(Array.from({ length: writers }, () => Writer.begin(weft, server, agent)));
  const phase = { isOver: false };
  const running = all.map((writer) => writer.run(phase));
  await delay(length.warmUpMs);
  for (const writer of all) writer.forget();
  const begun = performance.now();
  await delay(length.ms);
  const seconds = (performance.now() - begun) / 1_000;
  const times = all.flatMap((writer) => writer.times.slice());
  phase.isOver = true;
  await Promise.all(running);
  agent.destroy();
  return { times, perSecond: times.length / seconds, refused: all.reduce((so, { refused }) => so + refused, 0) };
}

type Ask = (body: string) => Promise<string | null>;
type Place = { readonly document: string; readonly session: string };

class Writer {
  times: number[] = [];
  refused = 0;
  readonly #ask: Ask;
  readonly #place: Place;
  #written = 0;
  #head = 0;

  private constructor(ask: Ask, place: Place) {
    this.#ask = ask;
    this.#place = place;
  }

  static async begin(weft: Weft, server: ServerAddress, agent: Agent): Promise<Writer> {
    const client = await weft.owner();
    const document = await newPage(client);
    const { data } = await client.auth.getSession();
    const session = randomUUID();
    const who = {
      document,
      session,
      client_id: 1 + Math.floor(Math.random() * 2 ** 31),
      schema_version: SCHEMA_VERSION,
    };
    await rpc(client, 'start_session', who);
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

  /** From now on only what comes counts. */
  forget(): void {
    this.times = [];
    this.refused = 0;
  }

  async run(phase: { readonly isOver: boolean }): Promise<void> {
    while (!phase.isOver) {
      const n = this.#written + 1;
      const asked = performance.now();
      const answer = await this.#ask(
        JSON.stringify({
          ...this.#place,
          n_from: n,
          n_to: n,
          update: UPDATE,
          dependencies: [],
          known_seq: this.#head,
          schema_version: SCHEMA_VERSION,
          // Claims that a live update has sent the edit, or that nobody else is there: the row is not published (L1).
          live_peers: 0,
        }),
      );
      if (answer === null) {
        this.refused++;
        continue;
      }
      this.times.push(performance.now() - asked);
      this.#head = v.parse(appended, JSON.parse(answer)).head;
      this.#written = n;
    }
  }
}

/** Null: refused. */
function post(url: string, agent: Agent, headers: Record<string, string>, body: string): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const asking = request(url, {
      agent,
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    });
    asking.on('response', (response) => {
      text(response).then((answer) => resolve(response.statusCode === 200 ? answer : null), reject);
    });
    asking.on('error', reject);
    asking.end(body);
  });
}
