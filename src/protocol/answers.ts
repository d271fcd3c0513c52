// Parsers for the answers of the database's functions and tables (SPECIFICATION.md, "Exact shapes").
import * as v from 'valibot';
import { count, documentId, documentRole, instant, userId } from 'weft-sync/protocol/shapes.ts';
import { COLORS } from './colors.ts';
import { databaseId, linkId, linkSecret, workspaceId, workspaceRole } from './shapes.ts';

/** The answer of `database_identity`. */
export const databaseIdentity = v.object({ database: databaseId });

export const documentSummary = v.object({
  id: documentId,
  workspaceId,
  parentId: v.nullable(documentId),
  kind: v.string(),
  title: v.string(),
  icon: v.nullable(v.string()),
  rank: v.string(),
  access: v.picklist(['inherit', 'workspace', 'restricted']),
  role: documentRole,
  createdAt: instant,
  updatedAt: instant,
  updatedBy: v.nullable(userId),
  /** When this person last visited the page; null if never. */
  visitedAt: v.nullable(instant),
  /** The page's place among this person's favourites; null if it is none. */
  favouriteRank: v.nullable(v.string()),
  /** An import of several files made the page, and no one wrote in it since. */
  isImported: v.optional(v.boolean()),
  /** Threads of comments that are not resolved. 0 for people who may not read them. */
  openThreads: v.optional(count, 0),
  /** Threads with something that this person has not read, counted up to 10. A page that they never visited has none. */
  unreadThreads: v.optional(count, 0),
  /** Null while the page is not in the trash. */
  trashedAt: v.nullable(instant),
  trashedBy: v.nullable(userId),
});
export type DocumentSummary = v.InferOutput<typeof documentSummary>;

export const workspace = v.object({
  id: workspaceId,
  name: v.string(),
  slug: v.string(),
  epoch: count,
  /** Null for someone who is not a member and has roles on single pages only. */
  role: v.nullable(workspaceRole),
});
export type Workspace = v.InferOutput<typeof workspace>;

/** The pages of a workspace, or only those that changed since an earlier answer. */
export const documentChanges = v.object({
  workspace,
  /** A moment of the database, to be sent with the next request. Its text means nothing to clients. */
  stamp: v.string(),
  /** Whether `documents` are all pages that the person may see. */
  isComplete: v.boolean(),
  documents: v.array(documentSummary),
  /** Pages that went to the trash. Empty if the list is complete. */
  removed: v.array(documentId),
});
export type DocumentChanges = v.InferOutput<typeof documentChanges>;

/** `lost`: pages that the database has never heard of. `ahead`: pages of which it has less than the caller (docs/backup.md). */
export const lostDocuments = v.object({ lost: v.array(documentId), ahead: v.array(documentId) });
export type LostDocuments = v.InferOutput<typeof lostDocuments>;

/** The number of pages that a call trashed or deleted, the named one included. */
export const pageCount = v.object({ pages: count });

export const trashEntries = v.array(
  v.object({
    document: documentSummary,
    trashedAt: instant,
    trashedBy: v.nullable(userId),
    /** The pages below it that come back with it, as far as this person may see them. */
    pages: count,
    /** The title of the page that it comes back to. Null if that is the top, or a page that this person may not see. */
    parentTitle: v.nullable(v.string()),
    restoresToTop: v.boolean(),
    files: count,
    /** It is known to have no text, and has no pages and no files inside. */
    isEmpty: v.boolean(),
    mayPurge: v.boolean(),
  }),
);
export type TrashEntry = v.InferOutput<typeof trashEntries>[number];

export const createdWorkspace = v.object({ workspace, document: documentId });
export type CreatedWorkspace = v.InferOutput<typeof createdWorkspace>;

export const profile = v.object({
  id: userId,
  displayName: v.string(),
  color: v.picklist(COLORS),
  /** The object of the person's picture in the bucket `avatars`. Lists that a device stored before pictures lack it. */
  avatarPath: v.optional(v.nullable(v.string())),
});
export type Profile = v.InferOutput<typeof profile>;

/** The roles that a link can give. */
export const SHARE_ROLES = ['viewer', 'commenter', 'editor'] as const;

export const shareLink = v.object({
  id: linkId,
  documentId,
  role: v.picklist(SHARE_ROLES),
  expiresAt: v.nullable(instant),
  revokedAt: v.nullable(instant),
  createdBy: v.nullable(userId),
  createdAt: instant,
  /** Optional from here on: a database of an earlier release answers without them. */
  name: v.optional(v.nullable(v.string()), null),
  /** The number of people who joined by it. */
  uses: v.optional(count, 0),
  /** Whether people who watch or join by it see the page's history. */
  history: v.optional(v.boolean(), false),
});
export type ShareLink = v.InferOutput<typeof shareLink>;

export const createdLink = v.object({ link: shareLink, secret: linkSecret });
export type CreatedLink = v.InferOutput<typeof createdLink>;

export const redeemedLink = v.object({ document: documentId, workspaceSlug: v.string(), role: documentRole });
export type RedeemedLink = v.InferOutput<typeof redeemedLink>;

/** The answer of `copy_attachment`: the path in the bucket from which the caller copies the file. */
export const attachmentCopy = v.object({ from: v.string() });
/** The answer of `purge_attachments`: paths in the bucket of files that no page uses any more, for the caller to delete. */
export const purgeableNames = v.object({ names: v.array(v.string()) });

/** A message on a workspace's or a person's topic: kinds and ids only, never titles or names. */
export const workspaceChange = v.object({
  kind: v.picklist([
    'document',
    'access',
    'member',
    'workspace',
    'profile',
    'favourite',
    'visit',
    'notification',
    'request',
    'invite',
    'link',
    'version',
    'comment',
  ]),
  op: v.picklist(['created', 'changed', 'moved', 'trashed', 'restored', 'removed', 'read']),
  id: v.string(),
  /** Null if the change belongs to no single workspace. */
  workspace: v.nullable(workspaceId),
});
export type WorkspaceChange = v.InferOutput<typeof workspaceChange>;
