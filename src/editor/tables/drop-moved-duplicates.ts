// Looks for rows and columns that two people moved at once, after edits of others in a table.
import { Extension } from '@tiptap/core';
import { Plugin } from '@tiptap/pm/state';
import * as Y from 'yjs';
import { ROW, bodyOf } from '../../document/names.ts';
import { isTable } from '../../document/tables/table-grid.ts';
import { removeOwnTableDuplicates } from '../../document/tables/duplicate-table-moves.ts';

/** Nothing that a person did: undo does not bring a twin back. */
const TWINS_ORIGIN = {};

export const dropTwins = (doc: Y.Doc) =>
  Extension.create({
    name: 'tableTwins',
    addProseMirrorPlugins: () => [
      new Plugin({
        view(view) {
          const body = bodyOf(doc);
          let timer: ReturnType<typeof setTimeout> | undefined;
          const waiting = new Set<Y.XmlElement>();
          const look = () => {
            timer = undefined;
            for (const table of waiting) {
              if (view.editable && table._item?.deleted === false)
                removeOwnTableDuplicates(table, doc.clientID, TWINS_ORIGIN);
            }
            waiting.clear();
          };
          const onTransaction = (transaction: Y.Transaction) => {
            if (transaction.local) return;
            for (const type of [...transaction.changed.keys()] as readonly unknown[]) {
              // Rows came or went, or cells of a row.
              const table = type instanceof Y.XmlElement && type.nodeName === ROW ? type.parent : type;
              if (isTable(table) && table.parent === body) waiting.add(table);
            }
            // Not inside somebody else's transaction.
            if (waiting.size > 0) timer ??= setTimeout(look);
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
