// The menu that opens while typing after a sign, in the text of a page and in the field of a comment: queries the
// sign's source, moves through the entries by keys, applies one. `typed-menu-list.tsx` renders it; this file knows no
// single entry.
import { type Editor, Extension } from '@tiptap/core';
import { Plugin } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';
import type { ReactElement } from 'react';
import { Subscribable } from '../../lib/subscribable.ts';
import { isComposing } from '../../ui/browser/is-composing.ts';
import { addedSpace } from './added-space.ts';
import { type TypedRange, closeTypedRange, typedRange, typedRangeOf } from './typed-range.ts';

export type MenuEntry = {
  /** Unique in its list. */
  readonly id: string;
  readonly name: string;
  readonly icon: ReactElement;
  /** Shown at the end of the line in a weaker color. */
  readonly hint: string;
  /** The heading above consecutive entries that share it; `''` draws a line instead, null nothing. */
  readonly group: string | null;
  /**
   * `range` is the sign and the text typed after it, to be replaced. In the text of a page the whole change is one undo
   * step. Null changes nothing.
   */
  readonly apply: ((editor: Editor, range: TypedRange) => void) | null;
};

export type MenuSource = {
  readonly sign: string;
  /** The label of the list for assistive technology. */
  readonly label: string;
  /**
   * In the order of the list, the first highlighted; an empty result shows no menu. Call `refresh` to be queried again
   * when more is known.
   */
  readonly find: (query: string, editor: Editor, refresh: () => void) => readonly MenuEntry[];
};

export type OpenMenu = {
  readonly range: TypedRange;
  readonly label: string;
  readonly entries: readonly MenuEntry[];
  /** Index of the entry that Enter applies. */
  readonly at: number;
};

/** Ids of the rendered list and its entries. */
export const LIST_ID = 'typed-menu';
export const entryId = (at: number): string => `${LIST_ID}-${at}`;

const PAGE_SIZE = 6;

export class TypedMenu {
  readonly extensions: readonly Extension[];
  readonly #asOneStep: (run: () => void) => void;
  readonly #sources: readonly MenuSource[];
  readonly #changes = new Subscribable();
  #editor: Editor | null = null;
  #open: OpenMenu | null = null;

  /** `asOneStep` calls `run`; that of a page makes what it writes one step of undo. */
  constructor(asOneStep: (run: () => void) => void, sources: readonly MenuSource[]) {
    this.#asOneStep = asOneStep;
    this.#sources = sources;
    this.extensions = this.#createExtensions();
  }

  readonly subscribe = this.#changes.subscribe;

  /** The same object until something changes. */
  readonly get = (): OpenMenu | null => this.#open;

  highlight(at: number): void {
    const open = this.#open;
    if (open !== null && at !== open.at && open.entries[at] !== undefined) this.#set({ ...open, at });
  }

  choose(at: number): void {
    const editor = this.#editor;
    const chosen = this.#open?.entries[at];
    // Read again: the rendered list may be older than the last edit.
    const range = editor === null ? null : typedRangeOf(editor.state);
    if (editor === null || chosen === undefined || range === null) return;
    const { view } = editor;
    const { apply } = chosen;
    closeTypedRange(view);
    if (apply !== null) this.#asOneStep(() => apply(editor, range));
    view.focus();
  }

  #set(next: OpenMenu | null): void {
    if (next === this.#open) return;
    this.#open = next;
    this.#changes.notify();
  }

  #update(): void {
    const editor = this.#editor;
    const range = editor === null || editor.isDestroyed || !editor.isEditable ? null : typedRangeOf(editor.state);
    const source = this.#sources.find(({ sign }) => sign === range?.sign);
    if (editor === null || range === null || source === undefined) return this.#set(null);
    const before = this.#open?.range;
    if (before?.from === range.from && before.to === range.to && before.query === range.query) return;
    const entries = source.find(range.query, editor, () => {
      const chosen = this.#open?.entries[this.#open.at]?.id;
      this.#open = null;
      this.#update();
      this.highlight(this.get()?.entries.findIndex(({ id }) => id === chosen) ?? 0);
      this.#changes.notify();
    });
    this.#set(entries.length === 0 ? null : { range, label: source.label, entries, at: 0 });
  }

  #onKey(view: EditorView, event: KeyboardEvent): boolean {
    const open = this.#open;
    // While composing, Enter and arrows belong to the input method.
    if (open === null || view.composing || isComposing(event) || event.altKey || event.ctrlKey || event.metaKey) {
      return false;
    }
    const { entries, at } = open;
    switch (event.key) {
      case 'ArrowDown':
        this.highlight((at + 1) % entries.length);
        return true;
      case 'ArrowUp':
        this.highlight((at + entries.length - 1) % entries.length);
        return true;
      case 'PageDown':
        this.highlight(Math.min(at + PAGE_SIZE, entries.length - 1));
        return true;
      case 'PageUp':
        this.highlight(Math.max(at - PAGE_SIZE, 0));
        return true;
      case 'Enter':
      case 'Tab':
        if (event.shiftKey) return false;
        this.choose(at);
        return true;
      case 'Escape':
        closeTypedRange(view);
        return true;
      default:
        return false;
    }
  }

  #createExtensions(): readonly Extension[] {
    const { follow, remember } = typedRange(this.#sources.map(({ sign }) => sign));
    const pluginsFor = (editor: Editor) => {
      this.#editor = editor;
      return [follow, addedSpace(), this.#createPlugin()];
    };
    const menu = Extension.create({
      name: 'typedMenu',
      // Its keys run before those of the page.
      priority: 1000,
      addProseMirrorPlugins() {
        return pluginsFor(this.editor);
      },
    });
    const afterBinding = Extension.create({
      name: 'typedMenuPosition',
      priority: 10,
      addProseMirrorPlugins: () => [remember],
    });
    return [menu, afterBinding];
  }

  #createPlugin(): Plugin {
    return new Plugin({
      props: {
        handleKeyDown: (view, event) => this.#onKey(view, event),
        handleDOMEvents: {
          blur: (view) => {
            // Another window getting the focus does not close the menu. Deferred, because ProseMirror is still handling
            // the event.
            if (this.#open !== null && document.hasFocus()) {
              setTimeout(() => view.isDestroyed || closeTypedRange(view));
            }
            return false;
          },
        },
      },
      view: ({ dom }) => {
        // The view's own `attributes` do not work: they are read before `update` runs, and not at all when an arrow key
        // moves the choice.
        const unsubscribe = this.#changes.subscribe(() => updateAria(dom, this.#open));
        return {
          update: () => this.#update(),
          destroy: () => {
            this.#set(null);
            unsubscribe();
          },
        };
      },
    });
  }
}

/** The focus stays in the text while the list is open, so the text element refers to the active entry. */
function updateAria(text: HTMLElement, open: OpenMenu | null): void {
  if (open === null) {
    for (const name of ['aria-autocomplete', 'aria-controls', 'aria-activedescendant']) text.removeAttribute(name);
    return;
  }
  text.setAttribute('aria-autocomplete', 'list');
  text.setAttribute('aria-controls', LIST_ID);
  text.setAttribute('aria-activedescendant', entryId(open.at));
}
