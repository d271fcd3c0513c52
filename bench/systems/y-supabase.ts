// y-supabase over the embedded Realtime: a public channel, as its README uses it. Its persistence is off: it would need a
// table that Weft's database does not have, and no goal measures it.
import { SupabaseProvider } from '@supabase-labs/y-supabase';
import { createClient } from '@supabase/supabase-js';
import { Awareness } from 'y-protocols/awareness';
import * as Y from 'yjs';
import type { ClientNetwork } from '../client-network.ts';
import type { ServerAddress } from '../servers/server-address.ts';
import type { OpenedDocument, System } from './system.ts';

export const ySupabase = (server: ServerAddress): System => ({
  open: (document, network) => open(server, document, network),
  close: () => Promise.resolve(),
});

async function open(
  { url, anonKey }: ServerAddress,
  document: string,
  network: ClientNetwork,
): Promise<OpenedDocument> {
  const client = createClient(url, anonKey, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    realtime: { transport: network.WebSocket },
    global: { fetch: network.fetch },
  });
  const doc = new Y.Doc();
  const awareness = new Awareness(doc);
  const provide = () => new SupabaseProvider(document, doc, client, { awareness });
  let provider = provide();
  await new Promise<void>((resolve) => provider.on('connect', () => resolve()));
  return {
    doc,
    awareness,
    receipts: null,
    // It cannot pause: destroy the provider and create a new one on the same document.
    goOffline() {
      provider.destroy();
      network.cut();
    },
    goOnline() {
      network.restore();
      provider = provide();
    },
    close: async () => {
      provider.destroy();
      doc.destroy();
      await client.realtime.disconnect();
    },
  };
}
