// The content of deleted blocks, rows and columns, for the entry that brings them back. It can be read only while the
// listeners of their transaction run.
import type { JsonNode } from 'weft-document/formats/page-json.ts';
import { deletedNode, textOfDeleted } from 'weft-document/history/deleted-node.ts';
import { ROW } from 'weft-document/names.ts';
import { elementsBefore, keyOfPart } from 'weft-document/recovered-text/deleted-part.ts';
import type { LineKind } from 'weft-document/tables/table-grid.ts';
import * as Y from 'yjs';

type Kept = {
  /** The ids of the blocks or rows; one for each column. */
  readonly ids: readonly string[];
  readonly words: string;
  /** The blocks, or the rows; those of a column have only its cells. */
  readonly body: readonly JsonNode[];
  /** The number of the first row or column in what is left of the table, and the words of each. */
  readonly lines?: { readonly at: number; readonly words: string[] };
};

export function keptElements(parts: readonly Y.XmlElement[], transaction: Y.Transaction): Kept {
  const blocks = inOrder(parts);
  return {
    ids: blocks.map((block) => keyOfPart(block) ?? ''),
    words: blocks.map((block) => textOfDeleted(block, transaction)).join('\n'),
    body: blocks.map((block) => deletedNode(block, transaction)),
  };
}

export function keptLines(parts: readonly Y.XmlElement[], line: LineKind, transaction: Y.Transaction): Kept {
  const mine = new Set(parts);
  const around = line === 'row' ? parts[0]?.parent : parts[0]?.parent?.parent;
  const rows = around instanceof Y.XmlElement ? elementsBefore(around, transaction) : [];
  if (line === 'row') {
    const lost = rows.filter((row) => mine.has(row));
    const words = lost.map((row) => textOfDeleted(row, transaction));
    return {
      ids: lost.map((row) => keyOfPart(row) ?? ''),
      words: words.join('\n'),
      body: lost.map((row) => deletedNode(row, transaction)),
      lines: { at: livingBefore(rows, lost[0]), words },
    };
  }
  // A person who wrote in one cell of a column gets all that went with it.
  const grid = rows.filter(isLiving).map((row) => elementsBefore(row, transaction));
  const columns = new Set(grid.flatMap((cells) => cells.flatMap((cell, at) => (mine.has(cell) ? [at] : []))));
  const lost = grid.map((cells) => cells.filter((cell, at) => columns.has(at) && !isLiving(cell)));
  const words = Array.from(columns, (at) =>
    grid
      .flatMap((cells) => cells[at] ?? [])
      .map((cell) => textOfDeleted(cell, transaction))
      .filter((text) => text !== '')
      .join('\n'),
  );
  const [first] = grid.filter((cells) => cells.some((cell) => mine.has(cell)));
  return {
    ids: Array.from(columns, String),
    words: words.join('\n'),
    body: lost.map((cells) => ({
      node: ROW,
      attributes: {},
      content: cells.map((cell) => deletedNode(cell, transaction)),
    })),
    lines: {
      at: livingBefore(
        first ?? [],
        first?.find((cell) => mine.has(cell)),
      ),
      words,
    },
  };
}

const isLiving = ({ _item: item }: Y.XmlElement): boolean => item?.deleted === false;

const livingBefore = (parts: readonly Y.XmlElement[], one: Y.XmlElement | undefined): number =>
  one === undefined ? 0 : parts.slice(0, parts.indexOf(one)).filter(isLiving).length;

/** In the order of the page. All stood behind the same block, so the search begins right after it. */
function inOrder(blocks: readonly Y.XmlElement[]): readonly Y.XmlElement[] {
  if (blocks.length < 2) return blocks;
  const all = new Set<unknown>(blocks);
  const ordered: Y.XmlElement[] = [];
  let item = blocks[0]?._item ?? null;
  while (item !== null && (item.left?.deleted ?? false)) item = item.left;
  for (; item !== null && ordered.length < blocks.length; item = item.right) {
    const one: unknown = item.content instanceof Y.ContentType ? item.content.type : null;
    if (one instanceof Y.XmlElement && all.has(one)) ordered.push(one);
  }
  return ordered;
}
