// Panels of lines over a size on logarithmic axes that begin at zero where a value is zero. Each line has its name at its end.
import { scaleSymlog } from 'd3-scale';
import type { Result } from './result.ts';
import { LINE_HEIGHT, SYSTEM_NAMES, WIDTH, line, picture, round, text } from './svg.ts';

const LEFT = 48;
const RIGHT = 92;
const HEAD_HEIGHT = 24;
const AXIS_HEIGHT = 38;
const PANEL_GAP = 12;
const POWERS = [0, 1, 10, 100, 1_000, 10_000, 100_000];

type Line = { readonly system: string; readonly points: readonly (readonly [size: number, value: number])[] };
type Lines = {
  readonly title: string;
  readonly notes: readonly string[];
  readonly size: string;
  readonly machine: Result['machine'];
  readonly panelHeight: number;
  readonly panels: readonly { readonly head: string; readonly lines: readonly Line[] }[];
};

export function linesPicture({ title, notes, size, machine, panelHeight, panels }: Lines): string {
  const points = panels.flatMap(({ lines }) => lines.flatMap((one) => one.points));
  const sizes = [...new Set(points.map(([at]) => at))].toSorted((a, b) => a - b);
  const values = points.map(([, value]) => value);
  const lowest = POWERS.findLast((power) => power <= Math.min(...values)) ?? 0;
  // Close to zero the axis is linear, and 1 stands on the 0.
  const powers = POWERS.filter(
    (power) => power >= lowest && power <= Math.max(...values) && (lowest > 0 || power !== 1),
  );
  const x = scaleSymlog([sizes[0] ?? 0, sizes.at(-1) ?? 0], [LEFT, WIDTH - RIGHT]);
  const fullHeight = HEAD_HEIGHT + panelHeight + PANEL_GAP;
  const drawPanel = ({ head, lines }: Lines['panels'][number], top: number) => {
    const y = scaleSymlog([lowest, Math.max(...values)], [top + HEAD_HEIGHT + panelHeight, top + HEAD_HEIGHT]);
    return [
      text(12, top + 12, head, 'head ink'),
      ...powers.flatMap((power) => [
        line(LEFT, y(power), WIDTH - RIGHT, y(power), 'class="grid"'),
        text(LEFT - 8, y(power) + 4, power.toLocaleString('en'), 'small faint', 'end'),
      ]),
      ...lines.map((one) => drawLine(one, x, y)),
    ];
  };
  return picture({
    title,
    notes,
    description: panels
      .flatMap(({ head, lines }) => lines.map((one) => `${head === '' ? '' : `${head}: `}${sentenceOf(one, size)}`))
      .join(' '),
    machine,
    height: panels.length * fullHeight + AXIS_HEIGHT,
    draw: (top) => [
      ...panels.flatMap((panel, nth) => drawPanel(panel, top + nth * fullHeight)),
      ...sizes.map((at) =>
        text(x(at), top + panels.length * fullHeight + 6, at.toLocaleString('en'), 'small faint', 'middle'),
      ),
      text(
        (LEFT + WIDTH - RIGHT) / 2,
        top + panels.length * fullHeight + 6 + LINE_HEIGHT,
        size,
        'small faint',
        'middle',
      ),
    ],
  });
}

function drawLine({ system, points }: Line, x: (size: number) => number, y: (value: number) => number): string {
  const places = points.map(([size, value]) => [round(x(size)), round(y(value))] as const);
  const [endX, endY] = places.at(-1) ?? [0, 0];
  return [
    `<g class="${system}">`,
    `<polyline points="${places.join(' ')}" fill="none" stroke="currentColor" stroke-width="2.5"/>`,
    ...places.map(([cx, cy]) => `<circle cx="${cx}" cy="${cy}" r="3.5" fill="currentColor"/>`),
    text(endX + 9, endY + 4, SYSTEM_NAMES[system] ?? system, ''),
    '</g>',
  ].join('');
}

function sentenceOf({ system, points }: Line, size: string): string {
  const at = points.map(([of, value]) => `${value.toFixed(value < 10 ? 1 : 0)} at ${of.toLocaleString('en')}`);
  return `${SYSTEM_NAMES[system]} ${at.join(', ')} ${size}.`;
}
