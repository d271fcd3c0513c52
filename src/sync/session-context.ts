// The context that all parts of one session share; what they report goes through `emit`.
import type { Bytes } from '../lib/bytes.ts';
import type { ConnectionState } from './connection/connection-state.ts';
import type { Presence } from './connection/presence.ts';
import type { Rights } from './connection/rights.ts';
import type { Ports } from './ports.ts';
import type { DocumentId, SessionId, UserId } from './protocol/ids.ts';
import { mayEdit } from './protocol/roles.ts';
import type { Emit } from './session-event.ts';
import type { DocumentState } from './state/document-state.ts';
import type { DocumentStore } from './state/document-store.ts';

export type SessionContext = {
  readonly documentId: DocumentId;
  readonly sessionId: SessionId;
  readonly user: UserId;
  /** The newest schema this app understands, and writes. */
  readonly schemaVersion: number;
  /** False: text travels by rows of the log alone. Carets and heads still go out. */
  readonly hasLiveUpdates: boolean;
  /** Messages per second that this page may cause now, shared by everyone who writes. */
  readonly liveBudget: (busyPages: number) => number;
  /** Readers leave the live topic for the view topic when more sessions than this are on it. */
  readonly maxOnLive: number;
  readonly ports: Ports;
  /** The state in a snapshot's bytes, or null when they are damaged. */
  readonly unpack: (state: Bytes, sha256: string | null) => Promise<Bytes | null>;
  readonly store: DocumentStore;
  readonly state: DocumentState;
  readonly connection: ConnectionState;
  readonly rights: Rights;
  readonly presence: Presence;
  readonly emit: Emit;
};

/** This tab may append now: calls work, the page is shown, and the role allows it. */
export const mayAppend = ({ connection, rights }: SessionContext): boolean =>
  connection.maySend && mayEdit(rights.role);
