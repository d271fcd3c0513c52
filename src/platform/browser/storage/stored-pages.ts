// Parses what IndexedDB returns of pages that the server does not have yet.
import * as v from 'valibot';
import { storedRefusal, time } from 'weft-sync/browser/storage/stored-shapes.ts';
import { branded, documentId } from 'weft-sync/protocol/shapes.ts';
import { parseWorkspaceId } from '../../../protocol/ids.ts';

/** What a pending page has in addition if the server has lost it. */
export const lostPage = v.object({
  access: v.picklist(['inherit', 'workspace', 'restricted']),
  isOpenToWorkspace: v.boolean(),
  heldAt: v.nullable(v.number()),
});
export const storedPendingPage = v.object({
  id: documentId,
  workspace: branded(parseWorkspaceId),
  parent: v.nullable(documentId),
  rank: v.string(),
  title: v.string(),
  /** Milliseconds since 1970. */
  madeAt: time,
  refused: v.optional(storedRefusal, null),
  lost: v.optional(lostPage),
});
