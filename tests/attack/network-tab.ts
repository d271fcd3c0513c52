// A tab with a page open, as a whole session over supabase-js, HTTP and a WebSocket of its own that can be cut.
import { type SupabaseClient, createClient } from '@supabase/supabase-js';
import { type DocumentId, parseUserId } from 'weft-sync/protocol/ids.ts';
import type { Session } from 'weft-sync/session/session-api.ts';
import type { SessionOptions } from 'weft-sync/session/session-options.ts';
import { openSession } from 'weft-sync/session/session.ts';
import { ClientNetwork } from '../../bench/client-network.ts';
import { SCHEMA_VERSION } from '../../src/protocol/limits.ts';
import type { TestBackend } from '../support/server/backend.ts';
import { newPage } from '../support/server/rpc.ts';
import { supabasePorts } from '../support/server/supabase-ports.ts';

type Author = { readonly user: string; readonly token: string };

export class NetworkTab {
  readonly network = new ClientNetwork();
  readonly client: SupabaseClient;
  readonly session: Session;
  /** Frames that were sent (`up`) and received, by Phoenix event. */
  readonly up = new Map<string, number>();
  readonly down = new Map<string, number>();
  /** Tries to open a WebSocket, successful or not. */
  tries = 0;

  constructor(
    { url, server }: TestBackend,
    document: DocumentId,
    { user, token }: Author,
    options: Partial<SessionOptions>,
  ) {
    const tried = () => this.tries++;
    const transport = class extends this.network.WebSocket {
      constructor(address: string | URL, protocols?: string | string[]) {
        super(address, protocols);
        tried();
      }
    };
    this.client = createClient(url, server.anonKey, {
      accessToken: () => Promise.resolve(token),
      realtime: { transport },
      global: { fetch: this.network.fetch },
    });
    this.network.onMessage((direction, message, isBinary) => {
      const [, , , event]: unknown[] = isBinary
        ? [null, null, null, 'binary']
        : JSON.parse(Buffer.from(message).toString());
      const counts = this[direction];
      counts.set(String(event), (counts.get(String(event)) ?? 0) + 1);
    });
    const id = parseUserId(user);
    if (id === null) throw new Error('malformed id');
    this.session = openSession(document, {
      user: id,
      schemaVersion: SCHEMA_VERSION,
      ports: supabasePorts(this.client),
      ...options,
    });
  }

  get isLive(): boolean {
    return this.session.getView().connection === 'live';
  }

  get text(): string {
    return this.session.doc.getText('t').toString();
  }

  type(characters: string): void {
    this.session.doc.getText('t').insert(0, characters);
  }

  async close(): Promise<void> {
    await this.session.close();
    await this.client.realtime.disconnect();
  }
}

/** A new page of a new person, open in this many tabs of theirs. */
export async function openPage(
  backend: TestBackend,
  tabs: number,
  options: Partial<SessionOptions> = {},
): Promise<readonly NetworkTab[]> {
  const { client, id: user } = await backend.signUp();
  const document = await newPage(client);
  const { data } = await client.auth.getSession();
  const author = { user, token: data.session?.access_token ?? '' };
  return Array.from({ length: tabs }, () => new NetworkTab(backend, document, author, options));
}
