// The share links of one page: list, create, revoke. The secret of a new link is returned once and stored nowhere.
import { type Atom, atom } from 'jotai/vanilla';
import type { Result } from '../../lib/result.ts';
import type { CreatedLink, ShareLink } from '../../protocol/answers.ts';
import type { WeftError } from '../../protocol/errors.ts';
import type { DocumentId, LinkId } from '../../protocol/ids.ts';
import type { People } from '../people/people.ts';
import type { Directory } from '../ports.ts';
import type { Store } from '../store.ts';

export type LinkList = {
  /** Active links: view links first, then edit links, newest first. Null before the first answer. */
  readonly links: readonly ShareLink[] | null;
  readonly error: WeftError | null;
};

export interface Sharing {
  readonly atom: Atom<LinkList>;
  readonly load: () => Promise<void>;
  readonly create: (role: ShareLink['role'], expiresAt: number | null) => Promise<Result<CreatedLink, WeftError>>;
  readonly revoke: (link: LinkId) => Promise<Result<void, WeftError>>;
}

const ORDER: readonly ShareLink['role'][] = ['viewer', 'commenter', 'editor'];

export function sharingOf(options: {
  readonly documentId: DocumentId;
  readonly store: Store;
  readonly directory: Pick<Directory, 'links' | 'createLink' | 'revokeLink'>;
  readonly people: Pick<People, 'ensureLoaded'>;
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

  return {
    atom: listAtom,
    async load() {
      const answer = await directory.links(documentId);
      if (answer.ok) show(answer.value);
      else store.set(listAtom, { ...store.get(listAtom), error: answer.error });
    },
    async create(role, expiresAt) {
      const answer = await directory.createLink(documentId, role, expiresAt);
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
