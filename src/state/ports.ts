// What the views ask of the world beside documents: accounts, lists, people, links, the workspace's change stream.
// `src/platform/supabase` makes them real, `src/app/wire.ts` joins the two.
import type { Cancel } from '../lib/cancel.ts';
import type { Result } from '../lib/result.ts';
import type {
  WorkspaceChange,
  CreatedLink,
  CreatedWorkspace,
  DocumentList,
  DocumentSummary,
  Profile,
  RedeemedLink,
  ShareLink,
  Workspace,
} from '../protocol/answers.ts';
import type { Color } from '../protocol/colors.ts';
import type { SignInError, WeftError } from '../protocol/errors.ts';
import type { DocumentId, LinkId, LinkSecret, UserId, WorkspaceId } from '../protocol/ids.ts';
import type { DocumentRole } from '../protocol/roles.ts';
import type { Unsent } from '../sync/ports.ts';

type Answer<T> = Promise<Result<T, WeftError>>;

export type Identity = { readonly id: UserId; readonly email: string | null; readonly isGuest: boolean };

/**
 * `expired`: was signed in, the server no longer says so; edits go on being kept on this device.
 * A server that cannot be reached says nothing: the person stays signed in.
 */
export type SignIn =
  | { readonly status: 'unknown' }
  | { readonly status: 'signedOut' }
  | { readonly status: 'signedIn'; readonly identity: Identity }
  | { readonly status: 'expired'; readonly identity: Identity };

export interface Account {
  getState(): SignIn;
  subscribe(run: () => void): Cancel;
  /** Whether this project lets people in without an account ("Continue as guest"). */
  readonly allowsGuests: boolean;
  /** Where mails are read when the backend sends none; null: they are sent. */
  readonly inbox: string | null;
  signUp(
    email: string,
    password: string,
    displayName: string,
  ): Promise<Result<{ readonly needsConfirmation: boolean }, SignInError>>;
  signIn(email: string, password: string): Promise<Result<void, SignInError>>;
  continueAsGuest(displayName: string): Promise<Result<void, SignInError>>;
  /** Mails a link to sign in, to somebody who has an account. It leads to `next`, an address of this app. */
  sendLink(email: string, next: string | null): Promise<Result<void, SignInError>>;
  /** Mails a link to choose another password. */
  sendReset(email: string): Promise<Result<void, SignInError>>;
  /** Signs in by the digits of such a mail. */
  enterCode(email: string, code: string, purpose: 'sign-in' | 'reset'): Promise<Result<void, SignInError>>;
  /** Resolves when the link that led to this page has signed somebody in, or why it did not. Any number of times. */
  finishLink(): Promise<Result<void, SignInError>>;
  changePassword(password: string): Promise<Result<void, SignInError>>;
  /** Works without network too: this device forgets the person at once. */
  signOut(): Promise<void>;
}

export interface Directory {
  workspaces(): Answer<readonly Workspace[]>;
  documents(workspace: WorkspaceId): Answer<DocumentList>;
  createWorkspace(id: WorkspaceId, name: string, firstDocument: DocumentId): Answer<CreatedWorkspace>;
  createDocument(document: {
    readonly id: DocumentId;
    readonly workspace: WorkspaceId;
    readonly parent: DocumentId | null;
    readonly rank: string;
  }): Answer<DocumentSummary>;
  profiles(users: readonly UserId[]): Answer<readonly Profile[]>;
  updateProfile(displayName: string, color: Color): Answer<Profile>;
  links(document: DocumentId): Answer<readonly ShareLink[]>;
  createLink(document: DocumentId, role: ShareLink['role'], expiresAt: number | null): Answer<CreatedLink>;
  revokeLink(link: LinkId): Answer<void>;
  redeemLink(secret: LinkSecret): Answer<RedeemedLink>;
}

/** Who is on which page, and what changed, in one workspace. */
export type MemberLocation = { readonly user: UserId; readonly document: DocumentId | null };

export interface WorkspaceStream {
  /** Joins the workspace's topic; joins again by itself after every loss, then says `caughtUp` so that lists are read anew. */
  open(
    workspace: Workspace,
    on: {
      change(change: WorkspaceChange): void;
      /** Null: not connected, nobody knows. */
      locations(people: readonly MemberLocation[] | null): void;
      caughtUp(): void;
    },
  ): {
    /** Says where this person is; sent at most once per 10 s, the last word wins. */
    setCurrentPage(document: DocumentId | null): void;
    close(): void;
  };
}

/** Lists kept on this device for one user of one project, so that a start without network shows them. */
export interface ListCache {
  /** What was saved under this key, unparsed; undefined when there is nothing or storage is blocked. */
  load(key: string): Promise<unknown>;
  /** Structured-cloneable values. A failed write is silent: a list can be fetched again. */
  save(key: string, value: unknown): Promise<void>;
  clear(): Promise<void>;
}

/** What this device keeps of one document. */
export type CachedDocument = {
  readonly document: DocumentId;
  /** Milliseconds since 1970. */
  readonly openedAt: number;
  readonly bytes: number;
  /** It has edits that are nowhere else, refused ones too, or the server has not made it yet. */
  readonly isUnsent: boolean;
};

/** The documents of one user on this device. Everything rejects on a device that stores nothing. */
export interface CachedDocuments {
  unsent(): Promise<readonly Unsent[]>;
  /** Those that some tab has open, this one included; none where nobody can tell. */
  openDocuments(): Promise<ReadonlySet<DocumentId>>;
  list(): Promise<readonly CachedDocument[]>;
  /** Forgets a document that no tab has open and that has nothing unsent; false when it stays. */
  forgetIfClosed(document: DocumentId): Promise<boolean>;
  /** Forgets a document that has nothing unsent, open or not: this person may not read it any more. */
  forgetIfSent(document: DocumentId): Promise<boolean>;
  /** Its text and its unsent edits for the person's own file; null when it has none. */
  copyOf(document: DocumentId): Promise<UnsentCopy | null>;
  /** Everything, and nothing is kept any more: they signed out. */
  forgetAll(): Promise<void>;
  /** Told at the first own edit of this start: the browser may be asked to keep what is stored. */
  noteEdited(): void;
}

/** The other tabs of this person in this browser. They are told that what the device holds has changed, nothing more. */
export interface CrossTabEvents {
  /**
   * `heard`: another tab changed something, or is being left, or this one could not hear for a while. A tab that is being
   * left tells by itself. After `leave`, which may be called twice, nothing is heard and telling does nothing.
   */
  join(heard: () => void): { notify(): void; leave(): void };
}

/** The edits of one page that are on no server, readable by people and by Yjs. */
export type UnsentCopy = {
  readonly document: DocumentId;
  readonly title: string;
  /** The whole page as it stands on this device, one line per block. */
  readonly text: string;
  readonly edits: number;
  /** A Yjs update (V1), base64: the edits alone; of a page that is on no server, all of it. */
  readonly update: string;
};

/** A page made on this device that the server has not made yet. */
export type PendingPage = {
  readonly id: DocumentId;
  readonly workspace: WorkspaceId;
  readonly parent: DocumentId | null;
  readonly rank: string;
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly madeAt: number;
  /** Why the server will not make it there; null while it may. */
  readonly refused: WeftError['code'] | null;
};

/** Survives a reload and a kill. Rejects on a device that stores nothing. */
export interface PendingPageQueue {
  /** Keeps the page with its first row: from now on it opens on this device. */
  add(page: PendingPage, role: DocumentRole): Promise<void>;
  /** The oldest first. */
  list(): Promise<readonly PendingPage[]>;
  get(id: DocumentId): Promise<PendingPage | null>;
  /** Nothing when it is not there any more. */
  change(id: DocumentId, change: Partial<Pick<PendingPage, 'parent' | 'rank' | 'title' | 'refused'>>): Promise<void>;
  /** The server has it. */
  remove(id: DocumentId): Promise<void>;
  /** Nobody wants it: the page goes too. */
  drop(id: DocumentId): Promise<void>;
}

export type Theme = 'system' | 'light' | 'dark';

/** The theme of this device: chosen once, kept, the same in every tab. */
export interface ThemeChoice {
  get(): Theme;
  set(theme: Theme): void;
}
