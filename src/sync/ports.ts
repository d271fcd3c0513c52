// The ports: everything the sync core needs from outside. Each has an adapter in memory (`testing`) and a real one
// (`supabase`, `browser`), but for snapshots, whose maker (`snapshot`) runs in a worker of the app. For most of the
// ports
// `tests/contract` has a suite that all its adapters pass.
import type { Bytes } from '../lib/bytes.ts';
import type { Cancel } from '../lib/cancel.ts';
import type { Result } from '../lib/result.ts';
import type { WeftError } from './protocol/errors.ts';
import type { DocumentId, SessionId, UserId, LinkSecret } from './protocol/ids.ts';
import type {
  Announcement,
  AppendAnswer,
  OpenAnswer,
  PublishAnswer,
  RowsAnswer,
  SessionInfo,
  SnapshotClaim,
  StartAnswer,
  WatchAnswer,
} from './protocol/log-answers.ts';
import type { Place } from './protocol/place.ts';
import type { PresentAnswer, Watching } from './protocol/presenting.ts';
import type { DocumentRole } from './protocol/roles.ts';
import type { Part, Row } from './protocol/row.ts';

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  after(ms: number, run: () => void): Cancel;
  /**
   * A time of the database as this device's clock shows it; people compare it with `now()`. Left out: both clocks count
   * as the same.
   */
  readonly fromServer?: (at: number) => number;
}

export interface Random {
  /** In [0, 1). */
  next(): number;
  /** A random (version 4) uuid. */
  session(): SessionId;
}

/** Someone named in a text: in which block, and the words around. */
export type Mention = { readonly user: UserId; readonly block: string; readonly excerpt: string };

/** The functions of the database for one signed-in user. A lost network is `WF011`, a lost sign-in `WF003`. */
export interface Log {
  /**
   * `at`: the time of row `since` (HI1), as in every call below; WF016 if the log has another row there. Left out or null: not
   * known.
   */
  open(document: DocumentId, since: number, at?: number | null): Promise<Result<OpenAnswer, WeftError>>;
  startSession(start: {
    readonly document: DocumentId;
    readonly session: SessionId;
    readonly clientId: number;
    readonly schemaVersion: number;
  }): Promise<Result<StartAnswer, WeftError>>;
  /** `keepalive`: the call outlives the page; the browser allows only small ones. */
  append(append: Append, options?: { readonly keepalive?: boolean }): Promise<Result<AppendAnswer, WeftError>>;
  /**
   * Puts back what the server lost (HI4), in one row. `seq` null: someone else put something back after `knownSeq`, and nothing
   * was appended.
   */
  putBack(call: PutBack): Promise<Result<AppendAnswer, WeftError>>;
  /** With `watching` the caller counts as a watcher, for one to two minutes more (WC1). */
  rowsSince(
    document: DocumentId,
    seq: number,
    limit: number,
    watching?: Watching | null,
    at?: number | null,
  ): Promise<Result<RowsAnswer, WeftError>>;
  /**
   * Like `rowsSince` with the largest limit. For 40 to 60 s more the database also publishes rows on the view topic.
   */
  keepWatching(
    document: DocumentId,
    seq: number,
    watching?: Watching | null,
    at?: number | null,
  ): Promise<Result<RowsAnswer, WeftError>>;
  /**
   * Presents the page for 20 s, and publishes the place, at most twice a second; with `place` null it stops. WF015
   * while another session presents; its detail is that session's user.
   */
  present(call: PresentCall): Promise<Result<PresentAnswer, WeftError>>;
  /**
   * Says that the session is on the page together with others: `sessionInfo` then knows its user. With `isWriting` its page
   * counts as busy for 15 s.
   */
  announce(document: DocumentId, session: SessionId, isWriting: boolean): Promise<Result<Announcement, WeftError>>;
  /** Leaves out sessions that the database does not know. */
  sessionInfo(document: DocumentId, sessions: readonly SessionId[]): Promise<Result<readonly SessionInfo[], WeftError>>;
  /**
   * Publishes what the watch topics lack. The answer is the seq they have reached; it is below the head when another
   * append was published just before.
   */
  publishPending(document: DocumentId): Promise<Result<PublishAnswer, WeftError>>;
  saveText(
    document: DocumentId,
    seq: number,
    title: string,
    bodyText: string,
    options?: {
      readonly keepalive?: boolean;
      readonly mentions?: readonly Mention[];
      /** The time of row `seq`; left out: not known. */
      readonly at?: number | null;
    },
  ): Promise<Result<void, WeftError>>;
  /** Asks for the right to save the next snapshot, for 30 s. This user's own claim is renewed. */
  claimSnapshot(document: DocumentId): Promise<Result<SnapshotClaim, WeftError>>;
  /**
   * Saves the state as of `snapshot.seq` and gives up the claim; a state that is not newer than the newest is not
   * saved. The answer is the seq of the newest. WF005 without the claim, or when something about the snapshot is wrong.
   */
  saveSnapshot(document: DocumentId, snapshot: MadeSnapshot): Promise<Result<number, WeftError>>;
}

export type Append = {
  readonly document: DocumentId;
  readonly session: SessionId;
  /** The edits `nFrom`–`nTo` of the session, merged in `update`. A relay has 0 for both, and no bytes (LG8). */
  readonly nFrom: number;
  readonly nTo: number;
  readonly update: Bytes;
  readonly dependencies: readonly Part[];
  /** The highest seq this device holds without a gap: the answer carries what comes after it. */
  readonly knownSeq: number;
  /** The time of row `knownSeq`; left out or null: not known. */
  readonly knownAt?: number | null;
  readonly schemaVersion: number;
  /**
   * Others on the live topic, as presence says; null: not known. With 0 the database does not publish the row there, so
   * it is 0 also when the edits went out in live updates, or the budget is used up.
   */
  readonly livePeers: number | null;
};

export type PutBack = Pick<Append, 'document' | 'knownSeq' | 'knownAt' | 'schemaVersion' | 'livePeers'> & {
  /** Edits of any sessions (Yjs V1), complete on top of the log. */
  readonly update: Bytes;
  /** The time of the newest row that was here when it was set aside; left out or null: not known. */
  readonly setAsideAt?: number | null;
};

export type PresentCall = {
  readonly document: DocumentId;
  readonly session: SessionId;
  /** Null stops. */
  readonly place: Place | null;
  /** The user begins: this ends a presentation of their own in another tab. A call that goes on never does. */
  readonly starts: boolean;
  /** Others on the live topic, as presence says; null: not known. With 0 the place is not published there. */
  readonly livePeers: number | null;
};

/** The functions for one share link; they need no account. */
export interface WatchLog {
  /** Rows after `since`. At 0 the answer starts with the newest snapshot, if there is one; below 0 it has all rows. */
  openWatch(
    secret: LinkSecret,
    since: number,
    watching?: Watching | null,
    at?: number | null,
  ): Promise<Result<WatchAnswer, WeftError>>;
}

/** Realtime. `join` makes a new channel each time; after `lost` nothing more comes from it. */
export interface Link {
  join(topic: string, options: JoinOptions, on: LinkEvents): Channel;
}

export type JoinOptions = {
  /** The session to track once joined. Null: neither track nor receive presence. */
  readonly presence: SessionId | null;
};

/**
 * `denied`: the join was refused. `closed`: the server closed the channel. `disconnected`: no answer came, or the
 * socket is gone.
 */
export type LostReason = 'denied' | 'closed' | 'disconnected';

export type LinkEvents = {
  joined(): void;
  /**
   * The join was refused, the server closed the channel, a timeout passed, or the socket is gone. The adapter has given
   * the channel up.
   */
  lost(reason: LostReason, detail: string): void;
  /**
   * `fromDatabase`: the message has `meta.id`. A client can forge that on a text message, not on bytes (see topics.ts).
   */
  message(event: string, payload: Bytes, fromDatabase: boolean): void;
  /**
   * The sessions on the topic, this one included, after each change. No one verifies what people track: a session may be
   * listed several times. Empty while they cannot be known.
   */
  peers(sessions: readonly SessionId[]): void;
};

export interface Channel {
  /** Sends exactly these bytes to the others. Does nothing unless joined. */
  send(event: string, payload: Bytes): void;
  leave(): void;
}

/**
 * The data that this device stores for one user of one project. While edits could not be written, the device counts as
 * storing nothing (WF012).
 */
export interface Store {
  /** Null: nothing of the document is stored. */
  load(document: DocumentId): Promise<StoredDocument | null>;
  /**
   * In one transaction: replaces meta, adds rows, and with a snapshot replaces the stored one and the rows it contains,
   * unless the stored one is newer. Resolves to false, and nothing is written, when the store has another copy than that of
   * `meta`, a newer history, or a row or snapshot of the same seq and another time (HI6).
   */
  saveRows(document: DocumentId, meta: StoredMeta, rows: readonly Row[], snapshot?: StoredSnapshot): Promise<boolean>;
  /** One write, in the update's own task (D5). */
  addEntry(document: DocumentId, outbox: OutboxKey, entry: OutboxEntry): Promise<void>;
  /** Deletes entries up to `lastN` and does what `saveRows` does, in one transaction (I2). */
  acknowledge(
    document: DocumentId,
    session: SessionId,
    lastN: number,
    meta: StoredMeta,
    rows: readonly Row[],
    snapshot?: StoredSnapshot,
  ): Promise<boolean>;
  /**
   * In one transaction (HI3): stores the entry in an outbox of its own and deletes these outboxes' entries up to `lastN`: a tab that
   * was frozen may have stored more. If the store still has the copy `former`, it deletes rows and snapshot, and begins a new copy
   * with `meta`; otherwise another tab has done that. Resolves to false, and nothing is written, when the rows of `former` no longer
   * end where they ended when they were loaded: another tab has stored some since.
   */
  setAside(
    document: DocumentId,
    former: FormerCopy,
    meta: StoredMeta,
    outboxes: readonly FoldedOutbox[],
    key: OutboxKey,
    entry: OutboxEntry,
  ): Promise<boolean>;
  /** Marks a whole outbox as refused: it is kept, offered as a file, and never sent again automatically. */
  refuse(document: DocumentId, session: SessionId, code: WeftError['code']): Promise<void>;
  /** Deletes everything of one document, unsent edits included. */
  forget(document: DocumentId): Promise<void>;
  /** Deletes everything of this user on this device. */
  forgetAll(): Promise<void>;
  /** Documents with edits that are not on the server, refused ones included. */
  unsent(): Promise<readonly Unsent[]>;
}

/** The copy that a tab sets aside, and the newest row that `load` returned of it; 0 where there was none. */
export type FormerCopy = { readonly copy: string | undefined; readonly seq: number };

/** An outbox whose edits up to `lastN` are part of what was set aside. */
export type FoldedOutbox = { readonly session: SessionId; readonly lastN: number };

export type OutboxKey = { readonly session: SessionId; readonly clientId: number };
export type OutboxEntry = {
  readonly n: number;
  readonly update: Bytes;
  /**
   * When it was made, in ms since 1970. Of what was set aside: the database's time of the newest row, 0 if not known
   * (HI5).
   */
  readonly at: number;
  /** Live updates of others that this edit builds on (I4). */
  readonly buildsOn: readonly Part[];
  /** The newest schema that the app which wrote it understands. An older app leaves the edit alone. */
  readonly schemaVersion?: number;
};
export type StoredOutbox = OutboxKey & {
  readonly entries: readonly OutboxEntry[];
  readonly refused: WeftError['code'] | null;
};
export type StoredMeta = {
  readonly seq: number;
  readonly schemaVersion: number;
  readonly title: string;
  /** The last role known: a viewer who opens the page offline does not write. */
  readonly role: DocumentRole;
  /** When the newest row was written, by the clock of the database. Missing if the device never learned it. */
  readonly changedAt?: number;
  /** When the page's history began again, by the same clock (HI9). Missing: never. */
  readonly historyBeganAt?: number;
  /** The id of the device's copy of the log (HI6). Missing: it is the first one. */
  readonly copy?: string;
};
/** `at`: the time of row `seq`, in ms since 1970 by the clock of the database; missing or null: not known. */
export type StoredSnapshot = { readonly seq: number; readonly at?: number | null; readonly state: Bytes };
/** Yjs V2 in zlib, with the SHA-256 of those bytes in lower-case hex. */
export type MadeSnapshot = StoredSnapshot & { readonly sha256: string };
export type StoredDocument = {
  readonly meta: StoredMeta;
  readonly snapshot: StoredSnapshot | null;
  /** In seq order, without a gap from the snapshot on. */
  readonly rows: readonly Row[];
  /** Oldest session first. */
  readonly outboxes: readonly StoredOutbox[];
};
export type Unsent = { readonly document: DocumentId; readonly edits: number; readonly oldestAt: number };

/** Tells whether a session's tab still lives: by Web Locks, or by an open connection to IndexedDB without a secure context. */
export interface Locks {
  /** Takes the lock of a session. Null: another tab holds it. */
  take(session: SessionId): Promise<Cancel | null>;
}

/** The other tabs of this browser with the same project and user: edits reach them without the network. */
export interface Tabs {
  /**
   * `received` gets what other tabs post for this document, as exact bytes, and never what was posted here. Nothing is
   * stored for later: a tab that is frozen or not open yet misses it. Empty messages and messages above
   * `MAX_TAB_MESSAGE_BYTES` are not posted. After `leave`, which may be called twice, nothing is received and posting
   * does nothing.
   */
  join(document: DocumentId, received: (bytes: Bytes) => void): { post(bytes: Bytes): void; leave(): void };
}

/** The heavy work with snapshots, in a worker where there is one. Rejects when the work could not be done. */
export interface SnapshotMaker {
  /**
   * The state (Yjs V2) in a snapshot, or null when the bytes are damaged. Without `sha256` there is no checksum to
   * compare.
   */
  readonly unpack: (state: Bytes, sha256: string | null) => Promise<Bytes | null>;
  /** A snapshot of `from` and the rows after it. Null: `from` cannot be read, or a row is missing. Rejects if it is too large. */
  make(from: StoredSnapshot | null, rows: readonly Row[]): Promise<MadeSnapshot | null>;
  /**
   * Whether a snapshot says the same as the rows from the first up to its seq. Compares content; the bytes may differ.
   */
  isTrue(snapshot: StoredSnapshot, rows: readonly Row[]): Promise<boolean>;
}

/** The page in its browser: network and visibility. */
export interface Environment {
  isOnline(): boolean;
  isVisible(): boolean;
  onChange(run: (fact: 'online' | 'offline' | 'hidden' | 'visible') => void): Cancel;
}

export type Ports = {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly link: Link;
  readonly store: Store;
  readonly locks: Locks;
  readonly tabs: Tabs;
  readonly environment: Environment;
  /** Left out: this tab neither makes nor verifies snapshots. */
  readonly snapshots?: SnapshotMaker;
};
