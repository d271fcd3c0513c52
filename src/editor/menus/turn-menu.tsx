// The menu “Turn into” of the selection bar and of the phone's format bar: the kinds that the selected blocks can become, and a
// divider, formula or link card to insert: after the selection, or before an empty block.
import type { Editor } from '@tiptap/core';
import type { Command } from '@tiptap/pm/state';
import Link2 from 'lucide-react/icons/link-2';
import Minus from 'lucide-react/icons/minus';
import Sigma from 'lucide-react/icons/sigma';
import type { ReactElement } from 'react';
import { Menu, MenuItem, MenuSeparator } from '../../ui/floating/menu.tsx';
import { insertDivider, turnInto } from '../blocks/block-commands.ts';
import { type BlockKind, CALLOUT_KINDS, TEXT_KINDS } from '../blocks/block-kinds.ts';
import { insertCardAndAsk, insertMath } from '../blocks/insert-nodes.ts';
import { focusAfterMenu } from '../floating/focus-after-menu.ts';

type TurnMenuProps = {
  readonly editor: Editor;
  readonly trigger: ReactElement;
  readonly onOpenChange?: (open: boolean) => void;
};

export function TurnMenu({ editor, trigger, onOpenChange = () => undefined }: TurnMenuProps) {
  return (
    <Menu trigger={trigger} onOpenChange={onOpenChange}>
      <TurnItems editor={editor} />
      <MenuSeparator />
      <MenuItem icon={<Minus className="icon" aria-hidden size={16} />} onSelect={() => run(editor, insertDivider)}>
        Divider
      </MenuItem>
      <MenuItem icon={<Sigma className="icon" aria-hidden size={16} />} onSelect={() => run(editor, insertMath)}>
        Formula
      </MenuItem>
      <MenuItem icon={<Link2 className="icon" aria-hidden size={16} />} onSelect={() => insertCardAndAsk(editor)}>
        Link card
      </MenuItem>
    </Menu>
  );
}

/** The kinds that the selected blocks can become. */
export function TurnItems({ editor }: { readonly editor: Editor }) {
  const item = ({ name, icon: Icon, turn }: BlockKind) => (
    <MenuItem
      key={name}
      icon={<Icon className="icon" aria-hidden size={16} />}
      onSelect={() => run(editor, turnInto(turn))}
    >
      {name}
    </MenuItem>
  );
  return (
    <>
      {TEXT_KINDS.map(item)}
      <MenuSeparator />
      {CALLOUT_KINDS.map(item)}
    </>
  );
}

function run(editor: Editor, command: Command): void {
  command(editor.state, editor.view.dispatch);
  focusAfterMenu(editor);
}
