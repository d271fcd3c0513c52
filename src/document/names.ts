// The names of the shared types in a page's Y.Doc. A name is part of the stored format: none may ever change.
// `meta` (a Y.Map: icon and the like) is reserved too; nothing reads it yet.
import type * as Y from 'yjs';

const BODY = 'body';
const TITLE = 'title';

export const BLOCK = 'block';
export const DIVIDER = 'divider';
export const IMAGE = 'image';
export const FILE = 'file';
export const TABLE = 'table';
export const ROW = 'tableRow';
export const CELL = 'tableCell';
export const MATH = 'math';
export const EMBED = 'embed';

/** What stands in each node: its children's names, or its text. Nodes in the body are those that no other holds. */
export const CONTENT: Readonly<Record<string, 'text' | 'nothing' | typeof ROW | typeof CELL>> = {
  [BLOCK]: 'text',
  [DIVIDER]: 'nothing',
  [IMAGE]: 'text',
  [FILE]: 'nothing',
  [TABLE]: ROW,
  [ROW]: CELL,
  [CELL]: 'text',
  [MATH]: 'text',
  [EMBED]: 'nothing',
};

export const bodyOf = (doc: Y.Doc): Y.XmlFragment => doc.getXmlFragment(BODY);
export const titleOf = (doc: Y.Doc): Y.Text => doc.getText(TITLE);
