// Commands that write to the Yjs document itself need this besides the editor.
import type * as Y from 'yjs';

export type EditContext = {
  readonly undo: Y.UndoManager;
  /** True if the page has room for that many more bytes. */
  readonly mayGrow: (bytes: number) => boolean;
};
