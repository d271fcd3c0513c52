// What a person may do on a page, as menus and sentences say it.
import type { DocumentRole } from 'weft-sync/protocol/roles.ts';

export const PAGE_ROLE_NAMES: Readonly<Record<DocumentRole, string>> = {
  viewer: 'Can view',
  commenter: 'Can comment',
  editor: 'Can edit',
  manager: 'Can manage',
};
