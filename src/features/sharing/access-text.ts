// The access to a page in plain words: the role of each person, and its source.
import type { DocumentId, UserId } from 'weft-sync/protocol/ids.ts';
import { DOCUMENT_ROLES, type DocumentRole } from 'weft-sync/protocol/roles.ts';
import { capitalized } from '../../lib/text/capitalized.ts';
import { dateOf } from '../../lib/text/times.ts';
import type { LinkId } from '../../protocol/ids.ts';
import type { CommentReaders, PagePeople } from '../../protocol/people-answers.ts';

export type PersonAccess = PagePeople['people'][number];
export type AccessSource = PersonAccess['sources'][number];

export const PAGE_ROLE_TEXTS: Readonly<Record<DocumentRole, string>> = {
  viewer: 'Reads, watches and searches',
  commenter: 'Reads and comments',
  editor: 'Edits, moves and restores',
  manager: 'Changes access and links',
};

export const ROLE_VERBS: Readonly<Record<DocumentRole, string>> = {
  viewer: 'view',
  commenter: 'comment',
  editor: 'edit',
  manager: 'manage',
};

/** The choices for who reads the comments of a page, in the menu's order. */
export const COMMENT_READERS: readonly {
  readonly readers: CommentReaders;
  readonly name: string;
  readonly text: string;
}[] = [
  { readers: 'commenters', name: 'People who can comment', text: 'Others see no comments' },
  { readers: 'viewers', name: 'People with a role on this page', text: 'Not people who watch by a link' },
  { readers: 'everyone', name: 'Anyone with a link', text: 'People who watch by a link too, without names' },
];

/** The names for the sentences. Null: not loaded yet, or not known here. */
export type AccessWords = {
  readonly workspace: string;
  /** The form of a name after “by”. */
  readonly nameOf: (person: UserId) => string | null;
  readonly titleOf: (page: DocumentId) => string | null;
  readonly linkOf: (link: LinkId) => { readonly name: string | null; readonly expiresAt: number | null } | null;
  /** The page has a link that works: whoever has it can open the page, with or without a role. */
  readonly hasLinks: boolean;
};

/** Whether a link has not expired. Revoked links are in no list. */
export const isWorking = ({ expiresAt }: { readonly expiresAt: number | null }): boolean =>
  expiresAt === null || expiresAt > Date.now();

export const isBelow = (a: DocumentRole, b: DocumentRole): boolean =>
  DOCUMENT_ROLES.indexOf(a) < DOCUMENT_ROLES.indexOf(b);

/** If several sources give the same role, the first of these is named: ownership, then what the dialog can change. */
const KINDS: readonly AccessSource['kind'][] = ['owner', 'page', 'link', 'workspace', 'ancestor'];

/** The source that gives someone the role that counts. Null if there is none. */
export function bestSource(sources: readonly AccessSource[]): AccessSource | null {
  const rank = ({ role, kind }: AccessSource) => DOCUMENT_ROLES.indexOf(role) * KINDS.length - KINDS.indexOf(kind);
  return sources.toSorted((a, b) => rank(b) - rank(a))[0] ?? null;
}

/**
 * The best source apart from this page's own roles, given to the person or by a link: the dialog changes those two, and cannot
 * give the person less than this one.
 */
export const sourceElsewhere = ({ sources }: PersonAccess): AccessSource | null =>
  bestSource(sources.filter(({ kind }) => kind !== 'page' && kind !== 'link'));

/** The line below a name: “Added to “Plan” by you”, “Guest · by link “marshals”, until 14 June”. */
export function sourceText(source: AccessSource, words: AccessWords, isGuest = false): string {
  const text = phraseOf(source, words);
  return isGuest ? `Guest · ${text}` : capitalized(text);
}

function phraseOf(source: AccessSource, { workspace, nameOf, titleOf, linkOf }: AccessWords): string {
  const name = source.addedBy === null ? null : nameOf(source.addedBy);
  const by = name === null ? '' : ` by ${name}`;
  switch (source.kind) {
    case 'owner':
      return `owner of ${workspace}`;
    case 'workspace':
      return `${source.role === 'manager' ? 'admin' : 'member'} of ${workspace}`;
    case 'page':
      return `added to this page${by}`;
    case 'ancestor':
      return `added to ${pageName(source, titleOf)}${by}`;
    case 'link': {
      const link = source.link === null ? null : linkOf(source.link);
      const which = link?.name == null ? 'by a link' : `by link “${link.name}”`;
      return link?.expiresAt == null ? which : `${which}, until ${dateOf(link.expiresAt, Date.now())}`;
    }
  }
}

const pageName = ({ document }: AccessSource, titleOf: AccessWords['titleOf']): string => {
  const title = document === null ? null : titleOf(document);
  return title === null ? 'a page above' : `“${title}”`;
};

/** Why a role cannot be lower: “Ada can already edit through Northquay.” */
export function alreadyText(name: string, source: AccessSource, words: AccessWords): string {
  const where = source.kind === 'ancestor' ? pageName(source, words.titleOf) : words.workspace;
  return `${name} can already ${ROLE_VERBS[source.role]} through ${where}.`;
}

/** The people to list by name. “Everyone in the workspace” stands for the others: members who have nothing else. */
export function listedPeople(people: readonly PersonAccess[], me: UserId): readonly PersonAccess[] {
  const isListed = ({ user, sources }: PersonAccess) =>
    user === me || sources.some(({ kind, role }) => kind !== 'workspace' || role === 'manager');
  const isOwner = ({ sources }: PersonAccess) => sources.some(({ kind }) => kind === 'owner');
  return people
    .filter(isListed)
    .toSorted(
      (a, b) =>
        Number(isOwner(b)) - Number(isOwner(a)) || DOCUMENT_ROLES.indexOf(b.role) - DOCUMENT_ROLES.indexOf(a.role),
    );
}

/** The people who would lose access as well if the page is restricted and its links end. */
export const heldByLinkOnly = (people: readonly PersonAccess[], me: UserId): readonly UserId[] =>
  people
    .filter(({ user, sources }) => {
      const kinds = sources.map(({ kind }) => kind);
      return user !== me && kinds.includes('link') && !kinds.includes('owner') && !kinds.includes('page');
    })
    .map(({ user }) => user);
