// A selection of whole blocks, as made by the block handle, Escape and Shift-arrows. Only the state: commands are in
// block-selection-keys.ts and move-selected-blocks.ts.
import { type Node, type ResolvedPos, Slice } from '@tiptap/pm/model';
import {
  AllSelection,
  type EditorState,
  NodeSelection,
  Selection,
  SelectionRange,
  type Transaction,
} from '@tiptap/pm/state';
import type { Mappable } from '@tiptap/pm/transform';

/** A range of the page's children by index; `to` is exclusive. */
export type Blocks = { readonly from: number; readonly to: number };

/** Larger selections are drawn by one rule of CSS: a decoration on each block would take seconds. */
const MANY_SELECTED = 300;

export class BlockSelection extends Selection {
  readonly isForward: boolean;
  /** More blocks are selected than may each have a decoration. */
  readonly isMany: boolean;

  /**
   * If many blocks are selected, `anchor` and `head` are both where the selection ends. ProseMirror puts the browser's
   * selection there. If it spanned all those blocks, the browser would lay out every one of them, which `content-visibility`
   * spares it: 3,000 blocks took 400 ms (Chromium 156).
   */
  constructor($start: ResolvedPos, $end: ResolvedPos) {
    const isForward = $start.pos <= $end.pos;
    const [$from, $to] = isForward ? [$start, $end] : [$end, $start];
    const isMany = $to.index() - $from.index() > MANY_SELECTED;
    super(isMany ? $end : $start, $end, [new SelectionRange($from, $to)]);
    this.isForward = isForward;
    this.isMany = isMany;
    this.visible = false;
  }

  /** From one index to the other, both included. */
  static between(doc: Node, anchor: number, head: number): BlockSelection {
    const last = doc.childCount - 1;
    const [a, b] = [Math.max(0, Math.min(anchor, last)), Math.max(0, Math.min(head, last))];
    const $at = (index: number) => doc.resolve(positionOf(doc, index));
    return b >= a ? new BlockSelection($at(a), $at(b + 1)) : new BlockSelection($at(a + 1), $at(b));
  }

  get blocks(): Blocks {
    return { from: this.$from.index(), to: this.$to.index() };
  }
  /** Index of the block where the selection began, and of the end that moves with the arrows. */
  get anchorIndex(): number {
    return this.isForward ? this.$from.index() : this.$to.index() - 1;
  }
  get headIndex(): number {
    return this.isForward ? this.$to.index() - 1 : this.$from.index();
  }

  override map(doc: Node, mapping: Mappable): Selection {
    const $from = doc.resolve(mapping.map(this.from, 1));
    const $to = doc.resolve(mapping.map(this.to, -1));
    if ($from.depth > 0 || $to.depth > 0 || $from.pos >= $to.pos) return Selection.near($from);
    return this.isForward ? new BlockSelection($from, $to) : new BlockSelection($to, $from);
  }
  override content(): Slice {
    return new Slice(this.$from.doc.slice(this.from, this.to).content, 0, 0);
  }
  override replace(transaction: Transaction, content = Slice.empty): void {
    const { from } = this;
    transaction.replace(from, this.to, content);
    const at = Math.min(from + content.size, transaction.doc.content.size);
    transaction.setSelection(Selection.near(transaction.doc.resolve(at), from > 0 ? -1 : 1));
  }
  override eq(other: Selection): boolean {
    return (
      other instanceof BlockSelection &&
      other.from === this.from &&
      other.to === this.to &&
      other.isForward === this.isForward
    );
  }
  override toJSON(): object {
    return { type: 'blocks', from: this.from, to: this.to, isForward: this.isForward };
  }
}

/** The blocks that a selection touches. */
export function touchedBlocks({ doc, selection }: EditorState): Blocks {
  if (selection instanceof BlockSelection) return selection.blocks;
  if (selection instanceof AllSelection) return { from: 0, to: doc.childCount };
  const { $from, $to } = selection;
  if (selection instanceof NodeSelection && $from.depth === 0) return { from: $from.index(), to: $from.index() + 1 };
  const last = $to.depth === 0 ? Math.max($from.index(0), $to.index(0) - 1) : $to.index(0);
  return { from: $from.index(0), to: Math.min(doc.childCount, last + 1) };
}

/** The position before the child at `index`. */
export const positionOf = (doc: Node, index: number): number =>
  doc.resolve(0).posAtIndex(Math.min(index, doc.childCount), 0);
