// Who wrote a comment: their tag and their name.
import type { UserId } from 'weft-sync/protocol/ids.ts';
import { capitalized } from '../../../lib/text/capitalized.ts';
import { useAuthorNames, useProfiles } from '../../../state/hooks.ts';
import { SOMEONE_WHO_LEFT } from '../../../state/people/author-name.ts';
import { PersonTag } from '../../../ui/people/person-tag.tsx';

/** The name as it follows "by". Null: someone who deleted their account. */
export function useNamesInText(): (author: UserId | null) => string {
  const nameOf = useAuthorNames();
  return (author) => (author === null ? SOMEONE_WHO_LEFT : nameOf(author)) ?? 'someone';
}

/** The name as it begins a line. */
export function useCommentNames(): (author: UserId | null) => string {
  const nameOf = useNamesInText();
  return (author) => capitalized(nameOf(author));
}

export function AuthorTag({ author }: { readonly author: UserId | null }) {
  const name = useCommentNames()(author);
  const profiles = useProfiles();
  const profile = author === null ? undefined : profiles.get(author);
  // Initials are those of the name, also of this person's own.
  return (
    <PersonTag
      size="small"
      name={profile?.displayName ?? name}
      color={profile?.color ?? null}
      picture={profile?.avatarPath}
    />
  );
}
