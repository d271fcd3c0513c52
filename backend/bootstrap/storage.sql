-- Grants of the hosted storage schema; row level security decides. lite would grant them itself, together with everything
-- that the migrations revoke, so it is told not to (see lite/no-regrant.ts).

grant all on storage.buckets, storage.objects to anon, authenticated, service_role;
