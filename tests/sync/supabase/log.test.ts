// What the Log port on Supabase sends.
import type { SupabaseClient } from '@supabase/supabase-js';
import { expect, test } from 'vitest';
import { parseDocumentId, parseSessionId } from 'weft-sync/protocol/ids.ts';
import { supabaseLog, supabaseWatchLog } from 'weft-sync/supabase/log.ts';
import { parseLinkSecret } from '../../../src/protocol/ids.ts';

function must<T>(id: T | null): T {
  if (id === null) throw new Error('malformed id');
  return id;
}
const document = must(parseDocumentId('0a0a0a0a-0000-4000-8000-000000000001'));
const session = must(parseSessionId('0a0a0a0a-0000-4000-8000-000000000002'));
const secret = must(parseLinkSecret('AAAAAAAAAAAAAAAAAAAAAA'));
const NO_BYTES = new Uint8Array(0);

test('[HI1] every call that names a row names its time', async () => {
  const times: Record<string, unknown> = {};
  const refused = { data: null, error: { code: 'WF001', message: '' }, status: 400 };
  const client = {
    rpc(name: string, args: Record<string, unknown>) {
      times[name] = args['known_at'];
      return { abortSignal: () => Promise.resolve(refused) };
    },
  } as unknown as SupabaseClient;
  const log = supabaseLog(client);
  const call = { document, knownSeq: 7, knownAt: 70, update: NO_BYTES, schemaVersion: 1, livePeers: null };
  await log.open(document, 7, 70);
  await log.append({ ...call, session, nFrom: 1, nTo: 1, dependencies: [] });
  await log.putBack(call);
  await log.rowsSince(document, 7, 500, null, 70);
  await log.keepWatching(document, 7, null, 70);
  await log.saveText(document, 7, 'Title', 'text', { at: 70 });
  await log.saveSnapshot(document, { seq: 7, at: 70, state: NO_BYTES, sha256: '' });
  await supabaseWatchLog(client).openWatch(secret, 7, null, 70);
  expect(times).toEqual({
    open_document: 70,
    append_update: 70,
    put_back: 70,
    rows_since: 70,
    keep_watching: 70,
    save_text: 70,
    save_snapshot: 70,
    open_watch: 70,
  });
});
