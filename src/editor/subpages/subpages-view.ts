// The node view of a “Subpages” block: an empty element, which `subpages-slots.tsx` fills from the page's React tree.
import { Extension } from '@tiptap/core';
import { Plugin } from '@tiptap/pm/state';
import type { EditorView, NodeView } from '@tiptap/pm/view';
import { SUBPAGES } from 'weft-document/names.ts';
import { onePer } from '../../lib/one-per.ts';
import { Subscribable } from '../../lib/subscribable.ts';
import { guardNodeView } from '../schema/guard-node-view.ts';

/** The elements of an editor's “Subpages” blocks, for `useSyncExternalStore`. */
export class SubpagesSlots {
  readonly #changes = new Subscribable();
  readonly subscribe = this.#changes.subscribe;
  #elements: readonly HTMLElement[] = [];
  readonly get = (): readonly HTMLElement[] => this.#elements;

  add(element: HTMLElement): void {
    this.#elements = [...this.#elements, element];
    this.#changes.notify();
  }
  remove(element: HTMLElement): void {
    this.#elements = this.#elements.filter((one) => one !== element);
    this.#changes.notify();
  }
}

const slotsOf = onePer<EditorView['dom'], SubpagesSlots>(() => new SubpagesSlots());

export const subpagesSlotsOf = ({ dom }: Pick<EditorView, 'dom'>): SubpagesSlots => slotsOf(dom);

export const SubpagesView = Extension.create({
  name: 'subpagesView',
  addProseMirrorPlugins: () => [
    new Plugin({ props: { nodeViews: { [SUBPAGES]: guardNodeView((_node, view) => subpagesView(view)) } } }),
  ],
});

function subpagesView(view: EditorView): NodeView {
  const dom = document.createElement('div');
  dom.className = 'block';
  dom.dataset['kind'] = SUBPAGES;
  dom.contentEditable = 'false';
  const slots = subpagesSlotsOf(view);
  slots.add(dom);
  return {
    dom,
    update: (node) => node.type.name === SUBPAGES,
    // Its links work as anywhere else; a click beside them selects the block.
    stopEvent: ({ target }) => target instanceof Element && target.closest('a') !== null,
    ignoreMutation: () => true,
    destroy: () => slots.remove(dom),
  };
}
