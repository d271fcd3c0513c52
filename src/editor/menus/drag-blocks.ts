// Dragging blocks by their handle, with pointer events only, so that it works by touch and the browser makes no file or
// link of it. A line shows the target.
import type { EditorView } from '@tiptap/pm/view';
import { scrollerOf } from '../../ui/browser/scroller-of.ts';
import { indentsAt } from '../blocks/block-bodies.ts';
import { type Blocks, positionOf } from '../blocks/block-selection.ts';

/** The page scrolls when the pointer is this close to the edge of the window. */
const EDGE_PX = 64;
/** The bar that covers the top of the page (`--bar` in tokens.css). */
const TOP_BAR_PX = 48;
/** How far it scrolls in each frame. */
const SCROLL_PX = 14;
/** The width of an indent (`--step` in page.css). */
const INDENT_PX = 26;

export type Drag = { move(pointer: Pick<PointerEvent, 'clientX' | 'clientY'>): void; end(): number | null };

/** `taken`: the dragged blocks at this moment. `end` returns the index of the block to insert before; null if they stay. */
export function dragBlocks(view: EditorView, taken: () => Blocks | null): Drag {
  const page = view.dom.parentElement;
  const line = document.createElement('div');
  line.className = 'drop-line';
  page?.append(line);
  page?.setAttribute('data-dragging', '');
  let to: number | null = null;
  /** The page's content that `to` is an index in. */
  let targetDoc = view.state.doc;
  let pointer: { readonly x: number; readonly y: number } | null = null;
  let frame = requestAnimationFrame(function scroll() {
    frame = requestAnimationFrame(scroll);
    if (pointer === null || isCancelled) return;
    const by = pointer.y < TOP_BAR_PX + EDGE_PX ? -SCROLL_PX : pointer.y > innerHeight - EDGE_PX ? SCROLL_PX : 0;
    if (by === 0) return;
    (scrollerOf(view.dom) ?? document.documentElement).scrollTop += by;
    update();
  });
  const update = () => {
    if (pointer === null) return;
    const blocks = taken();
    const { doc } = view.state;
    // Between two blocks the last target stays, unless someone has written since.
    if (doc !== targetDoc) {
      to = null;
      line.hidden = true;
    }
    targetDoc = doc;
    const target = blocks === null ? null : dropTargetAt(view, pointer.y);
    if (blocks === null || target === null) return;
    to = target.to >= blocks.from && target.to <= blocks.to ? null : target.to;
    line.hidden = to === null;
    const frameBox = page?.getBoundingClientRect();
    if (to === null || frameBox === undefined) return;
    const [indent] = indentsAt(view.state.doc, blocks, to);
    const own: unknown = view.state.doc.child(blocks.from).attrs['indent'];
    const depth = indent ?? (typeof own === 'number' ? own : 0);
    line.style.transform = `translateY(${target.y - frameBox.top - 1}px)`;
    line.style.left = `${depth * INDENT_PX}px`;
  };
  line.hidden = true;
  let isCancelled = false;
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    isCancelled = true;
    line.hidden = true;
    page?.removeAttribute('data-dragging');
  };
  document.addEventListener('keydown', onKey, { capture: true });
  return {
    move({ clientX, clientY }) {
      pointer = { x: clientX, y: clientY };
      if (!isCancelled) update();
    },
    end() {
      if (view.state.doc !== targetDoc) update();
      cancelAnimationFrame(frame);
      document.removeEventListener('keydown', onKey, { capture: true });
      line.remove();
      page?.removeAttribute('data-dragging');
      return isCancelled ? null : to;
    },
  };
}

/** The block index for a height on the screen, and where the line belongs. */
function dropTargetAt(view: EditorView, y: number): { readonly to: number; readonly y: number } | null {
  const { doc } = view.state;
  const box = view.dom.getBoundingClientRect();
  const block = blockElementAt(view, y);
  if (block === null) {
    if (y <= box.top) return { to: 0, y: box.top };
    return y >= (view.dom.lastElementChild?.getBoundingClientRect().bottom ?? box.bottom)
      ? { to: doc.childCount, y: (view.dom.lastElementChild?.getBoundingClientRect().bottom ?? box.bottom) + 4 }
      : null;
  }
  const index = indexOfElement(view, block);
  const { top, bottom, height } = block.getBoundingClientRect();
  if (y < top + height / 2) return { to: index, y: top - 4 };
  let to = index + 1;
  // Hidden blocks stay with their folded toggle.
  while (to < doc.childCount && isHidden(view.nodeDOM(positionOf(doc, to)))) to++;
  return { to, y: bottom + 4 };
}

const isHidden = (dom: Node | null): boolean => dom instanceof HTMLElement && dom.offsetParent === null;

/** The block at a height of the window. */
export function blockElementAt(view: EditorView, y: number): HTMLElement | null {
  const box = view.dom.getBoundingClientRect();
  for (const x of [box.left + box.width / 2, box.left + box.width - 4]) {
    for (const dy of [0, 6, -6]) {
      let element = document.elementFromPoint(x, y + dy);
      if (element === null || !view.dom.contains(element)) continue;
      while (element !== null && element.parentElement !== view.dom) element = element.parentElement;
      if (element instanceof HTMLElement && element.matches('.block')) return element;
    }
  }
  return null;
}

export function indexOfElement(view: EditorView, element: HTMLElement): number {
  return view.state.doc.resolve(view.posAtDOM(element, 0, -1)).index(0);
}
