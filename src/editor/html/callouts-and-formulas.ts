// Callouts and formulas in the HTML of other programs.
import type { Tone } from 'weft-document/blocks/block.ts';

/** Notion's `<aside>` and `figure.callout`, GitHub's alerts, and the admonitions of documentation sites. */
export const isCallout = (node: Element): boolean =>
  node.tagName === 'ASIDE' ||
  (/(?:^|\s)(?:callout|admonition|markdown-alert|alert|notice)(?:\s|-|$)/.test(node.className) &&
    !CALLOUT_TITLE.test(node.className));

const CALLOUT_TITLE = /(?:^|\s)(?:callout|admonition|markdown-alert|alert|notice)-(?:title|heading)(?:\s|$)/;

/** The line "Note" of a callout, which says no more than its tone does. */
export const isToneName = (node: Element): boolean =>
  CALLOUT_TITLE.test(node.className) &&
  /^(?:note|info|important|tip|success|hint|warning|attention|care|caution|danger|error)$/i.test(
    (node.textContent ?? '').trim(),
  );

const TONES: readonly (readonly [Tone, RegExp])[] = [
  ['stop', /caution|danger|error|stop|critical/],
  ['care', /warning|care|attention/],
  ['tip', /tip|success|hint/],
];
const ICONS: readonly (readonly [Tone, RegExp])[] = [
  ['stop', /^(?:🚨|⛔|❗)/u],
  ['care', /^⚠️?/u],
  ['tip', /^💡/u],
];

export function calloutTone(node: Element): Tone {
  const name = node.className.toLowerCase();
  const words = (node.textContent ?? '').trim();
  return (TONES.find(([, form]) => form.test(name)) ?? ICONS.find(([, form]) => form.test(words)))?.[0] ?? 'note';
}

/**
 * The TeX source of a formula in KaTeX (Notion, ChatGPT, documentation) or MathML, or its text if no source is given;
 * null for other elements.
 */
export function texOf(node: Element): { readonly text: string; readonly isBlock: boolean } | null {
  const name = node.tagName.toUpperCase();
  if (!node.matches('.katex-display, .katex, figure.equation') && name !== 'MATH') return null;
  const text = node.querySelector('annotation[encoding="application/x-tex"]')?.textContent?.trim() ?? '';
  // KaTeX's MathML alone, as an exported page has it, says so on the inner element.
  const isBlock =
    node.matches('.katex-display, figure.equation, [display=block]') ||
    node.querySelector(':scope > math[display=block]') !== null;
  return { text: text === '' ? (node.textContent ?? '').trim() : text, isBlock };
}
