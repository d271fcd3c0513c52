// The document of the field in which a comment is written: lines, as a comment stores them.
import { type Extensions, Node } from '@tiptap/core';
import { MARK_EXTENSIONS } from '../../../editor/schema/marks.ts';
import { TextNode } from '../../../editor/schema/nodes.ts';
import type { CommentLine } from '../../../protocol/comments.ts';

export const LINE = 'line';

const Comment = Node.create({ name: 'doc', topNode: true, content: `${LINE}+` });

export const lineKind = (value: unknown): CommentLine['kind'] =>
  value === 'bullet' || value === 'numbered' ? value : 'paragraph';

const Line = Node.create({
  name: LINE,
  content: 'text*',
  // Line breaks are characters of the text.
  whitespace: 'pre',
  addAttributes: () => ({ kind: { default: 'paragraph', rendered: false } }),
  parseHTML: () => [
    { tag: 'p', getAttrs: (element) => ({ kind: lineKind(element.dataset['kind']) }) },
    { tag: 'ol > li', attrs: { kind: 'numbered' } },
    { tag: 'li', attrs: { kind: 'bullet' } },
  ],
  renderHTML: ({ node }) => ['p', { 'data-kind': lineKind(node.attrs['kind']), dir: 'auto' }, 0],
});

const MARKS = ['bold', 'italic', 'code', 'link', 'mention'];

export const COMMENT_NODES: Extensions = [
  Comment,
  TextNode,
  Line,
  ...MARK_EXTENSIONS.filter(({ name }) => MARKS.includes(name)),
];
