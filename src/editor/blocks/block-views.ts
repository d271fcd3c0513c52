// Node views of blocks. When an attribute changes, only the element that shows it is updated. The text element stays,
// with the caret, a composition and its scroll position.
import { Extension } from '@tiptap/core';
import { DOMSerializer, type Node } from '@tiptap/pm/model';
import { Plugin } from '@tiptap/pm/state';
import type { Decoration, NodeView } from '@tiptap/pm/view';
import type { Style } from 'weft-document/blocks/block.ts';
import { languageName } from 'weft-document/code-languages.ts';
import { BLOCK } from 'weft-document/names.ts';
import { isBlock, styleOf } from '../schema/block-at.ts';
import { guardNodeView } from '../schema/guard-node-view.ts';
import { renderBlock, languageLabel, toneLabel } from '../schema/nodes.ts';
import { isDrawnFolded } from './folding.ts';

export const BlockViews = Extension.create({
  name: 'blockViews',
  addProseMirrorPlugins: () => [
    new Plugin({
      props: {
        nodeViews: { [BLOCK]: guardNodeView((node, _view, _getPos, decorations) => blockView(node, decorations)) },
      },
    }),
  ],
});

function blockView(first: Node, decorations: readonly Decoration[]): NodeView {
  const rendered = styleOf(first);
  const { dom, contentDOM } = DOMSerializer.renderSpec(document, renderBlock(rendered));
  if (!(dom instanceof HTMLElement) || contentDOM === undefined) throw new Error('a block is an element with a text');
  showFold(dom, decorations);
  return {
    dom,
    contentDOM,
    update(node, others) {
      const style = styleOf(node);
      const needsNewElement =
        style.kind !== rendered.kind || (style.kind === 'heading' && style.level !== rendered.level);
      if (!isBlock(node) || needsNewElement) return false;
      showStyle(dom, style);
      showFold(dom, others);
      return true;
    },
    // A change in the header of a code block ("Copied") is not an edit.
    ignoreMutation: ({ type, target }) => type !== 'selection' && target !== dom && !contentDOM.contains(target),
  };
}

function showStyle(dom: HTMLElement, { kind, indent, checked, tone, language, start, delimiter }: Style): void {
  dom.dataset['indent'] = String(indent);
  dom.style.setProperty('--indent', String(indent));
  if (kind === 'task') {
    dom.dataset['checked'] = String(checked);
    const box = dom.querySelector('input');
    if (box !== null) box.checked = checked;
  } else if (kind === 'numbered') {
    dom.dataset['delimiter'] = delimiter;
    dom.toggleAttribute('data-start', start !== null);
    dom.style.setProperty('--start', start === null ? null : String(start));
  } else if (kind === 'callout') {
    dom.dataset['tone'] = tone;
    dom.querySelector('.block-lead')?.setAttribute('aria-label', toneLabel(tone));
  } else if (kind === 'code') {
    const button = dom.querySelector('.code-language');
    const name = languageName(language);
    button?.setAttribute('aria-label', languageLabel(name));
    if (button !== null && button.textContent !== name) button.textContent = name;
  }
}

/** Updates the chevron of a toggle. */
function showFold(dom: HTMLElement, decorations: readonly Decoration[]): void {
  dom
    .querySelector(':scope > .block-lead[aria-expanded]')
    ?.setAttribute('aria-expanded', String(!isDrawnFolded(decorations)));
}
