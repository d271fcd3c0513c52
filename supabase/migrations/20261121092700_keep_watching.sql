-- Watching with an account. Many viewers leave the live topic for `v:<document>:<epoch>`, where the database alone speaks,
-- and only while somebody listens: this is how they say that they do.

-- The rows after `seq`, as rows_since answers them, and for 60 seconds more those that come. Asked every 15 seconds;
-- written only when 20 of the 60 are gone, so that 500 viewers cost one write.
create function public.keep_watching(document uuid, seq bigint) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  enough timestamptz := clock_timestamp() + interval '40 seconds';
begin
  perform weft.enter(keep_watching.document, 'viewer');
  -- One statement without a lock first: the head is what every append waits for.
  if not exists (
    select
    from public.document_heads as h
    where h.document_id = keep_watching.document and h.watched_until > enough
  ) then
    update public.document_heads as h
    set watched_until = clock_timestamp() + interval '60 seconds'
    where h.document_id = keep_watching.document
      and coalesce(h.watched_until <= enough, true); -- Others may have waited for the same.
  end if;
  return public.rows_since(keep_watching.document, keep_watching.seq, 500);
end
$$;

revoke all on function public.keep_watching from public, anon, authenticated, service_role;
grant execute on function public.keep_watching to authenticated;
