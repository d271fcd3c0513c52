// The share links of one page: list, create, revoke. The secret of a new link is returned once and stored nowhere.
import { type Atom, atom } from 'jotai/vanilla';
import type { WeftError } from 'weft-sync/protocol/errors.ts';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { coalesced } from '../../../lib/async/coalesced.ts';
import type { Cancel } from '../../../lib/cancel.ts';
import type { Result } from '../../../lib/result.ts';
import type { Directory } from '../../../ports/workspace.ts';
import type { CreatedLink, ShareLink, WorkspaceChange } from '../../../protocol/answers.ts';
import type { LinkId } from '../../../protocol/ids.ts';
import type { People } from '../../people/people.ts';
import type { AtomStore } from '../../store.ts';

export type LinkList = {
  /** The links that are not revoked: to view, to comment, to edit, each newest first. Null before the first answer. */
  readonly links: readonly ShareLink[] | null;
  readonly error: WeftError | null;
};

export interface Sharing {
  readonly atom: Atom<LinkList>;
  readonly load: () => Promise<void>;
  /** Loads again whenever someone creates, uses or revokes a link, until it is cancelled. */
  readonly follow: () => Cancel;
  readonly create: (
    role: ShareLink['role'],
    expiresAt: number | null,
    name: string | null,
    showsHistory: boolean,
  ) => Promise<Result<CreatedLink, WeftError>>;
  readonly revoke: (link: LinkId) => Promise<Result<void, WeftError>>;
}

const ORDER: readonly ShareLink['role'][] = ['viewer', 'commenter', 'editor'];

export function sharingOf(options: {
  readonly documentId: DocumentId;
  readonly store: AtomStore;
  readonly directory: Pick<Directory, 'links' | 'createLink' | 'revokeLink'>;
  readonly people: Pick<People, 'ensureLoaded'>;
  readonly onChange: (run: (change: WorkspaceChange) => void) => Cancel;
}): Sharing {
  const { documentId, store, directory } = options;
  const listAtom = atom<LinkList>({ links: null, error: null });
  const show = (links: readonly ShareLink[]) => {
    const live = links.filter(({ revokedAt }) => revokedAt === null);
    live.sort((a, b) => ORDER.indexOf(a.role) - ORDER.indexOf(b.role) || b.createdAt - a.createdAt);
    options.people.ensureLoaded(live.flatMap(({ createdBy }) => createdBy ?? []));
    store.set(listAtom, { links: live, error: null });
  };
  const shown = () => store.get(listAtom).links ?? [];

  const load = coalesced(async () => {
    const answer = await directory.links(documentId);
    if (answer.ok) show(answer.value);
    else store.set(listAtom, { ...store.get(listAtom), error: answer.error });
  });

  return {
    atom: listAtom,
    load,
    // Someone who joins by a link counts as a change of access.
    follow: () => options.onChange(({ kind }) => void ((kind === 'link' || kind === 'access') && load())),
    async create(role, expiresAt, name, showsHistory) {
      const answer = await directory.createLink(documentId, role, expiresAt, name, showsHistory);
      if (answer.ok) show([...shown(), answer.value.link]);
      return answer;
    },
    async revoke(link) {
      const answer = await directory.revokeLink(link);
      if (answer.ok) show(shown().filter(({ id }) => id !== link));
      return answer;
    },
  };
}
