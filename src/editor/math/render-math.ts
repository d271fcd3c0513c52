// Renders TeX with KaTeX. Heavy, and hostile TeX takes minutes: only the worker loads it. TeX commands that load or link
// something are not trusted.
import katex from 'katex';
import { MAX_FORMULA_DEPTH, MAX_FORMULA_HTML, MAX_INLINE_FORMULA_HTML } from '../../ui/blocks/drawing-limits.ts';
import type { MathJob, RenderedMath } from './rendered-math.ts';

/** In ems, so that a formula cannot cover the page. */
const MAX_SIZE = 20;
const MAX_MACROS = 500;

export function renderMath({ tex, output, isInline }: MathJob): RenderedMath {
  try {
    const html = katex.renderToString(tex, {
      displayMode: !isInline,
      throwOnError: true,
      strict: 'ignore',
      trust: false,
      maxSize: MAX_SIZE,
      maxExpand: MAX_MACROS,
      output: output === 'mathml' ? 'mathml' : 'htmlAndMathml',
    });
    const isTooLarge =
      html.length > (isInline ? MAX_INLINE_FORMULA_HTML : MAX_FORMULA_HTML) || depthOf(html) > MAX_FORMULA_DEPTH;
    return isTooLarge ? { kind: 'tooLarge' } : { kind: 'html', html };
  } catch (error) {
    // The formula nests so deeply that KaTeX's recursion, or a regular expression, ran out of stack.
    if (error instanceof RangeError) return { kind: 'tooLarge' };
    return { kind: 'wrong', message: messageOf(error) };
  }
}

/** How many elements are inside each other. KaTeX writes `<path …/>` and the like for elements without content. */
function depthOf(html: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [tag] of html.matchAll(/<[^>]*>/g)) {
    if (tag.startsWith('</')) depth -= 1;
    else if (!tag.endsWith('/>')) depth += 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

/** KaTeX says "KaTeX parse error: Expected …  at position 5: …". Users see only what is wrong and where. */
function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  const words = message
    .slice(0, MAX_MESSAGE)
    .replace(/^KaTeX parse error:\s*/, '')
    .replace(/\s+at position (\d+):[^]*$/, ' (at character $1)')
    .replace(/\s+at end of input:[^]*$/, '');
  if (/expected '\}'/i.test(words)) return 'Missing a closing }';
  return words === '' ? 'This formula can’t be read' : words;
}

/** KaTeX's messages repeat part of the source. */
const MAX_MESSAGE = 300;
