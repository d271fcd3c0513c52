// Commands on blocks. Each changes as little text as possible: unchanged text merges with the typing of others there.
import { type Command, TextSelection, type Transaction } from '@tiptap/pm/state';
import { type Kind, MAX_INDENT, type Tone } from 'weft-document/blocks/block.ts';
import { AttributesStep, type Attributes } from '../schema/attributes-step.ts';
import { type PlacedBlock, isBlock, selectedBlocks, styleOf } from '../schema/block-at.ts';

export type TargetKind =
  | { readonly kind: Exclude<Kind, 'heading' | 'callout'> }
  | { readonly kind: 'heading'; readonly level: 1 | 2 | 3 }
  | { readonly kind: 'callout'; readonly tone: Tone };

/** Turns the selected blocks into another kind. Text, indent and everything else stay. */
export const turnInto =
  (turn: TargetKind): Command =>
  (state, dispatch) => {
    const blocks = selectedBlocks(state);
    if (blocks.length === 0) return false;
    dispatch?.(setBlockAttributes(state.tr, blocks, { ...turn }).scrollIntoView());
    return true;
  };

/** Turns the selected blocks into the kind, or back into paragraphs if all of them have it already. */
export const toggleKind =
  (turn: TargetKind): Command =>
  (state, dispatch) => {
    const isAlready = selectedBlocks(state).every(({ node }) => {
      const style = styleOf(node);
      return style.kind === turn.kind && (turn.kind !== 'heading' || style.level === turn.level);
    });
    return turnInto(isAlready ? { kind: 'paragraph' } : turn)(state, dispatch);
  };

/**
 * Indents or outdents the selected blocks, together with the deeper blocks below each. A block can be at most one step
 * deeper than the block before it.
 */
export const shiftIndent =
  (by: 1 | -1): Command =>
  (state, dispatch) => {
    const changes = new Map<number, Attributes>();
    const selected = new Set(selectedBlocks(state).map(({ index }) => index));
    /** The selected block whose body the next blocks may belong to. */
    let root: { readonly indent: number; readonly moved: number } | null = null;
    /** The new indent of the block before. */
    let above = -1;
    for (let index = 0, at = 0; index < state.doc.childCount; index++) {
      const node = state.doc.child(index);
      const indent = isBlock(node) ? styleOf(node).indent : 0;
      let next = indent;
      if (root !== null && isBlock(node) && indent > root.indent) {
        next = Math.max(0, Math.min(indent + root.moved, MAX_INDENT));
      } else if (selected.has(index)) {
        const limit = by > 0 ? Math.min(MAX_INDENT, above + 1) : MAX_INDENT;
        next = Math.max(0, Math.min(indent + by, limit));
        root = { indent, moved: next - indent };
      } else root = null;
      if (next !== indent) changes.set(at, { indent: next });
      above = next;
      at += node.nodeSize;
    }
    if (changes.size === 0) return false;
    dispatch?.(state.tr.step(new AttributesStep(changes)));
    return true;
  };

/** Ticks the selected tasks. If all of them are ticked, unticks them. */
export const toggleChecked: Command = (state, dispatch) => {
  const tasks = selectedBlocks(state).filter(({ node }) => styleOf(node).kind === 'task');
  if (tasks.length === 0) return false;
  const checked = !tasks.every(({ node }) => styleOf(node).checked);
  dispatch?.(setBlockAttributes(state.tr, tasks, { checked }));
  return true;
};

/** Inserts a divider after the last selected block; if that is empty, before it, and it stays for writing on. */
export const insertDivider: Command = (state, dispatch) => {
  const block = selectedBlocks(state).at(-1);
  const divider = state.schema.nodes['divider'];
  if (block === undefined || divider === undefined) return false;
  const { at, node } = block;
  dispatch?.(state.tr.insert(node.content.size === 0 ? at : at + node.nodeSize, divider.create()).scrollIntoView());
  return true;
};

/** Adds a block to an empty page, where a caret has no place. Only when the user acts: else each tab that opens it adds one. */
export const startEmptyPage: Command = (state, dispatch) => {
  const block = state.schema.nodes['block'];
  if (state.doc.childCount > 0 || block === undefined) return false;
  const transaction = state.tr.insert(0, block.create());
  dispatch?.(transaction.setSelection(TextSelection.create(transaction.doc, 1)));
  return true;
};

/** Sets attributes of blocks; null removes an attribute. */
export function setBlockAttributes(
  transaction: Transaction,
  blocks: readonly PlacedBlock[],
  attributes: Readonly<Record<string, string | number | boolean | null>>,
): Transaction {
  const differs = ({ node }: PlacedBlock) =>
    Object.entries(attributes).some(([name, value]) => node.attrs[name] !== value);
  const changes = new Map(blocks.filter(differs).map(({ at }) => [at, attributes] as const));
  return changes.size === 0 ? transaction : transaction.step(new AttributesStep(changes));
}
