// The headings of a page that have text, in order.
import { type Block, textOfRuns } from './block.ts';

export type Heading = { readonly key: string; readonly level: 1 | 2 | 3; readonly text: string };

export const outlineOf = (blocks: readonly Block[]): readonly Heading[] =>
  blocks.flatMap((block) => {
    if (block.type !== 'block' || block.kind !== 'heading') return [];
    const text = textOfRuns(block.runs).trim();
    return text === '' ? [] : [{ key: block.key, level: block.level, text }];
  });

/** The heading that a block stands below, or itself is; null before the first one. */
export function headingAbove(blocks: readonly Block[], key: string): Heading | null {
  const at = blocks.findIndex((block) => block.key === key);
  return outlineOf(blocks.slice(0, at + 1)).at(-1) ?? null;
}
