// A table for reading. Renders the same elements and classes as `table-nodes.ts` and `table-decorations.ts`.
import { useMemo } from 'react';
import type { Alignment, TableBlock, TableCell } from '../../document/blocks/block.ts';
import { tableLayoutOf } from '../../ui/blocks/table-layout.ts';
import { Runs } from './static-runs.tsx';
import { useSlices } from './use-slices.ts';

export function StaticTable({ block }: { readonly block: TableBlock }) {
  const { headRow, headColumn, widths, alignments } = block;
  const layout = tableLayoutOf(widths);
  const rows = useMemo(
    () => block.rows.map((cells, y) => ({ key: cells[0]?.key ?? `empty ${y}`, cells, columns: widths.length })),
    [block.rows, widths],
  );
  const drawn = useSlices(rows, ({ columns }) => columns);
  return (
    <div className="block" data-kind="table" data-key={block.key} data-head-row={headRow} data-head-column={headColumn}>
      <div className="table-scroll">
        <table style={{ width: layout.width }}>
          <colgroup>
            {layout.columns.map((width, at) => (
              // Columns have no ids, so the key is their index.
              <col key={at} style={{ width }} />
            ))}
          </colgroup>
          <tbody>
            {rows.map((row, y) =>
              drawn.has(row) ? (
                <tr key={row.key}>
                  {widths.map((_width, x) => (
                    <Cell
                      key={row.cells[x]?.key ?? x}
                      cell={row.cells[x]}
                      alignment={alignments[x] ?? null}
                      scope={scopeOf(headRow && y === 0, headColumn && x === 0)}
                    />
                  ))}
                </tr>
              ) : null,
            )}
          </tbody>
        </table>
      </div>
    </div>
  );
}

const scopeOf = (isInHeadRow: boolean, isInHeadColumn: boolean) =>
  isInHeadRow ? 'col' : isInHeadColumn ? 'row' : undefined;

type CellProps = {
  readonly cell: TableCell | undefined;
  readonly alignment: Alignment | null;
  readonly scope: 'col' | 'row' | undefined;
};

/** A cell that its row lacks is drawn as an empty one (T13). */
function Cell({ cell, alignment, scope }: CellProps) {
  const words = cell === undefined ? null : <Runs runs={cell.runs} fresh={null} plain={false} />;
  const props = { className: 'block-text', dir: 'auto', 'data-align': alignment ?? undefined } as const;
  return scope === undefined ? (
    <td {...props}>{words}</td>
  ) : (
    <th {...props} scope={scope}>
      {words}
    </th>
  );
}
