// Parsers for the database's answers about people: members, invitations, access to a page, requests for it.
import * as v from 'valibot';
import { count, documentId, documentRole, instant, userId } from 'weft-sync/protocol/shapes.ts';
import { profile } from './answers.ts';
import { COLORS } from './colors.ts';
import { inviteId, linkId, linkSecret, requestId, workspaceId, workspaceRole } from './shapes.ts';

/** Someone in a workspace: a member, or a guest who has roles on single pages. */
const member = v.object({
  user: userId,
  role: workspaceRole,
  joinedAt: instant,
  invitedBy: v.nullable(userId),
  /**
   * How they came: `email` and `link` are invitations; guests without a membership were added to a page, or used a share
   * link. Null: they founded the workspace, or joined before this was stored.
   */
  via: v.nullable(v.picklist(['email', 'link', 'page', 'share-link'])),
  /** The last time that they were seen on a page which the caller may see. */
  lastActiveAt: v.nullable(instant),
  /** For a guest, the number of pages on which they have a role of their own. */
  pages: v.nullable(count),
  hasAccount: v.boolean(),
});
export type Member = v.InferOutput<typeof member>;
export const memberList = v.array(member);

const invite = v.object({
  id: inviteId,
  workspaceId,
  role: workspaceRole,
  /** The page that guests are invited to, with their role on it. */
  document: v.nullable(documentId),
  documentRole: v.nullable(documentRole),
  /** Null: anyone who has the link may use it. */
  email: v.nullable(v.string()),
  expiresAt: instant,
  /** Null: any number. */
  maxUses: v.nullable(count),
  uses: count,
  createdBy: userId,
  createdAt: instant,
});
export type Invite = v.InferOutput<typeof invite>;
export const inviteList = v.array(invite);

export const createdInvite = v.object({ invite, secret: linkSecret });
export type CreatedInvite = v.InferOutput<typeof createdInvite>;

/** An invitation as the invited see it; names, because they may not see profiles yet. */
const inviteOffer = v.object({
  id: inviteId,
  workspace: v.string(),
  inviter: v.string(),
  role: workspaceRole,
  documentRole: v.nullable(documentRole),
  expiresAt: instant,
  createdAt: instant,
});
export type InviteOffer = v.InferOutput<typeof inviteOffer>;
export const inviteOffers = v.array(inviteOffer);

/**
 * `emailHint`: the address that it is for, most of it hidden. `hasLeft`: it let the caller in once, who is not there any
 * more, and it does not let them in again.
 */
export const inviteInfo = v.object({
  ...inviteOffer.entries,
  emailHint: v.nullable(v.string()),
  hasLeft: v.optional(v.boolean()),
});
export type InviteInfo = v.InferOutput<typeof inviteInfo>;

export const acceptedInvite = v.object({ workspaceSlug: v.string(), document: v.nullable(documentId) });
export type AcceptedInvite = v.InferOutput<typeof acceptedInvite>;

/** `leftovers`: pictures of the person in Storage that the profile does not name, for the caller to remove. */
export const updatedProfile = v.object({ ...profile.entries, leftovers: v.array(v.string()) });

/** Deleting an account takes several calls if its owner wrote much. */
export const accountDeletion = v.object({ isDeleted: v.boolean() });

const access = v.picklist(['inherit', 'workspace', 'restricted']);

/** A role of a person on a page, and what gives it to them. */
const accessSource = v.object({
  kind: v.picklist(['owner', 'workspace', 'page', 'ancestor', 'link']),
  role: documentRole,
  /** The page on which the role was given. Null if this person may not see it, and for roles that no page gives. */
  document: v.nullable(documentId),
  /** For managers only. */
  link: v.nullable(linkId),
  addedBy: v.nullable(userId),
});

/**
 * Who reads the page's comments beside those who may comment: no one (`commenters`), people with a role on it (`viewers`), people
 * with a link to watch too (`everyone`).
 */
const commentReaders = v.picklist(['commenters', 'viewers', 'everyone']);
export type CommentReaders = v.InferOutput<typeof commentReaders>;

/**
 * The answer of `document_people`: the access to a page, and the people who can open it as far as the caller may know.
 */
export const pagePeople = v.object({
  access,
  /** The effective value of `access`: its own, or that of the first page above which does not inherit. */
  resolvedAccess: access,
  /** The page that `resolvedAccess` comes from. Null if this person may not see it. */
  resolvedFrom: v.nullable(documentId),
  /** Null: a database of an earlier release, where it can't be chosen. */
  commentReaders: v.optional(v.nullable(commentReaders), null),
  people: v.array(v.object({ user: userId, role: documentRole, sources: v.array(accessSource) })),
});
export type PagePeople = v.InferOutput<typeof pagePeople>;

/** The people who could no longer open a page after a change: the answer of `who_loses_access` and `who_loses_access_by_move`. */
export const losers = v.pipe(
  v.array(v.object({ user: userId })),
  v.transform((list) => list.map(({ user }) => user)),
);

const accessRequest = v.object({
  id: requestId,
  user: userId,
  displayName: v.string(),
  color: v.picklist(COLORS),
  role: documentRole,
  note: v.string(),
  at: instant,
});
export type AccessRequest = v.InferOutput<typeof accessRequest>;
export const requestList = v.array(accessRequest);

/** Null: denied. */
export const requestAnswer = v.object({ role: v.nullable(documentRole) });

/**
 * Why a page is closed to this person. Null: they had no access in the last 30 days, or have it. `trashed`: they have
 * it, and the page is in the trash.
 */
export const closure = v.nullable(
  v.object({
    kind: v.picklist(['removed', 'restricted', 'link', 'purged', 'trashed']),
    by: v.nullable(userId),
    byName: v.nullable(v.string()),
    at: instant,
  }),
);
export type Closure = v.InferOutput<typeof closure>;
