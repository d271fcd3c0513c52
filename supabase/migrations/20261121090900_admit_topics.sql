-- Who may join and send on which Realtime topic (SPECIFICATION.md, points 3 and 6). The forms: src/protocol/topics.ts.
-- A hosted project allows policies on realtime.messages and nothing else in that schema. Realtime probes with rows that
-- hold topic, extension and time only (`private` is false there), so nothing else may be asked about.

-- Defensive throughout: an error inside a policy would refuse everything, with a wrong reason.
create function weft.admits(topic text, extension text, sends boolean) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  me uuid := auth.uid();
  parts text[];
  role public.document_role;
begin
  -- A share link's watch topic, with or without an account: the key in its name is the proof.
  parts := regexp_match(admits.topic, '^w:([A-Za-z0-9_-]{22})$');
  if parts is not null then
    return not sends and admits.extension = 'broadcast' and exists (
      select
      from public.share_links as l join public.documents as d on d.id = l.document_id
      where l.topic_key = parts[1] and weft.is_live(l.revoked_at, l.expires_at) and d.trashed_at is null
    );
  end if;

  if me is null or admits.extension is null or admits.extension not in ('broadcast', 'presence') then
    return false;
  end if;

  -- A person's own topic.
  if admits.topic = 'u:' || me then
    return not sends and admits.extension = 'broadcast';
  end if;

  -- A workspace: its members hear of changes and tell where they are.
  parts := regexp_match(admits.topic, '^k:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}):([0-9]+)$');
  if parts is not null then
    return (not sends or admits.extension = 'presence')
      and weft.workspace_topic(parts[1]::uuid) = admits.topic
      and weft.workspace_role(parts[1]::uuid, me) is not null;
  end if;

  -- A document, live or for viewers in numbers; only in its present epoch.
  parts := regexp_match(
    admits.topic, '^([dv]):([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}):([0-9]+\.[0-9]+)$'
  );
  if parts is null or weft.epoch_of(parts[2]::uuid) is distinct from parts[3] then
    return false;
  end if;
  role := weft.document_role(parts[2]::uuid, me);
  if role is null then
    return false;
  elsif parts[1] = 'v' then
    return not sends and admits.extension = 'broadcast';
  else
    return not sends or admits.extension = 'presence' or role >= 'editor';
  end if;
end
$$;

revoke all on function weft.admits from public, anon, authenticated, service_role;
grant execute on function weft.admits to anon, authenticated;

drop policy if exists weft_receive on realtime.messages;
create policy weft_receive on realtime.messages for select to anon, authenticated
using (weft.admits(realtime.topic(), extension, false));

drop policy if exists weft_send on realtime.messages;
create policy weft_send on realtime.messages for insert to authenticated
with check (weft.admits(realtime.topic(), extension, true));
