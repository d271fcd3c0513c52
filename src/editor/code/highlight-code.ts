// Syntax highlighting by lowlight. Heavy, and hostile code takes minutes: only the worker loads it.
import { common, createLowlight } from 'lowlight';
import { MAX_COLORED_RANGES, MAX_COLORED_RANGES_OF_LINE } from '../../ui/blocks/drawing-limits.ts';
import type { ColoredRange, HighlightJob } from './colored-range.ts';

const lowlight = createLowlight(common);
type Tree = ReturnType<typeof lowlight.highlight>;
type Child = Tree['children'][number];

/** The ranges of a text that have a color, in order, without overlap; the first ones, if there are too many to draw. */
export function highlightCode({ language, text }: HighlightJob): readonly ColoredRange[] {
  if (!lowlight.registered(language)) return [];
  const found: ColoredRange[] = [];
  let at = 0;
  let inLine = 0;
  const walk = (node: Child, names: readonly string[]): void => {
    if (found.length >= MAX_COLORED_RANGES) return;
    if (node.type === 'text') {
      const to = at + node.value.length;
      if (names.length > 0 && to > at && inLine < MAX_COLORED_RANGES_OF_LINE) {
        found.push({ from: at, to, names: names.join(' ') });
        inLine += 1;
      }
      if (node.value.includes('\n')) inLine = 0;
      at = to;
    } else if (node.type === 'element') {
      const own = node.properties['className'];
      const all = Array.isArray(own) ? [...names, ...own.map(String)] : names;
      for (const child of node.children) walk(child, all);
    }
  };
  for (const child of lowlight.highlight(language, text).children) walk(child, []);
  return found;
}
