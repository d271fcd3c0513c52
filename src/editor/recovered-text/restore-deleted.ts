// Brings back what an entry keeps whole: blocks at their place, rows and columns in their table.
import { blockWithId } from 'weft-document/blocks/duplicate-moves.ts';
import { type JsonNode, type PageFile, elementsOfFile, parsePageFile } from 'weft-document/formats/page-json.ts';
import { TABLE, bodyOf } from 'weft-document/names.ts';
import { newBlockId } from 'weft-document/new-block-id.ts';
import { indexAfter, indexesById } from 'weft-document/recovered-text/place.ts';
import { plainText, textNodesIn } from 'weft-document/recovered-text/relocated-text.ts';
import { setAttribute } from 'weft-document/set-attribute.ts';
import { MAX_COLUMNS, MAX_ROWS, cellGrid, columnsOf, isTable, rowsOf } from 'weft-document/tables/table-grid.ts';
import type * as Y from 'yjs';
import { EDITOR_ORIGIN } from '../binding/binding-of.ts';
import type { RecoveredTextEntry } from './recovered-texts.ts';

/** An edit like any other. False if only the words were kept, because the whole was too long. */
export function restoreDeleted(doc: Y.Doc, entry: RecoveredTextEntry): boolean {
  const text = entry.deleted?.file ?? null;
  const file = text === null ? null : parsePageFile(text);
  if (file === null || !file.ok) return false;
  doc.transact(() => {
    if (entry.line === undefined) insertBlocks(doc, entry.after, file.value);
    else if (!insertLines(doc, entry, file.value)) insertBlocks(doc, entry.after, tableOfRows(file.value));
  }, EDITOR_ORIGIN);
  return true;
}

/** The blocks, rows or columns of the entry are on the page again. */
export function isBack(doc: Y.Doc, entry: RecoveredTextEntry): boolean {
  const { deleted, line } = entry;
  if (deleted === undefined) return false;
  if (line === undefined) {
    const ids = indexesById(bodyOf(doc));
    return deleted.ids.every((id) => ids.has(id));
  }
  const table = tableOf(doc, entry);
  const grid = table === null ? [] : cellGrid(table);
  const columns = Array.from({ length: table === null ? 0 : columnsOf(table) }, (_, at) =>
    grid.flatMap((cells) => cells[at] ?? []),
  );
  // Rows that come back by undo have other ids, so their words have to tell.
  const words = new Set((line === 'row' ? grid : columns).map(wordsOfCells));
  return deleted.lines?.words.every((one) => words.has(one)) ?? false;
}

const wordsOfCells = (cells: readonly Y.XmlElement[]): string =>
  cells
    .flatMap(textNodesIn)
    .map(plainText)
    .filter((text) => text.trim() !== '')
    .join('\n');

/** The table of deleted rows or columns; null if it is gone too. */
function tableOf(doc: Y.Doc, { after: [id = ''] }: RecoveredTextEntry): Y.XmlElement | null {
  const table = blockWithId(bodyOf(doc), id);
  return isTable(table) ? table : null;
}

function insertBlocks(doc: Y.Doc, after: readonly string[], file: PageFile): void {
  const body = bodyOf(doc);
  const ids = indexesById(body);
  const blocks = file.body.filter((node) => 'node' in node);
  const created = elementsOfFile(file);
  for (const [index, node] of blocks.entries()) {
    const { id } = node.attributes;
    const element = created[index];
    if (element !== undefined && typeof id === 'string' && ids.has(id)) setAttribute(element, 'id', newBlockId());
  }
  body.insert(indexAfter(body, after), [...created]);
}

/** False if the table is gone or full, or has not as many rows as the column. */
function insertLines(doc: Y.Doc, entry: RecoveredTextEntry, file: PageFile): boolean {
  const table = tableOf(doc, entry);
  const at = entry.deleted?.lines?.at ?? 0;
  if (table === null) return false;
  if (entry.line === 'row') {
    if (table.length + file.body.length > MAX_ROWS) return false;
    table.insert(Math.min(at, table.length), [...elementsOfFile(file)]);
    return true;
  }
  const rows = rowsOf(table);
  const widest = Math.max(0, ...file.body.map((row) => contentOf(row).length));
  if (rows.length !== file.body.length || columnsOf(table) + widest > MAX_COLUMNS) return false;
  for (const [index, row] of rows.entries()) {
    const cells = elementsOfFile({ ...file, body: contentOf(file.body[index]) });
    if (cells.length > 0) row.insert(Math.min(at, row.length), [...cells]);
  }
  return true;
}

const contentOf = (node: JsonNode | undefined): readonly JsonNode[] =>
  node !== undefined && 'node' in node ? node.content : [];

const tableOfRows = (file: PageFile): PageFile => ({
  ...file,
  body: [{ node: TABLE, attributes: { id: newBlockId() }, content: file.body }],
});
