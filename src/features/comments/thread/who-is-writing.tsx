// Says at the foot of a thread who is writing a reply.
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { parseUserId } from 'weft-sync/protocol/ids.ts';
import type { ThreadId } from '../../../protocol/ids.ts';
import { usePerson } from '../../../state/hooks.ts';
import { firstNameOf } from '../../../ui/people/first-name.ts';
import { useComments } from '../comments-context.ts';
import { writingText } from '../plain-text.ts';
import { useCommentNames } from './author.tsx';

export function WhoIsWriting({ thread }: { readonly thread: ThreadId }) {
  const { writers } = useComments();
  const { people } = usePerson();
  const nameOf = useCommentNames();
  const ids = useSyncExternalStore(writers.subscribe, () => writers.of(thread));
  const users = useMemo(() => ids.split(' ').flatMap((id) => parseUserId(id) ?? []), [ids]);
  useEffect(() => people.ensureLoaded(users), [people, users]);
  if (users.length === 0) return null;
  return <p className="thread-writers">{writingText(users.map((user) => firstNameOf(nameOf(user))))}</p>;
}
