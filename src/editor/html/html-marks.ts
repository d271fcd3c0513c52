// The marks that an element of pasted or imported HTML gives to its text.
import type { Marks } from 'weft-document/blocks/block.ts';
import { parseDay } from 'weft-document/body/parse-body.ts';
import { parseLinkUrl } from 'weft-document/link-url.ts';

export function htmlMarks(node: Element, name: string, marks: Marks): Marks {
  const style = node instanceof HTMLElement ? node.style : null;
  const weight = style?.fontWeight ?? '';
  const line = `${style?.textDecoration ?? ''} ${style?.textDecorationLine ?? ''}`;
  // Google Docs wraps everything in <b style="font-weight:normal">, so the style wins over the element's name.
  const bold =
    weight === '' ? name === 'B' || name === 'STRONG' || marks.bold : weight === 'bold' || Number(weight) >= 600;
  const slant = style?.fontStyle ?? '';
  const italic = slant === '' ? ['I', 'EM', 'CITE', 'DFN'].includes(name) || marks.italic : slant !== 'normal';
  const isLink = name === 'A' || marks.link !== null;
  return {
    bold,
    italic,
    // Links are underlined everywhere, which means nothing.
    underline: marks.underline || name === 'U' || name === 'INS' || (line.includes('underline') && !isLink),
    strike: marks.strike || ['S', 'STRIKE', 'DEL'].includes(name) || line.includes('line-through'),
    code: marks.code || ['CODE', 'KBD', 'SAMP', 'TT'].includes(name),
    highlight: marks.highlight || name === 'MARK' || isHighlighter(node, style?.backgroundColor ?? ''),
    formula: marks.formula || node.hasAttribute('data-formula'),
    mention: node.getAttribute('data-mention') ?? marks.mention,
    date: name === 'TIME' ? (parseDay(node.getAttribute('datetime')) ?? marks.date) : marks.date,
    link: name === 'A' ? (parseLinkUrl(withoutDetour(node.getAttribute('href'))) ?? marks.link) : marks.link,
  };
}

/** Marks that the style of a whole block gives to its text. A background is the block's, no highlighter's. */
export const marksOfBlock = (node: Element, marks: Marks): Marks => ({
  ...htmlMarks(node, '', marks),
  highlight: marks.highlight,
});

/** Google's programs send every link through `google.com/url?q=`, which tells Google who follows it, and breaks in time. */
function withoutDetour(href: string | null): string | null {
  if (href === null || !/^https?:\/\/(?:www\.)?google\.[a-z.]{2,6}\/url\?/i.test(href)) return href;
  const asked = URL.parse(href)?.searchParams;
  const goal = asked?.get('q') ?? asked?.get('url') ?? null;
  return goal !== null && /^https?:\/\/|^mailto:/i.test(goal) ? goal : href;
}

/**
 * True for a background like a highlighter's: light and colorful. White, grey and the background of a dark theme are
 * not.
 */
function isHighlighter(node: Element, color: string): boolean {
  if (/mso-highlight/.test(node.getAttribute('style') ?? '')) return true;
  if (/^(?:yellow|lime|aqua|cyan|magenta|fuchsia|pink|orange|gold|light(?:yellow|green|blue|pink))$/.test(color))
    return true;
  const [red, green, blue] = /^rgb\((\d+), (\d+), (\d+)\)$/.exec(color)?.slice(1).map(Number) ?? [];
  if (red === undefined || green === undefined || blue === undefined) return false;
  const [low, high] = [Math.min(red, green, blue), Math.max(red, green, blue)];
  return high > 180 && high - low > 50;
}
