// A grey box for content that is too costly, or not possible, to draw as intended: a note, the content as plain text, and
// a button that deletes the block. The editor and the read-only views show the same box.
import { shownParts } from './grey-block-text.ts';

export type GreyBlockContent = {
  /** Why the content is not drawn, in one sentence. */
  readonly note: string;
  /** The content as text. An empty text shows no text field. */
  readonly text: string;
  /** Null hides the button, for people who may not write. */
  readonly onDelete: (() => void) | null;
};

export type GreyBlock = { readonly dom: HTMLElement; readonly update: (content: GreyBlockContent) => void };

export function createGreyBlock(first: GreyBlockContent): GreyBlock {
  const dom = element('div', 'grey-block');
  dom.contentEditable = 'false';
  const head = dom.appendChild(element('div', 'grey-block-head'));
  const note = head.appendChild(element('span', 'grey-block-note'));
  note.setAttribute('role', 'note');
  const remove = head.appendChild(button('Delete'));
  const text = dom.appendChild(element('pre', 'grey-block-text'));
  text.dir = 'auto';
  const more = dom.appendChild(button('Show more'));
  let content = first;
  let parts = 1;
  const show = () => {
    const { shown, left } = shownParts(content.text, parts);
    note.textContent = content.note;
    remove.hidden = content.onDelete === null;
    if (text.textContent !== shown) text.textContent = shown;
    text.hidden = content.text === '';
    more.hidden = left === 0;
  };
  remove.addEventListener('click', () => content.onDelete?.());
  more.addEventListener('click', () => {
    parts += 1;
    show();
  });
  show();
  return {
    dom,
    update(next) {
      content = next;
      show();
    },
  };
}

/** Its text can be selected, and its buttons work as everywhere: the editor leaves these events alone. */
export const isInGreyBlock = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('.grey-block-text, .grey-block-button') !== null;

function element(name: 'div' | 'span' | 'pre', className: string): HTMLElement {
  const made = document.createElement(name);
  made.className = className;
  return made;
}

function button(label: string): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.className = 'grey-block-button';
  made.textContent = label;
  return made;
}
