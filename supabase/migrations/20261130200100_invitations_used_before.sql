-- An invitation lets each person in once. Somebody who was removed, or left, and opens it again learns that, instead of being
-- offered to join; `hasLeft` says so. Whoever came by it and is still there may open it even if it is used up or ended.
create or replace function public.invite_info(secret text) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  me uuid := auth.uid();
  shown weft.invites;
  was_used boolean;
begin
  select i.* into shown from weft.invites as i where i.secret_hash = weft.hash_secret(invite_info.secret);
  was_used := exists (
    select from weft.invite_uses as u where u.invite_id = shown.id and u.user_id = me
  );
  if shown.id is null or not (was_used or weft.is_invite_open(shown)) then
    perform weft.raise('WF009', 'no open invitation with this secret');
  end if;
  return weft.invite_offer(shown) || jsonb_build_object(
    'emailHint', regexp_replace(shown.email, '^(.).*(@.*)$', '\1…\2'),
    -- The condition of `weft.accept_invite`.
    'hasLeft', was_used and not (
      coalesce(weft.workspace_role(shown.workspace_id, me) >= shown.role, false)
      and (shown.document_id is null or coalesce(
        weft.document_role(shown.document_id, me) >= shown.document_role, false
      ))
    )
  );
end
$$;
