// Weft's session on its real ports: supabase-js over HTTP and WebSocket, real time, a device in memory.
import { randomUUID } from 'node:crypto';
import { type SupabaseClient, createClient } from '@supabase/supabase-js';
import * as v from 'valibot';
import { type DocumentId, type UserId, parseUserId, type LinkSecret } from 'weft-sync/protocol/ids.ts';
import type { Session } from 'weft-sync/session/session-api.ts';
import { openSession } from 'weft-sync/session/session.ts';
import { createdLink } from '../../src/protocol/answers.ts';
import { SCHEMA_VERSION } from '../../src/protocol/limits.ts';
import { newPage, rpc } from '../../tests/support/server/rpc.ts';
import { supabasePorts } from '../../tests/support/server/supabase-ports.ts';
import { ClientNetwork } from '../client-network.ts';
import type { ServerAddress } from '../servers/server-address.ts';
import { until } from '../until.ts';
import type { OpenedDocument, System } from './system.ts';

export type OpenedWeftPage = OpenedDocument & { readonly session: Session };
/** A person who is signed in and may edit a page. */
export type Member = {
  readonly id: DocumentId;
  readonly user: UserId;
  readonly client: SupabaseClient;
  readonly network: ClientNetwork;
};
/** Without `liveUpdates`, everyone's text reaches the others only through the log. */
export type WeftOptions = { readonly liveUpdates: boolean };
/** Tokens are reused, so that only signing up costs a password hash. */
type Account = {
  readonly user: UserId;
  readonly tokens: { readonly access_token: string; readonly refresh_token: string };
};

export const PASSWORD = 'correct horse battery';

export class Weft implements System {
  readonly #server: ServerAddress;
  readonly #liveUpdates: boolean;
  /** Owns the pages that `addMember` creates, and writes nothing. */
  #owner: { readonly client: SupabaseClient } | null = null;
  /** The first, second, … person of every page. */
  readonly #people: Account[] = [];
  readonly #documents = new Map<string, { readonly id: DocumentId; people: number }>();

  constructor(server: ServerAddress, { liveUpdates }: WeftOptions) {
    this.#server = server;
    this.#liveUpdates = liveUpdates;
  }

  /** Resolves when the page is live. `nth` as in `addMember`. */
  async open(name: string, network: ClientNetwork, nth?: number): Promise<OpenedWeftPage> {
    const opened = this.enter(await this.addMember(name, network, nth));
    await until(() => opened.session.getView().editable && opened.session.getView().connection === 'live');
    return opened;
  }

  /** Opens the page for a signed-in person; the page has not loaded yet when it returns. */
  enter(
    { id, user, client, network }: Member,
    // The app's value on the embedded backend, which has no message quota.
    liveBudget: (busyPages: number) => number = () => 2_000,
  ): OpenedWeftPage {
    const ports = supabasePorts(client);
    const session = openSession(id, {
      user,
      schemaVersion: SCHEMA_VERSION,
      liveUpdates: this.#liveUpdates,
      liveBudget,
      ports,
    });
    const unsent = () => {
      const { receipt, lastN, ackedN } = session.getView();
      return receipt === 'saved' ? 0 : Math.max(1, lastN - ackedN);
    };
    return {
      session,
      get doc() {
        return session.doc;
      },
      awareness: session.awareness,
      shownEdits: () => {
        const { shownLive, shownByRow } = session.liveDiagnostics();
        return { live: shownLive, byRow: shownByRow };
      },
      receipts: { unsent, subscribe: (run) => void session.subscribe(run) },
      goOffline() {
        network.cut();
        ports.environment.set('offline');
      },
      goOnline() {
        network.restore();
        ports.environment.set('online');
      },
      close: async () => {
        await session.close();
        await client.realtime.disconnect();
      },
    };
  }

  /** Registers an existing page under a name. From then on, `owner` adds the members of every page. */
  addPage(name: string, id: DocumentId, owner: SupabaseClient): void {
    this.#documents.set(name, { id, people: 0 });
    this.#owner = { client: owner };
  }

  async close(): Promise<void> {
    await this.#owner?.client.realtime.disconnect();
  }

  /**
   * Makes a person an editor of the page of that name. `nth` selects the person: by default the next one, so pages share
   * their people; an earlier number is the same person on another device.
   */
  async addMember(name: string, network: ClientNetwork, nth?: number): Promise<Member> {
    const client = this.client(network);
    const owner = await this.owner();
    const page = this.#documents.get(name) ?? { id: await newPage(owner), people: 0 };
    this.#documents.set(name, page);
    const { user, tokens } = (this.#people[nth ?? page.people++] ??= (await this.#signUp()).account);
    const { error } = await client.auth.setSession(tokens);
    if (error !== null) throw new Error(`sign-in failed: ${error.message}`);
    await rpc(owner, 'set_document_member', { document: page.id, person: user, role: 'editor' });
    return { id: page.id, user, client, network };
  }

  /** The secret of a new share link to the page of that name. */
  async linkTo(name: string): Promise<LinkSecret> {
    const document = this.#documents.get(name)?.id;
    const args = { document, role: 'viewer', expires_at: null };
    return v.parse(createdLink, await rpc(await this.owner(), 'create_share_link', args)).secret;
  }

  async owner(): Promise<SupabaseClient> {
    return (this.#owner ??= await this.#signUp()).client;
  }

  async #signUp(): Promise<{ client: SupabaseClient; account: Account }> {
    const client = this.client(new ClientNetwork());
    const { data, error } = await client.auth.signUp({ email: `${randomUUID()}@example.com`, password: PASSWORD });
    const user = parseUserId(data.user?.id ?? '');
    if (error !== null || user === null || data.session === null) throw new Error(`sign-up failed: ${error?.message}`);
    return { client, account: { user, tokens: data.session } };
  }

  /** A client that is not signed in. */
  client(network: ClientNetwork): SupabaseClient {
    return createClient(this.#server.url, this.#server.anonKey, {
      auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
      realtime: { transport: network.WebSocket },
      global: { fetch: network.fetch },
    });
  }
}
