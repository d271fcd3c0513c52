// Find and replace in the page: the query, the matches, and the current match. Matches are computed from the current
// text after every edit by anyone, so none can point to the wrong words.
import { type Editor, Extension } from '@tiptap/core';
import type { Node } from '@tiptap/pm/model';
import { type EditorState, Plugin, PluginKey, TextSelection, type Transaction } from '@tiptap/pm/state';
import { Decoration, DecorationSet } from '@tiptap/pm/view';
import { asOneStep } from 'weft-document/undo.ts';
import type * as Y from 'yjs';
import { onePer } from '../../lib/one-per.ts';
import { revealPosition } from '../blocks/reveal-position.ts';
import { type Match, type FindQuery, matchesIn, patternOf, replacementFor } from './search-pattern.ts';

export type FindResult = {
  readonly query: FindQuery;
  /** The error in the pattern; null if it is valid. */
  readonly problem: string | null;
  readonly matches: readonly Match[];
  /** Index of the current match; -1 if there is none. */
  readonly at: number;
};

type FindState = FindResult & { readonly pattern: RegExp | null; readonly decorations: DecorationSet };
/** A `query` of null ends the search. */
type SearchRequest = { readonly query: FindQuery | null; readonly near: number } | { readonly goTo: number };

/** At most this many matches, those around the current one, are highlighted: each is an element in the text. */
const MAX_SHOWN = 1000;

const key = new PluginKey<FindState | null>('findInPage');
/** The search request of a transaction, besides its changes. */
const requests = new WeakMap<Transaction, SearchRequest>();

function withRequest(transaction: Transaction, request: SearchRequest): Transaction {
  requests.set(transaction, request);
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
        props: { decorations: (state) => key.getState(state)?.decorations ?? null },
      }),
    ],
  });

/**
 * Starts a search, or ends it with null. The current match is the first one at or after `near`, or else the first of
 * the page. By default `near` is where the current match begins, or the selection if there is none.
 */
export function find({ state, view }: Editor, query: FindQuery | null, near?: number): void {
  const current = findResultOf(state);
  const from = near ?? current?.matches[current.at]?.from ?? state.selection.from;
  view.dispatch(withRequest(state.tr, { query, near: from }));
}

/** Asks for the find bar with these words, at the match at or after `near`. */
export class FindRequest extends Event {
  readonly words: string;
  readonly near: number;
  constructor(words: string, near: number) {
    super('find');
    this.words = words;
    this.near = near;
  }
}

/** Goes to the next or previous match and wraps around. False if there is none. */
export function goToNext(editor: Editor, step: 1 | -1): boolean {
  const found = findResultOf(editor.state);
  if (found === null || found.matches.length === 0) return false;
  const at = (found.at + step + found.matches.length) % found.matches.length;
  editor.view.dispatch(withRequest(editor.state.tr, { goTo: at }));
  showCurrent(editor);
  return true;
}

/** Scrolls to the current match. The focus stays where it is. */
export function showCurrent(editor: Editor): void {
  const found = findResultOf(editor.state);
  const match = found?.matches[found.at];
  if (match !== undefined) revealPosition(editor, match.from);
}

/** Selects the current match in the text, to continue writing there. */
export function selectCurrent({ state, view }: Editor): void {
  const found = findResultOf(state);
  const match = found?.matches[found.at];
  if (match !== undefined) view.dispatch(state.tr.setSelection(TextSelection.create(state.doc, match.from, match.to)));
}

/** Replaces the current match and goes to the next. */
export function replaceOne(editor: Editor, undo: Y.UndoManager, replacement: string): void {
  const found = key.getState(editor.state) ?? null;
  const match = found?.matches[found.at];
  if (found === null || match === undefined || !editor.isEditable) return;
  asOneStep(undo, () => {
    const transaction = editor.state.tr;
    const length = replace(transaction, found, match, replacement);
    editor.view.dispatch(withRequest(transaction, { query: found.query, near: match.from + length }));
  });
  showCurrent(editor);
}

/** Replaces all matches in one undo step. Returns how many. */
export function replaceAll(editor: Editor, undo: Y.UndoManager, replacement: string): number {
  const found = key.getState(editor.state) ?? null;
  if (found === null || found.matches.length === 0 || !editor.isEditable) return 0;
  const before = editor.state.doc;
  asOneStep(undo, () => {
    const transaction = editor.state.tr;
    // From last to first, so that earlier positions stay valid. Lookarounds in a pattern see the text before any
    // replacement.
    for (const match of found.matches.toReversed())
      replace(transaction, found, match, replacement, contextOf(before, match));
    editor.view.dispatch(transaction);
  });
  return found.matches.length;
}

type MatchContext = { readonly text: string; readonly offset: number };

/** The text of the block around a match: a pattern may look at what is beside the match. */
function contextOf(doc: Node, { from }: Match): MatchContext {
  const $from = doc.resolve(from);
  return { text: $from.parent.textContent, offset: $from.parentOffset };
}

/** The replacement takes the marks of the first character it replaces. Returns its length. */
function replace(
  transaction: Transaction,
  { pattern, query }: FindState,
  match: Match,
  replacement: string,
  context: MatchContext = contextOf(transaction.doc, match),
): number {
  const { from, to } = match;
  const text =
    pattern === null ? replacement : replacementFor(context.text, context.offset, pattern, query, replacement);
  if (text === '') transaction.delete(from, to);
  else {
    const marks = transaction.doc.resolve(from + 1).marks();
    transaction.replaceWith(from, to, transaction.doc.type.schema.text(text, marks));
  }
  return text.length;
}

function next(transaction: Transaction, before: FindState | null, { doc }: EditorState): FindState | null {
  const request = requests.get(transaction);
  if (request !== undefined && 'query' in request) {
    if (request.query === null) return null;
    const pattern = patternOf(request.query);
    const problem = pattern.ok ? null : pattern.error;
    return search(doc, { query: request.query, pattern: pattern.ok ? pattern.value : null, problem }, request.near);
  }
  if (before === null) return null;
  if (request !== undefined) return draw(doc, { ...before, at: request.goTo });
  if (!transaction.docChanged) return before;
  const current = before.matches[before.at];
  return search(doc, before, current === undefined ? 0 : transaction.mapping.map(current.from));
}

function search(doc: Node, next: Pick<FindState, 'query' | 'pattern' | 'problem'>, near: number): FindState {
  const { query, pattern, problem } = next;
  const matches = pattern === null ? [] : allMatches(doc, pattern);
  const following = matches.findIndex(({ from }) => from >= near);
  const at = following >= 0 ? following : matches.length > 0 ? 0 : -1;
  return draw(doc, { query, pattern, problem, matches, at });
}

/** A text that did not change is searched only once per pattern. */
const matchesOf = onePer((pattern: RegExp) => onePer((text: Node) => matchesIn(text.textContent, pattern)));

function allMatches(doc: Node, pattern: RegExp): readonly Match[] {
  const matches = matchesOf(pattern);
  const all: Match[] = [];
  doc.descendants((node, at) => {
    if (!node.isTextblock) return true;
    for (const { from, to } of matches(node)) all.push({ from: at + 1 + from, to: at + 1 + to });
    return false;
  });
  return all;
}

function draw(doc: Node, found: Omit<FindState, 'decorations'>): FindState {
  const { matches, at } = found;
  const start = Math.max(0, Math.min(at - MAX_SHOWN / 2, matches.length - MAX_SHOWN));
  const shown = matches
    .slice(start, start + MAX_SHOWN)
    .map(({ from, to }, index) =>
      Decoration.inline(from, to, { class: start + index === at ? 'found is-current' : 'found' }),
    );
  return { ...found, decorations: DecorationSet.create(doc, shown) };
}
