// Names of the Realtime topics (SPECIFICATION.md, point 3); the policies on realtime.messages parse the same forms.
import type { DocumentId, UserId, WorkspaceId } from './ids.ts';

/** `<documents.epoch>.<workspaces.epoch>`: one write to the workspace moves every topic in it. */
export type Epoch = string;

export const liveTopic = (document: DocumentId, epoch: Epoch) => `d:${document}:${epoch}`;
export const viewTopic = (document: DocumentId, epoch: Epoch) => `v:${document}:${epoch}`;
export const workspaceTopic = (workspace: WorkspaceId, epoch: number) => `k:${workspace}:${epoch}`;
export const personTopic = (user: UserId) => `u:${user}`;

/**
 * Broadcast events. `rows`, `moved`, `ended` and `change` are sent by the database alone: a receiver takes them
 * only when the message carries `meta.id`, which the server puts on messages from the database and on no other.
 */
export const EVENTS = {
  /** Live and watch topics: rows of the log, `row.ts`. */
  rows: 'rows',
  /** Live topic, from clients: caret (later also unacknowledged edits), `frame.ts`. */
  frame: 'frame',
  /** Live topic: the epoch is over, leave and open again. */
  moved: 'moved',
  /** Watch topic: the link was revoked. */
  ended: 'ended',
  /** Workspace and person topics: ids and kinds of what changed. */
  change: 'change',
} as const;
