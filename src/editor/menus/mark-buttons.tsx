// Buttons that toggle marks on the selected text.
import type { Editor } from '@tiptap/core';
import type { LucideIcon } from 'lucide-react';
import Bold from 'lucide-react/icons/bold';
import Code from 'lucide-react/icons/code';
import Highlighter from 'lucide-react/icons/highlighter';
import Italic from 'lucide-react/icons/italic';
import Strikethrough from 'lucide-react/icons/strikethrough';
import Underline from 'lucide-react/icons/underline';
import type { MARKS } from 'weft-document/blocks/block.ts';
import { IconButton } from '../../ui/controls/button.tsx';
import type { ToolbarState } from '../blocks/toolbar-state.ts';

export type MarkName = Exclude<(typeof MARKS)[number], 'formula' | 'link' | 'mention' | 'date'>;

const BUTTONS: Readonly<Record<MarkName, { readonly label: string; readonly icon: LucideIcon }>> = {
  bold: { label: 'Bold', icon: Bold },
  italic: { label: 'Italic', icon: Italic },
  underline: { label: 'Underline', icon: Underline },
  strike: { label: 'Strikethrough', icon: Strikethrough },
  code: { label: 'Code', icon: Code },
  highlight: { label: 'Highlight', icon: Highlighter },
};

type MarkButtonsProps = {
  readonly editor: Editor;
  readonly toolbar: ToolbarState;
  readonly names: readonly MarkName[];
};

export function MarkButtons({ editor, toolbar, names }: MarkButtonsProps) {
  return names.map((name) => {
    const { label, icon: Icon } = BUTTONS[name];
    return (
      <IconButton
        key={name}
        label={label}
        aria-pressed={toolbar[name]}
        disabled={toolbar.inCode}
        onClick={() => editor.chain().focus().toggleMark(name).run()}
      >
        <Icon className="icon" aria-hidden size={16} />
      </IconButton>
    );
  });
}
