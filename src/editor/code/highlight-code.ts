// Syntax highlighting by lowlight. Heavy: only `highlighter-loader.ts` loads it, when a page has code.
import { common, createLowlight } from 'lowlight';
import { findLanguage } from '../../document/code-languages.ts';
import type { HighlightedRange } from './highlighted-range.ts';

const lowlight = createLowlight(common);
type Tree = ReturnType<typeof lowlight.highlight>;
type Child = Tree['children'][number];

/** The ranges of a text that have a color, in order, without overlap. */
export function highlightCode(language: string, text: string): readonly HighlightedRange[] {
  const known = findLanguage(language);
  if (known === null) return [];
  const found: HighlightedRange[] = [];
  let at = 0;
  const walk = (node: Child, names: readonly string[]): void => {
    if (node.type === 'text') {
      const to = at + node.value.length;
      if (names.length > 0 && to > at) found.push({ from: at, to, names: names.join(' ') });
      at = to;
    } else if (node.type === 'element') {
      const own = node.properties['className'];
      const all = Array.isArray(own) ? [...names, ...own.map(String)] : names;
      for (const child of node.children) walk(child, all);
    }
  };
  for (const child of lowlight.highlight(known.id, text).children) walk(child, []);
  return found;
}
