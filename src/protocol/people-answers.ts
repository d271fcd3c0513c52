// Parsers for what the database answers about people: members, invitations, and who has access to a page.
import * as v from 'valibot';
import {
  count,
  documentId,
  documentRole,
  instant,
  inviteId,
  linkSecret,
  userId,
  workspaceId,
  workspaceRole,
} from './shapes.ts';

/** Somebody in a workspace: a member, or a guest who has roles on single pages. */
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
  /** Null: anybody who has the link may use it. */
  email: v.nullable(v.string()),
  expiresAt: instant,
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

/** `emailHint`: the address that it is for, most of it hidden. */
export const inviteInfo = v.object({ ...inviteOffer.entries, emailHint: v.nullable(v.string()) });
export type InviteInfo = v.InferOutput<typeof inviteInfo>;

export const acceptedInvite = v.object({ workspaceSlug: v.string(), document: v.nullable(documentId) });
export type AcceptedInvite = v.InferOutput<typeof acceptedInvite>;
