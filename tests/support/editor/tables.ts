// Helpers for tests of tables: a page with a table, and the content of its cells.
import { PLAIN } from 'weft-document/blocks/block.ts';
import { elementsOfBlocks } from 'weft-document/body/fill-page.ts';
import { bodyOf } from 'weft-document/names.ts';
import { setAttribute } from 'weft-document/set-attribute.ts';
import { cellsOf, isTable, rowsOf } from 'weft-document/tables/table-grid.ts';
import * as Y from 'yjs';
import type { EditContext } from '../../../src/editor/binding/edit-context.ts';
import type { OpenedPage } from './opened-page.ts';
import type { PageSession } from './page-session.ts';

/** A page with a table between two lines. A row is written `a b c`: one word for each cell, `-` for an empty cell. */
export function tableSeed(rows: readonly string[], heads = { headRow: true, headColumn: false }): Uint8Array {
  const doc = new Y.Doc();
  doc.clientID = 2;
  const line = (id: string, words: string) => {
    const block = new Y.XmlElement('block');
    setAttribute(block, 'id', id);
    setAttribute(block, 'kind', 'paragraph');
    block.insert(0, [new Y.XmlText(words)]);
    return block;
  };
  const cellOf = (text: string) => ({ runs: text === '-' ? [] : [{ ...PLAIN, text }] });
  const cells = rows.map((row) => row.split(' ').map(cellOf));
  const [table] = elementsOfBlocks([{ type: 'table', ...heads, rows: cells }]);
  if (table === undefined) throw new Error('no table');
  setAttribute(table, 'id', 'table');
  bodyOf(doc).insert(0, [line('before', 'before'), table, line('after', 'after')]);
  return Y.encodeStateAsUpdate(doc);
}

export function tableOf(session: Pick<PageSession, 'doc'>): Y.XmlElement {
  const table = bodyOf(session.doc).toArray().find(isTable);
  if (table === undefined) throw new Error('no table');
  return table;
}

/** The stored rows, `-` for an empty cell. */
export const gridOf = (session: Pick<PageSession, 'doc'>): readonly string[] =>
  rowsOf(tableOf(session)).map((row) =>
    cellsOf(row)
      .map(
        (cell) =>
          cell
            .toArray()
            .map((text) => text.toString())
            .join('') || '-',
      )
      .join(' '),
  );

/** The context of commands on this page, which always has room. */
export const contextOf = ({ undo }: OpenedPage): EditContext => ({ undo, mayGrow: () => true });

/** The rendered rows, `.` for a cell that is rendered but not stored. */
export const drawnGrid = ({ editor }: OpenedPage): readonly string[] =>
  [...editor.view.dom.querySelectorAll('tr')].map((row) =>
    [...row.children]
      .map((cell) => (cell.hasAttribute('data-missing') ? '.' : (cell.textContent ?? '') || '-'))
      .join(' '),
  );

/** Puts the caret into a cell, after `offset` characters; counted from the end if negative. */
export function caretInCell({ editor }: OpenedPage, row: number, column: number, offset = -1): void {
  let at = 0;
  const { doc } = editor.state;
  doc.forEach((node, start) => {
    if (node.type.name === 'table') at = start;
  });
  const table = doc.nodeAt(at);
  if (table === null) throw new Error('no table');
  let position = at + 1;
  for (let y = 0; y < row; y++) position += table.child(y).nodeSize;
  position += 1;
  for (let x = 0; x < column; x++) position += table.child(row).child(x).nodeSize;
  const { size } = table.child(row).child(column).content;
  editor.commands.setTextSelection(position + 1 + (offset < 0 ? size + 1 + offset : offset));
  editor.view.focus();
}
