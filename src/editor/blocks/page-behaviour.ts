// Small plugins of the page: they refuse local edits that must not happen, keep a block to write in, handle clicks on
// tasks and links, show the placeholder and the selection while its link is typed, and set attributes for the CSS.
import { Extension } from '@tiptap/core';
import type { Node } from '@tiptap/pm/model';
import { Plugin, TextSelection } from '@tiptap/pm/state';
import { Decoration, DecorationSet, type EditorView } from '@tiptap/pm/view';
import { BLOCK } from 'weft-document/names.ts';
import { MANY_BLOCKS } from '../../ui/blocks/drawing-limits.ts';
import { comesFromDocument } from '../binding/binding-of.ts';
import { isBlock, styleOf } from '../schema/block-at.ts';
import { copiesUnknown } from '../schema/unknown-node.ts';
import { setBlockAttributes, startEmptyPage } from './block-commands.ts';
import { BlockSelection } from './block-selection.ts';
import { selectedRange } from './selected-range.ts';

const PLACEHOLDER = 'Write, or type / for headings, lists, pictures';

export const PageBehaviour = Extension.create({
  name: 'pageBehaviour',
  priority: 900,
  addProseMirrorPlugins() {
    const { editor } = this;
    return [
      // T8 in docs/losses.md: a plugin that repairs the document must not do so in a read-only page. And no local edit
      // may copy an unsupported block.
      new Plugin({
        filterTransaction: (transaction) =>
          !transaction.docChanged ||
          comesFromDocument(transaction) ||
          (editor.isEditable && !copiesUnknown(transaction)),
      }),
      // If a local edit deletes all blocks, one empty block is added to write in. Remote edits are not repaired (T5).
      new Plugin({
        appendTransaction(transactions, _before, { doc, tr, schema }) {
          const isOwn = transactions.some((one) => one.docChanged) && !transactions.some(comesFromDocument);
          if (!isOwn || doc.childCount > 0) return null;
          // The caret goes into it. A selection of everything would otherwise end up around the block, where no key works
          // correctly.
          return tr.insert(0, schema.node(BLOCK)).setSelection(TextSelection.create(tr.doc, 1));
        },
      }),
      new Plugin({
        props: {
          handleDOMEvents: { keydown: addFirstBlock, beforeinput: addFirstBlock, compositionstart: addFirstBlock },
        },
      }),
      new Plugin({ props: { handleDOMEvents: { click: toggleTask } } }),
      new Plugin({
        props: {
          handleDOMEvents: { click: openLink },
          handleClick: (view, _at, event) => linkToOpen(view, event) !== null,
        },
      }),
      unfocusedSelection(),
      // Selected nodes, blocks and cells are drawn as selected, so the browser's own highlight is hidden. Not with very
      // many blocks: the attribute would restyle the whole page.
      new Plugin({
        props: {
          attributes: ({ selection }): Record<string, string> =>
            selection.visible || (selection instanceof BlockSelection && selection.isMany)
              ? {}
              : { 'data-selection-drawn': '' },
        },
      }),
      new Plugin({
        props: {
          attributes: ({ doc }): Record<string, string> => (doc.childCount > MANY_BLOCKS ? { 'data-long': '' } : {}),
        },
      }),
      placeholder(() => editor.isEditable),
    ];
  },
});

/** Says in an empty page what to do. Only people who may edit see it. */
const placeholder = (isEditable: () => boolean): Plugin =>
  new Plugin({
    props: {
      attributes: ({ doc }): Record<string, string> => {
        if (!isEditable() || !isEmptyPage(doc)) return {};
        // Without a block, the page itself shows it.
        return {
          'aria-placeholder': PLACEHOLDER,
          ...(doc.childCount === 0 ? { 'data-placeholder': PLACEHOLDER } : {}),
        };
      },
      decorations({ doc }) {
        const first = doc.firstChild;
        if (first === null || !isEditable() || !isEmptyPage(doc)) return null;
        return DecorationSet.create(doc, [Decoration.node(0, first.nodeSize, { 'data-placeholder': PLACEHOLDER })]);
      },
    },
  });

function isEmptyPage({ childCount, firstChild }: Node): boolean {
  if (childCount !== 1 || !isBlock(firstChild)) return childCount === 0;
  return firstChild.content.size === 0 && styleOf(firstChild).kind === 'paragraph';
}

/**
 * The browser hides a selection without focus, but while its link is being typed it should stay visible. It is painted
 * over the text with a CSS highlight. A decoration would vanish when the focus returns, which makes ProseMirror write
 * the old selection back over the click that brought the focus, so that the next key replaces what was selected before.
 * JavaScript tracks the form instead of CSS `:has`: with `:has` over the text, the browser restyles the whole page
 * whenever anything in it comes or goes, even a remote caret.
 */
function unfocusedSelection(): Plugin {
  return new Plugin({
    view(view) {
      const paint = () => {
        const { from, to } = view.state.selection;
        if (from === to || document.activeElement?.closest('.selection-bar .link-form') == null) return forget();
        CSS.highlights?.set(HIGHLIGHT, new Highlight(selectedRange(view)));
      };
      const { ownerDocument } = view.dom;
      const onFocusOut = ({ relatedTarget }: FocusEvent) => relatedTarget === null && forget();
      ownerDocument.addEventListener('focusin', paint);
      ownerDocument.addEventListener('focusout', onFocusOut);
      view.dom.addEventListener('focus', forget);
      return {
        update: paint,
        destroy() {
          ownerDocument.removeEventListener('focusin', paint);
          ownerDocument.removeEventListener('focusout', onFocusOut);
          view.dom.removeEventListener('focus', forget);
          forget();
        },
      };
    },
  });
}

const HIGHLIGHT = 'kept-selection';
const forget = () => void CSS.highlights?.delete(HIGHLIGHT);

/** In a page without blocks, the next local input adds one; showing the page does not. */
function addFirstBlock(view: EditorView): boolean {
  if (view.editable) startEmptyPage(view.state, view.dispatch);
  return false;
}

function toggleTask(view: EditorView, event: MouseEvent): boolean {
  const box = event.target;
  if (!(box instanceof HTMLInputElement) || box.type !== 'checkbox') return false;
  const block = box.closest('.block');
  if (!view.editable || block === null) {
    event.preventDefault();
    return true;
  }
  const at = view.posAtDOM(block, 0, -1);
  const $at = view.state.doc.resolve(at);
  const start = $at.depth > 0 ? $at.before(1) : at;
  const node = view.state.doc.nodeAt(start);
  if (!isBlock(node)) return false;
  view.dispatch(
    setBlockAttributes(view.state.tr, [{ node, at: start, index: $at.index(0) }], { checked: box.checked }),
  );
  return true;
}

/** A click sets the caret. With the modifier key, or in a read-only page, it opens the link. */
function linkToOpen(view: EditorView, { target, ctrlKey, metaKey }: MouseEvent): HTMLAnchorElement | null {
  const link = target instanceof Element ? target.closest('a[href]') : null;
  return link instanceof HTMLAnchorElement && (!view.editable || ctrlKey || metaKey) ? link : null;
}

/** On `click`: only there can the browser be kept from following the link of a read-only page by itself. */
function openLink(view: EditorView, event: MouseEvent): boolean {
  const link = linkToOpen(view, event);
  if (link !== null) window.open(link.href, '_blank', 'noopener,noreferrer');
  // A plain click selects a card, like a click on text sets the caret. Enter on a card comes as a click without a press.
  const isPressed = event.detail > 0 && event.target instanceof Element && event.target.closest('a[href]') !== null;
  if (link !== null || isPressed) event.preventDefault();
  return link !== null;
}
