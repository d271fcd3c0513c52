// The keys with which people write and change blocks. They run before ProseMirror's base keymap.
import { Extension } from '@tiptap/core';
import { baseKeymap, chainCommands, deleteSelection } from '@tiptap/pm/commands';
import type { Command } from '@tiptap/pm/state';
import { isOwnAct } from '../binding/binding-of.ts';
import { shiftCodeLines } from '../code/code-lines.ts';
import { isCode } from '../schema/block-at.ts';
import { shiftIndent, toggleChecked, toggleKind } from './block-commands.ts';
import { selectBlock } from './block-selection-keys.ts';
import { toggleFold } from './folding.ts';
import { breakBlock, breakLine, eraseBackward, eraseForward, leaveCode, writeAfterNode } from './writing-commands.ts';

const base = (key: string): Command => baseKeymap[key] ?? (() => false);

export const BlockKeys = Extension.create({
  name: 'blockKeys',
  priority: 500,
  addKeyboardShortcuts() {
    const run = (command: Command) => () => {
      const { view } = this.editor;
      return command(view.state, view.dispatch, view);
    };
    // Tab indents, so keyboard users need another way to leave the text: Escape, then Tab.
    let tabLeaves = false;
    const tab = (by: 1 | -1) => () => {
      if (tabLeaves || !this.editor.isEditable) return false;
      if (run(shiftCodeLines(by))()) return true;
      run(shiftIndent(by))();
      return true;
    };
    this.editor.on('transaction', ({ transaction }) => {
      if (isOwnAct(transaction)) tabLeaves = false;
    });
    return {
      Enter: run(chainCommands(writeAfterNode, breakBlock, base('Enter'))),
      'Shift-Enter': run(breakLine),
      'Mod-Enter': run(chainCommands(leaveCode, toggleFold, toggleChecked)),
      Backspace: () =>
        this.editor.commands.undoInputRule() || run(chainCommands(deleteSelection, eraseBackward, base('Backspace')))(),
      Delete: run(chainCommands(deleteSelection, eraseForward, base('Delete'))),
      Tab: tab(1),
      'Shift-Tab': tab(-1),
      Escape: () => {
        const isSelected = run(selectBlock)();
        tabLeaves = true;
        return isSelected;
      },
      'Mod-Alt-0': run(toggleKind({ kind: 'paragraph' })),
      'Mod-Alt-1': run(toggleKind({ kind: 'heading', level: 1 })),
      'Mod-Alt-2': run(toggleKind({ kind: 'heading', level: 2 })),
      'Mod-Alt-3': run(toggleKind({ kind: 'heading', level: 3 })),
      'Mod-Shift-7': run(toggleKind({ kind: 'numbered' })),
      'Mod-Shift-8': run(toggleKind({ kind: 'bullet' })),
      'Mod-Shift-9': run(toggleKind({ kind: 'task' })),
      // Marks have no meaning in code and are not drawn there, so these keys do nothing.
      'Mod-b': run(ignoreInCode),
      'Mod-i': run(ignoreInCode),
      'Mod-u': run(ignoreInCode),
      'Mod-e': run(ignoreInCode),
      'Mod-Shift-x': run(ignoreInCode),
      'Mod-Shift-s': run(ignoreInCode),
      'Mod-Shift-h': run(ignoreInCode),
    };
  },
});

const ignoreInCode: Command = (state) => isCode(state.selection.$from.parent);
