// Colors code while it is edited, with decorations that are rebuilt only for the block that changed. A worker finds the
// colors; until they arrive, those of the text before the change stay where they were.
import { Extension } from '@tiptap/core';
import type { Node } from '@tiptap/pm/model';
import { Plugin, PluginKey, type Transaction } from '@tiptap/pm/state';
import { Decoration, DecorationSet, type EditorView } from '@tiptap/pm/view';
import type { Cancel } from '../../lib/cancel.ts';
import { MAX_COLORED_RANGES_OF_PAGE } from '../../ui/blocks/drawing-limits.ts';
import { isBlock, styleOf } from '../schema/block-at.ts';
import { NO_COLORS, knownColors, shiftColors, watchColors } from './code-colors.ts';
import type { ColoredRange } from './colored-range.ts';

/** A code block with the colors that it shows. */
type ColoredBlock = {
  readonly at: number;
  readonly text: string;
  readonly ranges: readonly ColoredRange[];
  /** False while the colors are those of an earlier text. */
  readonly isCurrent: boolean;
};
type Highlights = { readonly decorations: DecorationSet; readonly blocks: ReadonlyMap<Node, ColoredBlock> };
/** Colors that have arrived, by the block that asked for them. */
type Arrived = ReadonlyMap<Node, readonly ColoredRange[]>;

const key = new PluginKey<Highlights>('codeHighlight');
const NONE: Highlights = { decorations: DecorationSet.empty, blocks: new Map() };
/** This long after a composition has ended, ProseMirror has read its text: it does so after 20 ms. */
const AFTER_COMPOSING_MS = 50;

export const CodeHighlight = Extension.create({
  name: 'codeHighlight',
  addProseMirrorPlugins: () => [
    new Plugin<Highlights>({
      key,
      state: {
        init: (_config, { doc }) => withChanges(NONE, doc, (at) => at),
        apply(transaction, before) {
          const arrived: Arrived | undefined = transaction.getMeta(key);
          const now = transaction.docChanged ? rehighlight(transaction, before) : before;
          return arrived === undefined ? now : withColors(now, transaction.doc, arrived);
        },
      },
      props: { decorations: (state) => key.getState(state)?.decorations },
      view: requestColors,
    }),
  ],
});

function rehighlight({ doc, mapping }: Transaction, before: Highlights): Highlights {
  const mapped = { ...before, decorations: before.decorations.map(mapping, doc) };
  return withChanges(mapped, doc, (at, side) => mapping.map(at, side));
}

/** Blocks are compared by identity: an edit by anyone makes a new node for the block it changes and for no other. */
function withChanges(
  { decorations, blocks: before }: Highlights,
  doc: Node,
  map: (at: number, side: -1 | 1) => number,
): Highlights {
  const positions = codeIn(doc);
  if (positions.size === 0) return before.size === 0 ? { decorations, blocks: before } : NONE;
  const gone = new Map<unknown, ColoredBlock>();
  let kept = decorations;
  for (const [node, block] of before) {
    if (positions.has(node)) continue;
    gone.set(node.attrs['id'], block);
    kept = kept.remove(kept.find(map(block.at, -1), map(block.at + node.nodeSize, 1)));
  }
  const blocks = new Map<Node, ColoredBlock>();
  const added: Decoration[] = [];
  for (const [node, at] of positions) {
    const known = before.get(node);
    const block = known === undefined ? colorsOf(node, at, gone.get(node.attrs['id'])) : { ...known, at };
    blocks.set(node, block);
    if (known === undefined) added.push(...decorationsOf(block));
  }
  return { decorations: added.length === 0 ? kept : kept.add(doc, added), blocks };
}

function colorsOf(node: Node, at: number, before: ColoredBlock | undefined): ColoredBlock {
  const text = node.textContent;
  // Drawing the colors of a whole page at once would take too long: they are requested.
  if (before === undefined) return { at, text, ranges: NO_COLORS, isCurrent: false };
  const known = knownColors(styleOf(node).language, text);
  if (known !== undefined) return { at, text, ranges: known, isCurrent: true };
  return { at, text, ranges: shiftColors(before.ranges, before.text, text), isCurrent: false };
}

function withColors({ decorations, blocks: before }: Highlights, doc: Node, arrived: Arrived): Highlights {
  const blocks = new Map(before);
  let colored = decorations;
  for (const [node, ranges] of arrived) {
    const block = blocks.get(node);
    // The block has changed since: these colors are of an earlier text.
    if (block === undefined) continue;
    const room = MAX_COLORED_RANGES_OF_PAGE - rangesIn(blocks) + block.ranges.length;
    const current = { ...block, ranges: ranges.length <= room ? ranges : NO_COLORS, isCurrent: true };
    blocks.set(node, current);
    colored = colored.remove(colored.find(block.at, block.at + node.nodeSize)).add(doc, decorationsOf(current));
  }
  return { decorations: colored, blocks };
}

function rangesIn(blocks: Highlights['blocks']): number {
  let count = 0;
  for (const { ranges } of blocks.values()) count += ranges.length;
  return count;
}

function codeIn(doc: Node): ReadonlyMap<Node, number> {
  const found = new Map<Node, number>();
  doc.forEach((node, at) => {
    // The attribute is checked first: this runs over all blocks at each key, and most are not code.
    if (node.attrs['kind'] === 'code' && isBlock(node)) found.set(node, at);
  });
  return found;
}

const decorationsOf = ({ at, ranges }: ColoredBlock): Decoration[] =>
  ranges.map(({ from, to, names }) => Decoration.inline(at + 1 + from, at + 1 + to, { class: names }));

/** Asks for the colors of every block that does not show its own. */
function requestColors(view: EditorView) {
  const requests = new Map<Node, Cancel>();
  let arrived = new Map<Node, readonly ColoredRange[]>();
  const show = () => {
    // New elements would end a composition; `compositionend` shows the colors.
    if (view.isDestroyed || view.composing || arrived.size === 0) return;
    const colors = arrived;
    arrived = new Map();
    view.dispatch(view.state.tr.setMeta(key, colors));
  };
  const request = () => {
    const blocks = key.getState(view.state)?.blocks ?? NONE.blocks;
    for (const [node, cancel] of requests) {
      if (blocks.get(node)?.isCurrent === false) continue;
      cancel();
      requests.delete(node);
    }
    for (const [node, { text, isCurrent }] of blocks) {
      if (isCurrent || requests.has(node)) continue;
      const cancel = watchColors(styleOf(node).language, text, (ranges) => {
        arrived.set(node, ranges);
        // Not at once: this may run while the editor updates its views.
        queueMicrotask(show);
      });
      requests.set(node, cancel);
    }
  };
  const onCompositionEnd = () => void setTimeout(show, AFTER_COMPOSING_MS);
  view.dom.addEventListener('compositionend', onCompositionEnd);
  request();
  return {
    update: request,
    destroy() {
      view.dom.removeEventListener('compositionend', onCompositionEnd);
      for (const cancel of requests.values()) cancel();
    },
  };
}
