// How much an attack makes a page do at a time. What is drawn from one frame to the next is counted, which is the same on every
// machine; `npm run attack` measures the time instead.
import { type DrawnInFrame, largestFrame } from '../../support/editor/largest-frame.ts';
import { longestTask } from '../../support/editor/longest-task.ts';
import { IS_LONG } from './is-long.ts';

export type Load = DrawnInFrame & {
  /** The longest time for which the page was busy; 0 in `npm test`. */
  readonly busyMs: number;
};

export const NOTHING: Load = { elements: 0, textMs: 0, busyMs: 0 };

const MAX_BUSY_MS = 200;
/** Other programs of the machine can only lengthen a measurement, so the best of a few counts. */
const TRIES = 3;

export async function loadOf(run: () => Promise<void>): Promise<Load> {
  // Not both: counting takes time too.
  if (IS_LONG) return { ...NOTHING, busyMs: await longestTask(run) };
  return { ...NOTHING, ...(await largestFrame(run)) };
}

/** The larger of both, for each measure. */
export const larger = (one: Load, other: Load): Load => ({
  elements: Math.max(one.elements, other.elements),
  textMs: Math.max(one.textMs, other.textMs),
  busyMs: Math.max(one.busyMs, other.busyMs),
});

/** What is too much at a time: more than these elements, or texts of more than an estimated 200 ms. */
export function excessOf({ elements, textMs, busyMs }: Load, maxElements: number): readonly string[] {
  return [
    ...(elements < maxElements ? [] : [`${elements} elements`]),
    ...(textMs < MAX_BUSY_MS ? [] : [`texts of ${textMs} estimated ms`]),
    ...(busyMs < MAX_BUSY_MS ? [] : [`busy for ${busyMs} ms`]),
  ];
}

/** The first of a few measurements that is short enough, or the last. */
export async function best(measure: (salt: string) => Promise<Load>): Promise<Load> {
  let load = await measure('a_0');
  for (let at = 1; at < TRIES && load.busyMs > MAX_BUSY_MS; at++) load = await measure(`a_${at}`);
  return load;
}
