// The buttons inside a block: toggle chevrons, callout icons, code languages, "Copy". Menus are React
// (`block-menus.tsx`), so a button asks for one with an event that bubbles up to the text and goes on to `uiCommands`.
import { Extension } from '@tiptap/core';
import { Plugin } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';
import { copyText } from '../../ui/browser/copy-text.ts';
import { keysAsText } from '../../ui/controls/key-caps.tsx';
import { toggleFoldOf } from './folding.ts';

export type BlockMenuKind = 'tone' | 'language' | 'card';

export const BLOCK_MENU = 'block-button-menu';

export class BlockMenuRequest extends Event {
  readonly menu: BlockMenuKind;
  readonly button: Element;

  constructor(menu: BlockMenuKind, button: Element) {
    super(BLOCK_MENU, { bubbles: true });
    this.menu = menu;
    this.button = button;
  }
}

const COPIED_MS = 1500;

/** Dispatches `BlockMenuRequest` on `uiCommands`. */
export const blockButtons = (uiCommands: EventTarget) =>
  Extension.create({
    name: 'blockButtons',
    // A key or click on a button is meant for the button, so this runs before all other handlers.
    priority: 2000,
    addProseMirrorPlugins: () => [
      new Plugin({
        view: ({ dom }) => {
          const ask = (event: Event) => {
            if (event instanceof BlockMenuRequest)
              uiCommands.dispatchEvent(new BlockMenuRequest(event.menu, event.button));
          };
          // Not in `handleDOMEvents`, which sees no event of a node view that keeps its events for itself.
          dom.addEventListener(BLOCK_MENU, ask);
          return { destroy: () => dom.removeEventListener(BLOCK_MENU, ask) };
        },
        props: {
          handleDOMEvents: {
            mousedown: keepFocus,
            click: press,
            keydown: (_view, event) => buttonOf(event) !== null && event.key !== 'Tab' && event.key !== 'Escape',
            keypress: (_view, event) => buttonOf(event) !== null,
          },
        },
      }),
    ],
  });

export function requestMenu(button: Element, menu: BlockMenuKind): void {
  button.dispatchEvent(new BlockMenuRequest(menu, button));
}

function buttonOf({ target }: Event): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('.block button') : null;
}

/** Clicking a button leaves the caret where it is. */
function keepFocus(_view: EditorView, event: MouseEvent): boolean {
  const button = buttonOf(event);
  if (button === null) return false;
  event.preventDefault();
  return true;
}

function press(view: EditorView, event: MouseEvent): boolean {
  const button = buttonOf(event);
  const block = button?.closest('.block') ?? null;
  if (button === null || block === null) return false;
  if (button.matches('[data-kind="toggle"] > .block-lead')) return toggleFoldOf(view, block);
  if (button.matches('.code-copy')) {
    void copyCode(button, block);
    return true;
  }
  if (!view.editable) return button.matches('.block-lead, .code-language');
  if (button.matches('[data-kind="callout"] > .block-lead')) requestMenu(button, 'tone');
  else if (button.matches('.code-language')) requestMenu(button, 'language');
  else return false;
  return true;
}

async function copyCode(button: HTMLElement, block: Element): Promise<void> {
  const text = block.querySelector('code')?.textContent ?? '';
  button.textContent = (await copyText(text, null)) ? 'Copied' : `Select it, then ${keysAsText('Mod-c')}`;
  setTimeout(() => {
    button.textContent = 'Copy';
  }, COPIED_MS);
}
