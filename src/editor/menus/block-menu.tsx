// The menu of the selected blocks, opened by the handle, by Ctrl-/ anywhere in the text, or by the bar of a phone.
import type { Editor } from '@tiptap/core';
import ArrowDown from 'lucide-react/icons/arrow-down';
import ArrowUp from 'lucide-react/icons/arrow-up';
import CopyPlus from 'lucide-react/icons/copy-plus';
import Link from 'lucide-react/icons/link';
import MessageSquare from 'lucide-react/icons/message-square';
import Replace from 'lucide-react/icons/replace';
import Trash2 from 'lucide-react/icons/trash-2';
import UserPen from 'lucide-react/icons/user-pen';
import { copyText } from '../../ui/browser/copy-text.ts';
import { keysAsText } from '../../ui/controls/key-caps.tsx';
import { MenuItem, MenuSeparator, MenuAtPoint, SubMenu } from '../../ui/floating/menu.tsx';
import { toast } from '../../ui/floating/toast.tsx';
import type { EditContext } from '../binding/edit-context.ts';
import { withBody } from '../blocks/block-bodies.ts';
import { addressOfBlock } from '../blocks/block-link.ts';
import { BlockSelection, touchedBlocks } from '../blocks/block-selection.ts';
import { duplicateSelected, moveSelected } from '../blocks/move-selected-blocks.ts';
import { selectedBlocks } from '../schema/block-at.ts';
import { TurnItems } from './turn-menu.tsx';
import type { WordQuestions } from './word-questions.ts';

type BlockMenuProps = {
  readonly editor: Editor;
  readonly context: EditContext;
  /** The menu opens beside it; null when closed. */
  readonly anchor: { getBoundingClientRect(): DOMRect } | null;
  readonly onClose: () => void;
  /** Null where the page has no history. */
  readonly questions: WordQuestions | null;
  /** Null where the person may not comment. */
  readonly comment: (() => void) | null;
};

const icon = (Icon: typeof ArrowUp) => <Icon className="icon" aria-hidden size={16} />;

export function BlockMenu({ editor, context, anchor, onClose, questions, comment }: BlockMenuProps) {
  const count = anchor === null ? 0 : countOf(editor);
  return (
    <MenuAtPoint
      label={count > 1 ? `${count} blocks` : 'Block'}
      open={anchor !== null}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      anchor={anchor}
      returnFocusTo={() => (editor.isDestroyed ? null : editor.view.dom)}
    >
      {anchor !== null && selectedBlocks(editor.state).length > 0 && (
        <>
          <SubMenu icon={icon(Replace)} label="Turn into">
            <TurnItems editor={editor} />
          </SubMenu>
          <MenuSeparator />
        </>
      )}
      <MenuItem
        icon={icon(ArrowUp)}
        keys={keysAsText('Alt-Shift-ArrowUp')}
        onSelect={() => moveSelected(editor, context, -1)}
      >
        Move up
      </MenuItem>
      <MenuItem
        icon={icon(ArrowDown)}
        keys={keysAsText('Alt-Shift-ArrowDown')}
        onSelect={() => moveSelected(editor, context, 1)}
      >
        Move down
      </MenuItem>
      <MenuItem icon={icon(CopyPlus)} keys={keysAsText('Mod-d')} onSelect={() => duplicateSelected(editor, context)}>
        Duplicate
      </MenuItem>
      <MenuItem icon={icon(Link)} onSelect={() => void copyLink(editor)}>
        Copy link to block
      </MenuItem>
      {comment !== null && (
        <MenuItem icon={icon(MessageSquare)} keys={keysAsText('Mod-Alt-m')} onSelect={comment}>
          Comment
        </MenuItem>
      )}
      {questions !== null && (
        <MenuItem icon={icon(UserPen)} onSelect={() => questions.ask(editor, false)}>
          Who wrote this?
        </MenuItem>
      )}
      <MenuSeparator />
      <MenuItem icon={icon(Trash2)} keys={keysAsText('Delete')} onSelect={() => deleteSelected(editor)}>
        Delete
      </MenuItem>
      {questions?.mayErase && (
        <MenuItem icon={icon(Trash2)} onSelect={() => questions.ask(editor, true)}>
          Erase from history too…
        </MenuItem>
      )}
    </MenuAtPoint>
  );
}

const countOf = ({ state }: Editor): number => {
  const { from, to } = touchedBlocks(state);
  return to - from;
};

/** Includes the deeper blocks below: without their item they would belong to the item above. */
function deleteSelected({ view }: Editor): void {
  const { from, to } = withBody(view.state.doc, touchedBlocks(view.state));
  const { doc, tr } = view.state;
  view.dispatch(
    tr
      .setSelection(BlockSelection.between(doc, from, to - 1))
      .deleteSelection()
      .scrollIntoView(),
  );
}

async function copyLink(editor: Editor): Promise<void> {
  const address = addressOfBlock(editor, `${location.origin}${location.pathname}`);
  if (address === null) return;
  toast((await copyText(address, null)) ? 'Link copied' : 'Couldn’t copy the link');
}
