// What turns while typing: Markdown at the start of a line, links, addresses. Never in code.
import { Extension, InputRule } from '@tiptap/core';
import { type EditorState, TextSelection, type Transaction } from '@tiptap/pm/state';
import type * as Y from 'yjs';
import type { Style, Tone } from '../../document/blocks/block.ts';
import { parseTypedUrl } from '../../document/link-url.ts';
import { MATH } from '../../document/names.ts';
import { newBlockId } from '../../document/new-block-id.ts';
import { blockAt, isCode, styleOf } from '../schema/block-at.ts';
import { type TargetKind, setBlockAttributes } from '../blocks/block-commands.ts';

type Typed = { readonly state: EditorState; readonly range: { readonly from: number; readonly to: number } };
type Match = readonly string[];

const HEADINGS: readonly (1 | 2 | 3)[] = [1, 2, 3];
const CALLOUT: TargetKind = { kind: 'callout', tone: 'note' };

/** GitHub's words for its alerts, and ours. */
const GITHUB_TONES: Readonly<Record<string, Tone>> = {
  note: 'note',
  tip: 'tip',
  care: 'care',
  stop: 'stop',
  important: 'care',
  warning: 'care',
  caution: 'stop',
};

const toneOf = ([, name = '']: Match) => ({ tone: GITHUB_TONES[name.toLowerCase()] ?? 'note' });

/** `undo` begins a new step at each turn, so that undo gives back what was typed. */
export const markdownRules = (undo: Y.UndoManager) =>
  Extension.create({
    name: 'markdownRules',
    addInputRules: () => [
      ...HEADINGS.map((level) => atStart(undo, new RegExp(`^#{${level}} $`), { kind: 'heading', level })),
      atStart(undo, /^[-*+] $/, { kind: 'bullet' }),
      atStart(undo, /^\d{1,3}[.)] $/, { kind: 'numbered' }),
      atStart(undo, /^\[ ?\] $/, { kind: 'task' }),
      atStart(undo, /^\[[xX]\] $/, { kind: 'task' }, () => ({ checked: true })),
      atStart(undo, /^> $/, { kind: 'quote' }),
      atStart(undo, /^>> $/, { kind: 'toggle' }),
      atStart(undo, /^!!! ?(note|tip|care|stop)? $/i, CALLOUT, toneOf),
      // `> ` has made a quote of the line by then.
      atStart(undo, /^\[!(\w+)\] $/, CALLOUT, toneOf, (style, [, name = '']) => {
        return style.kind === 'quote' && GITHUB_TONES[name.toLowerCase()] !== undefined;
      }),
      atStart(undo, /^```([\w+#-]*) $/, { kind: 'code' }, ([, language = '']) => (language === '' ? {} : { language })),
      divider(undo),
      formula(undo),
      highlight(undo),
      link(undo),
      address(undo),
    ],
    addExtensions: () => [addressAtBreak(undo)],
  });

function atStart(
  undo: Y.UndoManager,
  find: RegExp,
  turn: TargetKind,
  more: (match: Match) => Readonly<Record<string, string | boolean>> = () => ({}),
  mayTurn: (style: Style, match: Match) => boolean = () => true,
): InputRule {
  return rule(undo, find, ({ state, range }, match) => {
    const block = blockAt(state.doc.resolve(range.from));
    // "1. " at the start of a heading is how many headings begin.
    if (block === null || (styleOf(block.node).kind === 'heading' && turn.kind !== 'heading')) return false;
    if (!mayTurn(styleOf(block.node), match)) return false;
    state.tr.delete(range.from, range.to);
    setBlockAttributes(state.tr, [block], { ...turn, ...more(match) });
    return true;
  });
}

/** `---`: the divider goes before the block, which stays with its id for writing on. */
const divider = (undo: Y.UndoManager) =>
  rule(undo, /^(?:---|—-)$/, ({ state, range }) => {
    const block = blockAt(state.doc.resolve(range.from));
    const type = state.schema.nodes['divider'];
    if (block === null || type === undefined || styleOf(block.node).kind !== 'paragraph') return false;
    // With its id at once: one given later would be a second edit, and Backspace could not take this one back.
    state.tr.delete(range.from, range.to).insert(block.at, type.create({ id: newBlockId() }));
    return true;
  });

/** `==words==`, which tell from `a == b == c` by having no space inside the signs. */
const highlight = (undo: Y.UndoManager) =>
  rule(undo, /(?:^|[^=])==(?!\s)([^=]*[^=\s])==$/, ({ state, range }, [found = '', words = '']) => {
    const type = state.schema.marks['highlight'];
    // The last sign is not in the text yet; what was selected goes, as with any letter.
    const end = range.from + found.length - 2;
    const start = end - words.length - 2;
    if (type === undefined) return false;
    state.tr.delete(end, range.to).delete(start, start + 2);
    state.tr.addMark(start, start + words.length, type.create()).removeStoredMark(type);
    return true;
  });

/** `$$ `: the formula goes before the block, with the caret in it. */
const formula = (undo: Y.UndoManager) =>
  rule(undo, /^\$\$ $/, ({ state, range }) => {
    const block = blockAt(state.doc.resolve(range.from));
    if (block === null || styleOf(block.node).kind !== 'paragraph') return false;
    state.tr.delete(range.from, range.to).insert(block.at, state.schema.node(MATH, { id: newBlockId() }));
    state.tr.setSelection(TextSelection.create(state.tr.doc, block.at + 1));
    return true;
  });

/** `[words](address)`. */
const link = (undo: Y.UndoManager) =>
  rule(undo, /\[([^[\]\n]+)\]\(([^()\s]+)\)$/, ({ state, range }, [, words = '', address = '']) => {
    const href = parseTypedUrl(address);
    const type = state.schema.marks['link'];
    if (href === null || type === undefined) return false;
    // The words keep their marks.
    state.tr.delete(range.from + 1 + words.length, range.to).delete(range.from, range.from + 1);
    state.tr.addMark(range.from, range.from + words.length, type.create({ href })).removeStoredMark(type);
    return true;
  });

/** An address followed by a space becomes a link. The space itself still has to be typed by the rule. */
const address = (undo: Y.UndoManager) =>
  rule(undo, /(?:^|\s)((?:https?:\/\/|www\.)\S+)(\s)$/, ({ state, range }, [, typed = '', space = '']) => {
    if (!linkAddress(state.tr, range.to, typed)) return false;
    state.tr.insert(range.to, state.schema.text(space));
    return true;
  });

/** The same at Enter, which then does what it always does. */
const addressAtBreak = (undo: Y.UndoManager) =>
  Extension.create({
    name: 'addressAtBreak',
    priority: 700,
    addKeyboardShortcuts() {
      const link = () => {
        const { state, view } = this.editor;
        const { $from, empty } = state.selection;
        if (!empty || !$from.parent.isTextblock || isCode($from.parent) || view.composing) return false;
        const before = $from.parent.textBetween(0, $from.parentOffset);
        const [, typed] = /(?:^|\s)((?:https?:\/\/|www\.)\S+)$/.exec(before) ?? [];
        const transaction = state.tr;
        if (typed === undefined || !linkAddress(transaction, $from.pos, typed)) return false;
        undo.stopCapturing();
        view.dispatch(transaction);
        return false;
      };
      return { Enter: link, 'Shift-Enter': link };
    },
  });

/** `typed` ends at `to`. Signs behind the address are the sentence's, not the address's. */
function linkAddress(transaction: Transaction, to: number, typed: string): boolean {
  const words = addressIn(typed);
  const href = parseTypedUrl(words);
  const start = to - typed.length;
  const end = start + words.length;
  const { link: type, code } = transaction.doc.type.schema.marks;
  if (href === null || type === undefined || !/^(?:https?:\/\/|www\.)./.test(words)) return false;
  const isMarked = [type, code].some((one) => one !== undefined && transaction.doc.rangeHasMark(start, end, one));
  if (!isMarked) transaction.addMark(start, end, type.create({ href })).removeStoredMark(type);
  // Not where no mark may be: in a formula.
  return transaction.docChanged;
}

/** A bracket that the address itself opened is its own: `…/Weft_(loom)`. */
function addressIn(typed: string): string {
  const words = typed.replace(/[.,;:!?)\]}'"…’”]+$/, '');
  const rest = typed.slice(words.length);
  const isOpen = words.lastIndexOf('(') > words.lastIndexOf(')');
  return isOpen && rest.startsWith(')') ? `${words})` : words;
}

function rule(undo: Y.UndoManager, find: RegExp, turn: (typed: Typed, match: Match) => boolean): InputRule {
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
