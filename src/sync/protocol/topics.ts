// Names of a document's Realtime topics, and their events (SPECIFICATION.md, section 3). The policies on realtime.messages parse these
// names.
import type { DocumentId } from './ids.ts';

/** `<documents.epoch>.<workspaces.epoch>`. With the second part, one write to the workspace moves all topics in it. */
export type Epoch = string;

export const liveTopic = (document: DocumentId, epoch: Epoch) => `d:${document}:${epoch}`;
export const viewTopic = (document: DocumentId, epoch: Epoch) => `v:${document}:${epoch}`;

/**
 * On view and watch topics, a visible page asks for rows this often. That also keeps the database publishing there
 * (`watched_until`).
 */
export const WATCH_AGAIN_MS = 15_000;

/**
 * Whether clients may send broadcasts on a topic. A client can forge a text broadcast that looks exactly like one of
 * the database: the hosted server forwards the whole object, `meta` included (see its broadcast_handler.ex; our server
 * drops `meta`). It cannot forge bytes: the server removes the metadata of a client's binary frame.
 */
export const allowsClientBroadcasts = (topic: string): boolean => topic.startsWith('d:');

/**
 * Broadcast events. Only the database sends them, except `live-update`: a receiver accepts them only with `meta.id` and, where
 * clients may send too, accepts rows only as bytes. Anything else is at most a reason to ask the database.
 */
export const EVENTS = {
  /** Live, view and watch topics: rows of the log, `row.ts`. */
  rows: 'rows',
  /** Live topic, from clients: the caret and edits the database has not acknowledged yet, `live-update.ts`. */
  liveUpdate: 'live-update',
  /** Live and view topics: the topic has moved to a new epoch. Leave it and open the page again. */
  moved: 'moved',
  /** Watch topic: the link was revoked, or its workspace deleted. */
  ended: 'ended',
  /** Watch topic: something was erased for good. Ask again. */
  erased: 'erased',
  /** Live, view and watch topics: who presents, and where (presenting.ts). Only bytes count. */
  presenting: 'presenting',
  /** Live topic: someone who may send no caret writes in a text beside the page (beside.ts). Only bytes count. */
  beside: 'beside',
  /** Watch topic: the newest change of the page's comments, `{"change": 7}`, or null if the link shows none. Only bytes count. */
  comments: 'comments',
} as const;
