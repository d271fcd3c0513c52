// The names of the shared types in a page's Y.Doc. They are part of the stored format, so none may ever change. `meta`
// (a Y.Map for an icon and the like) is reserved; nothing reads it yet.
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
export const SUBPAGES = 'subpages';

/**
 * The content of each node: the name of its children, text, or nothing. A node that is no other node's child stands
 * directly in the body.
 */
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
  [SUBPAGES]: 'nothing',
};

/** Null for a name that no node has. Anyone can name a node `constructor`. */
export const contentOf = (name: string) => (Object.hasOwn(CONTENT, name) ? (CONTENT[name] ?? null) : null);

export const bodyOf = (doc: Y.Doc): Y.XmlFragment => doc.getXmlFragment(BODY);
export const titleOf = (doc: Y.Doc): Y.Text => doc.getText(TITLE);

/**
 * The Yjs origin of edits that put an earlier state back (`history/restorations.ts`). Each is an undo step of its own. It is
 * here, because `undo.ts` needs it on every page, and `restorations.ts` loads later.
 */
export const RESTORE_ORIGIN = { origin: 'restore' } as const;
