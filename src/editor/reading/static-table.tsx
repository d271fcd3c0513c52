// A table for reading. Renders the same elements and classes as `src/editor/schema/table-nodes.ts` and
// `src/editor/tables/table-decorations.ts`.
import { memo } from 'react';
import type { Alignment, TableBlock, TableCell } from 'weft-document/blocks/block.ts';
import { type TextPart, cellPart } from 'weft-document/changes/text-part.ts';
import { tableLayoutOf } from '../../ui/blocks/table-layout.ts';
import { rowKey } from './known-rows.ts';
import { BlockAside, useBlockAttributes, useTextMarks } from './static-marks.tsx';
import { Runs } from './static-runs.tsx';

type StaticTableProps = {
  readonly block: TableBlock;
  /** Rows beyond this number wait for a later slice (`use-slices.ts`). */
  readonly rowCount: number;
};

export function StaticTable({ block, rowCount }: StaticTableProps) {
  const { headRow, headColumn, widths } = block;
  const layout = tableLayoutOf(widths);
  return (
    <div
      className="block"
      data-kind="table"
      data-key={block.key}
      data-head-row={headRow}
      data-head-column={headColumn}
      {...useBlockAttributes(block.key)}
    >
      <div className="table-scroll">
        <table style={{ width: layout.width }}>
          <colgroup>
            {layout.columns.map((width, at) => (
              // Columns have no ids, so the key is their index.
              <col key={at} style={{ width }} />
            ))}
          </colgroup>
          <tbody>
            {block.rows.slice(0, rowCount).map((row, y) => (
              <Row key={rowKey(row, y)} row={row} y={y} block={block} isHead={headRow && y === 0} />
            ))}
          </tbody>
        </table>
      </div>
      <BlockAside />
    </div>
  );
}

type RowProps = {
  readonly row: readonly TableCell[];
  readonly y: number;
  readonly block: TableBlock;
  readonly isHead: boolean;
};

/** Rows that are drawn stay as they are while others come or change. */
const Row = memo(function Row({ row, y, block, isHead }: RowProps) {
  const { widths, alignments, headColumn } = block;
  return (
    <tr>
      {widths.map((_width, x) => (
        <Cell
          key={row[x]?.key ?? x}
          cell={row[x]}
          table={block.key}
          part={cellPart(y, x)}
          alignment={alignments[x] ?? null}
          scope={scopeOf(isHead, headColumn && x === 0)}
        />
      ))}
    </tr>
  );
}, isSameRow);

function isSameRow(one: RowProps, other: RowProps): boolean {
  if (one.row !== other.row || one.isHead !== other.isHead || one.y !== other.y) return false;
  const [before, after] = [one.block, other.block];
  if (before === after) return true;
  if (before.headColumn !== after.headColumn || before.widths.length !== after.widths.length) return false;
  return before.widths.every((_width, x) => before.alignments[x] === after.alignments[x]);
}

const scopeOf = (isInHeadRow: boolean, isInHeadColumn: boolean) =>
  isInHeadRow ? 'col' : isInHeadColumn ? 'row' : undefined;

type CellProps = {
  readonly cell: TableCell | undefined;
  readonly table: string;
  readonly part: TextPart;
  readonly alignment: Alignment | null;
  readonly scope: 'col' | 'row' | undefined;
};

/** A cell that its row lacks is drawn as an empty one (T13 in docs/losses.md). */
const Cell = memo(function Cell({ cell, table, part, alignment, scope }: CellProps) {
  const marks = useTextMarks(table, part);
  const words = cell === undefined ? null : <Runs runs={cell.runs} fresh={null} plain={false} marks={marks} />;
  const props = { className: 'block-text', dir: 'auto', 'data-align': alignment ?? undefined } as const;
  return scope === undefined ? (
    <td {...props}>{words}</td>
  ) : (
    <th {...props} scope={scope}>
      {words}
    </th>
  );
});
