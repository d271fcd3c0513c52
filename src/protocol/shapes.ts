// Valibot schemas that several parsers share, beside those of weft-sync/protocol/shapes.ts.
import * as v from 'valibot';
import { branded } from 'weft-sync/protocol/shapes.ts';
import {
  parseAttachmentId,
  parseCommentId,
  parseDatabaseId,
  parseInviteId,
  parseLinkId,
  parseLinkSecret,
  parseRequestId,
  parseThreadId,
  parseWorkspaceId,
} from './ids.ts';
import { WORKSPACE_ROLES } from './roles.ts';

export const databaseId = branded(parseDatabaseId);
export const workspaceId = branded(parseWorkspaceId);
export const linkId = branded(parseLinkId);
export const linkSecret = branded(parseLinkSecret);
export const inviteId = branded(parseInviteId);
export const requestId = branded(parseRequestId);
export const threadId = branded(parseThreadId);
export const attachmentId = branded(parseAttachmentId);
export const commentId = branded(parseCommentId);
export const workspaceRole = v.picklist(WORKSPACE_ROLES);
