// The ports of one person's state: the server, the storage of this device, the clock. `src/app/wire` provides them.
import type { WeftError } from 'weft-sync/protocol/errors.ts';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import type { Result } from '../../lib/result.ts';
import type { FormerAccounts, OwnAccount } from '../../ports/account.ts';
import type { MemberChanges } from '../../ports/changes.ts';
import type {
  CachedDocuments,
  CrossTabEvents,
  ListCache,
  PageChangeQueue,
  PendingPageQueue,
} from '../../ports/device.ts';
import type { FileCache, FileSource, FileStorage, ObjectUrls, PictureMaker } from '../../ports/files.ts';
import type { Histories } from '../../ports/history.ts';
import type { PersonStream, WorkspaceStream } from '../../ports/streams.ts';
import type { Directory, Home, Inbox, PageSearch, Membership, PageAccess, PageReader } from '../../ports/workspace.ts';
import type { PersonComments, PersonCommentsOptions } from '../comments/person-comments.ts';
import type { Timing } from '../offline/cached-list.ts';
import type { OpenedSession } from '../page/session-of-page.ts';

export type PersonPorts = {
  readonly directory: Directory;
  readonly search: PageSearch;
  readonly inbox: Inbox;
  readonly home: Home;
  readonly membership: Membership;
  readonly ownAccount: OwnAccount;
  readonly formerAccounts: FormerAccounts;
  /** A square picture of at most 512 pixels a side, as a profile has it. Null if the browser can't make one of the file. */
  readonly makeAvatar: (file: Blob) => Promise<Blob | null>;
  readonly access: PageAccess;
  readonly stream: WorkspaceStream;
  readonly personStream: PersonStream;
  readonly listCache: ListCache;
  readonly timing: Timing;
  /** `beforeOpen` runs before the page is requested. Its error becomes the answer. */
  readonly openSession: (documentId: DocumentId, beforeOpen: BeforeOpen) => Promise<OpenedSession>;
  readonly pageReader: PageReader;
  readonly changesSince: MemberChanges;
  readonly histories: Histories;
  readonly openComments: () => Promise<CommentsOpener>;
  readonly cachedDocuments: CachedDocuments;
  readonly crossTabEvents: CrossTabEvents;
  readonly pendingPages: PendingPageQueue;
  readonly pageChanges: PageChangeQueue;
  readonly files: FilePorts;
  /** The space that this person's documents may take on this device. */
  readonly capBytes: number;
};

/** The code for comments, with its own ports. */
export type CommentsOpener = (options: Omit<PersonCommentsOptions, 'comments' | 'queue'>) => PersonComments;

/** The ports for the pictures and files of pages. */
export type FilePorts = {
  readonly storage: FileStorage;
  readonly sourceOf: (document: DocumentId) => FileSource;
  readonly fileCache: FileCache;
  readonly maker: PictureMaker;
  readonly objectUrls: ObjectUrls;
};

export type BeforeOpen = () => Promise<Result<unknown, WeftError>>;
