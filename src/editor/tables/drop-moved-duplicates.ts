// After remote edits of a table, removes your copies of rows and columns that you and someone else moved at once, if
// theirs stay.
import { Extension } from '@tiptap/core';
import { Plugin } from '@tiptap/pm/state';
import { ROW, bodyOf } from 'weft-document/names.ts';
import { removeOwnTableDuplicates } from 'weft-document/tables/duplicate-table-moves.ts';
import { isTable } from 'weft-document/tables/table-grid.ts';
import * as Y from 'yjs';

/** The user did not do this, so undo must not bring a duplicate back. */
const CLEANUP_ORIGIN = {};

export const dropMovedDuplicates = (doc: Y.Doc) =>
  Extension.create({
    name: 'dropMovedDuplicates',
    addProseMirrorPlugins: () => [
      new Plugin({
        view(view) {
          const body = bodyOf(doc);
          let timer: ReturnType<typeof setTimeout> | undefined;
          const waiting = new Set<Y.XmlElement>();
          const dropWaiting = () => {
            timer = undefined;
            for (const table of waiting) {
              if (view.editable && table._item?.deleted === false)
                removeOwnTableDuplicates(table, doc.clientID, CLEANUP_ORIGIN);
            }
            waiting.clear();
          };
          const onTransaction = (transaction: Y.Transaction) => {
            if (transaction.local) return;
            for (const type of [...transaction.changed.keys()] as readonly unknown[]) {
              // Rows were added or removed, or cells of a row.
              const table = type instanceof Y.XmlElement && type.nodeName === ROW ? type.parent : type;
              if (isTable(table) && table.parent === body) waiting.add(table);
            }
            // Not inside a transaction that is still running.
            if (waiting.size > 0) timer ??= setTimeout(dropWaiting);
          };
          doc.on('afterTransaction', onTransaction);
          return {
            destroy() {
              clearTimeout(timer);
              doc.off('afterTransaction', onTransaction);
            },
          };
        },
      }),
    ],
  });
