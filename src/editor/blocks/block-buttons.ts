// The buttons inside a block: toggle chevrons, callout icons, code languages, "Copy". Menus are React
// (`block-menus.tsx`), so a button asks for one with an event that bubbles up to the page.
import { Extension } from '@tiptap/core';
import { Plugin } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';
import { copyText } from '../../ui/browser/copy-text.ts';
import { keysAsText } from '../../ui/controls/key-caps.tsx';
import { toggleFoldOf } from './folding.ts';

/** The event that asks for a menu: `detail` names the menu, the target is the button. */
export const BLOCK_MENU_EVENT = 'weft-block-menu';
export type BlockMenuKind = 'tone' | 'language' | 'card';

const COPIED_MS = 1500;

export const BlockButtons = Extension.create({
  name: 'blockButtons',
  // A key or click on a button is meant for the button, so this runs before all other handlers.
  priority: 2000,
  addProseMirrorPlugins: () => [
    new Plugin({
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
  button.dispatchEvent(new CustomEvent(BLOCK_MENU_EVENT, { bubbles: true, detail: menu }));
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
