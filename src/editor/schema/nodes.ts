// The editor's nodes. A page is a flat list. The kind of a block is an attribute, so that turning, indenting and
// ticking it merge with what others type in it (T1 in docs/losses.md). Attributes without a value are null and not stored.
import { Node } from '@tiptap/core';
import type { DOMOutputSpec } from '@tiptap/pm/model';
import { type Style, type Tone, parseStyle } from 'weft-document/blocks/block.ts';
import { languageName } from 'weft-document/code-languages.ts';
import { BLOCK, DIVIDER, EMBED, FILE, IMAGE, MATH, SUBPAGES, TABLE } from 'weft-document/names.ts';
import { TONE_NAMES } from './tone-names.ts';
import { UNKNOWN } from './unknown-node.ts';

const IN_PAGE = [BLOCK, DIVIDER, IMAGE, FILE, TABLE, MATH, EMBED, SUBPAGES, UNKNOWN].join('|');

/** `*`, never `+`: two people can delete the last two blocks at once, and repairing that would be an edit (T5). */
export const PageNode = Node.create({ name: 'doc', topNode: true, content: `(${IN_PAGE})*` });

export const TextNode = Node.create({ name: 'text' });

/** An attribute that is never read from or written to the DOM. */
export const storedAttribute = (fallback: string | null) => ({ default: fallback, rendered: false });

export const BlockNode = Node.create({
  name: BLOCK,
  content: 'text*',
  // Line breaks are characters of the text. Without this, ProseMirror reads them back from the DOM as spaces.
  whitespace: 'pre',
  addAttributes: () => ({
    id: storedAttribute(null),
    kind: storedAttribute('paragraph'),
    level: storedAttribute(null),
    indent: storedAttribute(null),
    checked: storedAttribute(null),
    language: storedAttribute(null),
    tone: storedAttribute(null),
    start: storedAttribute(null),
    delimiter: storedAttribute(null),
  }),
  renderHTML: ({ node }) => renderBlock(parseStyle(node.attrs)),
});

export const DividerNode = Node.create({
  name: DIVIDER,
  atom: true,
  selectable: true,
  addAttributes: () => ({ id: storedAttribute(null) }),
  renderHTML: () => ['div', { class: 'block', 'data-kind': 'divider' }, ['hr', { class: 'block-rule' }]],
});

/** Renders the same elements and classes as `static-body.tsx`; `src/ui/blocks/blocks.css` styles both. */
export function renderBlock(style: Style): DOMOutputSpec {
  const outer = {
    class: 'block',
    'data-kind': style.kind,
    'data-indent': String(style.indent),
    // Set on the block, not only on its text: the bullet, checkbox or line then stands on the side where the text
    // begins.
    dir: style.kind === 'code' ? 'ltr' : 'auto',
    style: `--indent: ${style.indent}`,
  };
  const text = { class: 'block-text' };
  switch (style.kind) {
    case 'paragraph':
      return ['div', outer, ['p', text, 0]];
    case 'heading':
      return ['div', { ...outer, 'data-level': String(style.level) }, [`h${style.level + 1}`, text, 0]];
    case 'bullet':
      return ['div', outer, ['span', LEAD], ['p', text, 0]];
    case 'numbered': {
      const { start, delimiter } = style;
      const from = start === null ? {} : { 'data-start': '', style: `${outer.style}; --start: ${start}` };
      return ['div', { ...outer, 'data-delimiter': delimiter, ...from }, ['span', LEAD], ['p', text, 0]];
    }
    case 'toggle':
      return ['div', outer, ['button', CHEVRON], ['p', text, 0]];
    case 'task':
      return [
        'div',
        { ...outer, 'data-checked': String(style.checked) },
        renderCheckbox(style.checked),
        ['p', text, 0],
      ];
    case 'quote':
      return ['div', outer, ['blockquote', text, 0]];
    case 'callout':
      return ['div', { ...outer, 'data-tone': style.tone, role: 'note' }, renderToneButton(style.tone), ['p', text, 0]];
    case 'code':
      return [
        'div',
        outer,
        renderCodeHeader(languageName(style.language)),
        ['pre', { ...text, ...NO_AUTOCORRECT }, ['code', 0]],
      ];
  }
}

/** Attributes of text that is not prose, such as code: browsers neither correct nor translate it. */
export const NO_AUTOCORRECT = { spellcheck: 'false', autocorrect: 'off', autocapitalize: 'off', translate: 'no' };

const LEAD = { class: 'block-lead', contenteditable: 'false', 'aria-hidden': 'true' };

const CHEVRON = {
  class: 'block-lead',
  type: 'button',
  contenteditable: 'false',
  'aria-label': 'Toggle',
  'aria-expanded': 'true',
};

const renderToneButton = (tone: Tone): DOMOutputSpec => [
  'button',
  {
    class: 'block-lead',
    type: 'button',
    contenteditable: 'false',
    'aria-haspopup': 'menu',
    'aria-label': toneLabel(tone),
  },
];

export const toneLabel = (tone: Tone): string => `Change callout type: ${TONE_NAMES[tone]}`;

const renderCodeHeader = (language: string): DOMOutputSpec => [
  'div',
  { class: 'block-head', contenteditable: 'false' },
  [
    'button',
    { class: 'code-language', type: 'button', 'aria-haspopup': 'listbox', 'aria-label': languageLabel(language) },
    language,
  ],
  ['button', { class: 'code-copy', type: 'button' }, 'Copy'],
];

export const languageLabel = (language: string): string => `Language: ${language}`;

function renderCheckbox(checked: boolean): DOMOutputSpec {
  const box = { type: 'checkbox', 'aria-label': 'Done', tabindex: '-1', ...(checked ? { checked: '' } : {}) };
  return ['label', { class: 'block-check', contenteditable: 'false' }, ['input', box]];
}
