// Copies selected text of a watched page without what only this view shows: removed words, marks, buttons.
import type { ClipboardEvent } from 'react';

const NOT_COPIED = 'button, input, svg, del.gone-text, [aria-hidden="true"], .block-head, .sr-only';
const UNWRAPPED = '.since, .fresh';

export function copyClean(event: ClipboardEvent): void {
  const selection = getSelection();
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return;
  const copied = document.createElement('div');
  copied.append(selection.getRangeAt(0).cloneContents());
  for (const element of copied.querySelectorAll(NOT_COPIED)) element.remove();
  for (const element of copied.querySelectorAll(UNWRAPPED)) element.replaceWith(...element.childNodes);
  for (const element of copied.querySelectorAll('*')) {
    for (const { name } of [...element.attributes]) if (!KEPT_ATTRIBUTES.has(name)) element.removeAttribute(name);
  }
  event.clipboardData.setData('text/html', copied.innerHTML);
  // The browser's own text leaves out what `user-select: none` excludes, and ends blocks with line breaks.
  event.clipboardData.setData('text/plain', selection.toString());
  event.preventDefault();
}

const KEPT_ATTRIBUTES: ReadonlySet<string> = new Set([
  'href',
  'src',
  'alt',
  'dir',
  'datetime',
  'colspan',
  'rowspan',
  'scope',
]);
