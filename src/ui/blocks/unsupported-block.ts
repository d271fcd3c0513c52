// An unsupported block: a grey box for content that is too costly, or not possible, to draw as intended: a note, the content as
// plain text, and a button that deletes the block. The editor and the read-only views show the same box.
import { shownParts } from './unsupported-block-text.ts';

export type UnsupportedBlockContent = {
  /** Why the content is not drawn, in one sentence. */
  readonly note: string;
  /** The content as text. An empty text shows no text field. */
  readonly text: string;
  /** Null hides the button, for people who may not write. */
  readonly onDelete: (() => void) | null;
};

export type UnsupportedBlock = {
  readonly dom: HTMLElement;
  readonly update: (content: UnsupportedBlockContent) => void;
};

export function createUnsupportedBlock(first: UnsupportedBlockContent): UnsupportedBlock {
  const dom = element('div', 'unsupported-block');
  dom.contentEditable = 'false';
  const head = dom.appendChild(element('div', 'unsupported-block-head'));
  const note = head.appendChild(element('span', 'unsupported-block-note'));
  note.setAttribute('role', 'note');
  const remove = head.appendChild(button('Delete'));
  const text = dom.appendChild(element('pre', 'unsupported-block-text'));
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

/** Whether an event is of the text, which can be selected, or of a button: the editor leaves these events alone. */
export const isInUnsupportedBlock = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('.unsupported-block-text, .unsupported-block-button') !== null;

function element(name: 'div' | 'span' | 'pre', className: string): HTMLElement {
  const made = document.createElement(name);
  made.className = className;
  return made;
}

function button(label: string): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.className = 'unsupported-block-button';
  made.textContent = label;
  return made;
}
