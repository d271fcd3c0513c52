// Sets the signed-in person's picture, loads anyone's, and deletes the person's account.
import type { SupabaseClient } from '@supabase/supabase-js';
import { type WeftError, weftError } from 'weft-sync/protocol/errors.ts';
import type { UserId } from 'weft-sync/protocol/ids.ts';
import { call } from 'weft-sync/supabase/call.ts';
import { toWeftError } from 'weft-sync/supabase/to-weft-error.ts';
import { randomUuid } from '../../lib/random-uuid.ts';
import { type Result, err, ok } from '../../lib/result.ts';
import type { OwnAccount } from '../../ports/account.ts';
import type { Profile } from '../../protocol/answers.ts';
import { accountDeletion, updatedProfile } from '../../protocol/people-answers.ts';
import { accessToken } from './access-token.ts';
import { storageError } from './attachments.ts';

const AVATARS = 'avatars';
/** 1 MiB may take long on a slow line. */
const UPLOAD_TIMEOUT_MS = 60_000;

export function supabaseOwnAccount(
  client: SupabaseClient,
  project: { readonly url: string; readonly anonKey: string },
  user: UserId,
): OwnAccount {
  const bucket = () => client.storage.from(AVATARS);

  async function upload(picture: Blob): Promise<Result<string, WeftError>> {
    const path = `${user}/${randomUuid()}`;
    const access = await accessToken(client);
    if (!access.ok) return access;
    if (access.value === null) return err(weftError('WF003'));
    try {
      // supabase-js sends a "cache-control" of its own; the policies want this one.
      const response = await fetch(`${project.url}/storage/v1/object/${AVATARS}/${path}`, {
        method: 'POST',
        headers: {
          apikey: project.anonKey,
          authorization: `Bearer ${access.value}`,
          'cache-control': 'private, no-store',
          'content-type': picture.type,
        },
        body: picture,
        signal: AbortSignal.timeout(UPLOAD_TIMEOUT_MS),
      });
      const text = await response.text();
      return response.ok ? ok(path) : err(toWeftError({ message: text }, response.status));
    } catch (error) {
      return err(weftError('WF011', String(error)));
    }
  }

  async function setPath(
    profile: Pick<Profile, 'displayName' | 'color'>,
    path: string | null,
  ): Promise<Result<Profile, WeftError>> {
    const args = { display_name: profile.displayName, color: profile.color, avatar_path: path };
    const answer = await call(client.rpc('update_profile', args), updatedProfile);
    if (!answer.ok) return answer;
    const { leftovers, ...changed } = answer.value;
    // If some stay, the answer to the next change names them again.
    if (leftovers.length > 0) await bucket().remove(leftovers);
    return ok(changed);
  }

  return {
    async setPicture(profile, picture) {
      if (picture === null) return setPath(profile, null);
      const path = await upload(picture);
      return path.ok ? setPath(profile, path.value) : path;
    },
    async picture(path) {
      const { data, error } = await bucket().download(path);
      if (error === null) return ok(data);
      const refused = storageError(error);
      return err(refused === 'exists' ? weftError('unknown', error.message) : refused);
    },
    async deleteAccount(profile) {
      // Afterwards no one may remove the picture.
      const removed = await setPath(profile, null);
      if (!removed.ok) return removed;
      // Each call deletes a part, if the person wrote much.
      for (;;) {
        const answer = await call(client.rpc('delete_account'), accountDeletion);
        if (!answer.ok) return answer;
        if (answer.value.isDeleted) return ok(undefined);
      }
    },
  };
}
