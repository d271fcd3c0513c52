// Find and replace in the page: the query, the matches, and the current match. Matches are computed from the current
// text after every edit by anyone, so none can point to the wrong words.
import { type Editor, Extension } from '@tiptap/core';
import type { Node } from '@tiptap/pm/model';
import { type EditorState, Plugin, PluginKey, TextSelection, type Transaction } from '@tiptap/pm/state';
import { Decoration, DecorationSet } from '@tiptap/pm/view';
import type * as Y from 'yjs';
import { asOneStep } from '../../document/undo.ts';
import { unfoldAt } from '../blocks/folding.ts';
import { type Match, type SearchQuery, matchesIn, patternOf, replacementFor } from './search-pattern.ts';

export type FindResult = {
  readonly wanted: SearchQuery;
  /** The error in the pattern; null if it is valid. */
  readonly problem: string | null;
  readonly matches: readonly Match[];
  /** Index of the current match; -1 if there is none. */
  readonly at: number;
};

type FindState = FindResult & { readonly pattern: RegExp | null; readonly drawn: DecorationSet };
/** Null ends the search. */
type SearchRequest = { readonly wanted: SearchQuery | null; readonly near: number } | { readonly goTo: number };

/** More matches are counted and can be visited, but are not drawn: each is an element in the text. */
const MAX_DRAWN = 1000;

const key = new PluginKey<FindState | null>('findInPage');
/** The search request of a transaction, besides its changes. */
const requests = new WeakMap<Transaction, SearchRequest>();

function withRequest(transaction: Transaction, ask: SearchRequest): Transaction {
  requests.set(transaction, ask);
  return transaction;
}

export const findResultOf = (state: EditorState): FindResult | null => key.getState(state) ?? null;

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

/** Starts a search, or ends it with null. The current match is the one at or after the caret. */
export function find({ state, view }: Editor, wanted: SearchQuery | null): void {
  const current = findResultOf(state);
  const near = current?.matches[current.at]?.from ?? state.selection.from;
  view.dispatch(withRequest(state.tr, { wanted, near }));
}

/** Goes to the next or previous match and wraps around. False if there is none. */
export function goToNext(editor: Editor, by: 1 | -1): boolean {
  const found = findResultOf(editor.state);
  if (found === null || found.matches.length === 0) return false;
  const at = (found.at + by + found.matches.length) % found.matches.length;
  editor.view.dispatch(withRequest(editor.state.tr, { goTo: at }));
  showCurrent(editor);
  return true;
}

/** Scrolls to the current match. The focus stays where it is. */
export function showCurrent({ state, view }: Editor): void {
  const found = findResultOf(state);
  const match = found?.matches[found.at];
  if (match === undefined) return;
  unfoldAt(match.from)(state, view.dispatch);
  const { node } = view.domAtPos(match.from, 1);
  const element = node instanceof Element ? node : node.parentElement;
  const box = view.coordsAtPos(match.from, 1);
  if (box.top < COVERED_PX || box.bottom > window.innerHeight - COVERED_PX)
    element?.scrollIntoView({ block: 'center' });
}

/** The height of the bars that cover the text above and below. */
const COVERED_PX = 110;

/** Selects the current match in the text, to continue writing there. */
export function selectCurrent({ state, view }: Editor): void {
  const found = findResultOf(state);
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
    editor.view.dispatch(withRequest(transaction, { wanted: found.wanted, near: match.from + length }));
  });
  showCurrent(editor);
}

/** Replaces all matches in one undo step. Returns how many. */
export function replaceAll(editor: Editor, undo: Y.UndoManager, by: string): number {
  const found = key.getState(editor.state) ?? null;
  if (found === null || found.matches.length === 0 || !editor.isEditable) return 0;
  const before = editor.state.doc;
  asOneStep(undo, () => {
    const transaction = editor.state.tr;
    // From last to first, so that earlier positions stay valid. Lookarounds in a pattern see the text before any
    // replacement.
    for (const match of found.matches.toReversed()) replace(transaction, found, match, by, contextOf(before, match));
    editor.view.dispatch(transaction);
  });
  return found.matches.length;
}

type MatchContext = { readonly text: string; readonly offset: number };

/** The text block of a match. A pattern may look at text beside the match that is replaced first. */
function contextOf(doc: Node, { from }: Match): MatchContext {
  const $from = doc.resolve(from);
  return { text: $from.parent.textContent, offset: $from.parentOffset };
}

/** The replacement takes the marks of the first letter it replaces. Returns its length. */
function replace(
  transaction: Transaction,
  { pattern, wanted }: FindState,
  match: Match,
  by: string,
  place: MatchContext = contextOf(transaction.doc, match),
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
  const ask = requests.get(transaction);
  if (ask !== undefined && 'wanted' in ask) {
    if (ask.wanted === null) return null;
    const pattern = patternOf(ask.wanted);
    const problem = pattern.ok ? null : pattern.error;
    return search(doc, { wanted: ask.wanted, pattern: pattern.ok ? pattern.value : null, problem }, ask.near);
  }
  if (before === null) return null;
  if (ask !== undefined) return draw(doc, { ...before, at: ask.goTo });
  if (!transaction.docChanged) return before;
  const current = before.matches[before.at];
  return search(doc, before, current === undefined ? 0 : transaction.mapping.map(current.from));
}

function search(doc: Node, asked: Pick<FindState, 'wanted' | 'pattern' | 'problem'>, near: number): FindState {
  const { wanted, pattern, problem } = asked;
  const matches = pattern === null ? [] : allMatches(doc, pattern);
  const behind = matches.findIndex(({ from }) => from >= near);
  const at = behind >= 0 ? behind : matches.length > 0 ? 0 : -1;
  return draw(doc, { wanted, pattern, problem, matches, at });
}

/** A text that did not change is searched only once per pattern. */
const searched = new WeakMap<RegExp, WeakMap<Node, readonly Match[]>>();

function allMatches(doc: Node, pattern: RegExp): readonly Match[] {
  const known = searched.get(pattern) ?? new WeakMap<Node, readonly Match[]>();
  searched.set(pattern, known);
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
