// The editor's marks. Any two can meet on the same word, because two people can set them at once.
import { type Extensions, InputRule, Mark } from '@tiptap/core';
import Bold from '@tiptap/extension-bold';
import Code from '@tiptap/extension-code';
import Italic from '@tiptap/extension-italic';
import Strike from '@tiptap/extension-strike';
import Underline from '@tiptap/extension-underline';
import { parseDay } from 'weft-document/body/parse-body.ts';
import { parseLinkUrl } from 'weft-document/link-url.ts';
import { isCode } from './block-at.ts';

/**
 * An attribute of a mark, kept in the DOM as JSON under `data-<name>`. Browsers replace elements that the user types
 * beside (Firefox at nearly every key). ProseMirror then reads the mark from its element. JSON keeps any value as it was,
 * also one that only another client would have written, such as a number or an object.
 */
const attributeInDom = (name: string) => ({
  default: null,
  renderHTML: (attributes: Record<string, unknown>) => ({ [`data-${name}`]: JSON.stringify(attributes[name] ?? null) }),
  parseHTML: (element: HTMLElement) => parsedJson(element.getAttribute(`data-${name}`)),
});

/** Null for what is no JSON: an extension of the browser may change any attribute. */
function parsedJson(json: string | null): unknown {
  try {
    return JSON.parse(json ?? 'null');
  } catch {
    return null;
  }
}

/** Only `href` is stored. It may have been written by another client, so it is checked each time it is drawn. */
const Link = Mark.create({
  name: 'link',
  inclusive: false,
  addAttributes: () => ({ href: attributeInDom('href') }),
  parseHTML: () => [{ tag: '[data-href]' }],
  renderHTML({ mark, HTMLAttributes }) {
    const href = parseLinkUrl(mark.attrs['href']);
    if (href === null) return ['span', { ...HTMLAttributes, class: 'dead-link' }, 0];
    return ['a', { ...HTMLAttributes, href, rel: 'noopener noreferrer nofollow', title: href }, 0];
  },
});

const Highlight = Mark.create({
  name: 'highlight',
  parseHTML: () => [{ tag: 'mark' }],
  renderHTML: () => ['mark', 0],
  addKeyboardShortcuts() {
    return { 'Mod-Shift-h': () => this.editor.commands.toggleMark('highlight') };
  },
});

/**
 * A formula in a line, with its dollar signs. `inline-formulas.ts` draws it. No other mark is around it, so that the browser
 * finds it in one element.
 */
const Formula = Mark.create({
  name: 'formula',
  priority: 1100,
  inclusive: false,
  // Input rules leave its source alone.
  code: true,
  parseHTML: () => [{ tag: '[data-formula]' }],
  renderHTML: () => ['span', { 'data-formula': '' }, 0],
});

/** Stores which user is mentioned. The text stays as it was written, even if the person's name changes later. */
const Mention = Mark.create({
  name: 'mention',
  inclusive: false,
  addAttributes: () => ({ user: attributeInDom('user') }),
  parseHTML: () => [{ tag: '[data-user]' }],
  renderHTML: ({ HTMLAttributes }) => ['span', { ...HTMLAttributes, class: 'mention' }, 0],
});

const Day = Mark.create({
  name: 'date',
  inclusive: false,
  addAttributes: () => ({ day: attributeInDom('day') }),
  parseHTML: () => [{ tag: '[data-day]' }],
  renderHTML: ({ mark, HTMLAttributes }) => [
    'time',
    { ...HTMLAttributes, datetime: parseDay(mark.attrs['day']) ?? '' },
    0,
  ],
});

export const MARK_EXTENSIONS: Extensions = [
  Formula,
  Bold.extend({ addInputRules: outsideCode, addPasteRules: () => [] }),
  Italic.extend({ addInputRules: outsideCode, addPasteRules: () => [] }),
  Underline.extend({ addInputRules: () => [], addPasteRules: () => [] }),
  Strike.extend({
    addInputRules: outsideCode,
    addPasteRules: () => [],
    addKeyboardShortcuts() {
      return {
        'Mod-Shift-x': () => this.editor.commands.toggleStrike(),
        'Mod-Shift-s': () => this.editor.commands.toggleStrike(),
      };
    },
  }),
  Code.extend({ excludes: 'code', addInputRules: outsideCode, addPasteRules: () => [] }),
  Highlight,
  Link,
  Mention,
  Day,
];

/** Tiptap's own input rules for a mark, switched off in code, where stars and backticks are plain characters. */
function outsideCode(this: { parent: (() => InputRule[]) | null | undefined }): InputRule[] {
  return (this.parent?.() ?? []).map(
    (rule) =>
      new InputRule({
        find: rule.find,
        handler: (typed) => (isCode(typed.state.doc.resolve(typed.range.from).parent) ? null : rule.handler(typed)),
      }),
  );
}
