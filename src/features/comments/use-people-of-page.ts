// The people of the page, for its comments: who can open it, and who is writing a reply.
import { useMemo } from 'react';
import { mayEdit } from 'weft-sync/protocol/roles.ts';
import type { PageComments } from '../../state/comments/page-comments.ts';
import { type ReplyWriters, replyWriters } from '../../state/comments/reply-writers.ts';
import { usePage, usePerson, useValue, useWorkspace } from '../../state/hooks.ts';
import { type PageReaders, pageReaders } from '../../state/workspace/access/page-readers.ts';

export function usePageReaders(): PageReaders {
  const { documentId: document } = usePage();
  const { access, membership, identity } = usePerson();
  const { workspace } = useWorkspace();
  return useMemo(
    () => pageReaders({ document, workspace: workspace.id, me: identity.id, access, membership }),
    [document, workspace.id, identity.id, access, membership],
  );
}

export function useWriters({ announce }: Pick<PageComments, 'announce'>): ReplyWriters {
  const { sessionAtom, roleAtom } = usePage();
  const { store, identity } = usePerson();
  // Another one once the session has started anew.
  const awareness = useValue(sessionAtom)?.awareness;
  return useMemo(
    () =>
      awareness === undefined
        ? NO_WRITERS
        : replyWriters({
            awareness,
            me: identity.id,
            timing: { after },
            mayEdit: () => mayEdit(store.get(roleAtom)),
            announce,
          }),
    [awareness, identity.id, store, roleAtom, announce],
  );
}

const NO_WRITERS: ReplyWriters = {
  typed: () => undefined,
  ended: () => undefined,
  subscribe: () => () => undefined,
  of: () => '',
};

function after(ms: number, run: () => void) {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}
