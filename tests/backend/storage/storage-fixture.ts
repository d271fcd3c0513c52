// A backend with two buckets: `private`, where every signed-in user has a folder, and `open`, which is public.
import { createHash } from 'node:crypto';
import type { SupabaseClient } from '@supabase/supabase-js';
import { type Person, type TestBackend, startTestBackend } from '../../support/server/backend.ts';

export type StorageFixture = {
  readonly backend: TestBackend;
  readonly alice: Person;
  readonly bob: Person;
  readonly service: SupabaseClient;
  /** The private bucket, used by `client`. */
  files(client: SupabaseClient): ReturnType<SupabaseClient['storage']['from']>;
  /** Sends a request below /storage/v1; `raw` sends no key, `keyed` sends the anon key. */
  raw(path: string, init?: RequestInit): Promise<Response>;
  keyed(path: string, init?: RequestInit & { readonly token?: string }): Promise<Response>;
  /** The row of an object in the private bucket. */
  row(name: string): Promise<unknown>;
};

export async function startStorage(dir: string | null = null): Promise<StorageFixture> {
  const backend = await startTestBackend({ dir });
  await backend.pg.exec(`
    insert into storage.buckets (id, name, public) values ('private', 'private', false), ('open', 'open', true);
    create policy weft_test_own on storage.objects for all to authenticated
      using (bucket_id = 'private' and (storage.foldername(name))[1] = auth.uid()::text)
      with check (bucket_id = 'private' and (storage.foldername(name))[1] = auth.uid()::text);
  `);
  const raw = (path: string, init?: RequestInit) => fetch(`${backend.url}/storage/v1/${path}`, init);
  return {
    backend,
    alice: await backend.signUp('alice@example.com'),
    bob: await backend.signUp('bob@example.com'),
    service: backend.serviceClient(),
    files: (client) => client.storage.from('private'),
    raw,
    keyed: (path, { token, ...init } = {}) => {
      const headers = new Headers(init.headers);
      headers.set('apikey', backend.server.anonKey);
      if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
      return raw(path, { ...init, headers });
    },
    row: async (name) => {
      const { rows } = await backend.pg.query(
        `select id, metadata, user_metadata from storage.objects where bucket_id = 'private' and name = $1`,
        [name],
      );
      return rows[0];
    },
  };
}

export async function tokenOf({ client }: Person): Promise<string> {
  const { data } = await client.auth.getSession();
  if (data.session === null) throw new Error('no one is signed in');
  return data.session.access_token;
}

export const md5 = (text: string): string => `"${createHash('md5').update(text).digest('hex')}"`;
