// Lists from Microsoft Word: paragraphs whose style names the list and level, with the bullet as text before them.
import { MAX_INDENT, type Style, parseStyle } from 'weft-document/blocks/block.ts';

/** The list item that a Word paragraph stands for; null for any other paragraph. */
export function wordItem(node: Element): Style | null {
  const level = /mso-list:\s*l\d+\s+level(\d+)/.exec(node.getAttribute('style') ?? '')?.[1];
  if (level === undefined) return null;
  const sign = markerOf(node)?.textContent?.trim() ?? '';
  const kind = /^\(?(?:\d+|[a-z]|[ivxlcdm]+)[.)]$/i.test(sign) ? 'numbered' : /^[☐☑☒]/.test(sign) ? 'task' : 'bullet';
  const indent = Math.min(MAX_INDENT, Math.max(0, Number(level) - 1));
  return { ...parseStyle({}), kind, indent, checked: /^[☑☒]/.test(sign) };
}

const IGNORED = /mso-list:\s*Ignore/i;

/** The bullet itself, which is not part of the item's text. */
export const isWordMarker = (node: Element): boolean => IGNORED.test(node.getAttribute('style') ?? '');

const markerOf = (node: Element): Element | undefined => Array.from(node.querySelectorAll('span')).find(isWordMarker);
