// Folded toggles in the editor: their bodies are hidden, and the caret never stays in one. Writes nothing to the
// document.
import { Extension } from '@tiptap/core';
import type { Node } from '@tiptap/pm/model';
import {
  AllSelection,
  type Command,
  type EditorState,
  Plugin,
  PluginKey,
  TextSelection,
  type Transaction,
} from '@tiptap/pm/state';
import { Decoration, DecorationSet, type EditorView } from '@tiptap/pm/view';
import { type ToggleRow, bodyEnd, foldedRows } from 'weft-document/blocks/toggle-body.ts';
import { blockAt, isBlock, styleOf } from '../schema/block-at.ts';
import { sizeOf } from '../schema/size-of.ts';
import { BlockSelection } from './block-selection.ts';
import type { Folds } from './stored-folds.ts';

/** `from` and `to` enclose a hidden block; `toggle` is the position before the toggle that hides it. */
type Hidden = { readonly from: number; readonly to: number; readonly toggle: number };
type Folding = {
  readonly folded: ReadonlySet<string>;
  readonly hidden: readonly Hidden[];
  readonly decorations: DecorationSet;
};

const key = new PluginKey<Folding>('folding');
const FOLDED = { isFolded: true } as const;

export const folding = (folds: Folds) =>
  Extension.create({
    name: 'folding',
    addProseMirrorPlugins: () => [
      new Plugin<Folding>({
        key,
        state: {
          init: (_config, { doc }) => readFolding(doc, folds.get()),
          apply(transaction, before) {
            const folded = requestedFolds(transaction) ?? before.folded;
            const isSame = folded === before.folded && (!transaction.docChanged || folded.size === 0);
            return isSame ? before : readFolding(transaction.doc, folded);
          },
        },
        props: { decorations: (state) => key.getState(state)?.decorations },
        appendTransaction: (transactions, _before, state) => keepCaretVisible(transactions, state),
        view(view) {
          const stop = folds.subscribe(() => {
            const folded = folds.get();
            if (key.getState(view.state)?.folded !== folded) view.dispatch(view.state.tr.setMeta(key, folded));
          });
          return {
            update: () => folds.set(key.getState(view.state)?.folded ?? folds.get()),
            destroy: stop,
          };
        },
      }),
    ],
  });

/** True if the decorations draw the node as a folded toggle. */
export const isDrawnFolded = (decorations: readonly Decoration[]): boolean =>
  decorations.some(({ spec }) => spec === FOLDED);

/** Folds or unfolds the toggle at `at`. */
export const toggleFoldAt =
  (at: number): Command =>
  (state, dispatch) => {
    const node = state.doc.nodeAt(at);
    const folded = key.getState(state)?.folded;
    const id: unknown = node?.attrs['id'];
    if (!isBlock(node) || styleOf(node).kind !== 'toggle' || folded === undefined || typeof id !== 'string')
      return false;
    const next = new Set(folded);
    if (!next.delete(id)) next.add(id);
    dispatch?.(state.tr.setMeta(key, next));
    return true;
  };

/** Folds or unfolds the toggle that contains the caret. */
export const toggleFold: Command = (state, dispatch) => {
  const block = blockAt(state.selection.$from);
  return block !== null && toggleFoldAt(block.at)(state, dispatch);
};

/** Unfolds everything that hides the position. For features that lead there: a link, the search, the outline. */
export const unfoldAt =
  (at: number): Command =>
  (state, dispatch) => {
    const folded = unfoldedFor(state.doc, key.getState(state)?.folded ?? new Set(), [at]);
    if (folded === null) return false;
    dispatch?.(state.tr.setMeta(key, folded));
    return true;
  };

/** The position at which content at `at` is shown: `at` itself, or the end of the toggle that hides it. */
export function visiblePosition(state: EditorState, at: number): number {
  const toggle = hiddenBy(key.getState(state), at)?.toggle;
  const node = toggle === undefined ? null : state.doc.nodeAt(toggle);
  return toggle === undefined || node === null ? at : toggle + 1 + node.content.size;
}

/** True if the block that begins at `at` is hidden. */
export const isHidden = (state: EditorState, at: number): boolean =>
  key.getState(state)?.hidden.some(({ from }) => from === at) === true;

/** For a folded toggle at `at`, the position after its body. Null if it is unfolded or not a toggle. */
export function foldedBodyEnd(state: EditorState, at: number): number | null {
  const node = state.doc.nodeAt(at);
  const id: unknown = node?.attrs['id'];
  const isFolded = typeof id === 'string' && key.getState(state)?.folded.has(id) === true;
  if (!isBlock(node) || styleOf(node).kind !== 'toggle' || !isFolded) return null;
  const index = state.doc.resolve(at).index(0);
  return at + sizeOf(state.doc, index, bodyEnd(rowsOf(state.doc), index));
}

/** Folds or unfolds a toggle by its element, for a click on its chevron. */
export function toggleFoldOf(view: EditorView, block: Element): boolean {
  const $at = view.state.doc.resolve(view.posAtDOM(block, 0, -1));
  return toggleFoldAt($at.depth > 0 ? $at.before(1) : $at.pos)(view.state, view.dispatch);
}

function readFolding(doc: Node, folded: ReadonlySet<string>): Folding {
  if (folded.size === 0) return { folded, hidden: [], decorations: DecorationSet.empty };
  const rows = rowsOf(doc);
  const hiddenRows = foldedRows(rows, folded);
  const positions: number[] = [];
  const hidden: Hidden[] = [];
  const decorations: Decoration[] = [];
  doc.forEach((node, at, index) => {
    positions.push(at);
    const toggle = hiddenRows.get(index);
    const to = at + node.nodeSize;
    if (toggle !== undefined) {
      hidden.push({ from: at, to, toggle: positions[toggle] ?? at });
      decorations.push(Decoration.node(at, to, { class: 'folded-away' }));
    } else if (rows[index]?.isToggle === true && folded.has(rows[index].id ?? '')) {
      decorations.push(Decoration.node(at, to, { 'data-folded': 'true' }, FOLDED));
    }
  });
  return { folded, hidden, decorations: DecorationSet.create(doc, decorations) };
}

function rowsOf(doc: Node): readonly ToggleRow[] {
  return doc.children.map((node) => {
    const id: unknown = node.attrs['id'];
    const { kind, indent } = styleOf(node);
    return {
      id: typeof id === 'string' ? id : null,
      isToggle: isBlock(node) && kind === 'toggle',
      indent: isBlock(node) ? indent : null,
    };
  });
}

const requestedFolds = (transaction: Transaction): ReadonlySet<string> | undefined => {
  const meta: unknown = transaction.getMeta(key);
  return meta instanceof Set ? meta : undefined;
};

const hiddenBy = (folding: Folding | undefined, at: number): Hidden | undefined =>
  folding?.hidden.find(({ from, to }) => at >= from && at < to);

/**
 * If you fold a toggle around the caret, the caret moves to the toggle. If the caret moves into a folded body, the body
 * unfolds. If you select a folded toggle, its body is selected with it and stays folded, so commands act on all of it.
 */
function keepCaretVisible(transactions: readonly Transaction[], state: EditorState): Transaction | null {
  const now = key.getState(state);
  const { selection } = state;
  if (now === undefined || now.hidden.length === 0 || selection instanceof AllSelection) return null;
  const ends = [selection.anchor, selection.head];
  const block = ends.map((at) => hiddenBy(now, at)).find((one) => one !== undefined);
  if (block === undefined) return null;
  if (selection instanceof BlockSelection && block.toggle >= selection.from) {
    const end = now.hidden.reduce((to, one) => (one.from === to ? one.to : to), selection.to);
    const [from, to] = [state.doc.resolve(selection.from), state.doc.resolve(end)];
    return state.tr.setSelection(selection.isForward ? new BlockSelection(from, to) : new BlockSelection(to, from));
  }
  if (transactions.some((one) => requestedFolds(one) !== undefined && !one.selectionSet)) {
    return state.tr.setSelection(TextSelection.create(state.doc, visiblePosition(state, block.from)));
  }
  const folded = unfoldedFor(state.doc, now.folded, ends);
  return folded === null ? null : state.tr.setMeta(key, folded);
}

/**
 * The folded set without the toggles that hide one of these positions, nested ones included; null if there are none.
 */
function unfoldedFor(doc: Node, folded: ReadonlySet<string>, positions: readonly number[]): ReadonlySet<string> | null {
  const rows = rowsOf(doc);
  const open = new Set(folded);
  for (const at of positions) {
    const index = doc.resolve(Math.min(at, doc.content.size)).index(0);
    for (let by = foldedRows(rows, open).get(index); by !== undefined; by = foldedRows(rows, open).get(index)) {
      open.delete(rows[by]?.id ?? '');
    }
  }
  return open.size === folded.size ? null : open;
}
