// The names of the shared types in a page's Y.Doc. A name is part of the stored format: none may ever change.
// `meta` (a Y.Map: icon and the like) is reserved too; nothing reads it yet.
import type * as Y from 'yjs';

const BODY = 'body';
const TITLE = 'title';

export const BLOCK = 'block';
export const DIVIDER = 'divider';

export const bodyOf = (doc: Y.Doc): Y.XmlFragment => doc.getXmlFragment(BODY);
export const titleOf = (doc: Y.Doc): Y.Text => doc.getText(TITLE);
