// What a command needs, besides the editor, to write to the Yjs document itself.
import type * as Y from 'yjs';

export type EditContext = {
  readonly undo: Y.UndoManager;
  /** True if the page has room for that many more bytes. */
  readonly mayGrow: (bytes: number) => boolean;
};
