// What the slash menu lists under "More", as a menu of the bar of a phone: chosen by a finger, so no "/" is typed and
// none stays.
import type { Editor } from '@tiptap/core';
import type { ReactElement } from 'react';
import { Menu, MenuItem } from '../../ui/floating/menu.tsx';
import { focusAfterMenu } from '../floating/focus-after-menu.ts';
import { INSERTABLES } from '../typed-menu/insertables.ts';

type InsertMenuProps = {
  readonly editor: Editor;
  readonly trigger: ReactElement;
  readonly onOpenChange: (open: boolean) => void;
};

export function InsertMenu({ editor, trigger, onOpenChange }: InsertMenuProps) {
  const offered = INSERTABLES.filter(({ group, isOffered }) => group === 'More' && isOffered?.(editor) !== false);
  return (
    <Menu trigger={trigger} onOpenChange={onOpenChange}>
      {offered.map(({ id, name, icon: Icon, run }) => (
        <MenuItem
          key={id}
          icon={<Icon className="icon" aria-hidden size={16} />}
          onSelect={() => {
            run(editor);
            focusAfterMenu(editor);
          }}
        >
          {name}
        </MenuItem>
      ))}
    </Menu>
  );
}
