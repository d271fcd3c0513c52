// Roles in a workspace and their rights (SPECIFICATION.md, section 6), as weft-sync/protocol/roles.ts has them for a document.

export const WORKSPACE_ROLES = ['owner', 'admin', 'member', 'guest'] as const;
export type WorkspaceRole = (typeof WORKSPACE_ROLES)[number];

/** Guests and people without a role in the workspace (null) see single pages. */
export const isMemberRole = (role: WorkspaceRole | null): boolean => role !== null && role !== 'guest';
/** Whether someone may create pages at the top of a workspace. */
export const mayCreatePages = (role: WorkspaceRole | null): boolean => isMemberRole(role);
