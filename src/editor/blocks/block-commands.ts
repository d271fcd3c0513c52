// What can be done to blocks, as ProseMirror commands. Each changes as little of the text as it can: what is not
// rewritten here merges with what others type there.
import { type Command, TextSelection, type Transaction } from '@tiptap/pm/state';
import { type Kind, MAX_INDENT, type Tone } from '../../document/blocks/block.ts';
import { AttributesStep, type Attributes } from '../schema/attributes-step.ts';
import { type PlacedBlock, isBlock, selectedBlocks, styleOf } from '../schema/block-at.ts';

export type Turn =
  | { readonly kind: Exclude<Kind, 'heading' | 'callout'> }
  | { readonly kind: 'heading'; readonly level: 1 | 2 | 3 }
  | { readonly kind: 'callout'; readonly tone: Tone };

/** Turns the selected blocks into another kind; text, indent and everything else stays. */
export const turnInto =
  (turn: Turn): Command =>
  (state, dispatch) => {
    const blocks = selectedBlocks(state);
    if (blocks.length === 0) return false;
    dispatch?.(setAll(state.tr, blocks, { ...turn }).scrollIntoView());
    return true;
  };

/** Turns into the kind, or back into a paragraph where all selected blocks are of it already. */
export const toggleKind =
  (turn: Turn): Command =>
  (state, dispatch) => {
    const isAlready = selectedBlocks(state).every(({ node }) => {
      const style = styleOf(node);
      return style.kind === turn.kind && (turn.kind !== 'heading' || style.level === turn.level);
    });
    return turnInto(isAlready ? { kind: 'paragraph' } : turn)(state, dispatch);
  };

/**
 * Moves the selected blocks in or out, and what stands deeper under each of them as far as it moves itself. A block may
 * stand at most one step deeper than the one before it.
 */
export const shiftIndent =
  (by: 1 | -1): Command =>
  (state, dispatch) => {
    const changes = new Map<number, Attributes>();
    const selected = new Set(selectedBlocks(state).map(({ index }) => index));
    /** The selected block whose body the next ones may be. */
    let root: { readonly indent: number; readonly moved: number } | null = null;
    /** Of the block before, as it stands from now on. */
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

/** Ticks the selected tasks; when all are ticked already, unticks them. */
export const toggleChecked: Command = (state, dispatch) => {
  const tasks = selectedBlocks(state).filter(({ node }) => styleOf(node).kind === 'task');
  if (tasks.length === 0) return false;
  const checked = !tasks.every(({ node }) => styleOf(node).checked);
  dispatch?.(setAll(state.tr, tasks, { checked }));
  return true;
};

/** Puts a divider before the block and leaves the block for writing on. */
export const insertDivider: Command = (state, dispatch) => {
  const [block] = selectedBlocks(state);
  const divider = state.schema.nodes['divider'];
  if (block === undefined || divider === undefined) return false;
  const { at, node } = block;
  dispatch?.(state.tr.insert(node.content.size === 0 ? at : at + node.nodeSize, divider.create()).scrollIntoView());
  return true;
};

/** A page without any block has no place for a caret: makes one. Only ever on a person's doing. */
export const startEmptyPage: Command = (state, dispatch) => {
  const block = state.schema.nodes['block'];
  if (state.doc.childCount > 0 || block === undefined) return false;
  const transaction = state.tr.insert(0, block.create());
  dispatch?.(transaction.setSelection(TextSelection.create(transaction.doc, 1)));
  return true;
};

/** Writes attributes into blocks; null takes one away. */
export function setAll(
  transaction: Transaction,
  blocks: readonly PlacedBlock[],
  attributes: Readonly<Record<string, string | number | boolean | null>>,
): Transaction {
  const isOther = ({ node }: PlacedBlock) =>
    Object.entries(attributes).some(([name, value]) => node.attrs[name] !== value);
  const changes = new Map(blocks.filter(isOther).map(({ at }) => [at, attributes] as const));
  return changes.size === 0 ? transaction : transaction.step(new AttributesStep(changes));
}
