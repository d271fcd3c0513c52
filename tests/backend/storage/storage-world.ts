// A backend with two buckets: `private`, where everybody signed in has a folder of their own, and `open`.
import { createHash } from 'node:crypto';
import type { SupabaseClient } from '@supabase/supabase-js';
import { type Person, type TestBackend, startTestBackend } from '../../support/server/backend.ts';

export type StorageWorld = {
  readonly backend: TestBackend;
  readonly alice: Person;
  readonly bob: Person;
  readonly service: SupabaseClient;
  /** The private bucket as somebody sees it. */
  files(client: SupabaseClient): ReturnType<SupabaseClient['storage']['from']>;
  /** A request below /storage/v1, without a key unless it is given. */
  raw(path: string, init?: RequestInit): Promise<Response>;
  keyed(path: string, init?: RequestInit & { readonly token?: string }): Promise<Response>;
  /** The row of an object in the private bucket. */
  row(name: string): Promise<unknown>;
};

export async function startStorageWorld(dir: string | null = null): Promise<StorageWorld> {
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
  if (data.session === null) throw new Error('nobody is signed in');
  return data.session.access_token;
}

export const md5 = (text: string): string => `"${createHash('md5').update(text).digest('hex')}"`;
