// How long a key takes to the others' documents: a row for each system in each case, with the spread of its keys.
import { scaleLog } from 'd3-scale';
import type { Result, Spread } from './result.ts';
import { LINE_HEIGHT, SYSTEM_NAMES, WIDTH, line, picture, roundTicks, text } from './svg.ts';

const LEFT = 128;
const RIGHT = 62;
const HEAD_HEIGHT = 30;
const ROW_HEIGHT = 17;
const AXIS_HEIGHT = 26;

export function latencyPicture({ machine, figures }: Result): string {
  // "2 people, 1 types, 300 ms: sender" is a part of the way of "2 people, 1 types, 300 ms".
  const cases = Object.keys(figures['weft']?.samples ?? {}).filter((name) => !name.includes(': '));
  const systems = Object.keys(figures).filter((system) => system in SYSTEM_NAMES);
  const spreadOf = (system: string, name: string) => figures[system]?.samples[name];
  const all = cases.flatMap((name) => systems.flatMap((system) => spreadOf(system, name) ?? []));
  const ends = all.flatMap(({ p5, p50, p99 }) => [p5 ?? p50, p99].filter((end) => end != null));
  const x = scaleLog([Math.min(...ends), Math.max(...ends)], [LEFT, WIDTH - RIGHT]);
  const caseHeight = HEAD_HEIGHT + systems.length * ROW_HEIGHT;
  const height = cases.length * caseHeight + AXIS_HEIGHT;
  const hasQuarters = all.some(({ p25 }) => p25 != null);
  const describe = (name: string) => {
    const each = systems.map((system) => {
      const { p50, p95 } = spreadOf(system, name) ?? {};
      return `${SYSTEM_NAMES[system]} ${short(p50)} and ${short(p95)}`;
    });
    return `${sentenceOf(name)}: ${each.join('; ')}.`;
  };
  return picture({
    title: 'From a key to the other person’s document',
    notes: [
      'Milliseconds, logarithmic. The number and the tick: median.',
      hasQuarters
        ? 'Bars: the middle 50 % and 90 % of the keys; line: to p99.'
        : 'Bar: from the median to p95; line: to p99.',
    ],
    description: `The median and the 95th percentile in milliseconds. ${cases.map(describe).join(' ')}`,
    machine,
    height,
    draw: (top) => [
      ...roundTicks(x.ticks()).flatMap((tick) => [
        line(x(tick), top + HEAD_HEIGHT, x(tick), top + height - AXIS_HEIGHT + 4, 'class="grid"'),
        text(x(tick), top + height - AXIS_HEIGHT + 4 + LINE_HEIGHT, `${tick}`, 'small faint', 'middle'),
      ]),
      ...cases.flatMap((name, nth) => {
        const y = top + nth * caseHeight;
        return [
          text(12, y + HEAD_HEIGHT - 6, sentenceOf(name), 'head ink'),
          ...systems.map((system, row) =>
            rowOf(system, spreadOf(system, name), x, y + HEAD_HEIGHT + (row + 0.5) * ROW_HEIGHT),
          ),
        ];
      }),
    ],
  });
}

function rowOf(system: string, spread: Spread | undefined, x: (value: number) => number, y: number): string {
  const bar = (from: number | null | undefined, to: number | null | undefined, width: number, opacity: number) =>
    from == null || to == null
      ? ''
      : line(x(from), y, x(to), y, `stroke="currentColor" stroke-width="${width}" stroke-opacity="${opacity}"`);
  const { p5, p25, p50 = null, p75, p95, p99 } = spread ?? {};
  return [
    `<g class="${system}">`,
    text(LEFT - 8, y + 4, SYSTEM_NAMES[system] ?? system, '', 'end'),
    bar(p5 ?? p50, p99, 1.5, 1),
    bar(p5 ?? p50, p95, 7, 0.35),
    bar(p25, p75, 11, 0.6),
    p50 === null ? '' : line(x(p50), y - 7.5, x(p50), y + 7.5, 'class="median" stroke="currentColor" stroke-width="3"'),
    text(WIDTH - 12, y + 4, short(p50), '', 'end'),
    '</g>',
  ].join('');
}

/** "10 people, 10 type, 300 ms" as one would say it. */
function sentenceOf(name: string): string {
  const [, people, typists, ms] = /^(\d+) people, (\d+) types?, (\d+) ms$/.exec(name) ?? [];
  if (people === undefined) return name;
  return `${people} people, ${typists === people ? 'all type' : 'one types'}, ${ms} ms between keys`;
}

const short = (ms: number | null | undefined): string =>
  ms == null ? '–' : ms < 10 ? ms.toFixed(1) : `${Math.round(ms)}`;
