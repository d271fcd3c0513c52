// The ports of the views, besides documents: accounts, lists, people, links, the workspace's change stream.
// `src/platform` implements them, and `src/app/wire.ts` connects the two.
import type * as Y from 'yjs';
import type { Cancel } from '../lib/cancel.ts';
import type { Result } from '../lib/result.ts';
import type {
  WorkspaceChange,
  CreatedLink,
  CreatedWorkspace,
  DocumentChanges,
  DocumentSummary,
  Profile,
  RedeemedLink,
  ShareLink,
  TrashEntry,
  Workspace,
} from '../protocol/answers.ts';
import type { Color } from '../protocol/colors.ts';
import type { SignInError, WeftError } from '../protocol/errors.ts';
import type { ActivityEntry, HomeSummary, NotificationList, Visit } from '../protocol/home-answers.ts';
import type {
  AttachmentId,
  DocumentId,
  InviteId,
  LinkId,
  LinkSecret,
  NotificationId,
  RequestId,
  UserId,
  WorkspaceId,
} from '../protocol/ids.ts';
import type {
  AccessRequest,
  AcceptedInvite,
  Closure,
  PagePeople,
  CreatedInvite,
  Invite,
  InviteInfo,
  InviteOffer,
  Member,
} from '../protocol/people-answers.ts';
import type { DocumentRole, WorkspaceRole } from '../protocol/roles.ts';
import type { SearchAnswer, SearchFilters } from '../protocol/search-answers.ts';
import type { Unsent } from '../sync/ports.ts';

type Answer<T> = Promise<Result<T, WeftError>>;

export type Identity = { readonly id: UserId; readonly email: string | null; readonly isGuest: boolean };

/**
 * `expired`: the person was signed in and the server no longer accepts it. Edits are still stored on this device. An
 * unreachable server changes nothing: the person stays signed in.
 */
export type SignIn =
  | { readonly status: 'unknown' }
  | { readonly status: 'signedOut' }
  | { readonly status: 'signedIn'; readonly identity: Identity }
  | { readonly status: 'expired'; readonly identity: Identity };

export interface Account {
  getState(): SignIn;
  subscribe(run: () => void): Cancel;
  /** Whether people can use this project without an account ("Continue as guest"). */
  readonly allowsGuests: boolean;
  /** The address of the page that shows outgoing email if the backend does not send it. Null if it does. */
  readonly inbox: string | null;
  signUp(
    email: string,
    password: string,
    displayName: string,
  ): Promise<Result<{ readonly needsConfirmation: boolean }, SignInError>>;
  signIn(email: string, password: string): Promise<Result<void, SignInError>>;
  continueAsGuest(displayName: string): Promise<Result<void, SignInError>>;
  /** Emails a sign-in link to somebody who has an account. It leads to `next`, an address of this app. */
  sendLink(email: string, next: string | null): Promise<Result<void, SignInError>>;
  /**
   * Emails somebody who was invited, and may have no account, a code to sign in with. The invitations to their address are
   * waiting then. Refused by servers that send no email: their invitations have links only.
   */
  sendInvite(email: string): Promise<Result<void, SignInError>>;
  /** Emails a link to choose a new password. */
  sendReset(email: string): Promise<Result<void, SignInError>>;
  /** Signs in with the code from such an email. */
  enterCode(email: string, code: string, purpose: 'sign-in' | 'reset'): Promise<Result<void, SignInError>>;
  /**
   * Resolves when the link that led to this page has signed somebody in, or with the reason why it did not. Can be
   * called any number of times.
   */
  finishLink(): Promise<Result<void, SignInError>>;
  changePassword(password: string): Promise<Result<void, SignInError>>;
  /**
   * Gives a guest an email address and a password. They stay the same person, with everything they wrote. Where the server
   * confirms addresses by email, they are a guest until they open its link.
   */
  becomeAccount(email: string, password: string): Promise<Result<{ readonly needsConfirmation: boolean }, SignInError>>;
  /** Ends the person's sessions in all other browsers. */
  signOutElsewhere(): Promise<Result<void, SignInError>>;
  /** Works offline too: this device forgets the person at once. */
  signOut(): Promise<void>;
}

export interface Directory {
  workspaces(): Answer<readonly Workspace[]>;
  /** All pages, or with the stamp of an earlier answer only the changes since then, if the server still knows them. */
  documents(workspace: WorkspaceId, since: string | null): Answer<DocumentChanges>;
  createWorkspace(id: WorkspaceId, name: string, firstDocument: DocumentId): Answer<CreatedWorkspace>;
  createDocument(document: {
    readonly id: DocumentId;
    readonly workspace: WorkspaceId;
    readonly parent: DocumentId | null;
    readonly rank: string;
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
  trash(workspace: WorkspaceId): Answer<readonly TrashEntry[]>;
  profiles(users: readonly UserId[]): Answer<readonly Profile[]>;
  updateProfile(displayName: string, color: Color): Answer<Profile>;
  links(document: DocumentId): Answer<readonly ShareLink[]>;
  createLink(
    document: DocumentId,
    role: ShareLink['role'],
    expiresAt: number | null,
    name?: string | null,
  ): Answer<CreatedLink>;
  revokeLink(link: LinkId): Answer<void>;
  redeemLink(secret: LinkSecret): Answer<RedeemedLink>;
}

/** The members of a workspace, invitations to it, and the workspace itself. */
export interface Membership {
  members(workspace: WorkspaceId): Answer<readonly Member[]>;
  setRole(workspace: WorkspaceId, person: UserId, role: WorkspaceRole): Answer<void>;
  /** Anybody may remove themselves. */
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
  /** Deletes it with all its pages. `name` is what the person typed to confirm. */
  deleteWorkspace(workspace: WorkspaceId, name: string): Answer<void>;
}

/** Who may open a page, requests for it, and why it was closed to this person. */
export interface PageAccess {
  people(document: DocumentId): Answer<PagePeople>;
  setRole(document: DocumentId, person: UserId, role: DocumentRole | null): Answer<void>;
  setAccess(document: DocumentId, access: PagePeople['access']): Answer<void>;
  /** The people who could no longer open the page if its access were this. */
  losers(document: DocumentId, access: PagePeople['access']): Answer<readonly UserId[]>;
  /** The people who could no longer open the page below this parent, or at the top. */
  losersByMove(document: DocumentId, parent: DocumentId | null): Answer<readonly UserId[]>;
  /** Says nothing about the page, not even whether it exists. */
  request(document: DocumentId, role: ShareLink['role'], note: string): Answer<void>;
  withdrawRequest(document: DocumentId): Answer<void>;
  requests(document: DocumentId): Answer<readonly AccessRequest[]>;
  /** Null denies. Resolves with the role that counts: somebody else may have answered first. */
  answerRequest(request: RequestId, role: DocumentRole | null): Answer<DocumentRole | null>;
  whyClosed(document: DocumentId): Answer<Closure>;
}

/** The picture of the signed-in person, and the deletion of their account. */
export interface OwnAccount {
  /** At most 1 MiB: png, jpeg or webp. Null removes the picture. */
  setPicture(profile: Pick<Profile, 'displayName' | 'color'>, picture: Blob | null): Answer<Profile>;
  /** The picture of anybody whose profile this person may see. */
  picture(path: string): Answer<Blob>;
  /** WF014 while others would be left without an owner. What they wrote stays without a name. */
  deleteAccount(profile: Pick<Profile, 'displayName' | 'color'>): Answer<void>;
}

/** What a person was told. */
export interface Inbox {
  /** The newest first, before the one named. */
  list(before: NotificationId | null, limit: number): Answer<NotificationList>;
  /** Marks these, or all, and answers how many are unread. */
  markRead(ids: readonly NotificationId[] | null, isRead: boolean): Answer<number>;
}

/** What happens in a workspace, and what this person has seen and marked there. */
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
  /** The pages of a workspace that contain every word of the query, the best first. */
  search(workspace: WorkspaceId, query: string, filters?: SearchFilters): Answer<SearchAnswer>;
}

/** The page that a member has open in a workspace. */
export type MemberLocation = { readonly user: UserId; readonly document: DocumentId | null };

export interface WorkspaceStream {
  /**
   * Joins the workspace's topic and rejoins by itself after every loss. Then it calls `caughtUp`, so that lists are
   * fetched again.
   */
  open(
    workspace: Workspace,
    on: {
      change(change: WorkspaceChange): void;
      /** Null while not connected. */
      locations(people: readonly MemberLocation[] | null): void;
      caughtUp(): void;
    },
  ): {
    /** Tells the others which page this person has open. Sent at most once per 10 s; the last call wins. */
    setCurrentPage(document: DocumentId | null): void;
    close(): void;
  };
}

export interface PersonStream {
  /**
   * Joins the person's own topic and rejoins by itself after every loss. Then it calls `caughtUp`, so that lists are
   * fetched again.
   */
  open(on: { change(change: WorkspaceChange): void; caughtUp(): void }): { close(): void };
}

/** Whole pages, without opening them: nobody sees this person there, and the device stores nothing. */
export interface PageReader {
  /** As on the server, with the edits that only this device has. Destroy the document after use. */
  read(document: DocumentId): Answer<Y.Doc>;
  /** A picture or file of the page, as it was added. */
  file(document: DocumentId, id: AttachmentId): Answer<Blob>;
}

/** Lists cached on this device for one user of one project, so that the app can start offline. */
export interface ListCache {
  /** Returns the value saved under this key, unparsed. Undefined if there is none or storage is blocked. */
  load(key: string): Promise<unknown>;
  /** Saves a structured-cloneable value. A failed write is silent, because a list can be fetched again. */
  save(key: string, value: unknown): Promise<void>;
  clear(): Promise<void>;
}

/** A document cached on this device. */
export type CachedDocument = {
  readonly document: DocumentId;
  /** Milliseconds since 1970. */
  readonly openedAt: number;
  readonly bytes: number;
  /** It has edits that exist nowhere else, rejected ones included, or the server does not have the page yet. */
  readonly isUnsent: boolean;
};

/** The documents of one user on this device. Every call rejects if the device stores nothing. */
export interface CachedDocuments {
  unsent(): Promise<readonly Unsent[]>;
  /** Documents that are open in some tab, including this one. Empty if the browser cannot tell. */
  openDocuments(): Promise<ReadonlySet<DocumentId>>;
  list(): Promise<readonly CachedDocument[]>;
  /** Deletes a document that no tab has open and that has nothing unsent. Returns false if it stays. */
  forgetIfClosed(document: DocumentId): Promise<boolean>;
  /** Deletes a document that has nothing unsent, open or not, because the person may no longer read it. */
  forgetIfSent(document: DocumentId): Promise<boolean>;
  /** Deletes a document with its unsent edits, unless a tab has it open. Returns false if it stays. */
  discardIfClosed(document: DocumentId): Promise<boolean>;
  /** Its text and unsent edits, for a file that the person can download. Null if it has no unsent edits. */
  copyOf(document: DocumentId): Promise<UnsentCopy | null>;
  /** The text of a document, one line per block, for searching it without the server. Null if it is not here. */
  textOf(document: DocumentId): Promise<string | null>;
  /** Deletes everything, and stores nothing from then on: the person signed out. */
  forgetAll(): Promise<void>;
  /** Called at the first local edit since the app started, so that the browser can be asked to keep its storage. */
  noteEdited(): void;
}

/** The person's other tabs in this browser. They only learn that something on this device has changed. */
export interface CrossTabEvents {
  /**
   * `onChange` runs when another tab changed something, when it is being left, or when this tab missed messages for a
   * while. A tab that is being left notifies the others by itself. `leave` can be called twice. After it nothing
   * arrives, and `notify` does nothing.
   */
  join(onChange: () => void): { notify(): void; leave(): void };
}

/** The unsent edits of one page, readable by people and by Yjs. */
export type UnsentCopy = {
  readonly document: DocumentId;
  readonly title: string;
  /** The whole page as it is on this device, one line per block. */
  readonly text: string;
  readonly edits: number;
  /** A Yjs update (V1) in base64 with the unsent edits, or with the whole page if the server does not have it. */
  readonly update: string;
};

/** A page created on this device that the server does not have yet. */
export type PendingPage = {
  readonly id: DocumentId;
  readonly workspace: WorkspaceId;
  readonly parent: DocumentId | null;
  readonly rank: string;
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly madeAt: number;
  /** Why the server rejected it at this place. Null if it has not. */
  readonly refused: WeftError['code'] | null;
};

/** Survives a reload and a killed tab. Rejects if the device stores nothing. */
export interface PendingPageQueue {
  /** Stores the page with its first row. From now on it opens on this device. */
  add(page: PendingPage, role: DocumentRole): Promise<void>;
  /** Oldest first. */
  list(): Promise<readonly PendingPage[]>;
  get(id: DocumentId): Promise<PendingPage | null>;
  /** Does nothing if the page is no longer queued. */
  change(id: DocumentId, change: Partial<Pick<PendingPage, 'parent' | 'rank' | 'title' | 'refused'>>): Promise<void>;
  /** Removes it from the queue, because the server has it. */
  remove(id: DocumentId): Promise<void>;
  /** Deletes the page: nobody wants it. */
  drop(id: DocumentId): Promise<void>;
}

/** A change of a page's entry in the tree that the server does not have yet. */
export type PageChange = {
  /** Random. */
  readonly key: string;
  readonly page: DocumentId;
  /** Milliseconds since 1970. */
  readonly madeAt: number;
} & (
  | { readonly kind: 'move'; readonly parent: DocumentId | null; readonly rank: string }
  | { readonly kind: 'icon'; readonly icon: string | null }
  | { readonly kind: 'template'; readonly isTemplate: boolean }
  | { readonly kind: 'trash' }
  /** Null: no favourite any more. */
  | { readonly kind: 'favourite'; readonly rank: string | null }
);

/** Survives a reload and a killed tab. Rejects if the device stores nothing. */
export interface PageChangeQueue {
  /** Stores a change in place of those with the keys `replaced`. */
  put(change: PageChange, replaced: readonly string[]): Promise<void>;
  /** Oldest first. */
  list(): Promise<readonly PageChange[]>;
  remove(key: string): Promise<void>;
}

export type Theme = 'system' | 'light' | 'dark';

/** The theme of this device: chosen once, stored, the same in every tab. */
export interface ThemeChoice {
  get(): Theme;
  set(theme: Theme): void;
}
