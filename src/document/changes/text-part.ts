// The texts of a block that are compared and marked one by one.
import { type Block, textOfRuns } from '../blocks/block.ts';

/** The name of a text in a block: `text` (its own, or a picture's caption), or a table's cell as `row.column`. */
export type TextPart = string;
export const OWN_TEXT: TextPart = 'text';
export const cellPart = (row: number, column: number): TextPart => `${row}.${column}`;

/** The texts of a block by part. */
export function textsOf(block: Block): ReadonlyMap<TextPart, string> {
  if (block.type === 'block' || block.type === 'image') return new Map([[OWN_TEXT, textOfRuns(block.runs)]]);
  if (block.type !== 'table') return new Map();
  return new Map(block.rows.flatMap((row, y) => row.map(({ runs }, x) => [cellPart(y, x), textOfRuns(runs)] as const)));
}
