// Weft's own session on its real ports: supabase-js over HTTP and WebSocket, real time, a device in memory.
import { randomUUID } from 'node:crypto';
import { type SupabaseClient, createClient } from '@supabase/supabase-js';
import { browserClock, browserRandom } from '../../src/platform/browser/clock.ts';
import { MemoryLocks } from '../../src/platform/memory/memory-locks.ts';
import { MemoryTabs } from '../../src/platform/memory/memory-tabs.ts';
import { MemoryStore } from '../../src/platform/memory/memory-store.ts';
import { MemorySurroundings } from '../../src/platform/memory/memory-surroundings.ts';
import { supabaseLink } from '../../src/platform/supabase/link.ts';
import { supabaseLog } from '../../src/platform/supabase/log.ts';
import { type DocumentId, type UserId, parseDocumentId, parseUserId } from '../../src/protocol/ids.ts';
import { SCHEMA_VERSION } from '../../src/protocol/limits.ts';
import { openSession } from '../../src/sync/session.ts';
import type { Session } from '../../src/sync/session-api.ts';
import { Border } from '../border.ts';
import type { ServerAddress } from '../servers/say-address.ts';
import { until } from '../until.ts';
import type { Opened, System } from './system.ts';

export type WeftOpened = Opened & { readonly session: Session };
/** `frames` off: rows mode alone, in which everybody else's text comes from the log. */
export type WeftOptions = { readonly frames: boolean };
type Account = { readonly user: UserId; readonly email: string };

const PASSWORD = 'correct horse battery';

export class Weft implements System {
  readonly #server: ServerAddress;
  /** The owner of every page; writes nothing. */
  #owner: SupabaseClient | null = null;
  readonly #accounts: Account[] = [];
  readonly #documents = new Map<string, { readonly id: DocumentId; people: number }>();

  // The frames layer is being built: until it lands, both variants are rows mode.
  constructor(server: ServerAddress, _options: WeftOptions) {
    this.#server = server;
  }

  async open(name: string, border: Border): Promise<WeftOpened> {
    const client = this.#client(border);
    const { id, user } = await this.#admit(name, client);
    const surroundings = new MemorySurroundings();
    const session = openSession(id, {
      user,
      schemaVersion: SCHEMA_VERSION,
      ports: {
        clock: browserClock,
        random: browserRandom,
        log: supabaseLog(client),
        link: supabaseLink(client),
        store: new MemoryStore(),
        locks: new MemoryLocks().tab(),
        tabs: new MemoryTabs(browserClock).tab(),
        surroundings,
      },
    });
    await until(() => session.getView().editable && session.getView().connection === 'live');
    return {
      session,
      get doc() {
        return session.doc;
      },
      awareness: session.awareness,
      isSaved: () => session.getView().receipt === 'saved',
      goOffline() {
        border.cut();
        surroundings.say('offline');
      },
      goOnline() {
        border.mend();
        surroundings.say('online');
      },
      close: async () => {
        await session.close();
        await client.realtime.disconnect();
      },
    };
  }

  async close(): Promise<void> {
    await this.#owner?.realtime.disconnect();
  }

  /** Somebody signed in who may edit the page of that name; people come back from one page to the next. */
  async #admit(name: string, client: SupabaseClient): Promise<{ id: DocumentId; user: UserId }> {
    const owner = (this.#owner ??= await this.#signedUp());
    const page = this.#documents.get(name) ?? { id: await newPage(owner), people: 0 };
    this.#documents.set(name, page);
    const account = this.#accounts[page.people++] ?? (await this.#newAccount());
    const { error } = await client.auth.signInWithPassword({ email: account.email, password: PASSWORD });
    if (error !== null) throw new Error(`sign-in failed: ${error.message}`);
    await rpc(owner, 'set_document_member', { document: page.id, user: account.user, role: 'editor' });
    return { id: page.id, user: account.user };
  }

  async #signedUp(): Promise<SupabaseClient> {
    const client = this.#client(new Border());
    const email = `${randomUUID()}@example.com`;
    const { error } = await client.auth.signUp({ email, password: PASSWORD });
    if (error !== null) throw new Error(`sign-up failed: ${error.message}`);
    return client;
  }

  async #newAccount(): Promise<Account> {
    const client = await this.#signedUp();
    const { data } = await client.auth.getUser();
    const { id = '', email = '' } = data.user ?? {};
    const user = parseUserId(id);
    if (user === null) throw new Error('the account has no id');
    const account = { user, email };
    this.#accounts.push(account);
    return account;
  }

  #client(border: Border): SupabaseClient {
    return createClient(this.#server.url, this.#server.anonKey, {
      auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
      realtime: { transport: border.WebSocket },
      global: { fetch: border.fetch },
    });
  }
}

async function newPage(owner: SupabaseClient): Promise<DocumentId> {
  const id = parseDocumentId(randomUUID());
  if (id === null) throw new Error('malformed id');
  await rpc(owner, 'create_workspace', { id: randomUUID(), name: 'Bench', document: id });
  return id;
}

async function rpc(client: SupabaseClient, name: string, args: Record<string, unknown>): Promise<unknown> {
  const { data, error } = await client.rpc(name, args);
  if (error !== null) throw new Error(`${name}: ${error.code} ${error.message} ${error.details}`);
  return data;
}
