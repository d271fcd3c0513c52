// Names of the Realtime topics (SPECIFICATION.md, point 3); the policies on realtime.messages parse the same forms.
import type { DocumentId, UserId, WorkspaceId } from './ids.ts';

/** `<documents.epoch>.<workspaces.epoch>`: one write to the workspace moves every topic in it. */
export type Epoch = string;

export const liveTopic = (document: DocumentId, epoch: Epoch) => `d:${document}:${epoch}`;
export const viewTopic = (document: DocumentId, epoch: Epoch) => `v:${document}:${epoch}`;
export const workspaceTopic = (workspace: WorkspaceId, epoch: number) => `k:${workspace}:${epoch}`;
export const personTopic = (user: UserId) => `u:${user}`;

/**
 * Topics on which clients may send broadcasts. A text broadcast of theirs can look like one of the database to the
 * letter: the hosted server passes the whole object on, `meta` included (read in its broadcast_handler.ex; ours drops
 * it). Bytes cannot: a binary frame of a client loses its metadata.
 */
export const hearsClients = (topic: string): boolean => topic.startsWith('d:');

/**
 * Broadcast events. `rows`, `moved`, `ended` and `change` are the database's: a receiver takes them only with
 * `meta.id`, and where clients may send too, rows only as bytes; anything else is at most a reason to ask the log.
 */
export const EVENTS = {
  /** Live and watch topics: rows of the log, `row.ts`. */
  rows: 'rows',
  /** Live topic, from clients: the caret and edits the database has not acknowledged yet, `live-update.ts`. */
  liveUpdate: 'live-update',
  /** Live topic: the epoch is over, leave and open again. */
  moved: 'moved',
  /** Watch topic: the link was revoked. */
  ended: 'ended',
  /** Workspace and person topics: ids and kinds of what changed. */
  change: 'change',
} as const;
