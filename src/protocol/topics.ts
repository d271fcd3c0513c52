// Names of the Realtime topics of a workspace and of a person (SPECIFICATION.md, section 3). The policies on realtime.messages parse
// these names.
import type { UserId } from 'weft-sync/protocol/ids.ts';
import type { WorkspaceId } from './ids.ts';

export const workspaceTopic = (workspace: WorkspaceId, epoch: number) => `k:${workspace}:${epoch}`;
export const personTopic = (user: UserId) => `u:${user}`;

/** The only event on both: kind and id of what changed. Only the database sends it. */
export const CHANGE_EVENT = 'change';
