// The roles in a workspace as people read them.
import type { WorkspaceRole } from '../../protocol/roles.ts';

export const WORKSPACE_ROLE_NAMES: Readonly<Record<WorkspaceRole, string>> = {
  owner: 'Owner',
  admin: 'Admin',
  member: 'Member',
  guest: 'Guest',
};

export const WORKSPACE_ROLE_TEXTS: Readonly<Record<WorkspaceRole, string>> = {
  owner: 'Manages everything and can delete the workspace',
  admin: 'Manages people and every unrestricted page',
  member: 'Edits the pages everyone can open',
  guest: 'Only the pages shared with them',
};
