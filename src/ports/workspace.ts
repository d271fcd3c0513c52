// The views' ports to the server: pages, people, access, activity.
import type { LinkSecret, DocumentId, UserId } from 'weft-sync/protocol/ids.ts';
import type { DocumentRole } from 'weft-sync/protocol/roles.ts';
import type * as Y from 'yjs';
import type {
  CreatedLink,
  CreatedWorkspace,
  DocumentChanges,
  DocumentSummary,
  LostDocuments,
  Profile,
  RedeemedLink,
  ShareLink,
  TrashEntry,
  Workspace,
} from '../protocol/answers.ts';
import type { Color } from '../protocol/colors.ts';
import type { ActivityEntry, HomeSummary, NotificationList, Visit } from '../protocol/home-answers.ts';
import type { AttachmentId, InviteId, LinkId, NotificationId, RequestId, WorkspaceId } from '../protocol/ids.ts';
import type {
  AccessRequest,
  AcceptedInvite,
  Closure,
  CommentReaders,
  PagePeople,
  CreatedInvite,
  Invite,
  InviteInfo,
  InviteOffer,
  Member,
} from '../protocol/people-answers.ts';
import type { WorkspaceRole } from '../protocol/roles.ts';
import type { SearchAnswer, SearchFilters } from '../protocol/search-answers.ts';
import type { Answer } from './answer.ts';

/** A person's workspaces and their pages, the links to pages, and profiles. */
export interface Directory {
  workspaces(): Answer<readonly Workspace[]>;
  /** All pages, or with the stamp of an earlier answer only the changes since then, if the server still knows them. */
  documents(workspace: WorkspaceId, since: string | null): Answer<DocumentChanges>;
  createWorkspace(id: WorkspaceId, name: string, firstDocument: DocumentId): Answer<CreatedWorkspace>;
  /**
   * `title`: of a page that got it on this device. Lists have it from then on, also if this tab is gone before the text copy
   * (SY16).
   */
  createDocument(document: {
    readonly id: DocumentId;
    readonly workspace: WorkspaceId;
    readonly parent: DocumentId | null;
    readonly rank: string;
    readonly title?: string;
  }): Answer<DocumentSummary>;
  /** These pages are about to be created as one import: one line of the activity, and no news in lists. */
  announceImport(workspace: WorkspaceId, documents: readonly DocumentId[]): Answer<void>;
  /**
   * The pages among these that the server does not know, because it was restored from an earlier state, and those of which it has
   * less than this device. `held` has the time of each page's newest row here.
   */
  lostDocuments(held: ReadonlyMap<DocumentId, number | null>): Answer<LostDocuments>;
  /** Makes such a page again, with the first row of every new page. Without its parent it is at the top. */
  makeDocumentAgain(document: {
    readonly id: DocumentId;
    readonly workspace: WorkspaceId;
    readonly parent: DocumentId | null;
    readonly rank: string;
    readonly title: string;
    readonly access: DocumentSummary['access'];
    readonly isOpenToWorkspace: boolean;
    /** When the newest row was written that the device holds. Before a restore that was final: WF016. */
    readonly heldAt: number | null;
  }): Answer<DocumentSummary>;
  /** Null: to the top. */
  moveDocument(document: DocumentId, parent: DocumentId | null, rank: string): Answer<DocumentSummary>;
  /** The name of a line icon; null for none. */
  setDocumentIcon(document: DocumentId, icon: string | null): Answer<DocumentSummary>;
  /** Whether the page is offered as the start of new pages. */
  setDocumentTemplate(document: DocumentId, isTemplate: boolean): Answer<DocumentSummary>;
  /** With everything below it. */
  trashDocument(document: DocumentId): Answer<{ readonly pages: number }>;
  /** To where it was, or to the top if its parent is gone. */
  restoreDocument(document: DocumentId): Answer<DocumentSummary>;
  /** Deletes a page in the trash for good. */
  purgeDocument(document: DocumentId): Answer<{ readonly pages: number }>;
  /** Deletes these (at most 500) of the workspace's trash for good. What is not there any more is left out. */
  emptyTrash(workspace: WorkspaceId, documents: readonly DocumentId[]): Answer<{ readonly pages: number }>;
  trash(workspace: WorkspaceId): Answer<readonly TrashEntry[]>;
  profiles(users: readonly UserId[]): Answer<readonly Profile[]>;
  updateProfile(displayName: string, color: Color): Answer<Profile>;
  links(document: DocumentId): Answer<readonly ShareLink[]>;
  createLink(
    document: DocumentId,
    role: ShareLink['role'],
    expiresAt: number | null,
    name?: string | null,
    /** Whether people who watch or join by the link see the page's history. */
    showsHistory?: boolean,
  ): Answer<CreatedLink>;
  revokeLink(link: LinkId): Answer<void>;
  redeemLink(secret: LinkSecret): Answer<RedeemedLink>;
}

/** The members of a workspace, invitations to it, and the workspace itself. */
export interface Membership {
  members(workspace: WorkspaceId): Answer<readonly Member[]>;
  setRole(workspace: WorkspaceId, person: UserId, role: WorkspaceRole): Answer<void>;
  /** Anyone may remove themselves, except the last owner (WF014). */
  remove(workspace: WorkspaceId, person: UserId): Answer<void>;
  /** The open ones that this person could have made. */
  invites(workspace: WorkspaceId): Answer<readonly Invite[]>;
  /** Without an email address it is a link. Without `expiresAt` it lasts a week. */
  invite(invite: {
    readonly workspace: WorkspaceId;
    readonly role: WorkspaceRole;
    readonly email: string | null;
    /** Invites guests to this page. */
    readonly page: { readonly document: DocumentId; readonly role: DocumentRole } | null;
    readonly expiresAt: number | null;
    readonly maxUses: number | null;
  }): Answer<CreatedInvite>;
  revokeInvite(invite: InviteId): Answer<void>;
  inviteInfo(secret: LinkSecret): Answer<InviteInfo>;
  acceptInvite(secret: LinkSecret): Answer<AcceptedInvite>;
  /** Invitations to this person's email address. */
  myInvites(): Answer<readonly InviteOffer[]>;
  acceptMyInvite(invite: InviteId): Answer<AcceptedInvite>;
  declineInvite(invite: InviteId): Answer<void>;
  renameWorkspace(workspace: WorkspaceId, name: string): Answer<Workspace>;
  /** Makes the other person an owner and this one an admin. */
  transferWorkspace(workspace: WorkspaceId, person: UserId): Answer<void>;
  /** Deletes it with all its pages. `name` is the text that the person typed to confirm. */
  deleteWorkspace(workspace: WorkspaceId, name: string): Answer<void>;
}

/** The people who may open a page, requests for it, and the reason why it was closed to this person. */
export interface PageAccess {
  people(document: DocumentId): Answer<PagePeople>;
  /** Null takes away the roles that the person has by this page or its links. */
  setRole(document: DocumentId, person: UserId, role: DocumentRole | null): Answer<void>;
  /** `revokesLinks`: the links to the page end in the same transaction. */
  setAccess(document: DocumentId, access: PagePeople['access'], revokesLinks: boolean): Answer<void>;
  setCommentReaders(document: DocumentId, readers: CommentReaders): Answer<void>;
  /** The people who could no longer open the page if its access were this. */
  losers(document: DocumentId, access: PagePeople['access']): Answer<readonly UserId[]>;
  /** The people who could no longer open the page below this parent, or at the top. */
  losersByMove(document: DocumentId, parent: DocumentId | null): Answer<readonly UserId[]>;
  /** Says nothing about the page, not even whether it exists. */
  request(document: DocumentId, role: ShareLink['role'], note: string): Answer<void>;
  withdrawRequest(document: DocumentId): Answer<void>;
  requests(document: DocumentId): Answer<readonly AccessRequest[]>;
  /** Null denies. Resolves with the role that counts: someone else may have answered first. */
  answerRequest(request: RequestId, role: DocumentRole | null): Answer<DocumentRole | null>;
  whyClosed(document: DocumentId): Answer<Closure>;
}

/** A person's notifications. */
export interface Inbox {
  /** The newest first, before the one named. */
  list(before: NotificationId | null, limit: number): Answer<NotificationList>;
  /** Marks these, or all, and answers how many are unread. */
  markRead(ids: readonly NotificationId[] | null, isRead: boolean): Answer<number>;
}

/** The activity in a workspace, and this person's visits and favourites there. */
export interface Home {
  /** The newest first, before the entry named. */
  activity(workspace: WorkspaceId, before: string | null, limit: number): Answer<readonly ActivityEntry[]>;
  summary(workspace: WorkspaceId): Answer<HomeSummary>;
  /** The page has shown everything up to this row of its log. */
  markVisited(document: DocumentId, seq: number): Answer<Visit>;
  /** Null: no favourite any more. */
  setFavourite(document: DocumentId, rank: string | null): Answer<void>;
}

export interface PageSearch {
  /** The pages of a workspace that contain every word of the query, the best first unless the filters say otherwise. */
  search(workspace: WorkspaceId, query: string, filters?: SearchFilters): Answer<SearchAnswer>;
}

/** Whole pages, without opening them: no one sees this person there, and the device stores nothing. */
export interface PageReader {
  /** The server's version, with the edits that only this device has. Destroy the document after use. */
  read(document: DocumentId): Answer<Y.Doc>;
  /** A picture or file of the page, as it was added. */
  file(document: DocumentId, id: AttachmentId): Answer<Blob>;
}
