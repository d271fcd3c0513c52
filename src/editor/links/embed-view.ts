// The node view of a link card: its title, its host, and an edit button. Loads nothing.
import { Extension } from '@tiptap/core';
import type { Node } from '@tiptap/pm/model';
import { Plugin } from '@tiptap/pm/state';
import type { NodeView } from '@tiptap/pm/view';
import { parseEmbed } from 'weft-document/body/parse-body.ts';
import { EMBED } from 'weft-document/names.ts';
import { requestMenu } from '../blocks/block-buttons.ts';
import { guardNodeView } from '../schema/guard-node-view.ts';
import { cardHost, cardTitle } from './card-text.ts';

export const EmbedView = Extension.create({
  name: 'embedView',
  addProseMirrorPlugins: () => [new Plugin({ props: { nodeViews: { [EMBED]: guardNodeView(embedView) } } })],
});

function embedView(first: Node): NodeView {
  const dom = document.createElement('div');
  dom.className = 'block';
  dom.dataset['kind'] = EMBED;
  const link = dom.appendChild(document.createElement('a'));
  link.className = 'block-card';
  link.target = '_blank';
  link.rel = 'noopener noreferrer nofollow';
  link.draggable = false;
  const title = link.appendChild(document.createElement('span'));
  title.className = 'card-title';
  title.dir = 'auto';
  const host = link.appendChild(document.createElement('span'));
  host.className = 'card-host';
  const edit = dom.appendChild(document.createElement('button'));
  edit.type = 'button';
  edit.className = 'card-edit';
  edit.textContent = 'Edit';
  edit.setAttribute('aria-haspopup', 'dialog');
  edit.addEventListener('click', () => requestMenu(edit, 'card'));
  const draw = (node: Node) => {
    const card = parseEmbed(node.attrs);
    if (card.url === null) link.removeAttribute('href');
    else link.href = card.url;
    title.textContent = cardTitle(card);
    host.textContent = cardHost(card);
    edit.setAttribute('aria-label', `Edit link card: ${cardTitle(card)}`);
  };
  draw(first);
  // From the keyboard it works like any other link.
  link.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') event.stopPropagation();
  });
  return {
    dom,
    update(node) {
      if (node.type.name !== EMBED) return false;
      draw(node);
      return true;
    },
    stopEvent: ({ target }) => target instanceof globalThis.Node && edit.contains(target),
    ignoreMutation: () => true,
  };
}
