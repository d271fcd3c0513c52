// Roles in a workspace and their rights (SPECIFICATION.md, point 6), as weft-sync/protocol/roles.ts has them for a document.

export const WORKSPACE_ROLES = ['owner', 'admin', 'member', 'guest'] as const;
export type WorkspaceRole = (typeof WORKSPACE_ROLES)[number];

/** Whether someone may create pages at the top of a workspace. Null: no member; they see single pages. */
export const mayCreatePages = (role: WorkspaceRole | null): boolean => role !== null && role !== 'guest';
