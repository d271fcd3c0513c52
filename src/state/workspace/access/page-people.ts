// The people who can open one page: their roles, open requests for access, invitations of guests to the page, and the members
// of the workspace, who can be added.
import { type Atom, atom } from 'jotai/vanilla';
import type { WeftError } from 'weft-sync/protocol/errors.ts';
import type { DocumentId, UserId } from 'weft-sync/protocol/ids.ts';
import type { DocumentRole } from 'weft-sync/protocol/roles.ts';
import { coalesced } from '../../../lib/async/coalesced.ts';
import type { Cancel } from '../../../lib/cancel.ts';
import { type Result, followedBy, ok } from '../../../lib/result.ts';
import type { Membership, PageAccess } from '../../../ports/workspace.ts';
import type { WorkspaceChange } from '../../../protocol/answers.ts';
import type { InviteId, RequestId, WorkspaceId } from '../../../protocol/ids.ts';
import type {
  AccessRequest,
  CommentReaders,
  CreatedInvite,
  Invite,
  Member,
  PagePeople,
} from '../../../protocol/people-answers.ts';
import type { People } from '../../people/people.ts';
import type { AtomStore } from '../../store.ts';

export type PagePeopleView = {
  /** Null before the first answer. */
  readonly access: PagePeople | null;
  /** Empty until they are loaded, and for people who are not in the workspace. */
  readonly members: readonly Member[];
  /** Empty for people who may not answer them. */
  readonly requests: readonly AccessRequest[];
  /** Open invitations to this page; empty for people who may not invite. */
  readonly invites: readonly Invite[];
  readonly error: WeftError | null;
};

export interface PagePeopleState {
  readonly atom: Atom<PagePeopleView>;
  readonly load: () => Promise<void>;
  /** Loads again whenever someone changes who can open the page, until it is cancelled. */
  readonly follow: () => Cancel;
  /** Null removes the role that the person has on this page, by a link too. */
  readonly setRole: (person: UserId, role: DocumentRole | null) => Promise<Result<void, WeftError>>;
  /** `revokesLinks`: the links to the page end at the same moment. */
  readonly setAccess: (access: PagePeople['access'], revokesLinks: boolean) => Promise<Result<void, WeftError>>;
  readonly setCommentReaders: (readers: CommentReaders) => Promise<Result<void, WeftError>>;
  /** The people who could no longer open the page if its access were this. */
  readonly losers: (access: PagePeople['access']) => Promise<Result<readonly UserId[], WeftError>>;
  /** Null denies. Resolves with the answer that counts. */
  readonly answer: (request: RequestId, role: DocumentRole | null) => Promise<Result<DocumentRole | null, WeftError>>;
  /** Invites someone to this page only. */
  readonly invite: (email: string, role: DocumentRole) => Promise<Result<CreatedInvite, WeftError>>;
  readonly revokeInvite: (invite: InviteId) => Promise<Result<void, WeftError>>;
}

const KINDS: readonly WorkspaceChange['kind'][] = ['access', 'member', 'link', 'request', 'invite'];

export function pagePeopleOf(options: {
  readonly document: DocumentId;
  readonly workspace: WorkspaceId;
  readonly me: UserId;
  readonly store: AtomStore;
  readonly access: Pick<
    PageAccess,
    'people' | 'setRole' | 'setAccess' | 'setCommentReaders' | 'losers' | 'requests' | 'answerRequest'
  >;
  readonly membership: Pick<Membership, 'members' | 'invites' | 'invite' | 'revokeInvite'>;
  readonly people: Pick<People, 'ensureLoaded'>;
  readonly onChange: (run: (change: WorkspaceChange) => void) => Cancel;
}): PagePeopleState {
  const { document, workspace, me, store, access, membership, people } = options;
  const viewAtom = atom<PagePeopleView>({ access: null, members: [], requests: [], invites: [], error: null });

  const load = coalesced(async () => {
    const [answer, members] = await Promise.all([access.people(document), membership.members(workspace)]);
    const before = store.get(viewAtom);
    if (!answer.ok) return store.set(viewAtom, { ...before, error: answer.error });
    const isManager = answer.value.people.some(({ user, role }) => user === me && role === 'manager');
    const [requests, invites] = isManager
      ? await Promise.all([access.requests(document), membership.invites(workspace)])
      : [ok([]), ok([])];
    const view: PagePeopleView = {
      access: answer.value,
      members: members.ok ? members.value : before.members,
      requests: requests.ok ? requests.value : before.requests,
      invites: invites.ok ? invites.value.filter((invite) => invite.document === document) : before.invites,
      error: null,
    };
    people.ensureLoaded(usersOf(view));
    store.set(viewAtom, view);
  });
  const loaded = <T>(write: Promise<Result<T, WeftError>>) => followedBy(write, load);

  return {
    atom: viewAtom,
    load,
    follow: () =>
      options.onChange(({ kind, op }) => {
        // A move changes what the page inherits.
        if (KINDS.includes(kind) || (kind === 'document' && op === 'moved')) void load();
      }),
    setRole: (person, role) => loaded(access.setRole(document, person, role)),
    setAccess: (value, revokesLinks) => loaded(access.setAccess(document, value, revokesLinks)),
    setCommentReaders: (readers) => loaded(access.setCommentReaders(document, readers)),
    async losers(value) {
      const answer = await access.losers(document, value);
      if (answer.ok) people.ensureLoaded(answer.value);
      return answer;
    },
    answer: (request, role) => loaded(access.answerRequest(request, role)),
    invite: (email, role) =>
      loaded(
        membership.invite({ workspace, role: 'guest', email, page: { document, role }, expiresAt: null, maxUses: 1 }),
      ),
    revokeInvite: (invite) => loaded(membership.revokeInvite(invite)),
  };
}

/** The people to load. Those who ask for access are left out: a stranger's profile can't be read, and they would count as gone. */
const usersOf = ({ access, members }: PagePeopleView): readonly UserId[] => [
  ...members.map(({ user }) => user),
  ...(access?.people ?? []).flatMap(({ user, sources }) => [user, ...sources.flatMap(({ addedBy }) => addedBy ?? [])]),
];
