// The frame of a picture: title, description, colors of light and dark pages, and the machine on which it was measured.
import type { Result } from './result.ts';

/** Nearly as wide as a phone, so that its text stays large there; a README of 830 pixels has two beside each other. */
export const WIDTH = 410;
export const LINE_HEIGHT = 16;
const PADDING = 12;
const TITLE_HEIGHT = 34;
const MOST_TICKS = 8;

/**
 * On light and on dark paper each color has a contrast of at least 4.5. With protanopia, deuteranopia or tritanopia (simulated as
 * by Machado) two of them stay at least 13 apart in CIELAB.
 */
const STYLE = `
  svg { font: 13px system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; }
  text { fill: currentColor; }
  .paper { fill: #fff; } .ink { color: #1f2328; } .faint { color: #59636e; } .grid { stroke: #d8dee4; }
  .weft { color: #0a3d8c; } .weft-rows { color: #2a79c9; } .y-websocket { color: #b9520a; }
  .hocuspocus { color: #17804f; } .y-supabase { color: #4b535d; }
  .title { font-size: 15px; font-weight: 600; } .head { font-weight: 600; } .small { font-size: 12px; }
  .weft text { font-weight: 600; }
  @media (prefers-color-scheme: dark) {
    .paper { fill: #0d1117; } .ink { color: #e6edf3; } .faint { color: #9198a1; } .grid { stroke: #2b323a; }
    .weft { color: #79c0ff; } .weft-rows { color: #4a86c8; } .y-websocket { color: #f0883e; }
    .hocuspocus { color: #2ea06f; } .y-supabase { color: #d1d7df; }
  }`;

export const SYSTEM_NAMES: { readonly [system: string]: string } = {
  weft: 'Weft',
  'weft-rows': 'Weft, rows alone',
  'y-websocket': 'y-websocket',
  hocuspocus: 'Hocuspocus',
  'y-supabase': 'y-supabase',
};

type Anchor = 'start' | 'middle' | 'end';

export function text(x: number, y: number, content: string, classes = 'ink', anchor: Anchor = 'start'): string {
  return `<text class="${classes}" x="${round(x)}" y="${round(y)}" text-anchor="${anchor}">${escaped(content)}</text>`;
}

export function line(x1: number, y1: number, x2: number, y2: number, attributes: string): string {
  return `<line x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}" ${attributes}/>`;
}

/** What a logarithmic axis has room for: 1, 2, 5, 10, … or, when it is long, 1, 10, 100, … */
export function roundTicks(ticks: readonly number[]): readonly number[] {
  const startingWith = (digits: string) => ticks.filter((tick) => digits.includes(tick.toExponential()[0] ?? ''));
  const all = startingWith('125');
  return all.length <= MOST_TICKS ? all : startingWith('1');
}

export const round = (value: number): number => Number(value.toFixed(1));

type Frame = {
  readonly title: string;
  readonly notes: readonly string[];
  /** The figures as text, for those who do not see the picture. */
  readonly description: string;
  readonly machine: Result['machine'];
  readonly height: number;
  readonly draw: (top: number) => readonly string[];
};

export function picture({ title, notes, description, machine, height, draw }: Frame): string {
  const { cpu, memoryGiB, node, load, date } = machine;
  const measured = `${cpu.replaceAll(/\(R\)| Processor/g, '')}, ${memoryGiB} GiB, Node ${node.replace('v', '')}, load ${load}, ${date.slice(0, 10)}`;
  const top = TITLE_HEIGHT + notes.length * LINE_HEIGHT + 8;
  const full = top + height + LINE_HEIGHT + PADDING;
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${full}" viewBox="0 0 ${WIDTH} ${full}" role="img" aria-labelledby="title description">`,
    `<title id="title">${escaped(title)}</title>`,
    `<desc id="description">${escaped(`${description} Measured on ${measured}.`)}</desc>`,
    `<style>${STYLE}\n</style>`,
    // A page may be dark while the browser asks for light pictures, so the picture has its own paper.
    `<rect class="paper" width="100%" height="100%" rx="6"/>`,
    text(PADDING, 24, title, 'title ink'),
    ...notes.map((note, nth) => text(PADDING, TITLE_HEIGHT + 9 + nth * LINE_HEIGHT, note, 'small faint')),
    ...draw(top),
    text(PADDING, full - PADDING, measured, 'small faint'),
    '</svg>',
  ];
  return `${parts.join('\n')}\n`;
}

function escaped(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
