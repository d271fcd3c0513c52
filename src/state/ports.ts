// What the views ask of the world beside documents: accounts, lists, people, links, the workspace's change stream.
// `src/platform/supabase` makes them real, `src/app/wire.ts` joins the two.
import type { Cancel } from '../lib/cancel.ts';
import type { Result } from '../lib/result.ts';
import type {
  Change,
  CreatedLink,
  CreatedWorkspace,
  DocumentList,
  DocumentSummary,
  Profile,
  Redeemed,
  ShareLink,
  Workspace,
} from '../protocol/answers.ts';
import type { Color } from '../protocol/colors.ts';
import type { SignInError, WeftError } from '../protocol/errors.ts';
import type { DocumentId, LinkId, LinkSecret, UserId, WorkspaceId } from '../protocol/ids.ts';

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
  signUp(
    email: string,
    password: string,
    displayName: string,
  ): Promise<Result<{ readonly needsConfirmation: boolean }, SignInError>>;
  signIn(email: string, password: string): Promise<Result<void, SignInError>>;
  continueAsGuest(displayName: string): Promise<Result<void, SignInError>>;
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
  redeemLink(secret: LinkSecret): Answer<Redeemed>;
}

/** Who is on which page, and what changed, in one workspace. */
export type Whereabouts = { readonly user: UserId; readonly document: DocumentId | null };

export interface WorkspaceStream {
  /** Joins the workspace's topic; joins again by itself after every loss, then says `caughtUp` so that lists are read anew. */
  open(
    workspace: Workspace,
    on: {
      change(change: Change): void;
      /** Null: not connected, nobody knows. */
      present(people: readonly Whereabouts[] | null): void;
      caughtUp(): void;
    },
  ): {
    /** Says where this person is; sent at most once per 10 s, the last word wins. */
    moveTo(document: DocumentId | null): void;
    close(): void;
  };
}

/** Lists kept on this device for one user of one project, so that a start without network shows them. */
export interface Shelf {
  /** What was saved under this key, unparsed; undefined when there is nothing or storage is blocked. */
  load(key: string): Promise<unknown>;
  /** Structured-cloneable values. A failed write is silent: a list can be fetched again. */
  save(key: string, value: unknown): Promise<void>;
  clear(): Promise<void>;
}

export type Theme = 'system' | 'light' | 'dark';

/** The theme of this device: chosen once, kept, the same in every tab. */
export interface ThemeChoice {
  get(): Theme;
  set(theme: Theme): void;
}
