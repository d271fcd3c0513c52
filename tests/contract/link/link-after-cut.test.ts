// A network that goes away and comes back under supabase-js. realtime-js alone would wait 1, 2, 5 and then 10 seconds.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '@supabase/supabase-js';
import { expect, test } from 'vitest';
import type { LinkEvents } from 'weft-sync/ports.ts';
import { supabaseLink } from 'weft-sync/supabase/realtime/link.ts';
import { ClientNetwork } from '../../../bench/client-network.ts';
import { PASSWORD, startTestBackend } from '../../support/server/backend.ts';
import { until } from '../contract-fixture.ts';

test('[SY7] [LK5] a join after the network is back does not wait for the retry of realtime-js', async () => {
  const backend = await startTestBackend();
  const network = new ClientNetwork();
  const client = createClient(backend.url, backend.server.anonKey, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    realtime: { transport: network.WebSocket },
    global: { fetch: network.fetch },
  });
  await client.auth.signUp({ email: 'alice@example.com', password: PASSWORD });
  const document = randomUUID();
  await client.rpc('create_workspace', { id: randomUUID(), name: 'Cut', document });

  const events: string[] = [];
  const on: LinkEvents = {
    joined: () => void events.push('joined'),
    lost: (reason) => void events.push(reason),
    message: () => undefined,
    peers: () => undefined,
  };
  const link = supabaseLink(client);
  link.join(`d:${document}:1.1`, { presence: null }, on);
  await until(() => events.at(-1) === 'joined');
  network.cut();
  await until(() => events.at(-1) === 'disconnected');
  // Long enough for one failed try of realtime-js: its next try would be two seconds away.
  await delay(1_300);
  network.restore();
  const channel = link.join(`d:${document}:1.1`, { presence: null }, on);
  await until(() => events.at(-1) === 'joined', 1_000);
  expect(events).toEqual(['joined', 'disconnected', 'joined']);
  channel.leave();
  await client.realtime.disconnect();
  await backend.close();
});
