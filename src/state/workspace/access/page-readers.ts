// Says of people mentioned in comments whether they can open the page and read its comments: a person who can't is not
// notified, and a manager may give them access.
import type { WeftError } from 'weft-sync/protocol/errors.ts';
import type { DocumentId, UserId } from 'weft-sync/protocol/ids.ts';
import { type DocumentRole, mayManage } from 'weft-sync/protocol/roles.ts';
import { coalesced } from '../../../lib/async/coalesced.ts';
import { type Result, ok } from '../../../lib/result.ts';
import type { Membership, PageAccess } from '../../../ports/workspace.ts';
import type { WorkspaceId } from '../../../protocol/ids.ts';

export interface PageReaders {
  readonly load: () => Promise<void>;
  /** Known not to be able to open the page. False while that is not known. */
  readonly isShutOut: (person: UserId) => boolean;
  /** Known not to be able to read the comments: shut out, or a viewer of a page whose comments viewers don't read. */
  readonly readsNoComments: (person: UserId) => boolean;
  /** False if only people who may comment read the comments. */
  readonly mayViewersRead: () => boolean;
  /** Reads no comments, and can be given a role: this person manages the page, and they are in its workspace. */
  readonly mayAdd: (person: UserId) => boolean;
  /** Leaves a role alone that someone has got meanwhile. */
  readonly add: (people: readonly UserId[], role: DocumentRole) => Promise<Result<void, WeftError>>;
}

type Known = {
  /** The roles of those who can open the page. */
  readonly roles: ReadonlyMap<UserId, DocumentRole>;
  readonly mayViewersRead: boolean;
  /** The people whom this person may add; none unless this person manages the page. */
  readonly candidates: ReadonlySet<UserId>;
};

export function pageReaders(options: {
  readonly document: DocumentId;
  readonly workspace: WorkspaceId;
  readonly me: UserId;
  readonly access: Pick<PageAccess, 'people' | 'setRole'>;
  readonly membership: Pick<Membership, 'members'>;
}): PageReaders {
  const { document, workspace, me, access, membership } = options;
  let known: Known | null = null;
  const load = coalesced(async () => {
    const [answer, members] = await Promise.all([access.people(document), membership.members(workspace)]);
    if (!answer.ok) return;
    const { people, commentReaders } = answer.value;
    const own = people.find(({ user }) => user === me);
    // The database names no one else to a person who has only a link.
    if (own === undefined || own.sources.every(({ kind }) => kind === 'link')) return;
    known = {
      roles: new Map(people.map(({ user, role }) => [user, role])),
      mayViewersRead: commentReaders !== 'commenters',
      candidates: new Set(mayManage(own.role) && members.ok ? members.value.map(({ user }) => user) : []),
    };
  });
  const isShutOut = (person: UserId) => known !== null && !known.roles.has(person);
  const mayViewersRead = () => known?.mayViewersRead !== false;
  const readsNoComments = (person: UserId) =>
    isShutOut(person) || (!mayViewersRead() && known?.roles.get(person) === 'viewer');
  const mayAdd = (person: UserId) => readsNoComments(person) && known?.candidates.has(person) === true;
  return {
    load,
    isShutOut,
    readsNoComments,
    mayViewersRead,
    mayAdd,
    async add(people, role) {
      await load();
      for (const person of people.filter(mayAdd)) {
        const answer = await access.setRole(document, person, role);
        if (!answer.ok) return answer;
      }
      await load();
      return ok(undefined);
    },
  };
}
