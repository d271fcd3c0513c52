// How much an attack makes a page do at a time. What is drawn from one frame to the next is counted, which is the same on every
// machine; `npm run attack` measures the time instead.
import { type DrawnInFrame, largestFrame } from '../../support/editor/largest-frame.ts';
import { longestTask, twoFrames } from '../../support/editor/longest-task.ts';
import { IS_LONG } from './is-long.ts';

export type Load = DrawnInFrame & {
  /** The longest time for which the page was busy, as `atUsualSpeed` has it; 0 in `npm test`. */
  readonly busyMs: number;
};

export const NOTHING: Load = { elements: 0, textMs: 0, busyMs: 0 };

const MAX_BUSY_MS = 200;
/** As many elements as hostile content may draw from one frame to the next, and what they may take. */
const PLAIN_LINES = 4_000;
const PLAIN_MS = 100;
/** Other programs of the machine can only lengthen a measurement, so the best of a few counts. */
const TRIES = 3;

export async function loadOf(run: () => Promise<void>): Promise<Load> {
  // Not both: counting takes time too.
  if (IS_LONG) return { ...NOTHING, busyMs: await atUsualSpeed(await longestTask(run), MAX_BUSY_MS) };
  return { ...NOTHING, ...(await largestFrame(run)) };
}

/**
 * A time in ms as it would be on a machine that draws 4,000 plain lines in 100 ms, if this one is slower in this moment: what
 * hostile content takes is held against what harmless content takes. A time below `limit` is left as it is.
 */
export async function atUsualSpeed(ms: number, limit: number): Promise<number> {
  if (ms < limit) return ms;
  return (ms * PLAIN_MS) / Math.max(PLAIN_MS, await longestTask(drawPlainLines));
}

async function drawPlainLines(): Promise<void> {
  const host = document.body.appendChild(document.createElement('div'));
  for (let at = 0; at < PLAIN_LINES; at++) {
    host.appendChild(document.createElement('p')).textContent = `A plain line of ordinary words, number ${at}`;
  }
  await twoFrames();
  host.remove();
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
