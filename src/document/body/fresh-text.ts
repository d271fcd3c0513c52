// Finds the text that is new since the last look. A watcher's page underlines it for a moment.
import { type Block, textOfRuns } from '../blocks/block.ts';
import { textChange } from '../title.ts';

/** Offsets are UTF-16 units in the block's text. */
export type FreshText = { readonly key: string; readonly from: number; readonly to: number };

/** New or changed text per text block, in page order. A block whose text only shrank is not included. */
export function freshText(before: readonly Block[], after: readonly Block[]): readonly FreshText[] {
  const known = new Map(before.map((block) => [block.key, block]));
  return after.flatMap((block) => {
    const old = known.get(block.key);
    if (block.type !== 'block' || old === block) return [];
    const change = textChange(old?.type === 'block' ? textOfRuns(old.runs) : '', textOfRuns(block.runs));
    return change.insert === ''
      ? []
      : [{ key: block.key, from: change.index, to: change.index + change.insert.length }];
  });
}
