// A menu that opens while typing after a sign: queries the sign's source, moves through the entries by keys, applies
// one. `typed-menu-list.tsx` renders it; this file knows neither React nor the entries.
import { type Editor, Extension } from '@tiptap/core';
import { Plugin } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';
import type * as Y from 'yjs';
import type { ReactElement } from 'react';
import { Subscribable } from '../../lib/subscribable.ts';
import { isComposing } from '../../ui/browser/is-composing.ts';
import { asOneStep } from 'weft-document/undo.ts';
import { addedSpace } from './added-space.ts';
import { type TypedRange, closeTypedRange, typedRange, typedRangeOf } from './typed-range.ts';

export type MenuEntry = {
  /** Unique in its list. */
  readonly id: string;
  readonly name: string;
  readonly icon: ReactElement;
  /** Shown at the end of the line in a weaker color. */
  readonly hint: string;
  readonly group: string | null;
  /**
   * `range` is the sign and the text typed after it, to be replaced. The whole change is one undo step. Null changes
   * nothing.
   */
  readonly apply: ((editor: Editor, range: TypedRange) => void) | null;
};

export type MenuSource = {
  readonly sign: string;
  /** The label of the list for assistive technology. */
  readonly label: string;
  /** Best match first; an empty result shows no menu. Call `refresh` to be queried again when more is known. */
  readonly find: (query: string, editor: Editor, refresh: () => void) => readonly MenuEntry[];
};

export type OpenMenu = {
  readonly range: TypedRange;
  readonly label: string;
  readonly entries: readonly MenuEntry[];
  /** Index of the entry that Enter applies. */
  readonly at: number;
};

export interface TypedMenu {
  readonly extensions: readonly Extension[];
  /** The same object until something changes. */
  readonly get: () => OpenMenu | null;
  readonly subscribe: (run: () => void) => () => void;
  readonly highlight: (at: number) => void;
  readonly choose: (at: number) => void;
}

/** Ids of the rendered list and its entries. */
export const LIST_ID = 'typed-menu';
export const entryId = (at: number): string => `${LIST_ID}-${at}`;

export function createTypedMenu(undo: Y.UndoManager, sources: readonly MenuSource[]): TypedMenu {
  let editor: Editor | null = null;
  let open: OpenMenu | null = null;
  const changes = new Subscribable();

  const set = (next: OpenMenu | null) => {
    if (next === open) return;
    open = next;
    changes.notify();
  };
  const update = () => {
    const range = editor === null || editor.isDestroyed || !editor.isEditable ? null : typedRangeOf(editor.state);
    const source = sources.find(({ sign }) => sign === range?.sign);
    if (editor === null || range === null || source === undefined) return set(null);
    if (open?.range.from === range.from && open.range.to === range.to && open.range.query === range.query) return;
    const entries = source.find(range.query, editor, () => {
      open = null;
      update();
      changes.notify();
    });
    set(entries.length === 0 ? null : { range, label: source.label, entries, at: 0 });
  };
  const choose = (at: number) => {
    const chosen = open?.entries[at];
    // Read again: the rendered list may be older than the last edit.
    const range = editor === null ? null : typedRangeOf(editor.state);
    if (editor === null || chosen === undefined || range === null) return;
    const { view } = editor;
    const { apply } = chosen;
    const here = editor;
    closeTypedRange(view);
    if (apply !== null) asOneStep(undo, () => apply(here, range));
    view.focus();
  };
  const point = (at: number) => {
    if (open !== null && at !== open.at && open.entries[at] !== undefined) set({ ...open, at });
  };

  const onKey = (view: EditorView, event: KeyboardEvent): boolean => {
    // While composing, Enter and arrows belong to the input method.
    if (open === null || view.composing || isComposing(event) || event.altKey || event.ctrlKey || event.metaKey) {
      return false;
    }
    const { entries, at } = open;
    switch (event.key) {
      case 'ArrowDown':
        point((at + 1) % entries.length);
        return true;
      case 'ArrowUp':
        point((at + entries.length - 1) % entries.length);
        return true;
      case 'PageDown':
        point(Math.min(at + PAGE_SIZE, entries.length - 1));
        return true;
      case 'PageUp':
        point(Math.max(at - PAGE_SIZE, 0));
        return true;
      case 'Enter':
      case 'Tab':
        if (event.shiftKey) return false;
        choose(at);
        return true;
      case 'Escape':
        closeTypedRange(view);
        return true;
      default:
        return false;
    }
  };

  const { follow, remember } = typedRange(sources.map(({ sign }) => sign));
  const extension = Extension.create({
    name: 'typedMenu',
    // Its keys run before those of the page.
    priority: 1000,
    addProseMirrorPlugins() {
      editor = this.editor;
      return [
        follow,
        addedSpace(),
        new Plugin({
          props: {
            handleKeyDown: onKey,
            handleDOMEvents: {
              blur(view) {
                // Another window getting the focus does not close the menu. Deferred, because ProseMirror is still
                // handling the event.
                if (open !== null && document.hasFocus()) setTimeout(() => view.isDestroyed || closeTypedRange(view));
                return false;
              },
            },
          },
          view({ dom }) {
            // The view's own `attributes` do not work: they are read before `update` runs, and not at all when an arrow
            // key moves the choice.
            const updateAttributes = () => updateAria(dom, open);
            const unsubscribe = changes.subscribe(updateAttributes);
            return {
              update,
              destroy() {
                set(null);
                unsubscribe();
              },
            };
          },
        }),
      ];
    },
  });
  const afterBinding = Extension.create({
    name: 'typedMenuPosition',
    priority: 10,
    addProseMirrorPlugins: () => [remember],
  });
  return {
    extensions: [extension, afterBinding],
    get: () => open,
    subscribe: changes.subscribe,
    highlight: point,
    choose,
  };
}

const PAGE_SIZE = 6;

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
