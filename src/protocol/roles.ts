// Roles and their rights (SPECIFICATION.md, point 6). The database decides; the app uses these to show the right
// controls.

export const DOCUMENT_ROLES = ['viewer', 'commenter', 'editor', 'manager'] as const;
export type DocumentRole = (typeof DOCUMENT_ROLES)[number];

export const WORKSPACE_ROLES = ['owner', 'admin', 'member', 'guest'] as const;
export type WorkspaceRole = (typeof WORKSPACE_ROLES)[number];

export const mayEdit = (role: DocumentRole | null): boolean => role === 'editor' || role === 'manager';
export const mayManage = (role: DocumentRole | null): boolean => role === 'manager';
/** Whether someone may create pages at the top of a workspace. Null: no member; they see single pages. */
export const mayCreatePages = (role: WorkspaceRole | null): boolean => role !== null && role !== 'guest';
