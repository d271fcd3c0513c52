// Links to a block: the address with the block's id in its hash, and scrolling to it. The target is highlighted for a
// moment.
import { type Editor, Extension } from '@tiptap/core';
import type { Node } from '@tiptap/pm/model';
import { Plugin, PluginKey, type Transaction } from '@tiptap/pm/state';
import { Decoration, DecorationSet, type EditorView } from '@tiptap/pm/view';
import { newBlockId } from 'weft-document/new-block-id.ts';
import { AttributesStep } from '../schema/attributes-step.ts';
import { unfoldAt } from './folding.ts';

const PREFIX = '#b-';
const HIGHLIGHT_MS = 2_400;

/** The block id in the hash of an address; null if the hash means something else. */
export const blockInHash = (hash: string): string | null =>
  hash.startsWith(PREFIX) && hash.length > PREFIX.length ? decodeIfValid(hash.slice(PREFIX.length)) : null;

/** The address of the block at the caret; null if it cannot have one. */
export function addressOfBlock(editor: Editor, page: string): string | null {
  const id = idOfBlock(editor);
  return id === null ? null : `${page}${PREFIX}${encodeURIComponent(id)}`;
}

/** The id of the block at the caret, which gets one if it has none; null if it cannot have one. */
export function idOfBlock(editor: Editor): string | null {
  const { state, view } = editor;
  const at = blockStart(editor);
  const node = at === null ? null : state.doc.nodeAt(at);
  if (at === null || node === null) return null;
  const known: unknown = node.attrs['id'];
  if (typeof known === 'string') return known;
  // A block from before blocks had ids, or an imported one: it gets an id now.
  if (!editor.isEditable || node.type.spec.attrs?.['id'] === undefined) return null;
  const id = newBlockId();
  view.dispatch(state.tr.step(new AttributesStep(new Map([[at, { id }]]))));
  return id;
}

/** Scrolls to the block and highlights it for a moment. Returns false if it is not on this page. */
export function goToBlock({ state, view }: Editor, id: string): boolean {
  const at = positionOfBlock(state.doc, id);
  if (at === null) return false;
  view.dispatch(state.tr.setMeta(key, DecorationSet.create(state.doc, [highlight(state.doc, at)])));
  showBlock(view, at);
  return true;
}

export function showBlock(view: EditorView, at: number): void {
  unfoldAt(at)(view.state, view.dispatch);
  const element = view.nodeDOM(at);
  // Without animation: a long page would scroll for seconds, and any change of the selection stops a smooth scroll
  // half-way.
  if (element instanceof Element) element.scrollIntoView({ block: 'start', behavior: 'instant' });
}

export const BlockLink = Extension.create({
  name: 'blockLink',
  addProseMirrorPlugins: () => [
    new Plugin<DecorationSet>({
      key,
      state: { init: () => DecorationSet.empty, apply: follow },
      props: { decorations: (state) => key.getState(state) },
      view: (view) => {
        let timer: ReturnType<typeof setTimeout> | undefined;
        let shown: unknown;
        return {
          update() {
            const now: unknown = key.getState(view.state)?.find()[0]?.spec;
            if (now === shown || now === undefined) return;
            shown = now;
            clearTimeout(timer);
            timer = setTimeout(() => view.dispatch(view.state.tr.setMeta(key, DecorationSet.empty)), HIGHLIGHT_MS);
          },
          destroy: () => clearTimeout(timer),
        };
      },
    }),
  ],
});

const key = new PluginKey<DecorationSet>('blockLink');

function follow(transaction: Transaction, before: DecorationSet): DecorationSet {
  const set: unknown = transaction.getMeta(key);
  if (set instanceof DecorationSet) return set;
  return before === DecorationSet.empty ? before : before.map(transaction.mapping, transaction.doc);
}

/** Each has a spec object of its own, which mapping keeps: by it the plugin's view tells a new highlight, and starts its timer again. */
const highlight = (doc: Node, at: number) =>
  Decoration.node(at, at + (doc.nodeAt(at)?.nodeSize ?? 0), { 'data-target': '' }, {});

export function positionOfBlock(doc: Node, id: string): number | null {
  let found: number | null = null;
  doc.forEach((node, at) => {
    if (found === null && node.attrs['id'] === id) found = at;
  });
  return found;
}

function blockStart({ state }: Editor): number | null {
  const { $from } = state.selection;
  if ($from.depth > 0) return $from.before(1);
  return $from.nodeAfter === null ? null : $from.pos;
}

function decodeIfValid(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
