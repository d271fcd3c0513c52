// Menus of the buttons inside blocks: the type of a callout, the language of code, the form of a link card. The block
// is found by its element, which stays the same while only attributes change.
import type { Editor } from '@tiptap/core';
import type { Command } from '@tiptap/pm/state';
import { useEffect, useState } from 'react';
import { TONES } from 'weft-document/blocks/block.ts';
import { parseEmbed } from 'weft-document/body/parse-body.ts';
import { EMBED } from 'weft-document/names.ts';
import { latePart } from '../../ui/feedback/late-part.tsx';
import { MenuAtPoint, MenuItem } from '../../ui/floating/menu.tsx';
import { BLOCK_MENU, BlockMenuRequest } from '../blocks/block-buttons.ts';
import { setBlockAttributes } from '../blocks/block-commands.ts';
import { focusAfterMenu } from '../floating/focus-after-menu.ts';
import { setCard, cardToLink } from '../links/card-commands.ts';
import { type PlacedBlock, isBlock } from '../schema/block-at.ts';
import { TONE_NAMES } from '../schema/tone-names.ts';

const CardForm = latePart(async () => (await import('../links/card-form.tsx')).CardForm);
const LanguageMenu = latePart(async () => (await import('../code/language-menu.tsx')).LanguageMenu);

type BlockMenusProps = { readonly editor: Editor; readonly uiCommands: EventTarget };

export function BlockMenus({ editor, uiCommands }: BlockMenusProps) {
  const [open, setOpen] = useState<Pick<BlockMenuRequest, 'menu' | 'button'> | null>(null);
  useEffect(() => {
    const onMenuRequested = (event: Event) => {
      if (event instanceof BlockMenuRequest) setOpen({ menu: event.menu, button: event.button });
    };
    uiCommands.addEventListener(BLOCK_MENU, onMenuRequested);
    return () => uiCommands.removeEventListener(BLOCK_MENU, onMenuRequested);
  }, [uiCommands]);
  if (open === null) return null;
  const close = () => setOpen(null);
  const closeAndFocus = () => {
    close();
    focusAfterMenu(editor);
  };
  const set = (attributes: Readonly<Record<string, string | null>>) => {
    setOnBlock(editor, open.button, attributes);
    close();
  };
  if (open.menu === 'card') return <CardMenu editor={editor} button={open.button} onClose={closeAndFocus} />;
  if (open.menu === 'language') {
    return <LanguageMenu anchor={open.button} onChoose={(language) => set({ language })} onClose={closeAndFocus} />;
  }
  return (
    <MenuAtPoint
      label="Callout type"
      open
      anchor={open.button}
      onOpenChange={(isOpen) => !isOpen && close()}
      returnFocusTo={() => (editor.isDestroyed ? null : editor.view.dom)}
    >
      {TONES.map((tone) => (
        <MenuItem
          key={tone}
          icon={<span className="tone-icon" data-tone={tone} aria-hidden />}
          onSelect={() => set({ tone })}
        >
          {TONE_NAMES[tone]}
        </MenuItem>
      ))}
    </MenuAtPoint>
  );
}

type CardMenuProps = { readonly editor: Editor; readonly button: Element; readonly onClose: () => void };

function CardMenu({ editor, button, onClose }: CardMenuProps) {
  const placed = blockOfButton(editor, button);
  if (placed?.node.type.name !== EMBED) return null;
  const { url, title } = parseEmbed(placed.node.attrs);
  const run = (command: (at: number) => Command) => {
    // Others may have moved it meanwhile.
    const now = blockOfButton(editor, button);
    if (now !== null) command(now.at)(editor.state, editor.view.dispatch);
    onClose();
  };
  return (
    <CardForm
      anchor={button}
      card={{ url: url ?? '', title }}
      onSave={(card) => run((at) => setCard(at, card))}
      onTurnIntoLink={() => run(cardToLink)}
      onClose={onClose}
    />
  );
}

function setOnBlock(editor: Editor, button: Element, attributes: Readonly<Record<string, string | null>>): void {
  const placed = blockOfButton(editor, button);
  if (placed === null || !isBlock(placed.node)) return;
  editor.view.dispatch(setBlockAttributes(editor.state.tr, [placed], attributes));
}

/** The top-level node that contains a button; null if it is gone. */
function blockOfButton({ view }: Editor, button: Element): PlacedBlock | null {
  const block = button.closest('.block');
  if (block === null || !view.dom.contains(block)) return null;
  const $at = view.state.doc.resolve(view.posAtDOM(block, 0, -1));
  // Inside a block of text, or, for a node without text such as a link card, right before it.
  const at = $at.depth > 0 ? $at.before(1) : $at.pos;
  const node = view.state.doc.nodeAt(at);
  return node === null ? null : { node, at, index: $at.index(0) };
}
