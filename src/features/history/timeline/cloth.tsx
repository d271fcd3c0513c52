// The cloth: each thread is a span of writing, as high as its number of words, in the color of its main author.
import { memo } from 'react';
import type { TimelineColumn } from '../../../ports/history.ts';
import type { WhoIs } from '../who.ts';

type ClothProps = { readonly columns: readonly TimelineColumn[]; readonly whoIs: WhoIs };

const percent = (share: number): string => `${(share * 100).toFixed(2)}%`;
/** Less would not be seen. */
const MIN_WIDTH = 0.004;

/** Not drawn again while the head moves over it. */
export const Cloth = memo(function Cloth({ columns, whoIs }: ClothProps) {
  return columns.map(({ start, end, fromSeq, height, by }) => (
    <u
      key={fromSeq}
      className="threads"
      data-dye={whoIs(by).dye ?? undefined}
      data-height={height}
      style={{ left: percent(Math.min(start, 1 - MIN_WIDTH)), width: percent(Math.max(end - start, MIN_WIDTH)) }}
    />
  ));
});
