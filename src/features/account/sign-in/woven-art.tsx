// The decoration beside the sign-in form: a cloth woven up to a line, and three named threads still being woven above it.
import type { Color } from '../../../protocol/colors.ts';

/** Colors of the finished rows, from the bottom up. */
const ROWS: readonly Color[] = [
  ...repeat('woad', 5),
  'verdigris',
  'woad',
  ...repeat('verdigris', 5),
  'saffron',
  ...repeat('verdigris', 2),
  ...repeat('gall', 2),
  'larkspur',
  ...repeat('gall', 2),
  ...repeat('woad', 3),
  'cochineal',
  ...repeat('woad', 3),
  ...repeat('indigo', 4),
  'orchil',
  'indigo',
  ...repeat('larkspur', 2),
  ...repeat('woad', 2),
  'nettle',
  ...repeat('verdigris', 4),
  'saffron',
];
const WEAVERS = [
  { name: 'Ada', color: 'orchil', y: 378, end: 546, width: 37 },
  { name: 'Ilse', color: 'saffron', y: 330, end: 318, width: 36 },
  { name: 'Tomás', color: 'larkspur', y: 270, end: 642, width: 54 },
] as const;
const FIRST_ROW_Y = 894;
const ROW = 12;
const WIDTH = 852;

export function WovenArt() {
  return (
    <div className="cloth" aria-hidden="true">
      <svg viewBox="0 0 840 900" preserveAspectRatio="xMinYMid slice" fill="none">
        <path d={`M3.5 450H${WIDTH}`} stroke="var(--press)" strokeWidth="900" strokeDasharray="5 7" />
        {ROWS.map((color, row) => (
          <Row key={FIRST_ROW_Y - row * ROW} color={color} y={FIRST_ROW_Y - row * ROW} end={WIDTH} />
        ))}
        {WEAVERS.map((weaver) => (
          <g key={weaver.name}>
            <Row color={weaver.color} y={weaver.y} end={weaver.end} />
            <path
              d={`M${weaver.end} ${weaver.y + 7}V${weaver.y - 14}`}
              stroke={colorVariable(weaver.color)}
              strokeWidth="3"
            />
            <rect
              x={weaver.end - 1.5}
              y={weaver.y - 36}
              width={weaver.width}
              height="23"
              rx="3"
              fill={colorVariable(weaver.color)}
            />
            <text x={weaver.end + 6} y={weaver.y - 19.5} className="cloth-name">
              {weaver.name}
            </text>
          </g>
        ))}
      </svg>
    </div>
  );
}

/** One row of the cloth. It crosses over every other warp thread; the next row crosses over the others. */
function Row({ color, y, end }: { readonly color: Color; readonly y: number; readonly end: number }) {
  const first = Math.floor(y / ROW) % 2 === 0 ? 3.5 : 15.5;
  return (
    <>
      <path
        d={`M0 ${y}H${end}`}
        stroke={`color-mix(in srgb, ${colorVariable(color)} var(--cloth), var(--chrome))`}
        strokeWidth="9"
      />
      <path d={`M${first} ${y}H${end}`} stroke="var(--press)" strokeWidth={ROW} strokeDasharray="5 19" />
    </>
  );
}

const colorVariable = (color: Color) => `var(--person-${color})`;

function repeat(color: Color, count: number): readonly Color[] {
  return Array.from({ length: count }, () => color);
}
