// The Supabase project that the contracts run against: the one given by SUPABASE_URL, SUPABASE_ANON_KEY and
// SUPABASE_SERVICE_ROLE_KEY, or else the embedded backend, which starts and stops with the test file.
import { randomBytes } from 'node:crypto';
import process from 'node:process';
import { type SupabaseClient, createClient } from '@supabase/supabase-js';
import { type Person, startTestBackend } from '../support/server/backend.ts';
import { pause } from './contract-fixture.ts';

export type Project = {
  /** A client without a signed-in user. */
  anonClient(): SupabaseClient;
  /** Signs up a person with an account of their own and signs them in. */
  signUp(): Promise<Person>;
  /** Closes sockets and, on a project that stays, deletes what the signed-up people created. */
  close(): Promise<void>;
};

export async function startProject(): Promise<Project> {
  const { SUPABASE_URL: url, SUPABASE_ANON_KEY: anonKey, SUPABASE_SERVICE_ROLE_KEY: serviceKey } = process.env;
  if (url === undefined || url === '') return startTestBackend();
  if (!anonKey || !serviceKey) throw new Error('SUPABASE_URL needs SUPABASE_ANON_KEY and SUPABASE_SERVICE_ROLE_KEY');
  const project = new GivenProject(url.replace(/\/+$/, ''), anonKey, serviceKey);
  await project.check();
  return project;
}

/** Hosted projects limit sign-ups per address and hour. */
const SIGN_UP_TRIES = 6;
const SIGN_UP_WAIT_MS = 10_000;

class GivenProject implements Project {
  readonly #url: string;
  readonly #anonKey: string;
  readonly #serviceKey: string;
  readonly #clients: SupabaseClient[] = [];
  readonly #people: string[] = [];

  constructor(url: string, anonKey: string, serviceKey: string) {
    this.#url = url;
    this.#anonKey = anonKey;
    this.#serviceKey = serviceKey;
  }

  /** Reports a misconfiguration once, before two hundred tests fail because of it. */
  async check(): Promise<void> {
    const { error, status } = await this.anonClient().rpc('open_watch', { secret: 'A'.repeat(22), since: 0 });
    if (error?.code === 'WF009') return;
    const found = `${status} ${error?.code ?? ''} ${error?.message ?? 'an answer to a link that does not exist'}`;
    if (error?.code === 'PGRST202' || error?.code === '42883') {
      throw new Error(
        `The project at ${this.#url} lacks Weft's migrations: apply supabase/migrations first (supabase db push --remote). It said: ${found}`,
      );
    }
    if (status === 401)
      throw new Error(`The project at ${this.#url} does not take SUPABASE_ANON_KEY. It said: ${found}`);
    throw new Error(`The project at ${this.#url} does not answer as a Weft project does. It said: ${found}`);
  }

  anonClient(): SupabaseClient {
    return this.#client(this.#anonKey);
  }

  async signUp(): Promise<Person> {
    const client = this.anonClient();
    const email = `weft-contract-${randomBytes(6).toString('hex')}@example.com`;
    for (let tries = 1; ; tries++) {
      const { data, error } = await client.auth.signUp({
        email,
        password: randomBytes(18).toString('base64url'),
        options: { data: { display_name: 'Contract' } },
      });
      if (error === null && data.user !== null && data.session !== null) {
        this.#people.push(data.user.id);
        return { id: data.user.id, email, client };
      }
      if (error === null) {
        throw new Error(
          'Signing up asks for a confirmation by mail: turn "Confirm email" off in the project to test it.',
        );
      }
      if (error.status !== 429 || tries === SIGN_UP_TRIES) throw new Error(`sign-up: ${error.code} ${error.message}`);
      await pause(SIGN_UP_WAIT_MS);
    }
  }

  async close(): Promise<void> {
    await this.#forgetPeople();
    await Promise.all(
      this.#clients.map(async (client) => {
        await client.auth.stopAutoRefresh();
        await client.realtime.disconnect();
      }),
    );
  }

  /**
   * Deletes their workspaces with the service key, because no function does that yet, and the people themselves where
   * accounts can be deleted.
   */
  async #forgetPeople(): Promise<void> {
    const service = this.#client(this.#serviceKey);
    if (this.#people.length === 0) return;
    const { error } = await service.from('workspaces').delete().in('created_by', this.#people);
    if (error !== null) say(`workspaces of the contract tests stay: ${error.code} ${error.message}`);
    for (const person of this.#people) {
      const deleted = await service.auth.admin.deleteUser(person);
      if (deleted.error === null) continue;
      say(`accounts weft-contract-…@example.com stay: ${deleted.error.message}`);
      return;
    }
  }

  #client(key: string): SupabaseClient {
    const client = createClient(this.#url, key, {
      auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    });
    this.#clients.push(client);
    return client;
  }
}

const say = (line: string): void => void process.stderr.write(`${line}\n`);
