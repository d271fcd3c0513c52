// The database objects that our Realtime needs, and policies that read a table of grants. Creates the roles too, so
// that these tests need nothing else of the embedded backend.
import { readFile } from 'node:fs/promises';
import type pg from 'pg';

const ROLES = ['anon', 'authenticated', 'service_role'];

export async function makeRealtimeSchema(client: pg.Client): Promise<void> {
  // Roles belong to the server, so another template may already have created them.
  for (const role of ROLES) {
    await client.query(
      `do $$ begin
         if to_regrole('${role}') is null then
           create role ${role} nologin noinherit ${role === 'service_role' ? 'bypassrls' : ''};
         end if;
       end $$`,
    );
  }
  await client.query(await readFile(new URL('../../../../backend/realtime/bootstrap.sql', import.meta.url), 'utf8'));
  await client.query(GRANTS);
}

const GRANTS = `
  create table public.grants (topic text, who text, extension text, mode text);
  grant select on public.grants to anon, authenticated;
  create function public.granted(kind text, ext text) returns boolean language sql stable as $$
    select exists (
      select from public.grants g
      where g.topic = realtime.topic() and g.extension = ext and g.mode = kind
        and g.who = coalesce(nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub', current_user)
    )
  $$;
  create policy test_read on realtime.messages for select to anon, authenticated
    using (public.granted('read', extension));
  create policy test_write on realtime.messages for insert to anon, authenticated
    with check (public.granted('write', extension));
`;
