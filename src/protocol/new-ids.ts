// Makes ids on the device, as weft-sync/protocol/new-ids.ts does.
import { parseDocumentId } from 'weft-sync/protocol/ids.ts';
import { newId } from 'weft-sync/protocol/new-ids.ts';
import { parseAttachmentId, parseCommentId, parseThreadId, parseVersionId, parseWorkspaceId } from './ids.ts';

export const newWorkspaceId = () => newId(parseWorkspaceId);
export const newDocumentId = () => newId(parseDocumentId);
export const newAttachmentId = () => newId(parseAttachmentId);
export const newVersionId = () => newId(parseVersionId);
export const newThreadId = () => newId(parseThreadId);
export const newCommentId = () => newId(parseCommentId);
