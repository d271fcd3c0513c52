// Roles on a document and their rights (SPECIFICATION.md, section 6). The database decides; the app uses these to show the right
// controls, and to send nothing that would be refused.

export const DOCUMENT_ROLES = ['viewer', 'commenter', 'editor', 'manager'] as const;
export type DocumentRole = (typeof DOCUMENT_ROLES)[number];

export const mayComment = (role: DocumentRole | null): boolean => role !== null && role !== 'viewer';
export const mayEdit = (role: DocumentRole | null): boolean => role === 'editor' || role === 'manager';
export const mayManage = (role: DocumentRole | null): boolean => role === 'manager';
