// What the sync core asks of the world. Each port has a memory adapter (tests, demo) and a real one in
// src/platform; `tests/contract` holds one suite per port that every adapter passes.
import type { Bytes } from '../lib/bytes.ts';
import type { Cancel } from '../lib/cancel.ts';
import type { Result } from '../lib/result.ts';
import type {
  AppendAnswer,
  OpenAnswer,
  RowsAnswer,
  SessionInfo,
  SnapshotClaim,
  StartAnswer,
  WatchAnswer,
} from '../protocol/answers.ts';
import type { WeftError } from '../protocol/errors.ts';
import type { DocumentId, LinkSecret, SessionId, UserId } from '../protocol/ids.ts';
import type { DocumentRole } from '../protocol/roles.ts';
import type { Part, Row } from '../protocol/row.ts';

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  after(ms: number, run: () => void): Cancel;
}

export interface Random {
  /** In [0, 1). */
  next(): number;
  /** A random (version 4) uuid. */
  session(): SessionId;
}

/** The functions of the database for one signed-in user. A lost network is `WF011`, a lost sign-in `WF003`. */
export interface Log {
  open(document: DocumentId, since: number): Promise<Result<OpenAnswer, WeftError>>;
  startSession(start: {
    readonly document: DocumentId;
    readonly session: SessionId;
    readonly clientId: number;
    readonly schemaVersion: number;
  }): Promise<Result<StartAnswer, WeftError>>;
  append(append: Append, options?: { readonly keepalive?: boolean }): Promise<Result<AppendAnswer, WeftError>>;
  rowsSince(document: DocumentId, seq: number, limit: number): Promise<Result<RowsAnswer, WeftError>>;
  /** As `rowsSince` with the largest limit; for 60 s more rows are published on the view topic. */
  keepWatching(document: DocumentId, seq: number): Promise<Result<RowsAnswer, WeftError>>;
  sessionInfo(document: DocumentId, sessions: readonly SessionId[]): Promise<Result<readonly SessionInfo[], WeftError>>;
  /** Answers how far the watch topics have been told; less than the head when another append was told just now. */
  publishPending(document: DocumentId): Promise<Result<number, WeftError>>;
  saveText(
    document: DocumentId,
    seq: number,
    title: string,
    bodyText: string,
    options?: { readonly keepalive?: boolean },
  ): Promise<Result<void, WeftError>>;
  /** Asks for the right to save the next snapshot, for 30 s; this user's own claim is renewed. */
  claimSnapshot(document: DocumentId): Promise<Result<SnapshotClaim, WeftError>>;
  /**
   * Saves the state as of `snapshot.seq` and gives the claim back; one that is not newer than the newest is left out.
   * Answers the seq of the newest. WF005 without the claim, or when something about it is not right.
   */
  saveSnapshot(document: DocumentId, snapshot: MadeSnapshot): Promise<Result<number, WeftError>>;
}

export type Append = {
  readonly document: DocumentId;
  readonly session: SessionId;
  readonly nFrom: number;
  readonly nTo: number;
  readonly update: Bytes;
  readonly dependencies: readonly Part[];
  /** The highest seq this device holds without a gap: the answer carries what comes after it. */
  readonly knownSeq: number;
  readonly schemaVersion: number;
  /** Others on the live topic, as the presence list says; null when not joined. 0 spares the live message. */
  readonly livePeers: number | null;
};

/** The functions for one share link, without an account. */
export interface WatchLog {
  /** Rows after `since`; at 0 after the newest snapshot, if there is one; below 0 all rows. */
  openWatch(secret: LinkSecret, since: number): Promise<Result<WatchAnswer, WeftError>>;
}

/** Realtime. `join` makes a new channel each time; after `closed` or `denied` nothing more comes from it. */
export interface Link {
  join(topic: string, options: JoinOptions, on: LinkEvents): Channel;
}

export type JoinOptions = {
  /** Presence key and state to track once joined; null: neither track nor receive presence. */
  readonly presence: { readonly session: SessionId; readonly user: UserId } | null;
};

export type Peer = { readonly session: SessionId; readonly user: UserId };

export type LostReason = 'denied' | 'closed' | 'disconnected';

export type LinkEvents = {
  joined(): void;
  /** Refused, closed by the server, timed out, or the socket is gone. The adapter gave the channel up. */
  lost(reason: LostReason, detail: string): void;
  /** `fromDatabase`: with `meta.id`. Rows that come so are the database's (topics.ts says how that is made sure). */
  message(event: string, payload: Bytes, fromDatabase: boolean): void;
  /** The whole presence list of the topic, self included, after each change. */
  peers(peers: readonly Peer[]): void;
};

export interface Channel {
  /** Sends an exact buffer to the others; silently nothing unless joined. */
  send(event: string, payload: Bytes): void;
  leave(): void;
}

/** What this device keeps, for one user of one project. A failed write means the device stores nothing (WF012). */
export interface Store {
  load(document: DocumentId): Promise<StoredDocument | null>;
  /**
   * Replaces meta (and the snapshot when given, with the rows it holds, unless a newer one is kept) and adds rows, in
   * one transaction.
   */
  saveRows(document: DocumentId, meta: StoredMeta, rows: readonly Row[], snapshot?: StoredSnapshot): Promise<void>;
  /** One write in the update's own task (D5). */
  addEntry(document: DocumentId, outbox: OutboxKey, entry: OutboxEntry): Promise<void>;
  /** Deletes entries up to `lastN` and stores the answer's rows, in one transaction (I2). */
  acknowledge(
    document: DocumentId,
    session: SessionId,
    lastN: number,
    meta: StoredMeta,
    rows: readonly Row[],
  ): Promise<void>;
  /** Marks a whole outbox as refused: kept, offered as a file, never sent again by itself. */
  refuse(document: DocumentId, session: SessionId, code: WeftError['code']): Promise<void>;
  /** Everything of one document, unsent edits included. */
  forget(document: DocumentId): Promise<void>;
  /** Everything of this user on this device. */
  forgetAll(): Promise<void>;
  /** Documents with unsent edits. */
  unsent(): Promise<readonly Unsent[]>;
}

export type OutboxKey = { readonly session: SessionId; readonly clientId: number };
export type OutboxEntry = {
  readonly n: number;
  readonly update: Bytes;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Live updates of others this edit builds on (I4). */
  readonly buildsOn: readonly Part[];
  /** The newest schema that the app which wrote it understands: an older one leaves the edit alone. */
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
  /** The last one known: a viewer who opens offline does not write. */
  readonly role: DocumentRole;
};
export type StoredSnapshot = { readonly seq: number; readonly state: Bytes };
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

/** Says whether a session's tab still lives (Web Locks; a heartbeat in IndexedDB without a secure context). */
export interface Locks {
  /** Takes the lock of a session, or null when another tab holds it. */
  take(session: SessionId): Promise<Cancel | null>;
}

/** The other tabs of this browser with the same project and user: live updates reach them without the network. */
export interface Tabs {
  /**
   * `heard` gets what other tabs post for this document, as exact bytes; never what was posted here. Nothing is kept for
   * who is not there: a tab that is frozen or not open yet misses it. What is empty or above `MAX_TAB_MESSAGE_BYTES` is
   * not posted. After `leave`, which may be called twice, nothing is heard any more and posting does nothing.
   */
  join(document: DocumentId, received: (bytes: Bytes) => void): { post(bytes: Bytes): void; leave(): void };
}

/** The heavy work with snapshots, in a worker where there is one. Rejects when the work could not be done. */
export interface SnapshotMaker {
  /** The state (Yjs V2) in a snapshot, or null when the bytes are damaged; `sha256` null: nothing to compare with. */
  readonly unpack: (state: Bytes, sha256: string | null) => Promise<Bytes | null>;
  /** A snapshot of `from` and the rows after it. Null when `from` cannot be read, a row is missing, or it is too large. */
  make(from: StoredSnapshot | null, rows: readonly Row[]): Promise<MadeSnapshot | null>;
  /** Whether a snapshot says what the rows from the first up to its seq say: by content, bytes may differ. */
  isTrue(snapshot: StoredSnapshot, rows: readonly Row[]): Promise<boolean>;
}

/** The page's surroundings as facts. */
export interface Surroundings {
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
  readonly surroundings: Surroundings;
  /** Left out: this tab makes no snapshots and verifies none. */
  readonly snapshots?: SnapshotMaker;
};
