// Conversions while typing: Markdown at the start of a block, `==highlights==`, links, URLs. Never in code.
import { Extension, InputRule } from '@tiptap/core';
import type { Node } from '@tiptap/pm/model';
import { type EditorState, TextSelection, type Transaction } from '@tiptap/pm/state';
import type { Style, Tone } from 'weft-document/blocks/block.ts';
import { NO_NUMBERS, numbersAfter } from 'weft-document/blocks/list-numbers.ts';
import { parseTypedUrl } from 'weft-document/link-url.ts';
import { DIVIDER, MATH } from 'weft-document/names.ts';
import { newBlockId } from 'weft-document/new-block-id.ts';
import type * as Y from 'yjs';
import { type TargetKind, setBlockAttributes } from '../blocks/block-commands.ts';
import type { Attributes } from '../schema/attributes-step.ts';
import { type PlacedBlock, blockAt, isBlock, isCode, styleOf } from '../schema/block-at.ts';

type InputMatch = { readonly state: EditorState; readonly range: { readonly from: number; readonly to: number } };
type Match = readonly string[];

const HEADINGS: readonly (1 | 2 | 3)[] = [1, 2, 3];
const CALLOUT: TargetKind = { kind: 'callout', tone: 'note' };

/** The names of GitHub's alerts, and ours. */
const GITHUB_TONES: Readonly<Record<string, Tone>> = {
  note: 'note',
  tip: 'tip',
  care: 'care',
  stop: 'stop',
  important: 'care',
  warning: 'care',
  caution: 'stop',
  danger: 'stop',
};

const toneOf = ([, name = '']: Match) => ({ tone: GITHUB_TONES[name.toLowerCase()] ?? 'note' });

/** `undo` begins a new step at each conversion, so that undo restores what was typed. */
export const markdownRules = (undo: Y.UndoManager) =>
  Extension.create({
    name: 'markdownRules',
    addInputRules: () => [
      ...HEADINGS.map((level) => blockRule(undo, new RegExp(`^#{${level}} $`), { kind: 'heading', level })),
      blockRule(undo, /^[-*+] $/, { kind: 'bullet' }),
      blockRule(undo, /^(\d{1,3})([.)]) $/, { kind: 'numbered' }, ([, number, delimiter = '.'], block, doc) => ({
        start: startOf(doc, block, Number(number)),
        delimiter: delimiter === '.' ? null : delimiter,
      })),
      blockRule(undo, /^\[ ?\] $/, { kind: 'task' }),
      blockRule(undo, /^\[[xX]\] $/, { kind: 'task' }, () => ({ checked: true })),
      blockRule(undo, /^> $/, { kind: 'quote' }),
      blockRule(undo, /^>> $/, { kind: 'toggle' }),
      blockRule(undo, /^!!! ?(note|tip|care|warning|stop|danger)? $/i, CALLOUT, toneOf),
      // `> ` has turned the line into a quote by then.
      blockRule(undo, /^\[!(\w+)\] $/, CALLOUT, toneOf, (style, [, name = '']) => {
        return style.kind === 'quote' && GITHUB_TONES[name.toLowerCase()] !== undefined;
      }),
      blockRule(undo, /^```([\w+#-]*) $/, { kind: 'code' }, ([, language = '']) =>
        language === '' ? {} : { language },
      ),
      divider(undo),
      formula(undo),
      highlight(undo),
      link(undo),
      autolink(undo),
    ],
    addExtensions: () => [linkOnEnter(undo)],
  });

function blockRule(
  undo: Y.UndoManager,
  find: RegExp,
  turn: TargetKind,
  more: (match: Match, block: PlacedBlock, doc: Node) => Attributes = () => ({}),
  mayTurn: (style: Style, match: Match) => boolean = () => true,
): InputRule {
  return rule(undo, find, ({ state, range }, match) => {
    const block = blockAt(state.doc.resolve(range.from));
    // Many headings begin with "1. ", so it does not make them list items.
    if (block === null || (styleOf(block.node).kind === 'heading' && turn.kind !== 'heading')) return false;
    if (!mayTurn(styleOf(block.node), match)) return false;
    state.tr.delete(range.from, range.to);
    setBlockAttributes(state.tr, [block], { ...turn, ...more(match, block, state.tr.doc) });
    return true;
  });
}

/** Null if the block gets that number anyway, because of those before it. */
function startOf(doc: Node, block: PlacedBlock, number: number): number | null {
  let numbers = NO_NUMBERS;
  for (const node of doc.children.slice(0, block.index)) {
    if (node.type.name === DIVIDER) numbers = NO_NUMBERS;
    else if (isBlock(node)) numbers = numbersAfter({ type: 'block', ...styleOf(node) }, numbers);
  }
  return number === (numbers[styleOf(block.node).indent] ?? 0) + 1 ? null : number;
}

/** `---`: the divider goes before the block, which stays with its id for writing on. */
const divider = (undo: Y.UndoManager) =>
  rule(undo, /^(?:---|—-)$/, ({ state, range }) => {
    const block = blockAt(state.doc.resolve(range.from));
    const type = state.schema.nodes['divider'];
    if (block === null || type === undefined || styleOf(block.node).kind !== 'paragraph') return false;
    // The divider gets its id right here. Adding it later would be a second edit, and then Backspace could not undo the
    // conversion.
    state.tr.delete(range.from, range.to).insert(block.at, type.create({ id: newBlockId() }));
    return true;
  });

/** `==text==`. It differs from `a == b == c` by having no space inside the signs. */
const highlight = (undo: Y.UndoManager) =>
  rule(undo, /(?:^|[^=])==(?!\s)([^=]*[^=\s])==$/, ({ state, range }, [found = '', words = '']) => {
    const type = state.schema.marks['highlight'];
    // The last sign is not in the text yet. A selection is deleted, as by any typed character.
    const end = range.from + found.length - 2;
    const start = end - words.length - 2;
    if (type === undefined) return false;
    state.tr.delete(end, range.to).delete(start, start + 2);
    state.tr.addMark(start, start + words.length, type.create()).removeStoredMark(type);
    return true;
  });

/** `$$ `: the formula goes before the block, and the caret into it. */
const formula = (undo: Y.UndoManager) =>
  rule(undo, /^\$\$ $/, ({ state, range }) => {
    const block = blockAt(state.doc.resolve(range.from));
    if (block === null || styleOf(block.node).kind !== 'paragraph') return false;
    state.tr.delete(range.from, range.to).insert(block.at, state.schema.node(MATH, { id: newBlockId() }));
    state.tr.setSelection(TextSelection.create(state.tr.doc, block.at + 1));
    return true;
  });

/** `[text](url)`. */
const link = (undo: Y.UndoManager) =>
  rule(undo, /\[([^[\]\n]+)\]\(([^()\s]+)\)$/, ({ state, range }, [, words = '', url = '']) => {
    const href = parseTypedUrl(url);
    const type = state.schema.marks['link'];
    if (href === null || type === undefined) return false;
    // The text keeps its marks.
    state.tr.delete(range.from + 1 + words.length, range.to).delete(range.from, range.from + 1);
    state.tr.addMark(range.from, range.from + words.length, type.create({ href })).removeStoredMark(type);
    return true;
  });

/** A URL followed by a space becomes a link. The rule must also insert the space. */
const autolink = (undo: Y.UndoManager) =>
  rule(undo, /(?:^|\s)((?:https?:\/\/|www\.)\S+)(\s)$/, ({ state, range }, [, typed = '', space = '']) => {
    if (!linkUrl(state.tr, range.to, typed)) return false;
    state.tr.insert(range.to, state.schema.text(space));
    return true;
  });

/** The same on Enter, which then does what it always does. */
const linkOnEnter = (undo: Y.UndoManager) =>
  Extension.create({
    name: 'linkOnEnter',
    priority: 700,
    addKeyboardShortcuts() {
      const link = () => {
        const { state, view } = this.editor;
        const { $from, empty } = state.selection;
        if (!empty || !$from.parent.isTextblock || isCode($from.parent) || view.composing) return false;
        const before = $from.parent.textBetween(0, $from.parentOffset);
        const [, typed] = /(?:^|\s)((?:https?:\/\/|www\.)\S+)$/.exec(before) ?? [];
        const transaction = state.tr;
        if (typed === undefined || !linkUrl(transaction, $from.pos, typed)) return false;
        undo.stopCapturing();
        view.dispatch(transaction);
        return false;
      };
      return { Enter: link, 'Shift-Enter': link };
    },
  });

/** `typed` ends at `to`. Punctuation after the URL belongs to the sentence. */
function linkUrl(transaction: Transaction, to: number, typed: string): boolean {
  const words = urlIn(typed);
  const href = parseTypedUrl(words);
  const start = to - typed.length;
  const end = start + words.length;
  const { link: type, code } = transaction.doc.type.schema.marks;
  if (href === null || type === undefined || !/^(?:https?:\/\/|www\.)./.test(words)) return false;
  const isMarked = [type, code].some((one) => one !== undefined && transaction.doc.rangeHasMark(start, end, one));
  if (!isMarked) transaction.addMark(start, end, type.create({ href })).removeStoredMark(type);
  // Nothing changed where marks are not allowed, such as in a formula.
  return transaction.docChanged;
}

/** A closing bracket belongs to the URL if the URL opened it: `…/Weft_(loom)`. */
function urlIn(typed: string): string {
  const words = typed.replace(/[.,;:!?)\]}'"…’”]+$/, '');
  const rest = typed.slice(words.length);
  const isOpen = words.lastIndexOf('(') > words.lastIndexOf(')');
  return isOpen && rest.startsWith(')') ? `${words})` : words;
}

function rule(undo: Y.UndoManager, find: RegExp, turn: (input: InputMatch, match: Match) => boolean): InputRule {
  return new InputRule({
    find,
    handler: ({ state, range, match }) => {
      if (isCode(state.doc.resolve(range.from).parent)) return null;
      if (!turn({ state, range }, match)) return null;
      undo.stopCapturing();
      return undefined;
    },
  });
}
