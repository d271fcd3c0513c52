// Formulas in a line while it is edited: the source is hidden behind the drawn formula, except while the caret is in it (or it
// has the current match of a search: `math.css`). Decorations show it, so the text and what others type in it stay as they are.
import { Extension } from '@tiptap/core';
import type { Node } from '@tiptap/pm/model';
import { type EditorState, Plugin, PluginKey, TextSelection, type Transaction } from '@tiptap/pm/state';
import { Decoration, DecorationSet, type EditorView } from '@tiptap/pm/view';
import {
  FORMULA_MARK,
  type InlineFormula,
  MAX_FORMULAS_OF_TEXT,
  formulasInText,
} from 'weft-document/blocks/inline-formulas.ts';
import { MATH } from 'weft-document/names.ts';
import { isCode } from '../schema/block-at.ts';
import { createInlineFormula } from './inline-formula-element.ts';

const key = new PluginKey<DecorationSet>('inlineFormulas');
const OPEN = 'is-open';

export const InlineFormulas = Extension.create({
  name: 'inlineFormulas',
  addProseMirrorPlugins: () => [
    new Plugin<DecorationSet>({
      key,
      state: {
        init: (_config, { doc }) => redrawn(DecorationSet.empty, doc, 0, doc.content.size),
        apply: update,
      },
      props: {
        decorations(state) {
          const all = key.getState(state) ?? DecorationSet.empty;
          const open = openFormula(state);
          if (open === null) return all;
          return all.add(state.doc, [Decoration.inline(open.from, open.to, { class: OPEN })]);
        },
      },
    }),
  ],
});

/** Unchanged nodes are found at once, for own and remote edits: they are the same objects. */
function update({ docChanged, mapping }: Transaction, set: DecorationSet, before: EditorState, { doc }: EditorState) {
  if (!docChanged) return set;
  const mapped = set.map(mapping, doc);
  const start = doc.content.findDiffStart(before.doc.content);
  if (start === null) return mapped;
  const end = doc.content.findDiffEnd(before.doc.content)?.a ?? doc.content.size;
  return redrawn(mapped, doc, Math.max(0, start - 1), Math.min(doc.content.size, Math.max(start, end) + 1));
}

function redrawn(set: DecorationSet, doc: Node, from: number, to: number): DecorationSet {
  let kept = set;
  const added: Decoration[] = [];
  doc.nodesBetween(from, to, (node, at) => {
    if (!node.isTextblock) return true;
    const old = kept.find(at, at + node.nodeSize);
    if (old.length > 0) kept = kept.remove(old);
    for (const formula of formulasOf(node)) added.push(...decorationsOf(formula, at + 1));
    return false;
  });
  return added.length === 0 ? kept : kept.add(doc, added);
}

function decorationsOf({ from, to, tex }: InlineFormula, start: number): readonly Decoration[] {
  const elements = new WeakMap<object, () => void>();
  const toDOM = (view: EditorView, getPos: () => number | undefined) => {
    const { dom, destroy } = createInlineFormula(tex, openPreview(view, getPos()));
    dom.contentEditable = 'false';
    dom.addEventListener('mousedown', (event) => open(view, getPos(), event));
    elements.set(dom, destroy);
    return dom;
  };
  return [
    Decoration.inline(start + from, start + to, { class: 'formula-source' }),
    Decoration.widget(start + to, toDOM, {
      // Beside the marks, and before a caret that stands behind the formula.
      marks: [],
      side: -1,
      key: `formula ${tex}`,
      ignoreSelection: true,
      stopEvent: ({ type }) => type === 'mousedown',
      destroy: (dom) => elements.get(dom)?.(),
    }),
  ];
}

/** A click on the drawn formula puts the caret behind the last character of its source. */
function open(view: EditorView, end: number | undefined, event: MouseEvent): void {
  if (end === undefined || !view.editable || event.button !== 0) return;
  event.preventDefault();
  view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, end - 1)).scrollIntoView());
  view.focus();
}

/** While its source is written, the formula as it was last drawn, so that it does not blink at every key. */
function openPreview(view: EditorView, end: number | undefined): globalThis.Node | null {
  const opened = openFormula(view.state);
  if (opened === null || end === undefined || opened.to !== end) return null;
  const source = view.dom.querySelector(`.${OPEN}`)?.closest('[data-formula]');
  const shown = source?.nextElementSibling;
  return shown?.matches('.formula-shown:not([data-error])') === true ? shown.firstChild : null;
}

const inNodes = new WeakMap<Node, readonly InlineFormula[]>();
const NONE: readonly InlineFormula[] = [];

/** The formulas in a text, by offsets in it. */
function formulasOf(text: Node): readonly InlineFormula[] {
  if (isCode(text) || text.type.name === MATH) return NONE;
  const known = inNodes.get(text);
  if (known !== undefined) return known;
  const formulas: InlineFormula[] = [];
  let [marked, start] = ['', 0];
  const end = () => {
    for (const { from, to, tex } of marked === '' ? NONE : formulasInText(marked))
      if (formulas.length < MAX_FORMULAS_OF_TEXT) formulas.push({ from: start + from, to: start + to, tex });
    marked = '';
  };
  text.forEach((node, offset) => {
    if (!node.marks.some(({ type }) => type.name === FORMULA_MARK)) return end();
    if (marked === '') start = offset;
    marked += node.text ?? '';
  });
  end();
  const found = formulas.length === 0 ? NONE : formulas;
  inNodes.set(text, found);
  return found;
}

/** The first wanted formula in the text at a position. All positions are those of the page. */
function formulaWhere(doc: Node, at: number, isWanted: (formula: InlineFormula) => boolean): InlineFormula | null {
  const $at = doc.resolve(at);
  if (!$at.parent.isTextblock) return null;
  const start = $at.start();
  const found = formulasOf($at.parent).find(({ from, to, tex }) =>
    isWanted({ from: start + from, to: start + to, tex }),
  );
  return found === undefined ? null : { from: start + found.from, to: start + found.to, tex: found.tex };
}

/** The formula between whose signs the position is. */
export const formulaAround = (doc: Node, at: number): InlineFormula | null =>
  formulaWhere(doc, at, ({ from, to }) => from < at && at < to);

export const formulaBefore = (doc: Node, at: number): InlineFormula | null =>
  formulaWhere(doc, at, ({ to }) => to === at);

export const formulaBehind = (doc: Node, at: number): InlineFormula | null =>
  formulaWhere(doc, at, ({ from }) => from === at);

/** The formula whose source is shown. */
const openFormula = ({ doc, selection }: EditorState): InlineFormula | null =>
  selection instanceof TextSelection ? formulaAround(doc, selection.head) : null;

/** Where to draw what belongs at a position: behind the formula if the position is in its hidden source. */
export function shownPosition(state: EditorState, at: number): number {
  const around = formulaAround(state.doc, at);
  return around === null || openFormula(state)?.from === around.from ? at : around.to;
}
