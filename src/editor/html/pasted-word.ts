// Word's lists: paragraphs that say in their style which list and level they belong to, their signs as words before them.
import { MAX_INDENT, type Style, parseStyle } from '../../document/blocks/block.ts';

/** The item that a paragraph of Word is; null for any other paragraph. */
export function wordItem(node: Element): Style | null {
  const level = /mso-list:\s*l\d+\s+level(\d+)/.exec(node.getAttribute('style') ?? '')?.[1];
  if (level === undefined) return null;
  const sign = markerOf(node)?.textContent?.trim() ?? '';
  const kind = /^\(?(?:\d+|[a-z]|[ivxlcdm]+)[.)]$/i.test(sign) ? 'numbered' : /^[☐☑☒]/.test(sign) ? 'task' : 'bullet';
  const indent = Math.min(MAX_INDENT, Math.max(0, Number(level) - 1));
  return { ...parseStyle({}), kind, indent, checked: /^[☑☒]/.test(sign) };
}

const IGNORED = /mso-list:\s*Ignore/i;

/** The sign itself, which is no word of the item. */
export const isWordMarker = (node: Element): boolean => IGNORED.test(node.getAttribute('style') ?? '');

const markerOf = (node: Element): Element | undefined => Array.from(node.querySelectorAll('span')).find(isWordMarker);
