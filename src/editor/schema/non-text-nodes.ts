// The nodes of a page that are not text blocks: pictures, files, formulas, link cards, subpages, tables (see
// `table-nodes.ts`).
// `renderHTML` gives their plain form; in the editor a node view may replace it.
import { Node } from '@tiptap/core';
import { parseEmbed, parseFile } from 'weft-document/body/parse-body.ts';
import { EMBED, FILE, IMAGE, MATH, SUBPAGES } from 'weft-document/names.ts';
import { storedAttribute } from './nodes.ts';
import { CellNode, RowNode, TableNode } from './table-nodes.ts';

const outer = (kind: string) => ({ class: 'block', 'data-kind': kind });

/** Its text content is the caption. */
export const ImageNode = Node.create({
  name: IMAGE,
  content: 'text*',
  whitespace: 'pre',
  addAttributes: () => ({
    id: storedAttribute(null),
    file: storedAttribute(null),
    name: storedAttribute(null),
    width: storedAttribute(null),
    height: storedAttribute(null),
    size: storedAttribute(null),
  }),
  renderHTML: () => ['figure', outer(IMAGE), ['figcaption', { class: 'block-text', dir: 'auto' }, 0]],
});

export const FileNode = Node.create({
  name: FILE,
  atom: true,
  selectable: true,
  addAttributes: () => ({
    id: storedAttribute(null),
    file: storedAttribute(null),
    name: storedAttribute(null),
    bytes: storedAttribute(null),
    mime: storedAttribute(null),
  }),
  renderHTML: ({ node }) => ['div', outer(FILE), ['p', { class: 'block-file' }, parseFile(node.attrs).name]],
});

/** Its text content is the TeX source. */
export const MathNode = Node.create({
  name: MATH,
  content: 'text*',
  marks: '',
  code: true,
  whitespace: 'pre',
  addAttributes: () => ({ id: storedAttribute(null) }),
  renderHTML: () => [
    'div',
    outer(MATH),
    ['pre', { class: 'block-text', dir: 'ltr', spellcheck: 'false' }, ['code', 0]],
  ],
});

export const EmbedNode = Node.create({
  name: EMBED,
  atom: true,
  selectable: true,
  addAttributes: () => ({ id: storedAttribute(null), url: storedAttribute(null), title: storedAttribute(null) }),
  renderHTML({ node }) {
    const { url, title } = parseEmbed(node.attrs);
    if (url === null) return ['div', outer(EMBED), ['span', { class: 'dead-link' }, title]];
    const link = { class: 'block-card', href: url, rel: 'noopener noreferrer nofollow', target: '_blank' };
    return ['div', outer(EMBED), ['a', link, title === '' ? url : title]];
  },
});

export const SubpagesNode = Node.create({
  name: SUBPAGES,
  atom: true,
  selectable: true,
  addAttributes: () => ({ id: storedAttribute(null) }),
  renderHTML: () => ['div', outer(SUBPAGES)],
});

export const NON_TEXT_NODES = [ImageNode, FileNode, TableNode, RowNode, CellNode, MathNode, EmbedNode, SubpagesNode];
