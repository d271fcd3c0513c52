// A table for reading. Renders the same elements and classes as `table-nodes.ts` and `table-decorations.ts`.
import type { TableBlock, TableCell } from '../../document/blocks/block.ts';
import { tableLayoutOf } from '../../ui/blocks/table-layout.ts';
import { Runs } from './static-runs.tsx';

export function StaticTable({ block }: { readonly block: TableBlock }) {
  const { headRow, headColumn, widths } = block;
  const layout = tableLayoutOf(widths);
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
            {block.rows.map((row, y) => (
              <tr key={row[0]?.key ?? y}>
                {widths.map((_width, x) => (
                  <Cell
                    key={row[x]?.key ?? x}
                    cell={row[x]}
                    scope={scopeOf(headRow && y === 0, headColumn && x === 0)}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

const scopeOf = (isInHeadRow: boolean, isInHeadColumn: boolean) =>
  isInHeadRow ? 'col' : isInHeadColumn ? 'row' : undefined;

/** A cell that its row lacks is drawn as an empty one (T13). */
function Cell({ cell, scope }: { readonly cell: TableCell | undefined; readonly scope: 'col' | 'row' | undefined }) {
  const words = cell === undefined ? null : <Runs runs={cell.runs} fresh={null} plain={false} />;
  return scope === undefined ? (
    <td className="block-text" dir="auto">
      {words}
    </td>
  ) : (
    <th className="block-text" dir="auto" scope={scope}>
      {words}
    </th>
  );
}
