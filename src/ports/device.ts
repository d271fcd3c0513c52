// The ports of the views for what this device keeps: lists, pages, edits and changes that wait, choices.
import type { Unsent } from 'weft-sync/ports.ts';
import type { WeftError } from 'weft-sync/protocol/errors.ts';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import type { DocumentRole } from 'weft-sync/protocol/roles.ts';
import type { DocumentSummary } from '../protocol/answers.ts';
import type { WorkspaceId } from '../protocol/ids.ts';

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

/**
 * The documents of one user on this device. Calls that read or write the storage reject if the device stores nothing.
 */
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
  /** What the server gave this device of a document that it may have lost. Null if it gave nothing. */
  held(document: DocumentId): Promise<HeldDocument | null>;
  /**
   * Whether it began with the first row of every new page, and this version of the app may write it. Then the server can have it
   * again.
   */
  canBeMadeAgain(document: DocumentId): Promise<boolean>;
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
  /** The texts of comments; missing if there are none. */
  readonly comments?: readonly string[];
  /** Edits in base64 that cannot be read, such as one that the device damaged; missing if there are none. */
  readonly unreadable?: readonly string[];
};

/** A document of this device, as it was when the server had it. */
export type HeldDocument = {
  readonly role: DocumentRole;
  /** When the database wrote the newest row of it, ms since 1970. Null: not known. */
  readonly at: number | null;
};

/** A page created on this device that the server does not have yet, or one that a restored server has lost. */
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
  /** Set for a page that the server has lost. */
  readonly lost?: LostPage | undefined;
};

export type LostPage = {
  readonly access: DocumentSummary['access'];
  /** Whether every member of the workspace could open it. */
  readonly isOpenToWorkspace: boolean;
  /** When the database wrote the newest row that is here. */
  readonly heldAt: number | null;
};

/** Survives a reload and a killed tab. Rejects if the device stores nothing. */
export interface PendingPageQueue {
  /** Stores the page with its first row. From now on it opens on this device. */
  add(page: PendingPage, role: DocumentRole): Promise<void>;
  /** Queues a page that is on this device already, unless it is queued. */
  addLost(page: PendingPage): Promise<void>;
  /** Oldest first. */
  list(): Promise<readonly PendingPage[]>;
  get(id: DocumentId): Promise<PendingPage | null>;
  /** Does nothing if the page is no longer queued. */
  change(id: DocumentId, change: Partial<Pick<PendingPage, 'parent' | 'rank' | 'title' | 'refused'>>): Promise<void>;
  /** Removes it from the queue, because the server has it. */
  remove(id: DocumentId): Promise<void>;
  /** Deletes the page from queue and device: the person discarded it, or it was rejected before anyone wrote in it. */
  drop(id: DocumentId): Promise<void>;
}

/** A change of a page's entry in the tree that the server does not have yet. */
export type PageEntryChange = {
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
  /** `rank`: the place among the favourites. Null: the page is no favourite any more. */
  | { readonly kind: 'favourite'; readonly rank: string | null }
);

/** Changes that the server does not have yet. Survives a reload and a killed tab. Rejects if the device stores nothing. */
export interface ChangeQueue<Change> {
  /** Stores a change in place of the one with its key, and of those with the keys `replaced`. */
  put(change: Change, replaced: readonly string[]): Promise<void>;
  /** Those that this version can read, oldest first. */
  list(): Promise<readonly Change[]>;
  /** The keys of all changes, also of those that this version cannot read. */
  keys(): Promise<ReadonlySet<string>>;
  remove(key: string): Promise<void>;
}

export type PageChangeQueue = ChangeQueue<PageEntryChange>;

export type Theme = 'system' | 'light' | 'dark';

/** The theme of this device, stored. All open tabs follow a change. */
export interface ThemeChoice {
  get(): Theme;
  set(theme: Theme): void;
  /** Runs when another tab has set it. */
  onChange(run: () => void): void;
}
