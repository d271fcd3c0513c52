// supabase-js reports a request that the gateway refuses. Each of its clients has its own form of errors, with the
// code, the status and the sentence.
import { type SupabaseClient, createClient } from '@supabase/supabase-js';
import { afterEach, describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../../backend/gateway/limits.ts';
import { type GatewayServer, startGateway } from './support/gateway-server.ts';

const servers: GatewayServer[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));

/** Without retries, so that the first answer counts. */
async function clientOf(limits: NonNullable<Parameters<typeof startGateway>[0]>['limits']): Promise<SupabaseClient> {
  const server = await startGateway({ limits: { forLoopback: true, ...limits } });
  servers.push(server);
  const auth = { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false };
  return createClient(server.url, 'sb_publishable_key', { auth, db: { retry: false } });
}

const NONE_LEFT = { requests: { burst: 0, perSecond: 0.01 } };
const LONG = 'x'.repeat(2_000);

describe('too many requests', () => {
  const message = 'Too many requests from this address.';

  test('are a rate limit for Auth', async () => {
    const { error } = await (await clientOf(NONE_LEFT)).auth.signInWithPassword({ email: 'a@b.c', password: 'x' });
    expect(error).toMatchObject({ name: 'AuthApiError', status: 429, code: 'over_request_rate_limit', message });
  });

  test('are 429 for REST, for tables and functions', async () => {
    const client = await clientOf(NONE_LEFT);
    for (const answer of [await client.from('things').select(), await client.rpc('do_it')])
      expect(answer).toMatchObject({ status: 429, error: { code: '429', message, details: null, hint: null } });
  });

  test('are 429 for Storage', async () => {
    const { error } = await (await clientOf(NONE_LEFT)).storage.from('files').list();
    expect(error).toMatchObject({ name: 'StorageApiError', status: 429, statusCode: '429', message });
  });
});

describe('a body that is too large', () => {
  const message = 'A request may be at most 100 bytes long.';

  test('is 413 for Auth', async () => {
    const { error } = await (
      await clientOf({ body: { ...DEFAULT_LIMITS.body, bytes: 100 } })
    ).auth.signUp({ email: 'a@b.c', password: LONG });
    expect(error).toMatchObject({ name: 'AuthApiError', status: 413, code: 'validation_failed', message });
  });

  test('is 413 for REST', async () => {
    const answer = await (
      await clientOf({ body: { ...DEFAULT_LIMITS.body, bytes: 100 } })
    )
      .from('things')
      .insert({ text: LONG });
    expect(answer).toMatchObject({ status: 413, error: { code: '413', message } });
  });

  test('is 413 for Storage', async () => {
    const { error } = await (
      await clientOf({ body: { ...DEFAULT_LIMITS.body, bytes: 100 } })
    ).storage
      .from('files')
      .upload('a.txt', LONG);
    expect(error).toMatchObject({ name: 'StorageApiError', status: 413, statusCode: '413', message });
  });
});

describe('too many bytes at once', () => {
  const full = { bodyBytesInTotal: 100 };
  const message = 'Too much is being sent at once.';

  test('is retryable for Auth', async () => {
    const { error } = await (await clientOf(full)).auth.signUp({ email: 'a@b.c', password: LONG });
    expect(error).toMatchObject({ name: 'AuthRetryableFetchError', status: 503, message });
  });

  test('is 503 for REST', async () => {
    const answer = await (await clientOf(full)).from('things').insert({ text: LONG });
    expect(answer).toMatchObject({ status: 503, error: { code: '503', message } });
  });

  test('is 503 for Storage', async () => {
    const { error } = await (await clientOf(full)).storage.from('files').upload('a.txt', LONG);
    expect(error).toMatchObject({ name: 'StorageApiError', status: 503, statusCode: '503', message });
  });
});
