// The editor's nodes. A page is a flat list: what a block is stands in its attributes, so that turning, indenting and
// ticking merge with what others type in it (T1). Attributes without a value are null and not stored.
import { Node } from '@tiptap/core';
import type { DOMOutputSpec } from '@tiptap/pm/model';
import { type Style, parseStyle } from '../document/block.ts';
import { BLOCK, DIVIDER, EMBED, FILE, IMAGE, MATH, TABLE } from '../document/names.ts';
import { UNKNOWN } from './unknown-node.ts';

const IN_PAGE = [BLOCK, DIVIDER, IMAGE, FILE, TABLE, MATH, EMBED, UNKNOWN].join('|');

/** `*`, never `+`: two people may delete the last two blocks at once, and a repair would be an edit (T5). */
export const PageNode = Node.create({ name: 'doc', topNode: true, content: `(${IN_PAGE})*` });

export const TextNode = Node.create({ name: 'text' });

/** An attribute that is never read from or written to the DOM. */
export const stored = (fallback: string | null) => ({ default: fallback, rendered: false });

export const BlockNode = Node.create({
  name: BLOCK,
  content: 'text*',
  // Line breaks are characters of the text. Without this ProseMirror reads them back from the DOM as spaces.
  whitespace: 'pre',
  addAttributes: () => ({
    id: stored(null),
    kind: stored('paragraph'),
    level: stored(null),
    indent: stored(null),
    checked: stored(null),
    language: stored(null),
    tone: stored(null),
  }),
  renderHTML: ({ node }) => drawBlock(parseStyle(node.attrs)),
});

export const DividerNode = Node.create({
  name: DIVIDER,
  atom: true,
  selectable: true,
  addAttributes: () => ({ id: stored(null) }),
  renderHTML: () => ['div', { class: 'block', 'data-kind': 'divider' }, ['hr', { class: 'block-rule' }]],
});

/** The same elements and classes as in `static-body.tsx`; `src/ui/blocks.css` draws both. */
function drawBlock(style: Style): DOMOutputSpec {
  const outer = {
    class: 'block',
    'data-kind': style.kind,
    'data-indent': String(style.indent),
    style: `--indent: ${style.indent}`,
  };
  const text = { class: 'block-text', dir: 'auto' };
  switch (style.kind) {
    case 'paragraph':
      return ['div', outer, ['p', text, 0]];
    case 'heading':
      return ['div', { ...outer, 'data-level': String(style.level) }, [`h${style.level + 1}`, text, 0]];
    case 'bullet':
    case 'numbered':
    case 'toggle':
      return ['div', outer, ['span', LEAD], ['p', text, 0]];
    case 'task':
      return ['div', { ...outer, 'data-checked': String(style.checked) }, drawCheck(style.checked), ['p', text, 0]];
    case 'quote':
      return ['div', outer, ['blockquote', text, 0]];
    case 'callout':
      return ['div', { ...outer, 'data-tone': style.tone, role: 'note' }, ['span', LEAD], ['p', text, 0]];
    case 'code':
      return [
        'div',
        outer,
        ['div', { class: 'block-head', contenteditable: 'false' }, style.language ?? 'Plain text'],
        ['pre', { class: 'block-text', dir: 'ltr', spellcheck: 'false' }, ['code', 0]],
      ];
  }
}

const LEAD = { class: 'block-lead', contenteditable: 'false', 'aria-hidden': 'true' };

function drawCheck(checked: boolean): DOMOutputSpec {
  const box = { type: 'checkbox', 'aria-label': 'Done', tabindex: '-1', ...(checked ? { checked: '' } : {}) };
  return ['label', { class: 'block-check', contenteditable: 'false' }, ['input', box]];
}
