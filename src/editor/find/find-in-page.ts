// Finding and replacing in the page: what is looked for, where it stands now, which match is the current one. Matches are
// looked up in the text as it is, after every edit of anybody, so none can point to the wrong words.
import { type Editor, Extension } from '@tiptap/core';
import type { Node } from '@tiptap/pm/model';
import { type EditorState, Plugin, PluginKey, TextSelection, type Transaction } from '@tiptap/pm/state';
import { Decoration, DecorationSet } from '@tiptap/pm/view';
import type * as Y from 'yjs';
import { asOneStep } from '../../document/undo.ts';
import { unfoldAt } from '../blocks/folding.ts';
import { type Match, type Wanted, matchesIn, patternOf, replacementFor } from './search-pattern.ts';

export type Found = {
  readonly wanted: Wanted;
  /** Why the pattern is none; null when it is one. */
  readonly problem: string | null;
  readonly matches: readonly Match[];
  /** Index of the current match; -1 without any. */
  readonly at: number;
};

type FindState = Found & { readonly pattern: RegExp | null; readonly drawn: DecorationSet };
/** Null ends the search. */
type Ask = { readonly wanted: Wanted | null; readonly near: number } | { readonly goTo: number };

/** More are counted and gone to, but not drawn: each is an element in the text. */
const MAX_DRAWN = 1000;

const key = new PluginKey<FindState | null>('findInPage');
/** What a transaction asks of the search beside what it changes. */
const asks = new WeakMap<Transaction, Ask>();

function asking(transaction: Transaction, ask: Ask): Transaction {
  asks.set(transaction, ask);
  return transaction;
}

export const foundIn = (state: EditorState): Found | null => key.getState(state) ?? null;

export const findInPage = (open: () => void) =>
  Extension.create({
    name: 'findInPage',
    addKeyboardShortcuts() {
      return {
        'Mod-f': () => {
          open();
          return true;
        },
        'Mod-g': () => goToNext(this.editor, 1),
        'Mod-Shift-g': () => goToNext(this.editor, -1),
      };
    },
    addProseMirrorPlugins: () => [
      new Plugin<FindState | null>({
        key,
        state: { init: () => null, apply: (transaction, before, _old, state) => next(transaction, before, state) },
        props: { decorations: (state) => key.getState(state)?.drawn ?? null },
      }),
    ],
  });

/** Looks for something else, or (null) for nothing any more. The match at or behind the caret is the current one. */
export function find({ state, view }: Editor, wanted: Wanted | null): void {
  const current = foundIn(state);
  const near = current?.matches[current.at]?.from ?? state.selection.from;
  view.dispatch(asking(state.tr, { wanted, near }));
}

/** Goes to the match after or before the current one, round the page's end. False without any match. */
export function goToNext(editor: Editor, by: 1 | -1): boolean {
  const found = foundIn(editor.state);
  if (found === null || found.matches.length === 0) return false;
  const at = (found.at + by + found.matches.length) % found.matches.length;
  editor.view.dispatch(asking(editor.state.tr, { goTo: at }));
  showCurrent(editor);
  return true;
}

/** Scrolls to the current match; the focus stays where it is. */
export function showCurrent({ state, view }: Editor): void {
  const found = foundIn(state);
  const match = found?.matches[found.at];
  if (match === undefined) return;
  unfoldAt(match.from)(state, view.dispatch);
  const { node } = view.domAtPos(match.from, 1);
  const element = node instanceof Element ? node : node.parentElement;
  const box = view.coordsAtPos(match.from, 1);
  if (box.top < COVERED_PX || box.bottom > window.innerHeight - COVERED_PX)
    element?.scrollIntoView({ block: 'center' });
}

/** The bars over the text, above and below. */
const COVERED_PX = 110;

/** Selects the current match in the text, for writing on there. */
export function selectCurrent({ state, view }: Editor): void {
  const found = foundIn(state);
  const match = found?.matches[found.at];
  if (match !== undefined) view.dispatch(state.tr.setSelection(TextSelection.create(state.doc, match.from, match.to)));
}

/** Replaces the current match and goes to the next. */
export function replaceOne(editor: Editor, undo: Y.UndoManager, by: string): void {
  const found = key.getState(editor.state) ?? null;
  const match = found?.matches[found.at];
  if (found === null || match === undefined || !editor.isEditable) return;
  asOneStep(undo, () => {
    const transaction = editor.state.tr;
    const length = replace(transaction, found, match, by);
    editor.view.dispatch(asking(transaction, { wanted: found.wanted, near: match.from + length }));
  });
  showCurrent(editor);
}

/** All of them, as one undo step. Tells how many. */
export function replaceAll(editor: Editor, undo: Y.UndoManager, by: string): number {
  const found = key.getState(editor.state) ?? null;
  if (found === null || found.matches.length === 0 || !editor.isEditable) return 0;
  const before = editor.state.doc;
  asOneStep(undo, () => {
    const transaction = editor.state.tr;
    // From the last to the first: no place moves before it was used. What a pattern looks at is the text as it was.
    for (const match of found.matches.toReversed()) replace(transaction, found, match, by, placeIn(before, match));
    editor.view.dispatch(transaction);
  });
  return found.matches.length;
}

type Place = { readonly text: string; readonly offset: number };

/** What a match was found in: what a pattern looks at beside it may be replaced before it is. */
function placeIn(doc: Node, { from }: Match): Place {
  const $from = doc.resolve(from);
  return { text: $from.parent.textContent, offset: $from.parentOffset };
}

/** The new words take the marks of the first letter they replace. Returns their length. */
function replace(
  transaction: Transaction,
  { pattern, wanted }: FindState,
  match: Match,
  by: string,
  place: Place = placeIn(transaction.doc, match),
): number {
  const { from, to } = match;
  const put = pattern === null ? by : replacementFor(place.text, place.offset, pattern, wanted, by);
  if (put === '') transaction.delete(from, to);
  else {
    const marks = transaction.doc.resolve(from + 1).marks();
    transaction.replaceWith(from, to, transaction.doc.type.schema.text(put, marks));
  }
  return put.length;
}

function next(transaction: Transaction, before: FindState | null, { doc }: EditorState): FindState | null {
  const ask = asks.get(transaction);
  if (ask !== undefined && 'wanted' in ask) {
    if (ask.wanted === null) return null;
    const pattern = patternOf(ask.wanted);
    const problem = pattern.ok ? null : pattern.error;
    return look(doc, { wanted: ask.wanted, pattern: pattern.ok ? pattern.value : null, problem }, ask.near);
  }
  if (before === null) return null;
  if (ask !== undefined) return draw(doc, { ...before, at: ask.goTo });
  if (!transaction.docChanged) return before;
  const current = before.matches[before.at];
  return look(doc, before, current === undefined ? 0 : transaction.mapping.map(current.from));
}

function look(doc: Node, asked: Pick<FindState, 'wanted' | 'pattern' | 'problem'>, near: number): FindState {
  const { wanted, pattern, problem } = asked;
  const matches = pattern === null ? [] : allMatches(doc, pattern);
  const behind = matches.findIndex(({ from }) => from >= near);
  const at = behind >= 0 ? behind : matches.length > 0 ? 0 : -1;
  return draw(doc, { wanted, pattern, problem, matches, at });
}

/** Of texts that did not change since: looked through once for each pattern. */
const looked = new WeakMap<RegExp, WeakMap<Node, readonly Match[]>>();

function allMatches(doc: Node, pattern: RegExp): readonly Match[] {
  const known = looked.get(pattern) ?? new WeakMap<Node, readonly Match[]>();
  looked.set(pattern, known);
  const all: Match[] = [];
  doc.descendants((node, at) => {
    if (!node.isTextblock) return true;
    const inNode = known.get(node) ?? matchesIn(node.textContent, pattern);
    known.set(node, inNode);
    for (const { from, to } of inNode) all.push({ from: at + 1 + from, to: at + 1 + to });
    return false;
  });
  return all;
}

function draw(doc: Node, found: Omit<FindState, 'drawn'>): FindState {
  const { matches, at } = found;
  const start = Math.max(0, Math.min(at - MAX_DRAWN / 2, matches.length - MAX_DRAWN));
  const shown = matches
    .slice(start, start + MAX_DRAWN)
    .map(({ from, to }, index) =>
      Decoration.inline(from, to, { class: start + index === at ? 'found is-current' : 'found' }),
    );
  return { ...found, drawn: DecorationSet.create(doc, shown) };
}
