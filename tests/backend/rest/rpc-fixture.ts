// Functions of every kind that PostgREST knows, for tests of `/rest/v1/rpc`.
export const FUNCTIONS = `
  create table public.pieces (id int primary key, name text, made timestamptz);
  insert into public.pieces values (1, 'pawn', '2026-11-21 00:09:07.006+00'), (2, 'rook', null);
  create type public.point as (x int, y int);
  create function public.f_void(a int) returns void language sql as $$ select $$;
  create function public.f_int(a int, b int default 7) returns int language sql as $$ select a + b $$;
  create function public.f_big() returns bigint language sql as $$ select 9007199254740993 $$;
  create function public.f_price(a int, out price numeric(8,2), out total numeric(20,2)) language sql as $$
    select 12.50, 9007199254740993.10
  $$;
  create function public.f_text(a text) returns text language sql stable as $$ select a $$;
  create function public.f_null() returns text language sql as $$ select null::text $$;
  create function public.f_json(a jsonb) returns jsonb language sql as $$ select a $$;
  create function public.f_bytes(a bytea) returns bytea language sql as $$ select a || a $$;
  create function public.f_time(a timestamptz) returns timestamptz language sql as $$ select a $$;
  create function public.f_array(a int[]) returns int[] language sql as $$ select a || 9 $$;
  create function public.f_bool(a boolean) returns boolean language sql immutable as $$ select not a $$;
  create function public.f_uuid(a uuid) returns uuid language sql as $$ select a $$;
  create function public.f_point(a public.point) returns public.point language sql as $$ select a.y, a.x $$;
  create function public.f_out(a int, out b int, out c text) language sql as $$ select a, 'c' $$;
  create function public.f_one_out(out b int) language sql as $$ select 5 $$;
  create function public.f_ints(a int) returns setof int language sql stable as $$ select generate_series(1, a) $$;
  create function public.f_rows(a int) returns setof public.pieces language sql stable as $$ select * from public.pieces where id <= a order by id $$;
  create function public.f_table(a int) returns table (n int, t text) language sql stable as $$ select a, 't' $$;
  create function public.f_named("limit" int, "User Name" text) returns text language sql as $$ select "User Name" || "limit" $$;
  create function public.f_over(a int) returns text language sql as $$ select 'one' $$;
  create function public.f_over(a int, b int) returns text language sql as $$ select 'two' $$;
  create function public.f_twin(a int) returns text language sql as $$ select 'int' $$;
  create function public.f_twin(a text) returns text language sql as $$ select 'text' $$;
  create function public.f_unnamed(json) returns json language sql as $$ select $1 $$;
  create function public.f_many(variadic a int[]) returns int language sql as $$ select cardinality(a) $$;
  create function public.f_any(a anyelement) returns anyelement language sql as $$ select a $$;
  create function public.f_write() returns int language sql as $$ insert into public.pieces values (9, 'queen', null) returning id $$;
  create function public.f_divide(a int) returns int language plpgsql as $$ begin return 1 / a; end $$;
  create function public.f_raise(state text) returns void language plpgsql as $$
  begin
    raise exception using errcode = state, message = 'the message', detail = 'the detail', hint = 'the hint';
  end $$;
  create function public.f_say(status text, headers text) returns text language plpgsql as $$
  begin
    perform set_config('response.status', status, true), set_config('response.headers', headers, true);
    return 'said';
  end $$;
  create function public.f_say_rows(status text) returns setof int language plpgsql as $$
  begin
    perform set_config('response.status', status, true);
  end $$;
  create function public.f_pgrst(message text, detail text) returns void language plpgsql as $$
  begin
    raise sqlstate 'PGRST' using message = message, detail = detail;
  end $$;
  create function public.f_asked() returns jsonb language sql as $$
    select jsonb_build_object(
      'role', current_user, 'claims', current_setting('request.jwt.claims', true)::jsonb - 'iat' - 'exp',
      'sub', current_setting('request.jwt.claim.sub', true), 'claim_role', current_setting('request.jwt.claim.role', true),
      'uid', auth.uid(), 'method', current_setting('request.method', true), 'path', current_setting('request.path', true),
      'header', current_setting('request.headers', true)::jsonb ->> 'x-test'
    )
  $$;
  create function public.f_secret() returns text language sql as $$ select 'secret' $$;
  revoke execute on function public.f_secret from public, anon, authenticated;
  create schema hidden;
  grant usage on schema hidden to anon, authenticated, service_role;
  create function hidden.f_hidden() returns text language sql as $$ select 'hidden' $$;
`;
