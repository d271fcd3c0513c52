// Renders TeX with KaTeX. Heavy, with its own styles and fonts from this server: only `math-loader.ts` loads it, when a
// page has a formula. TeX commands that load or link something are not trusted.
import katex from 'katex';
import 'katex/dist/katex.min.css';
import type { RenderedMath } from './rendered-math.ts';

/** In ems, so that a formula cannot cover the page. */
const MAX_SIZE = 20;
const MAX_MACROS = 500;

export function renderMath(tex: string): RenderedMath {
  try {
    const html = katex.renderToString(tex, {
      displayMode: true,
      throwOnError: true,
      strict: 'ignore',
      trust: false,
      maxSize: MAX_SIZE,
      maxExpand: MAX_MACROS,
    });
    return { html, error: null };
  } catch (error) {
    return { html: null, error: messageOf(error) };
  }
}

/** KaTeX says "KaTeX parse error: Expected …  at position 5: …". Users see only what is wrong and where. */
function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  const words = message
    .replace(/^KaTeX parse error:\s*/, '')
    .replace(/\s+at position (\d+):[^]*$/, ' (at character $1)')
    .replace(/\s+at end of input:[^]*$/, '');
  if (/expected '\}'/i.test(words)) return 'Missing a closing }';
  return words === '' ? 'This formula can’t be read' : words;
}
